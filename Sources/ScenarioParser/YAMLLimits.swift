// What YAML allows and a scenario has no use for, refused before it is read: a few lines of aliases stand for more values
// than there is memory, and comparing two of them takes longer than anyone waits. The reader of YAML itself stops at a
// thousand levels.

enum YAMLLimits {
  /// Larger files are no scenarios, in bytes.
  static let length = 1 << 20

  /// The first alias of an anchor that is in the text too. Either alone is text, or no YAML.
  static func alias(
    in scalars: [Unicode.Scalar]
  ) -> (offset: Int, length: Int, message: String, hint: String)? {
    var anchors: Set<String> = []
    for offset in scalars.indices where scalars[offset] == "&" {
      anchors.insert(name(scalars, from: offset + 1))
    }
    anchors.remove("")
    guard !anchors.isEmpty else { return nil }
    for offset in scalars.indices where scalars[offset] == "*" {
      let name = name(scalars, from: offset + 1)
      guard anchors.contains(name) else { continue }
      let short = shortened(name)
      return (
        offset, name.unicodeScalars.count + 1,
        "there are &\(short) and *\(short), and aliases are not read",
        "write the value out in each place"
      )
    }
    return nil
  }

  /// Returns the name of the anchor at `start`.
  private static func name(_ scalars: [Unicode.Scalar], from start: Int) -> String {
    var view = String.UnicodeScalarView()
    view.append(
      contentsOf: scalars[start...].prefix { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || scalar == "_" || scalar == "-")
      })
    return String(view)
  }
}
