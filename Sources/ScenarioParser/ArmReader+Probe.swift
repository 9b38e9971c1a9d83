// Clients that look how long others wait.
import ScenarioModel

extension ArmReader {
  func probe(_ keys: MappingReader) -> ProbeSpec {
    let targets = ProbeSpec.Target.allCases.map { ($0.rawValue, $0) }
    let works = ProbeSpec.Work.allCases.map { ($0.rawValue, $0) }
    var probe = ProbeSpec(
      table: table(keys), target: keys["of"]?.choice(targets) ?? .another,
      work: keys["does"]?.choice(works) ?? .opens)
    if let distribution = keys["keys"]?.keyDistribution() { probe.keys = distribution }
    if let field = keys["rate"],
      let rate = field.quantity("a rate such as 100 per s", QuantityText.rate)
    {
      if (0.1...10_000).contains(rate) {
        probe.ratePerSecond = rate
      } else {
        field.report("the rate is out of range", hint: "from 0.1 per s to 10_000 per s")
      }
    }
    if probe.target == .this, probe.work == .reads {
      (keys["does"] ?? keys["of"])?.report(
        "who has this database open keeps it from being compacted", hint: "use does: opens")
    }
    return probe
  }
}
