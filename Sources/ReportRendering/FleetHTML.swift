// simulation.html: the page of a simulated fleet as one file, with its pictures drawn in it. Curves can be switched off.
package import FleetModel
import PictureDrawing

package enum FleetHTML {
  package static let fileName = "simulation.html"

  package static func text(_ summary: FleetSummary, repeatedBy command: String) -> String {
    let markdown = FleetMarkdown.text(summary, repeatedBy: command, pictureFolder: "")
    let pictures = Dictionary(
      uniqueKeysWithValues: FleetPicture.all(summary).map { ($0.name, $0) })
    var hasSwitches = false
    let body = MarkdownHTML.html(markdown) { path in
      guard let picture = path.split(separator: "/").last.flatMap({ pictures[String($0)] })
      else { return nil }
      let switches = hasSwitches ? "" : ReportPage.switches(summary.policies.map(\.name.visible))
      hasSwitches = true
      return "\(switches)<div class=\"panel\">\(picture.inPage)</div>\n"
    }
    return ReportPage.text(title: summary.population, body: body, data: "{\"panels\":[]}")
  }
}
