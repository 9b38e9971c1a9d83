// Fleets: the same bits for any division of the devices.
import FleetModel
import Policies
import Testing

@Suite struct FleetSimulationTests {
  private func simulation(_ curves: FleetCurves = SyntheticFleet.curves()) throws
    -> FleetSimulation
  {
    let policies = ["never", "on-launch: usedBytes / totalBytes < 60 %", "every-launch"]
    return try FleetSimulation(
      curves, policies: try policies.map { try Policy(parsing: $0) }, years: 0.25, moments: 3)
  }

  @Test("any division of the devices, merged in any order, gives the same bits") func parts()
    throws
  {
    let simulation = try simulation()
    let whole = simulation.tallies(of: 0..<120)
    for bounds in [[0, 120], [0, 1, 120], [0, 40, 41, 99, 120]] {
      var merged = simulation.emptyTallies
      for (low, high) in zip(bounds, bounds.dropFirst()).reversed() {
        FleetSimulation.merge(simulation.tallies(of: low..<high), into: &merged)
      }
      #expect(merged == whole)
    }
  }

  @Test("policies are compared on the same devices") func comparison() throws {
    let tallies = try simulation().tallies(of: 0..<200)
    let size = try #require(FleetFigure.allCases.firstIndex(of: .finalSize))
    let rewritten = try #require(FleetFigure.allCases.firstIndex(of: .rewritten))
    #expect(tallies[0].smaller[size] == 0 && tallies[0].larger[size] == 0)
    #expect(tallies[2].smaller[size] == 200)
    #expect(tallies[2].larger[rewritten] == 200)
    #expect(tallies[0].launches == tallies[2].launches)
    let medians = tallies.compactMap { $0.sketch(of: .finalSize).quantile(0.5) }
    #expect(medians[0] > medians[1] && medians[1] > medians[2])
    // The last moment is the end.
    #expect(tallies[1].sizes[2] == tallies[1].sketch(of: .finalSize))
  }

  @Test("sizes of a fleet are those of brute force over its devices") func bruteForce() throws {
    let simulation = try simulation()
    var walk = simulation.walk
    let sizes = (0..<500).map { number in
      walk.load(simulation.curves.population.device(number))
      return walk.run(simulation.tests[1]).largestBytes
    }.sorted()
    let sketch = simulation.tallies(of: 0..<500)[1].sketch(of: .largestSize)
    for (share, rank) in [(0.5, 250), (0.9, 450), (0.99, 495)] {
      let found = try #require(sketch.quantile(share))
      #expect(abs(found / sizes[rank - 1] - 1) <= QuantileSketch.maxError)
    }
    #expect(sketch.maximum == sizes[499])
  }

  @Test("launches beyond what was measured are counted") func beyond() throws {
    var group = SyntheticFleet.group
    group.commits = .fixed(100_000)
    let curves = SyntheticFleet.curves(SyntheticFleet.population(group))
    let tallies = try simulation(curves).tallies(of: 0..<20)
    #expect(tallies[0].launchesBeyondCurves > tallies[0].launches / 2)
    #expect(tallies[2].launchesBeyondCurves < tallies[2].launches / 2)
  }

  @Test("a refused class, no policy and no time are errors") func errors() throws {
    let refused = SyntheticFleet.curves(refusal: "rows differ by 30 %")
    #expect { try simulation(refused) } throws: {
      "\($0)".contains("class all/256 B: rows differ by 30 %; its devices cannot be simulated")
    }
    let curves = SyntheticFleet.curves()
    #expect { try FleetSimulation(curves, policies: [], years: 1) } throws: {
      "\($0)".contains("no policy")
    }
    #expect { try FleetSimulation(curves, policies: [.never], years: 0) } throws: {
      "\($0)".contains("0.0 years")
    }
  }
}
