// A key of a scenario file, declared once: from the declaration it is read, listed in the schema for editors, and explained
// in the manual.

/// The description of a key for the manual and for editors.
package struct KeyDescription: Hashable, Sendable {
  package let name: String
  /// The permitted values in words: `1 to 64`.
  package let type: String
  /// The value if the key is absent; nil if the key is required.
  package let defaultValue: String?
  package let meaning: String
  let schema: SchemaNode
  /// Whether its numbers are varied to find out how well a policy holds in other apps.
  package let isScalable: Bool

  package var isRequired: Bool { defaultValue == nil }
}

/// The keys of one kind of mapping, as they are documented.
package struct KeyTable: Hashable, Sendable {
  /// The name of the block, and of its definition in the JSON Schema.
  package let name: String
  package let keys: [KeyDescription]
  /// Keys of earlier versions of the language, with the names that they have now.
  package let renamedKeys: [String: String]

  package func key(_ name: String) -> KeyDescription? { keys.first { $0.name == name } }
}

/// The value of a key that a file leaves out.
enum DefaultValue: Sendable, ExpressibleByStringLiteral {
  /// The one that the model begins with.
  case declared
  /// Described in words, because it is not a value that could be written.
  case words(String)
  /// The key has no default: it must be given.
  case required

  init(stringLiteral words: String) { self = .words(words) }
}

/// A property that a key sets.
typealias Property<Model, Value> = any WritableKeyPath<Model, Value> & Sendable

/// A key that sets a property of a model.
struct Key<Model>: Sendable {
  let name: String
  fileprivate let type: String
  fileprivate let schema: SchemaNode
  fileprivate let defaultValue: DefaultValue
  fileprivate let meaning: String
  fileprivate let written: @Sendable (Model) -> String?
  /// Reads the value and sets the property, or reports a mistake.
  let read: @Sendable (Field, inout Model) -> Void
  let isScalable: Bool
  private let property: @Sendable () -> AnyKeyPath?

  init<Value>(
    _ name: String, _ property: Property<Model, Value>, _ type: ValueType<Value>,
    default defaultValue: DefaultValue = .declared, _ meaning: String
  ) {
    self.name = name
    self.type = type.words
    schema = type.schema
    isScalable = type.isScalable
    self.defaultValue = defaultValue
    self.meaning = meaning
    written = { type.written($0[keyPath: property]) }
    read = { field, model in
      if let value = type.read(field, type.expected) { model[keyPath: property] = value }
    }
    self.property = { property }
  }

  /// A key of a property that is nil if the key is absent.
  init<Value>(
    _ name: String, _ property: Property<Model, Value?>,
    _ type: ValueType<Value>, default defaultValue: DefaultValue, _ meaning: String
  ) {
    self.name = name
    self.type = type.words
    schema = type.schema
    isScalable = type.isScalable
    self.defaultValue = defaultValue
    self.meaning = meaning
    written = { $0[keyPath: property].flatMap(type.written) }
    read = { field, model in
      if let value = type.read(field, type.expected) { model[keyPath: property] = value }
    }
    self.property = { property }
  }

  /// A key with one possible value, which has been read before: `kind: writer`.
  init(_ name: String, constant: String, _ meaning: String) {
    self.name = name
    type = "`\(constant)`"
    schema = SchemaNode.object(("const", .text(constant)))
    isScalable = false
    defaultValue = .required
    self.meaning = meaning
    written = { _ in nil }
    read = { _, _ in }
    property = { nil }
  }

  private init<Inner>(_ key: Key<Inner>, in part: Property<Model, Inner>) {
    name = key.name
    type = key.type
    schema = key.schema
    isScalable = key.isScalable
    defaultValue = key.defaultValue
    meaning = key.meaning
    written = { key.written($0[keyPath: part]) }
    read = { field, model in key.read(field, &model[keyPath: part]) }
    property = { key.property().flatMap { (part as AnyKeyPath).appending(path: $0) } }
  }

  /// The key of a larger model, of which this one is a part.
  func within<Outer>(_ part: Property<Outer, Model>) -> Key<Outer> {
    Key<Outer>(self, in: part)
  }

  func sets(_ property: PartialKeyPath<Model>) -> Bool { self.property() == property }

  /// The key and its value as a file has them; nil for a default value, and for one that has no notation.
  func setting(of model: Model, unlike initial: Model) -> String? {
    guard let value = written(model) else { return nil }
    if case .required = defaultValue {} else if value == written(initial) { return nil }
    return "\(name): \(value.filter { $0 != "`" })"
  }

  func description(_ initial: Model) -> KeyDescription {
    let text: String? =
      switch defaultValue {
      case .declared: written(initial) ?? ""
      case .words(let words): words
      case .required: nil
      }
    precondition(text != "", "The default value of \(name) cannot be written: describe it.")
    return KeyDescription(
      name: name, type: type, defaultValue: text, meaning: meaning, schema: schema,
      isScalable: isScalable)
  }
}
