import Experiments
import Testing

@Suite("Admission of cells")
struct CellAdmissionTests {
  private func request(_ memory: Int, _ disk: Int, _ engine: String = "native")
    -> CellAdmission.Request
  {
    CellAdmission.Request(
      kind: CellAdmission.Kind(engine: engine, arm: "default"),
      estimate: CellNeeds(memory: memory, disk: disk))
  }

  /// An admission that can be asked within an expectation.
  private final class Machine {
    private(set) var admission: CellAdmission

    init(_ jobs: Int, memory: Int?, disk: Int?) {
      admission = CellAdmission(maxRunning: jobs)
      set(CellSpace(memory: memory, disk: disk))
    }

    func set(_ space: CellSpace) { admission.set(space) }
    func begin(_ request: CellAdmission.Request) -> Bool { admission.begin(request) }
    func end(_ request: CellAdmission.Request, measured: CellNeeds?) {
      admission.end(request, measured: measured)
    }
    func correct(_ request: CellAdmission.Request, measured: CellNeeds) {
      admission.correct(request, measured: measured)
    }
    func needs(of request: CellAdmission.Request) -> CellNeeds { admission.needs(of: request) }
    var isIdle: Bool { admission.isIdle }
  }

  @Test("small cells run as many at a time as there are processors, and the next when one ends")
  func processors() {
    let machine = Machine(2, memory: 1000, disk: 1000)
    let cell = request(10, 10)
    #expect([1, 2, 3].map { _ in machine.begin(cell) } == [true, true, false])
    machine.end(cell, measured: nil)
    #expect([1, 2].map { _ in machine.begin(cell) } == [true, false])
  }

  @Test("a cell waits until memory and disk space have nine tenths for it and those that run")
  func space() {
    for (memory, disk) in [(400, 1), (1, 400)] {
      let machine = Machine(8, memory: 1000, disk: 1000)
      let cell = request(memory, disk)
      #expect([1, 2, 3].map { _ in machine.begin(cell) } == [true, true, false])
      // A smaller one fits beside them, where it takes no more than the rest.
      #expect(!machine.begin(request(101, 101)))
      #expect(machine.begin(request(100, 100)))
      #expect(!machine.begin(cell))
    }
  }

  @Test("a result of an earlier process corrects the estimates before the first cell begins")
  func earlier() {
    let machine = Machine(8, memory: 1000, disk: 1000)
    let cell = request(100, 100)
    machine.correct(cell, measured: CellNeeds(memory: 450, disk: 10))
    #expect(machine.needs(of: cell) == CellNeeds(memory: 450, disk: 10))
    #expect(machine.isIdle)
    #expect([1, 2, 3].map { _ in machine.begin(cell) } == [true, true, false])
  }

  @Test("one that would never fit beside another runs alone, and nothing beside it")
  func alone() {
    let machine = Machine(4, memory: 1000, disk: 1000)
    let (large, small) = (request(5000, 10), request(10, 10))
    #expect(machine.begin(small))
    #expect(!machine.begin(large))
    machine.end(small, measured: nil)
    #expect(machine.begin(large))
    #expect(!machine.begin(small))
    machine.end(large, measured: nil)
    #expect(machine.isIdle && machine.begin(small))
  }

  @Test("where the system reports no memory or disk space, processors alone count")
  func unknown() {
    let machine = Machine(3, memory: nil, disk: nil)
    let cell = request(.max, .max)
    #expect([1, 2, 3, 4].map { _ in machine.begin(cell) } == [true, true, true, false])
  }

  @Test("what cells took corrects the estimates of their kind, by the largest of them")
  func corrected() {
    let machine = Machine(8, memory: 1000, disk: 1000)
    let (cell, larger, other) = (request(100, 100), request(200, 300), request(100, 100, "sqlite"))
    #expect(machine.begin(cell))
    machine.end(cell, measured: CellNeeds(memory: 250, disk: 50))
    #expect(machine.needs(of: cell) == CellNeeds(memory: 250, disk: 50))
    #expect(machine.needs(of: larger) == CellNeeds(memory: 500, disk: 150))
    #expect(machine.needs(of: other) == CellNeeds(memory: 100, disk: 100))
    // Three of them fit now, and eight did before.
    #expect((1...4).map { _ in machine.begin(cell) } == [true, true, true, false])
    machine.end(cell, measured: CellNeeds(memory: 120, disk: 80))
    #expect(machine.needs(of: cell) == CellNeeds(memory: 250, disk: 80))
    // One that failed corrects nothing.
    machine.end(cell, measured: nil)
    #expect(machine.needs(of: cell) == CellNeeds(memory: 250, disk: 80))
  }

  @Test("what the machine has is taken note of only while nothing runs")
  func idle() {
    let machine = Machine(4, memory: 1000, disk: 1000)
    let cell = request(400, 1)
    #expect(machine.begin(cell))
    // What is running has taken a part of it already.
    machine.set(CellSpace(memory: 600, disk: 1000))
    #expect(machine.begin(cell))
    for _ in 1...2 { machine.end(cell, measured: nil) }
    machine.set(CellSpace(memory: 600, disk: 1000))
    #expect([1, 2].map { _ in machine.begin(cell) } == [true, false])
  }
}
