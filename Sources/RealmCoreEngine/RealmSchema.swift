// The classes of a database: one for each table, and those of embedded objects.
import CRealm
import EngineInterface
import MetricModel

/// The classes that a session's options ask for.
struct RealmSchema {
  struct Property {
    var name: String
    var type: Int
    var isList = false
    /// The class of the objects of a list of objects.
    var target = ""
    var flags = 0
  }

  struct Class {
    var name: String
    var properties: [Property]
    var isEmbedded = false
  }

  let classes: [Class]

  /// The primary key of each table.
  static let key = "id"
  /// The bytes of each embedded object.
  static let nodeBytes = "bytes"
  static let links = "links"
  static let list = "list"
  static let children = "children"
  static let leaves = "leaves"

  static func column(_ index: Int) -> String { "column\(index)" }
  static func childClass(of table: String) -> String { "\(table)_child" }
  static func leafClass(of table: String) -> String { "\(table)_leaf" }

  /// The property that has the rows' bytes after so many migrations.
  static func row(after migrations: Int) -> String {
    migrations == 0 ? "bytes" : "bytes\(migrations)"
  }

  init(_ options: SessionOptions) {
    let row = Self.row(after: options.migrations.count)
    classes = options.tables.enumerated().flatMap { index, table in
      let shape = index < options.shapes.count ? options.shapes[index] : nil
      let own = Class(
        name: table,
        properties: [
          Property(
            name: Self.key, type: CREALM_PROPERTY_INTEGER, flags: CREALM_PROPERTY_IS_PRIMARY_KEY),
          Property(name: row, type: CREALM_PROPERTY_BYTES),
        ] + Self.properties(shape, of: table))
      return [own] + Self.embedded(shape, in: table)
    }
  }

  var names: [String] { classes.map(\.name) }

  private static func properties(_ shape: RowShape?, of table: String) -> [Property] {
    switch shape {
    case nil: []
    case .links?:
      [Property(name: links, type: CREALM_PROPERTY_OBJECT, isList: true, target: table)]
    case .list?: [Property(name: list, type: CREALM_PROPERTY_INTEGER, isList: true)]
    case .tree?:
      [
        Property(
          name: children, type: CREALM_PROPERTY_OBJECT, isList: true,
          target: childClass(of: table))
      ]
    case .indexes(let count)?:
      (0..<count).map {
        Property(
          name: column($0), type: CREALM_PROPERTY_INTEGER, flags: CREALM_PROPERTY_IS_INDEXED)
      }
    }
  }

  private static func embedded(_ shape: RowShape?, in table: String) -> [Class] {
    guard case .tree? = shape else { return [] }
    let bytes = Property(name: nodeBytes, type: CREALM_PROPERTY_BYTES)
    let leafList = Property(
      name: leaves, type: CREALM_PROPERTY_OBJECT, isList: true, target: leafClass(of: table))
    return [
      Class(name: childClass(of: table), properties: [bytes, leafList], isEmbedded: true),
      Class(name: leafClass(of: table), properties: [bytes], isEmbedded: true),
    ]
  }

  /// Makes the library's own schema, which the caller releases; nil after an error.
  func make(_ realm: RealmCoreLibrary) -> OpaquePointer? {
    let texts = CTexts()
    let properties = classes.map { made in made.properties.map { $0.cValue(texts) } }
    // All in one array, which has one address.
    let all = properties.flatMap(\.self)
    let cClasses = zip(classes, properties).map { made, properties in
      crealm_class(
        name: texts.add(made.name), primary_key: texts.add(made.isEmbedded ? "" : Self.key),
        properties: properties.count, computed_properties: 0, key: .max >> 1,
        flags: made.isEmbedded ? Int32(CREALM_CLASS_IS_EMBEDDED) : 0)
    }
    return withExtendedLifetime(texts) {
      all.withUnsafeBufferPointer { all in
        var next = all.baseAddress
        var ofClass = properties.map { properties in
          defer { next = next?.advanced(by: properties.count) }
          return next
        }
        return realm.call.schemaNew(cClasses, cClasses.count, &ofClass)
      }
    }
  }
}

extension RealmSchema.Property {
  fileprivate func cValue(_ texts: CTexts) -> crealm_property {
    crealm_property(
      name: texts.add(name), public_name: texts.add(""), type: UInt32(type),
      collection: isList ? UInt32(CREALM_COLLECTION_LIST) : 0, link_target: texts.add(target),
      link_origin: texts.add(""), key: -1, flags: Int32(flags))
  }
}

/// Texts with an address each until this is released. Every text of a schema is given: the library reads absent ones too.
private final class CTexts {
  private var texts: [UnsafeMutablePointer<CChar>] = []

  func add(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: Array(bytes), count: bytes.count)
    texts.append(copy)
    return UnsafePointer(copy)
  }

  deinit { for text in texts { text.deallocate() } }
}
