// Texts of scenarios and engines within HTML.
import MetricModel
import PictureDrawing

extension String {
  /// As text in markup; what XML has no character for is shown as a replacement.
  var asMarkup: String { visible.escapedForMarkup }
}
