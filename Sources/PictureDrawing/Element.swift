// The elements of a picture, each as SVG text: the one place that writes them. Attributes have a fixed order, so that the
// same picture is the same bytes on every machine.

/// Functions that return one SVG element each. `style` is the name of a class in the picture's style sheet.
package enum Draw {
  package enum Anchor: String, Sendable { case middle, end }

  package static func rectangle(
    _ style: String? = nil, x: (some PictureLength)?, y: (some PictureLength)?,
    width: some PictureLength, height: some PictureLength, fill: String? = nil,
    stroke: String? = nil, title: String? = nil
  ) -> String {
    var element = Element("rect", style)
    element.add("x", x)
    element.add("y", y)
    element.add("width", width)
    element.add("height", height)
    element.add("fill", fill)
    element.add("stroke", stroke)
    return element.text(title: title)
  }

  /// A rectangle over a whole picture of this size.
  package static func background(
    _ style: String? = nil, width: Int, height: Int, fill: String? = nil
  ) -> String {
    rectangle(style, x: Int?.none, y: Int?.none, width: width, height: height, fill: fill)
  }

  /// - Parameter detail: more text behind the first, in a style and weight of its own.
  package static func text(
    _ text: String, _ style: String? = nil, x: some PictureLength, y: some PictureLength,
    size: Int? = nil, weight: String? = nil, anchor: Anchor? = nil,
    detail: (text: String, style: String)? = nil
  ) -> String {
    var element = Element("text", style)
    element.add("x", x)
    element.add("y", y)
    element.add("font-size", size)
    element.add("font-weight", weight)
    element.add("text-anchor", anchor?.rawValue)
    var content = text.escapedForMarkup
    if let detail {
      var span = Element("tspan", detail.style)
      span.add("font-weight", "normal")
      span.add("dx", 8)
      content += span.text(content: detail.text.escapedForMarkup)
    }
    return element.text(content: content)
  }

  /// Text that reads from the bottom to the top, centered at the point.
  package static func verticalText(
    _ text: String, _ style: String, x: Int, y: Int, size: Int
  ) -> String {
    var element = Element("text", style)
    element.add("transform", "translate(\(x) \(y)) rotate(-90)")
    element.add("font-size", size)
    element.add("text-anchor", Anchor.middle.rawValue)
    return element.text(content: text.escapedForMarkup)
  }

  /// - Parameters:
  ///   - series: the number of the curve, by which a page's script finds it.
  ///   - opacity: of its area, from 0 to 1; nil for all of it.
  ///   - dashes: lengths of dashes and gaps; empty for a solid line that says so, nil for none.
  package static func path(
    _ style: String, _ data: PathData, series: Int? = nil, width: String? = nil,
    dashes: String? = nil, opacity: String? = nil, title: String? = nil
  ) -> String {
    var element = Element("path", style)
    element.add("data-s", series)
    element.add("stroke-width", width)
    element.add("stroke-dasharray", dashes)
    element.add("fill-opacity", opacity)
    element.add("d", data.text)
    return element.text(title: title)
  }

  package static func circle(
    _ style: String, x: some PictureLength, y: some PictureLength, radius: some PictureLength,
    title: String? = nil
  ) -> String {
    var element = Element("circle", style)
    element.add("cx", x)
    element.add("cy", y)
    element.add("r", radius)
    return element.text(title: title)
  }

  package static func verticalLine(
    _ style: String, x: some PictureLength, from top: some PictureLength,
    to bottom: some PictureLength, dashes: String? = nil, isHidden: Bool = false
  ) -> String {
    var element = Element("line", style)
    element.add("x1", x)
    element.add("y1", top)
    element.add("x2", x)
    element.add("y2", bottom)
    element.add("stroke-dasharray", dashes)
    element.add("visibility", isHidden ? "hidden" : nil)
    return element.text(content: "")
  }

  /// Elements that are drawn with the picture's origin moved to the point.
  package static func group(x: Int, y: Int, _ content: String) -> String {
    var element = Element("g", nil)
    element.add("transform", "translate(\(x) \(y))")
    return element.text(content: content)
  }

  /// Elements of one series.
  package static func group(series: Int, _ content: String) -> String {
    var element = Element("g", nil)
    element.add("data-s", series)
    return element.text(content: content)
  }

  package static func group(_ content: String) -> String {
    Element("g", nil).text(content: content)
  }
}

/// An element under construction: its name and the attributes so far.
struct Element {
  private let name: String
  private var attributes = ""

  init(_ name: String, _ style: String?) {
    self.name = name
    add("class", style)
  }

  /// Adds an attribute; nil adds none.
  mutating func add(_ name: String, _ value: String?) {
    if let value { attributes += " \(name)=\"\(value)\"" }
  }

  mutating func add(_ name: String, _ value: (some PictureLength)?) {
    add(name, value?.pictureText)
  }

  func text(title: String?) -> String {
    text(content: title.map { "<title>\($0.escapedForMarkup)</title>" } ?? "")
  }

  func text(content: String) -> String {
    content.isEmpty ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(content)</\(name)>"
  }
}
