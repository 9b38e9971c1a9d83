// Elements, paths and axes: exact bytes, since pictures are compared byte for byte.
import Foundation
import PictureDrawing
import Testing

@Suite("Drawing pictures")
struct PictureDrawingTests {
  @Test("an element has its attributes in a fixed order, and closes itself where it is empty")
  func elements() {
    #expect(
      Draw.rectangle("bar", x: 1, y: 2.5, width: 30, height: 6.04)
        == #"<rect class="bar" x="1" y="2.5" width="30" height="6"/>"#)
    #expect(
      Draw.text("a < b", "txt", x: 5, y: 6, size: 12, weight: "600", anchor: .end)
        == #"<text class="txt" x="5" y="6" font-size="12" font-weight="600" text-anchor="end">a &lt; b</text>"#
    )
    #expect(
      Draw.circle("mark", x: 1.0, y: 2.0, radius: 3, title: "\"q\"")
        == #"<circle class="mark" cx="1" cy="2" r="3"><title>&quot;q&quot;</title></circle>"#)
  }

  @Test("a line through points leaves out a point that is drawn where the one before it is")
  func paths() {
    let points = [(x: 0.0, y: 1.0), (x: 0.04, y: 1.0), (x: 2.0, y: -0.25)]
    #expect(PathData(through: points).text == "M0 1L2 -0.3")
    #expect(PathData.area(under: points, base: 9)?.text == "M0 9L0 1L2 -0.3L2 9Z")
    #expect(PathData.area(under: [], base: 9) == nil)
    #expect(
      PathData().move(1, 2).horizontal(by: 8).line(byX: -4, y: 8).closed().text == "M1 2h8l-4 8Z")
  }

  @Test(
    "steps of an axis are 1, 2 or 5 times a power of ten, with a tick above zero at every scale",
    arguments: [1, 9, 10_000, 23_456, 999_999, 123_456_789])
  func byteAxis(max: Int) {
    let axis = ByteAxis(max: max, ticks: 3)
    #expect(axis.ticks.count >= 2 && axis.ticks.count <= 5)
    #expect(axis.ticks[0] == 0 && axis.top >= max)
    let step = String(axis.ticks[1])
    #expect("125".contains(step.prefix(1)) && step.dropFirst().allSatisfy { $0 == "0" })
  }

  @Test("labels of sizes have decimal units and no needless digits")
  func labels() {
    let axis = ByteAxis(max: 1, ticks: 3)
    let sizes = [0, 500_000, 2_500_000, 20_000_000, 1_000_000_000]
    #expect(sizes.map(axis.label) == ["0", "500 kB", "2.5 MB", "20 MB", "1 GB"])
    #expect(CountAxis.ticks(to: 17_000, count: 6) == [0, 5000, 10_000, 15_000])
  }

  @Test("a picture by itself follows the viewer's light or dark setting; one in a page the page's")
  func themes() {
    let picture = PictureDocument.text(
      width: 3, height: 4, styles: PictureTheme.standalone, background: .style("paper"), "")
    #expect(picture.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 4""#))
    #expect(picture.contains("prefers-color-scheme:dark") && picture.hasSuffix("</svg>\n"))
    #expect(!PictureTheme.inPage.contains("prefers-color-scheme"))
    #expect(PictureTheme.inPage.contains("[data-theme=dark] .paper"))
  }
}
