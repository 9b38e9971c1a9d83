// tune.md: for each engine the rule to ship, as code, and what it costs beside vendors' rules and the scenario's own.
package import LaunchSchedules
import MetricModel
import Objective
import RecordModel

package enum TuneMarkdown {
  package static let fileName = "tune.md"

  /// - Parameter folder: the folder of the pictures, below that of the page.
  package static func text(_ analysis: TuneAnalysis, folder: String) -> String {
    let record = analysis.record
    let names = record.scenarios.map { $0.name.asMarkdown }.joined(separator: ", ")
    var out = "# Which rule to ship: \(names)\n\n"
    if let warning = record.integrity.warning { out += "> \(warning)\n\n" }
    out += "Objective: \("\(record.objective)".asMarkdown).\n"
    if let calibration = record.calibration {
      out += "Times are predicted by \(calibration.asMarkdown), for files in the page cache.\n"
    }
    for (index, tuning) in analysis.engines.enumerated() {
      out +=
        "\n## \(tuning.engine.engine.asMarkdown)\n\n"
        + section(tuning, "\(folder)/\(TunePicture.name(index))")
    }
    return out + """

      ## Method

      Each family's thresholds were tried by look-ups in the launch matrices of the training seeds; of those that cost nearly \
      the least the one was taken whose neighbors cost the least, too: those within 5 %, and where that leaves several, within \
      10 % and so on to 160 %. The family was chosen by cross-validation: thresholds from four fifths of the training seeds, \
      costs from the rest. With hindsight is the least that any rule of the family would have come to on the held-out seeds. \
      All other figures above are of runs on held-out seeds, which no threshold was chosen on. Dominated is the probability \
      that another policy has no more of \(TuneWords.axes(analysis)), and less of one. Regret is (cost − optimum) ÷ optimum, \
      each summed over seeds, and the mean over workloads by their weights; the optimum is the cheapest schedule of the same \
      seed. Intervals are of 10,000 resamples of the seeds, the same for all policies, with 95 %; with fewer than \
      \(EngineTuning.minSeeds) seeds there are none. \
      \(TuneWords.mixture(analysis)) \
      Runs are stepped, so every byte count repeats. Figures: `\(TuneCSV.fileName)`\(varied(analysis)).

      Command: `\(record.provenance.command)`

      """
  }

  private static func varied(_ analysis: TuneAnalysis) -> String {
    analysis.engines.contains { !$0.varied.isEmpty } ? ", `\(VariedCSV.fileName)`" : ""
  }

  private static func section(_ tuning: EngineTuning, _ picture: String) -> String {
    let engine = tuning.engine
    if let absence = engine.absence { return "No rule: \(absence.asMarkdown).\n" }
    var out = ""
    if let shipped = tuning.shipped { out += lead(shipped, tuning) }
    for workload in engine.workloads {
      guard let difference = workload.difference else { continue }
      out += "\nApproximate, since in \(workload.scenario.asMarkdown) \(difference.asMarkdown).\n"
    }
    out +=
      "\n### Rules for closures\n\nFunctions of `totalBytes` and `usedBytes`, beside the scenarios' own policies and "
    out += "vendors' rules.\n\n" + TunePolicyTable.text(tuning, withMemory: false)
    out += TunePolicyTable.omissions(tuning)
    out += "\n![space and rewriting](\(picture))\n"
    out += "\n" + familyTable(tuning, withMemory: false)
    out += TunePolicyTable.otherPrices(tuning)
    out += TuneRobustness.section(tuning)
    out += memorySection(tuning)
    out += "\n### Vendors' rules\n\n"
    out += VendorDefault.all(of: engine.engine).map {
      "- `\($0.text)`: \($0.kind.rawValue); \($0.source.asMarkdown)\n"
    }.joined()
    return out
  }

  /// The rules for which an app stores something between launches; empty where none was searched.
  private static func memorySection(_ tuning: EngineTuning) -> String {
    guard let memory = tuning.withMemory, let rule = TunedRule(memory) else { return "" }
    return
      "\n### Rules with memory\n\nThe app stores something between launches. The best is `\(memory.policy)`:\n\n"
      + code(RuleCode.all(rule)) + TunePolicyTable.text(tuning, withMemory: true)
      + "\n" + familyTable(tuning, withMemory: true)
  }

  private static func lead(_ shipped: TunedFamily, _ tuning: EngineTuning) -> String {
    let engine = tuning.engine
    let result = tuning.result(of: shipped.policy)
    let regret = result.map { ", regret \(TuneWords.regret($0))" } ?? ""
    let rule = "`\(TuneWords.policy(shipped.policy))`"
    let isIdle = result.map(TuneWords.compactsNothing) ?? false
    var out = isIdle ? "**Do not compact at launch**" : "**Ship \(rule)**"
    out += "\(regret) on \(counted(engine.heldOutSeeds.count, "held-out seed")). "
    if isIdle {
      out += "In cross-validation no family's rule costs less than `never`; the one below compacts "
      out += "nothing here, and only limits what data unlike these would do. "
    }
    let seeds = engine.trainingSeeds
    if let first = seeds.first, let last = seeds.last {
      out +=
        "It was chosen on \(seeds.count == 1 ? "seed \(first)" : "seeds \(first) to \(last)").\n\n"
    }
    if let rule = TunedRule(shipped) { out += code(RuleCode.all(rule)) }
    return out + "In a scenario file: `\(shipped.policy)`\n"
  }

  /// The first language in full, the others in a fold.
  private static func code(_ all: [RuleCode]) -> String {
    func block(_ code: RuleCode) -> String { "```\(code.tag)\n\(code.text)\n```\n\n" }
    guard let first = all.first else { return "" }
    guard all.count > 1 else { return block(first) }
    return block(first) + "<details><summary>"
      + all.dropFirst().map(\.language).joined(separator: ", ") + "</summary>\n\n"
      + all.dropFirst().map { "\($0.language):\n\n" + block($0) }.joined() + "</details>\n\n"
  }

  private static func familyTable(_ tuning: EngineTuning, withMemory: Bool) -> String {
    var table = MarkdownTable([
      ("family", .left), ("meaning", .left), ("its best rule on the training seeds", .left),
      ("rules tried", .right), ("training regret", .right), ("cross-validated", .right),
      ("held-out regret", .right), ("with hindsight", .right),
    ])
    for family in tuning.engine.families where family.hasMemory == withMemory {
      let result = tuning.result(of: family.policy)
      table.add([
        family.family,
        PolicyFamily(rawValue: family.family)?.meaning ?? "–",
        "`\(TuneWords.policy(family.policy))`", grouped(family.candidates),
        family.trainingRegret.map(TuneWords.percent) ?? "–",
        family.validatedRegret.map(TuneWords.percent) ?? "–",
        result.map(TuneWords.regret) ?? "–",
        family.hindsightRegret.map(TuneWords.percent) ?? "–",
      ])
    }
    return table.text
  }
}
