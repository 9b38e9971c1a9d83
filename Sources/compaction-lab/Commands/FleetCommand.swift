// Simulations of fleets: what a policy comes to on a million devices over years.
import ArgumentParser

struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Simulates a policy on a fleet of devices over years.",
    discussion: """
      fit describes devices by the launches that an app logged; measure runs the real engines for each class of devices and \
      records renewal curves; simulate walks any number of devices through them; tune finds a rule under limits; agreement \
      compares simulated devices with really run ones. Docs/Fleets.md describes populations, curves and what they are worth.
      """,
    subcommands: [
      FleetFitCommand.self, FleetMeasureCommand.self, FleetSimulateCommand.self,
      FleetTuneCommand.self, FleetAgreementCommand.self,
    ])
}
