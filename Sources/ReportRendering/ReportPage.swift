// The frame of a page that is one file: it names nothing outside of itself and may load nothing.
import PictureDrawing

enum ReportPage {
  /// - Parameter data: JSON that the script reads.
  static func text(title: String, body: String, data: String) -> String {
    // Within the element that holds the data nothing may look like its end.
    let data = data.replacing("<", with: "\\u003c")
    return """
      <!DOCTYPE html>
      <html lang="en" data-theme="light">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      script-src 'unsafe-inline'">
      <title>\(title.asMarkup) · Compaction Lab</title>
      <style>
      \(ReportPageParts.style)
      \(PictureTheme.inPage)
      </style>
      </head>
      <body>
      <main>
      \(body)</main>
      <div id="tip" role="status" hidden></div>
      <script type="application/json" id="data">\(data)</script>
      <script>
      \(ReportPageParts.script)
      </script>
      </body>
      </html>

      """
  }

  /// A button for each series, which switches its curves off and on, and one for the colors.
  static func switches(_ names: [String]) -> String {
    var html = "<div class=\"bar-of-buttons\" role=\"group\" aria-label=\"curves\">\n"
    for (index, name) in names.enumerated() {
      html += """
        <button type="button" data-series="\(index)" aria-pressed="true">\(sample(index))\
        \(name.asMarkup)</button>

        """
    }
    return html + "<button type=\"button\" id=\"theme\">dark</button>\n</div>\n"
  }

  /// A short piece of the series' line.
  static func sample(_ series: Int) -> String {
    let style = PictureTheme.style(series)
    let line = Draw.path(
      "curve s\(style)", PathData().move(0, 4).horizontal(to: 26), width: "3",
      dashes: PictureTheme.dashes[style])
    return PictureDocument.inLine(width: 26, height: 8, line)
  }
}
