// fleet-agreement.md: how far simulated devices are from the same ones really run, by engine, policy and quantile.
import Analysis
package import FleetModel
import MetricModel

package enum FleetAgreementMarkdown {
  package static let fileName = "fleet-agreement.md"

  package static func text(_ agreement: FleetAgreement, repeatedBy command: String) -> String {
    let misses = agreement.misses
    var out = """
      # Simulated devices beside really run ones

      \(FleetAgreementWords.head(agreement).asMarkdown).

      Each device was run on its engine, launch by launch and commit by commit, under each policy, and walked through \
      curves that were measured without it.

      \(misses.isEmpty ? "Every figure is within its bar." : "Outside of its bar:")

      """
    if !misses.isEmpty { out += "\n" + misses.map { "- \($0.asMarkdown)\n" }.joined() }
    out += "\n" + errors(agreement)
    if let twins = agreement.twins {
      out += """

        ## Two real runs

        \(FleetAgreementWords.twins.asMarkdown)

        \(errors(twins))
        """
    }
    for engine in agreement.engines { out += "\n" + section(engine, agreement) }
    out += "\n## Policies\n\n"
    out += agreement.policies.map { "- \($0.name.asMarkdown): `\($0.rule)`\n" }.joined()
    return out + """

      ## Method

      Errors are relative to the really run device, over all devices and policies; what should be 0 and is not counts as \
      100 %, and what is 0 on both sides is left out. The bias is the median of the errors with their sign. Kendall's τ is \
      over policies, two at a time: 1 where all pairs are ordered alike, the bar \(AgreementBar.minOrder.threeDigits). By \
      quantiles: by the p50, p90 and p99 of all devices, for which a policy is chosen. On devices: by each device. Pairs \
      are those that really differ by more than the simulation may be off in the median (3 %, rewritten bytes 5 %), and in \
      the last column all that differ. Devices have numbers that no class was made of. \
      \(FleetAgreementWords.launches.asMarkdown)

      Command: `\(command)`

      """
  }

  /// The errors of each engine beside the bars.
  private static func errors(_ agreement: FleetAgreement) -> String {
    var table = MarkdownTable([
      ("engine", .left), ("figure", .left), ("bias", .right), ("median error", .right),
      ("nine of ten", .right), ("bar", .left), ("τ of policies, by quantiles (pairs)", .right),
      ("on devices", .right), ("on devices, all pairs", .right),
    ])
    for engine in agreement.engines {
      let pairs = agreement.pairs(of: engine)
      for figure in agreement.figures {
        guard let errors = agreement.errors(figure, in: pairs) else { continue }
        let bar = AgreementBar.all.first { $0.figure == figure }
        table.add(
          [
            engine, figure.rawValue, FleetAgreementWords.signed(errors.bias),
            percent(errors.median), percent(errors.p90), FleetAgreementWords.bar(bar),
          ]
            + [
              agreement.orderByQuantiles(figure, of: engine),
              agreement.orderOnDevices(figure, of: engine),
              agreement.orderOnDevices(figure, of: engine, over: .all),
            ].map(FleetAgreementWords.order))
      }
    }
    return table.text
  }

  /// One engine: errors and quantiles under each policy.
  private static func section(_ engine: String, _ agreement: FleetAgreement) -> String {
    let shares = FleetAgreement.shares
    var table = MarkdownTable(
      [("policy", .left), ("figure", .left), ("median error", .right), ("nine of ten", .right)]
        + shares.map { ("\(FleetWords.percentile($0)) simulated / real", .right) })
    for (index, policy) in agreement.policies.enumerated() {
      let pairs = agreement.pairs(of: engine, policy: index)
      for figure in agreement.figures {
        guard let errors = agreement.errors(figure, in: pairs) else { continue }
        table.add(
          [
            policy.name.asMarkdown, figure.rawValue, percent(errors.median), percent(errors.p90),
          ]
            + shares.map { share in
              guard let quantile = agreement.quantile(share, of: figure, in: pairs) else {
                return "n/a"
              }
              return FleetAgreementWords.quantile(quantile, figure.unit)
            })
      }
    }
    let version = agreement.groups.first { $0.engine == engine }?.engineVersion ?? ""
    return """
      ## \(engine.asMarkdown)

      \(version.asMarkdown), \(grouped(agreement.devices(of: engine))) devices.

      \(table.text)
      """
  }
}
