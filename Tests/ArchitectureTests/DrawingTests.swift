import TestSupport
import Testing

@Suite("One place that draws")
struct DrawingTests {
  @Test("no module but PictureDrawing writes elements of SVG")
  func onePlace() throws {
    let element = #/<(?:svg|rect|path|text|circle|line|tspan|g)[ >]/#
    for file in Repository.files(in: "Sources", ending: ".swift")
    where !file.hasPrefix("Sources/PictureDrawing/") {
      let found = try Repository.text(file).split(separator: "\n").first {
        $0.contains("\"") && $0.contains(element)
      }
      #expect(found == nil, "\(file) writes \(found ?? "")")
    }
  }
}
