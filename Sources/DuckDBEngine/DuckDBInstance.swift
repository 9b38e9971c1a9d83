// An instance of DuckDB with the database attached to it, and its connections.
import CDuckDB
import EngineInterface
import SystemIO

/// An instance in memory to which the file is attached: so that the size of row groups can be chosen. Closes when it goes,
/// after its connections.
final class DuckDBInstance: @unchecked Sendable {
  let duck: DuckDBLibrary
  private var handle: OpaquePointer?

  /// Opens the instance and attaches the file, creating it if it is new.
  init(_ setup: DatabaseSetup, isNew: Bool) throws(EngineError) {
    duck = setup.duck
    handle = try Self.open(setup)
    // An object whose init throws is deinitialized as well, which closes the instance.
    let connection = try Connection(self)
    if isNew { try connection.makeFile(setup.files) }
    let file = setup.files.data
    try connection.attach(setup.files, as: DatabaseSetup.catalog)
    do throws(EngineError) { try connection.checkLength(of: setup.files) } catch {
      throw EngineError(
        engine: duckDBID, code: error.code == .failed ? .corrupt : error.code,
        message: "opening \(file): \(error.message)")
    }
  }

  deinit { if handle != nil { duck.call.close(&handle) } }

  private static func open(_ setup: DatabaseSetup) throws(EngineError) -> OpaquePointer? {
    let call = setup.duck.call
    var config: OpaquePointer?
    _ = call.createConfig(&config)
    defer { call.destroyConfig(&config) }
    for (name, value) in setup.options
    where call.setConfig(config, name, value) != DuckDBSuccess {
      throw EngineError(
        engine: duckDBID, code: .failed, message: "DuckDB does not take \(name) = \(value)")
    }
    var handle: OpaquePointer?
    var text: UnsafeMutablePointer<CChar>?
    let state = call.open(":memory:", &handle, config, &text)
    defer { call.free(text) }
    guard state == DuckDBSuccess else {
      throw DuckDBFailure(text).error(while: "opening an instance of DuckDB")
    }
    return handle
  }

  func makeTables(_ tables: [String]) throws(EngineError) {
    let connection = try Connection(self)
    for table in tables.map(sqlName) {
      try connection.run(
        "CREATE TABLE IF NOT EXISTS \(table) (key BIGINT PRIMARY KEY, value BLOB NOT NULL)")
    }
  }

  fileprivate func connect() throws(EngineError) -> OpaquePointer? {
    var connection: OpaquePointer?
    guard duck.call.connect(handle, &connection) == DuckDBSuccess else {
      throw EngineError(engine: duckDBID, code: .failed, message: "DuckDB refuses a connection")
    }
    return connection
  }
}

/// A connection with its statements. Used by one thread at a time. Disconnects when it goes.
final class Connection: @unchecked Sendable {
  let duck: DuckDBLibrary
  /// Kept open by its connections.
  private let instance: DuckDBInstance
  private var handle: OpaquePointer?
  private var kept: [OpaquePointer?] = []

  init(_ instance: DuckDBInstance) throws(EngineError) {
    duck = instance.duck
    self.instance = instance
    handle = try instance.connect()
  }

  deinit {
    for index in kept.indices { duck.call.destroyPrepare(&kept[index]) }
    if handle != nil { duck.call.disconnect(&handle) }
  }

  /// Prepares a statement that is kept as long as the connection.
  func prepare(_ text: String) throws(EngineError) -> Statement {
    var statement: OpaquePointer?
    let state = duck.call.prepare(handle, text, &statement)
    kept.append(statement)
    guard state == DuckDBSuccess, let statement else {
      throw DuckDBFailure(duck.call.prepareError(statement)).error(while: text)
    }
    return Statement(duck: duck, handle: statement)
  }

  /// Prepares a statement for one use.
  func once<Result>(
    _ text: String, _ body: (Statement) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let statement = try prepare(text)
    defer {
      var ended = kept.removeLast()
      duck.call.destroyPrepare(&ended)
    }
    return try body(statement)
  }

  /// Attaches a database that exists.
  func attach(_ files: DatabaseFiles, as name: String) throws(EngineError) {
    try run(
      "ATTACH \(sqlText(files.data.string)) AS \(name) "
        + "(ROW_GROUP_SIZE \(DatabaseSetup.rowsOfGroup))",
      while: "opening \(files.data)", otherwise: .corrupt)
  }

  /// Runs a statement that is not worth keeping.
  func run(
    _ text: String, while action: String? = nil, otherwise: EngineError.Code = .failed
  ) throws(EngineError) {
    var result = duckdb_result()
    let state = duck.call.query(handle, text, &result)
    defer { duck.call.destroyResult(&result) }
    if state == DuckDBSuccess { return }
    throw DuckDBFailure(duck.call.resultError(&result)).error(
      while: action ?? text, otherwise: otherwise)
  }
}
