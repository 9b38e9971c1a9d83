// A small scenario, to which tests of keys add theirs.

enum SampleScenario {
  /// The file's text, of which the policies are to follow, each as `  - policy`.
  static let start = """
    scenario: sample
    question: What does it cost?
    data:
      Item: { rows: 40_000, value: { size: 256 B } }
    clients:
      writer: { kind: writer, transaction: { update: 10 } }
    phases:
      - work: { commits: 2_000, run: [writer] }
    policies:

    """

  /// Returns the file's text, with one policy at its end.
  static func text(policy: String = "never") -> String { start + "  - \(policy)\n" }
}
