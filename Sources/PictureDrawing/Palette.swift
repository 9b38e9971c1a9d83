// Okabe and Ito's palette, whose colors people with any kind of color vision tell apart.

package enum Palette {
  package static let orange = "#e69f00"
  package static let skyBlue = "#56b4e9"
  package static let green = "#009e73"
  package static let yellow = "#f0e442"
  package static let blue = "#0072b2"
  package static let vermilion = "#d55e00"
  package static let purple = "#cc79a7"
  package static let black = "#000000"
}
