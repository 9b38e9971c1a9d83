// A kind of mapping of a scenario file: its keys, and what they must be to each other.

struct Block<Model>: Sendable {
  let table: KeyTable
  let keys: [Key<Model>]
  /// Reports what is wrong between keys, and completes what several of them make up together.
  let check: @Sendable (inout Model, GivenKeys<Model>) -> Void
  private let initial: @Sendable () -> Model

  /// - Parameters:
  ///   - name: also the name of the definition in the JSON Schema.
  ///   - initial: the model with the default value of every key.
  ///   - renamedKeys: keys of earlier versions of the language, with the names that they have now.
  init(
    _ name: String, _ initial: @autoclosure @escaping @Sendable () -> Model,
    renamedKeys: [String: String] = [:], @KeyList<Model> keys: () -> [Key<Model>],
    check: @escaping @Sendable (inout Model, GivenKeys<Model>) -> Void = { _, _ in }
  ) {
    self.init(name, make: initial, renamedKeys: renamedKeys, keys: keys(), check: check)
  }

  init(
    _ name: String, make initial: @escaping @Sendable () -> Model,
    renamedKeys: [String: String], keys: [Key<Model>],
    check: @escaping @Sendable (inout Model, GivenKeys<Model>) -> Void
  ) {
    let model = initial()
    let table = KeyTable(
      name: name, keys: keys.map { $0.description(model) }, renamedKeys: renamedKeys)
    precondition(
      renamedKeys.values.allSatisfy { table.key($0) != nil }, "\(name) renames to no key of its own"
    )
    self.table = table
    self.keys = keys
    self.check = check
    self.initial = initial
  }

  /// The keys whose values are not the default, with those values as a file has them: `queues: 8`.
  func settings(of model: Model) -> [String] {
    let usual = initial()
    return keys.compactMap { $0.setting(of: model, unlike: usual) }
  }

  /// Reads the mapping's keys, with those of `overrides`, one after the other, in place of its own; nil where there is no
  /// mapping.
  func read(_ field: Field, overrides: [Field] = []) -> ReadBlock<Model>? {
    let reportedBefore = field.collector.count
    guard let mapping = MappingReader(field, table, overrides: overrides) else { return nil }
    var model = initial()
    for key in keys {
      guard let field = mapping.fields[key.name] else { continue }
      if key.isScalable { field.collector.addScalable(field) }
      key.read(field, &model)
    }
    let given = GivenKeys(block: self, mapping: mapping, reportedBefore: reportedBefore)
    check(&model, given)
    return ReadBlock(model: model, given: given)
  }
}

/// The keys of a block, one after the other.
@resultBuilder
enum KeyList<Model> {
  static func buildExpression(_ key: Key<Model>) -> [Key<Model>] { [key] }
  static func buildExpression(_ keys: [Key<Model>]) -> [Key<Model>] { keys }
  static func buildBlock(_ keys: [Key<Model>]...) -> [Key<Model>] { keys.flatMap(\.self) }
}

/// The values that were read from a mapping.
struct ReadBlock<Model> {
  let model: Model
  let given: GivenKeys<Model>
}

/// The positions of the keys that a file gives, by the properties that they set.
struct GivenKeys<Model> {
  private let name: String
  private let keys: [Key<Model>]
  private let mapping: MappingReader
  private let reportedBefore: Int

  init(block: Block<Model>, mapping: MappingReader, reportedBefore: Int) {
    name = block.table.name
    keys = block.keys
    self.mapping = mapping
    self.reportedBefore = reportedBefore
  }

  /// The field of the key that sets the property; nil where the file leaves it out.
  subscript(_ property: PartialKeyPath<Model>) -> Field? {
    guard let key = keys.first(where: { $0.sets(property) }) else {
      preconditionFailure("No key of \(name) sets \(property).")
    }
    return mapping.fields[key.name]
  }

  /// The field of the key that sets a property of a part of the model; nil where the file leaves it out.
  subscript<Part>(_ property: PartialKeyPath<Part>, of part: KeyPath<Model, Part>) -> Field? {
    guard let whole = part.appending(property) else {
      preconditionFailure("No key of \(name) sets a part's \(property).")
    }
    return self[whole]
  }

  /// Whether no mistake was reported in the mapping so far.
  var isClean: Bool { mapping.collector.count == reportedBefore }

  /// The same fields as those of a block whose keys are among this one's.
  func of<Part>(_ block: Block<Part>) -> GivenKeys<Part> {
    GivenKeys<Part>(block: block, mapping: mapping, reportedBefore: reportedBefore)
  }

  func report(_ message: String, hint: String? = nil) { mapping.report(message, hint: hint) }

  /// The declared names that names in the file refer to.
  var known: KnownNames { mapping.collector.known }
}

extension KeyPath {
  /// The path of a property of the value at this one.
  fileprivate func appending(_ property: PartialKeyPath<Value>) -> PartialKeyPath<Root>? {
    (self as AnyKeyPath).appending(path: property as AnyKeyPath) as? PartialKeyPath<Root>
  }
}
