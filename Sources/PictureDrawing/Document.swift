// A picture as a whole: as a file by itself, or as a part of a page.

package enum PictureDocument {
  /// A file by itself, with its style sheet and a background.
  ///
  /// - Parameters:
  ///   - font: family and size for text that names none; nil where the style sheet has them.
  ///   - title: what a screen reader announces; nil for none.
  ///   - background: the class, or the color that is not in a style sheet.
  package static func text(
    width: Int, height: Int, styles: String? = nil, font: (family: String, size: Int)? = nil,
    title: String? = nil, background: Background, _ body: String
  ) -> String {
    let fontAttributes = font.map { " font-family=\"\($0.family)\" font-size=\"\($0.size)\"" } ?? ""
    let role = title == nil ? "" : " role=\"img\""
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\""
        + " width=\"\(width)\" height=\"\(height)\"\(fontAttributes)\(role)>"
    ]
    if let title { lines.append("<title>\(title.escapedForMarkup)</title>") }
    if let styles { lines.append("<style>\(styles)</style>") }
    lines.append(background.drawn(width, height))
    return lines.joined(separator: "\n") + "\n\(body)</svg>\n"
  }

  package enum Background: Sendable {
    case style(String)
    case color(String)

    fileprivate func drawn(_ width: Int, _ height: Int) -> String {
      switch self {
      case .style(let name): Draw.background(name, width: width, height: height)
      case .color(let color): Draw.background(width: width, height: height, fill: color)
      }
    }
  }

  /// A part of a page, which has the style sheet: as wide as the page lets it be.
  package static func inPage(width: Int, height: Int, background: String, _ body: String) -> String
  {
    """
    <svg viewBox="0 0 \(width) \(height)" role="img">
    \(Draw.background(background, width: width, height: height))
    \(body)
    </svg>
    """
  }

  /// A small decoration within a line of a page, which screen readers skip.
  package static func inLine(width: Int, height: Int, _ body: String) -> String {
    "<svg width=\"\(width)\" height=\"\(height)\" aria-hidden=\"true\">\(body)</svg>"
  }
}
