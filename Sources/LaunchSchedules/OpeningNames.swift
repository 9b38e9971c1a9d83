// The names of openings: launches by their numbers, moments in the background by the launch behind them.
package import MetricModel

package struct OpeningNames: Hashable, Sendable {
  /// The kind of each opening; nil for a launch.
  private let kinds: [BackgroundMoment?]

  package init(_ kinds: [BackgroundMoment?]) { self.kinds = kinds }

  package init(_ openings: Openings) { kinds = openings.kinds }

  /// The kinds of moments that there are, in their order; empty where every opening is a launch.
  package var moments: [BackgroundMoment] {
    kinds.reduce(into: []) { found, kind in
      if let kind, !found.contains(kind) { found.append(kind) }
    }
  }

  package func moment(_ opening: Int) -> BackgroundMoment? { kinds[opening - 1] }

  /// Returns the number of the launch, or of the one behind the moment.
  private func launch(_ opening: Int) -> Int {
    kinds.prefix(opening).count { $0 == nil } + (moment(opening) == nil ? 0 : 1)
  }

  /// Returns `3`, or `charging before 4`.
  package func number(_ opening: Int) -> String {
    (moment(opening).map { "\($0.rawValue) before " } ?? "") + "\(launch(opening))"
  }

  /// Returns `launch 3`, or `charging before launch 4`.
  package func label(_ opening: Int) -> String {
    (moment(opening).map { "\($0.rawValue) before " } ?? "") + "launch \(launch(opening))"
  }

  /// Returns `at launch 3`, or `while charging before launch 4`.
  package func phrase(_ opening: Int) -> String {
    (moment(opening) == nil ? "at " : "while ") + label(opening)
  }

  /// Returns `at no launch`, `at launches 2, 4 to 6`, `at launch 2, while charging before launches 3, 5`.
  package func phrase(_ schedule: LaunchSchedule) -> String {
    let (launches, moments) = divided(schedule)
    var parts = moments.map { "while \($0.moment.rawValue) before \($0.before.words)" }
    if !launches.launches.isEmpty || moments.isEmpty { parts.insert("at \(launches.words)", at: 0) }
    return parts.joined(separator: ", ")
  }

  /// Returns `none`, `2, 4 to 6`, `2; charging before 3, 5`.
  package func numbers(_ schedule: LaunchSchedule) -> String {
    let (launches, moments) = divided(schedule)
    var parts = moments.map { "\($0.moment.rawValue) before \($0.before.numbers)" }
    if !launches.launches.isEmpty || moments.isEmpty { parts.insert(launches.numbers, at: 0) }
    return parts.joined(separator: "; ")
  }

  /// Returns the launches of the schedule, and for each kind of moment the launches behind those of the schedule.
  private func divided(
    _ schedule: LaunchSchedule
  ) -> (LaunchSchedule, [(moment: BackgroundMoment, before: LaunchSchedule)]) {
    func launches(_ kind: BackgroundMoment?) -> LaunchSchedule {
      LaunchSchedule(schedule.launches.filter { moment($0) == kind }.map(launch))
    }
    let found = moments.map { ($0, launches($0)) }.filter { !$0.1.launches.isEmpty }
    return (launches(nil), found)
  }
}
