// The population of fitted groups, in which devices write at least what their data grow by.

extension Population {
  private static let maxWrites = 5000

  init(fitted groups: [FittedGroup], _ options: FitOptions) {
    self.init(
      name: options.name, source: options.source, seed: options.seed,
      groups: groups.map(\.group))
    // Devices that grow by more than their commits write need commits that write more: those of their group, and no others.
    while let flaw, flaw.key == "growth",
      let index = self.groups.firstIndex(where: { $0.name == flaw.group }),
      self.groups[index].writes < Self.maxWrites
    {
      self.groups[index].writes *= 2
    }
  }
}
