// Positions and lengths in a picture's units, as whole numbers or with one decimal.

package protocol PictureLength: Sendable {
  var pictureText: String { get }
}

extension Int: PictureLength {
  package var pictureText: String { String(self) }
}

extension Double: PictureLength {
  /// With at most one decimal: a tenth of a unit is finer than a screen's pixels.
  package var pictureText: String {
    let tenths = Int((self * 10).rounded())
    let (whole, part) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return "\(tenths < 0 ? "-" : "")\(whole)" + (part == 0 ? "" : ".\(part)")
  }
}
