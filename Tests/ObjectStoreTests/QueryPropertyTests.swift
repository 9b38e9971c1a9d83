// Random conditions, orders and aggregates beside the same over all objects in memory: the same rows in the same order,
// whatever index, range or scan found them.
import Foundation
import ObjectStore
import TestSupport
import Testing

/// Indexed properties of every kind that has its own encoding, and some without index.
class Sample: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var number: Int?
  @Persisted(indexed: true) var ratio: Double
  @Persisted(indexed: true) var text: String?
  @Persisted(indexed: true) var day: Date
  @Persisted(indexed: true) var flag: Bool
  @Persisted(indexed: true) var token: UUID?
  @Persisted var amount: Int
  @Persisted var note: String
}

/// A primary key of bytes.
class Label: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(indexed: true) var rank: Int
}

@Suite("Random queries")
struct QueryPropertyTests {
  /// An object's values in memory.
  struct Row {
    var id: Int
    var number: Int?
    var ratio: Double
    var text: String?
    var day: Date
    var flag: Bool
    var token: UUID?
    var amount: Int
    var note: String
  }

  /// A condition in both forms.
  struct Condition {
    var query: (Query<Sample>) -> Query<Bool>
    var filter: (Row) -> Bool
  }

  private static let long = String(repeating: "l", count: 199)
  private static let texts = [
    "", "a", "ab", "abc", "b", "a\0", "a\0b", "a\0\u{1}", "A", "AB", "\u{e9}", "e\u{301}", "e",
    "\u{10ffff}",
    long, long + "l", long + "lm", long + "ln", long + "\0", "zebra", "z*", "z?x",
  ]
  private static let numbers = [Int.min, -300, -1, 0, 1, 2, 3, 255, 256, 1 << 40, .max]
  private static let ratios = [
    -.infinity, -1e300, -2.5, -0.0, 0, 1e-300, 0.5, 2.5, 1e300, .infinity, .nan,
  ]
  private static let days = [-1e9, -1, 0, 1, 86_400, 1e9].map {
    Date(timeIntervalSinceReferenceDate: $0)
  }
  private static let tokens = (0..<4).map {
    UUID(uuid: (UInt8($0 * 80), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8($0)))
  }

  private static func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func isBelow(_ a: String, _ b: String) -> Bool {
    utf8(a).lexicographicallyPrecedes(utf8(b))
  }

  /// `like`, one scalar after the other.
  private static func isLike(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  )
    -> Bool
  {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return isLike(text, rest) || !text.isEmpty && isLike(text.dropFirst(), pattern)
    }
    guard let own = text.first, first == "?" || own == first else { return false }
    return isLike(text.dropFirst(), rest)
  }

  // MARK: Conditions

  private func textCondition(_ random: inout SeededRandom) -> Condition {
    let part = Self.texts[random.below(Self.texts.count)]
    let ignoresCase = random.oneIn(4)
    let options: StringOptions = ignoresCase ? .caseInsensitive : []
    func folded(_ text: String) -> [UInt8] { Self.utf8(ignoresCase ? text.lowercased() : text) }
    switch random.below(10) {
    case 0:
      return Condition(
        query: { $0.text.starts(with: part, options: options) },
        filter: { $0.text.map { folded($0).starts(with: folded(part)) } ?? false })
    case 1:
      return Condition(
        query: { $0.text.ends(with: part, options: options) },
        filter: {
          $0.text.map { folded($0).reversed().starts(with: folded(part).reversed()) } ?? false
        })
    case 2:
      return Condition(
        query: { $0.note.contains(part, options: options) },
        filter: { Data(folded($0.note)).range(of: Data(folded(part))) != nil || part.isEmpty })
    case 3:
      return Condition(
        query: { $0.text.equals(part, options: options) },
        filter: { $0.text.map { folded($0) == folded(part) } ?? false })
    case 4:
      let patterns = ["*", "a*", "?", "??", "*b", "z?x", "l*m", "a?b*", "\u{e9}*", "*?"]
      let pattern = patterns[random.below(patterns.count)]
      return Condition(
        query: { $0.text.like(pattern) },
        filter: {
          $0.text.map {
            Self.isLike(Array($0.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
          }
            ?? false
        })
    case 5:
      return Condition(
        query: { $0.text < part }, filter: { $0.text.map { Self.isBelow($0, part) } ?? false })
    case 6:
      return Condition(
        query: { $0.text >= part }, filter: { $0.text.map { !Self.isBelow($0, part) } ?? false })
    case 7:
      let other = Self.texts[random.below(Self.texts.count)]
      let (low, high) = part < other ? (part, other) : (other, part)
      return Condition(
        query: { $0.text.contains(low...high) },
        filter: { $0.text.map { !Self.isBelow($0, low) && !Self.isBelow(high, $0) } ?? false })
    case 8:
      let members = (0..<random.below(4)).map { _ in Self.texts[random.below(Self.texts.count)] }
      return Condition(
        query: { $0.text.in(members) },
        filter: { row in
          row.text.map { text in members.contains { Self.utf8($0) == Self.utf8(text) } } ?? false
        })
    default:
      return Condition(
        query: { $0.text != part },
        filter: { $0.text.map { Self.utf8($0) != Self.utf8(part) } ?? true })
    }
  }

  private func numberCondition(_ random: inout SeededRandom) -> Condition {
    let value = Self.numbers[random.below(Self.numbers.count)]
    let id = random.below(400)
    switch random.below(13) {
    case 0: return Condition(query: { $0.number == value }, filter: { $0.number == value })
    case 1: return Condition(query: { $0.number == nil }, filter: { $0.number == nil })
    case 2: return Condition(query: { $0.number != nil }, filter: { $0.number != nil })
    case 3:
      return Condition(
        query: { $0.number > value }, filter: { $0.number.map { $0 > value } ?? false })
    case 4:
      return Condition(
        query: { $0.number <= value }, filter: { $0.number.map { $0 <= value } ?? false })
    case 5:
      let other = Self.numbers[random.below(Self.numbers.count)]
      let (low, high) = (min(value, other), max(value, other))
      return Condition(
        query: { $0.number.contains(low..<high) },
        filter: { $0.number.map { (low..<high).contains($0) } ?? false })
    case 6:
      return Condition(
        query: { $0.number.in([value, nil, 3]) }, filter: { [value, nil, 3].contains($0.number) })
    case 7: return Condition(query: { $0.id == id }, filter: { $0.id == id })
    case 8:
      return Condition(
        query: { $0.id.contains((id - 40)...id) }, filter: { ((id - 40)...id).contains($0.id) })
    case 9: return Condition(query: { $0.id > id }, filter: { $0.id > id })
    case 10:
      return Condition(
        query: { $0.id.in([id, id + 1, -1, 300]) },
        filter: { [id, id + 1, -1, 300].contains($0.id) })
    case 11: return Condition(query: { $0.amount < id / 40 }, filter: { $0.amount < id / 40 })
    default: return Condition(query: { $0.id != id }, filter: { $0.id != id })
    }
  }

  private func otherCondition(_ random: inout SeededRandom) -> Condition {
    let ratio = Self.ratios[random.below(Self.ratios.count)]
    let day = Self.days[random.below(Self.days.count)]
    let token = Self.tokens[random.below(Self.tokens.count)]
    switch random.below(9) {
    case 0: return Condition(query: { $0.ratio == ratio }, filter: { $0.ratio == ratio })
    case 1: return Condition(query: { $0.ratio < ratio }, filter: { $0.ratio < ratio })
    case 2: return Condition(query: { $0.ratio >= ratio }, filter: { $0.ratio >= ratio })
    case 3 where !ratio.isNaN:
      return Condition(query: { $0.ratio.contains(ratio...) }, filter: { $0.ratio >= ratio })
    case 4: return Condition(query: { $0.day > day }, filter: { $0.day > day })
    case 5: return Condition(query: { $0.day == day }, filter: { $0.day == day })
    case 6: return Condition(query: { $0.flag }, filter: { $0.flag })
    case 7: return Condition(query: { $0.token == token }, filter: { $0.token == token })
    default: return Condition(query: { $0.token != nil }, filter: { $0.token != nil })
    }
  }

  private func condition(_ random: inout SeededRandom, _ depth: Int) -> Condition {
    guard depth > 0, !random.oneIn(3) else {
      switch random.below(3) {
      case 0: return textCondition(&random)
      case 1: return numberCondition(&random)
      default: return otherCondition(&random)
      }
    }
    let a = condition(&random, depth - 1)
    let b = condition(&random, depth - 1)
    switch random.below(5) {
    case 0: return Condition(query: { !a.query($0) }, filter: { !a.filter($0) })
    case 1, 2:
      return Condition(
        query: { a.query($0) || b.query($0) }, filter: { a.filter($0) || b.filter($0) })
    default:
      return Condition(
        query: { a.query($0) && b.query($0) }, filter: { a.filter($0) && b.filter($0) })
    }
  }

  // MARK: Orders

  /// A value as bytes whose order is that of the property.
  private static func order(_ row: Row, _ name: String) -> [UInt8] {
    func number(_ value: Double) -> [UInt8] {
      let bits = (value == 0 ? 0 : value).bitPattern
      return big(bits >> 63 == 1 ? ~bits : bits | 1 << 63)
    }
    func big(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    func integer(_ value: Int) -> [UInt8] { big(UInt64(bitPattern: Int64(value)) ^ 1 << 63) }
    switch name {
    case "number": return row.number.map { [1] + integer($0) } ?? []
    case "ratio": return number(row.ratio)
    case "text": return row.text.map { [1] + utf8($0) } ?? []
    case "flag": return [row.flag ? 1 : 0]
    case "amount": return integer(row.amount)
    default: return integer(row.id)
    }
  }

  private static let sortable = ["number", "ratio", "text", "flag", "amount", "id"]

  private func sorted(_ rows: [Row], _ descriptors: [ObjectStore.SortDescriptor]) -> [Row] {
    rows.enumerated().sorted { a, b in
      for descriptor in descriptors {
        let left = Self.order(a.element, descriptor.keyPath)
        let right = Self.order(b.element, descriptor.keyPath)
        if left == right { continue }
        return left.lexicographicallyPrecedes(right) == descriptor.ascending
      }
      return a.offset < b.offset
    }.map(\.element)
  }

  private func distinct(_ rows: [Row], _ names: [String]) -> [Row] {
    var seen: Set<[[UInt8]]> = []
    return rows.filter { row in seen.insert(names.map { Self.order(row, $0) }).inserted }
  }

  // MARK: Objects

  private func change(_ realm: Realm, _ random: inout SeededRandom, _ count: Int) {
    func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
    for _ in 0..<count {
      let id = random.below(400)
      if random.oneIn(4), let known = realm.object(ofType: Sample.self, forPrimaryKey: id) {
        if random.oneIn(2) { realm.delete(known) } else { known.text = pick(Self.texts) }
        continue
      }
      let sample = Sample()
      sample.id = id
      sample.number = random.oneIn(5) ? nil : pick(Self.numbers)
      sample.ratio = pick(Self.ratios)
      sample.text = random.oneIn(5) ? nil : pick(Self.texts)
      sample.day = pick(Self.days)
      sample.flag = random.oneIn(2)
      sample.token = random.oneIn(3) ? nil : pick(Self.tokens)
      sample.amount = random.below(10)
      sample.note = pick(Self.texts) + pick(Self.texts)
      realm.add(sample, update: random.oneIn(2) ? .modified : .all)
    }
  }

  private func rows(_ realm: Realm) -> [Row] {
    realm.objects(Sample.self).map {
      Row(
        id: $0.id, number: $0.number, ratio: $0.ratio, text: $0.text, day: $0.day, flag: $0.flag,
        token: $0.token, amount: $0.amount, note: $0.note)
    }
  }

  private func check(_ realm: Realm, _ rows: [Row], _ random: inout SeededRandom) {
    let condition = condition(&random, 3)
    var wanted = rows.filter(condition.filter)
    var found = realm.objects(Sample.self).where(condition.query)
    if random.oneIn(6) { (found, wanted) = (realm.objects(Sample.self), rows) }
    let seed = random.seed
    let context = { "SEED=\(seed): \(found.explain())" }
    #expect((found.min(of: \.number) ?? nil) == wanted.compactMap(\.number).min(), "\(context())")
    #expect(found.max(of: \.id) == wanted.map(\.id).max(), "\(context())")
    #expect((found.max(of: \.number) ?? nil) == wanted.compactMap(\.number).max(), "\(context())")
    let ratios = wanted.map(\.ratio).filter { !$0.isNaN }
    #expect(found.max(of: \.ratio) == ratios.max(), "\(context())")
    #expect(found.min(of: \.day) == wanted.map(\.day).min(), "\(context())")
    #expect(found.sum(of: \.amount) == wanted.map(\.amount).reduce(0, +), "\(context())")
    if random.oneIn(2) {
      var descriptors: [ObjectStore.SortDescriptor] = []
      for _ in 0..<1 + random.below(3) {
        let name = Self.sortable[random.below(Self.sortable.count)]
        descriptors.append(.init(keyPath: name, ascending: !random.oneIn(3)))
      }
      found = found.sorted(by: descriptors)
      wanted = sorted(wanted, descriptors)
    }
    if random.oneIn(4) {
      let names = [Self.sortable[random.below(Self.sortable.count)], "flag"]
      found = found.distinct(by: names)
      wanted = distinct(wanted, names)
    }
    // Before the collection has its keys.
    #expect(found.first?.id == wanted.first?.id, "\(context())")
    #expect(found.last?.id == wanted.last?.id, "\(context())")
    #expect(found.map(\.id) == wanted.map(\.id), "\(context())")
    #expect(found.count == wanted.count, "\(context())")
    if let last = found.last { #expect(found.index(of: last) == wanted.count - 1) }
    let other = self.condition(&random, 1)
    #expect(
      found.index(matching: other.query) == wanted.firstIndex(where: other.filter), "\(context())")
  }

  @Test("a random query finds the rows that a filter over all objects finds, in the same order")
  func random() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Sample.self, Label.self])
    var random = SeededRandom(seed: testSeed(19))
    for _ in 0..<8 {
      try realm.write {
        change(realm, &random, 120)
        let known = rows(realm)
        for _ in 0..<6 { check(realm, known, &random) }
      }
      let known = rows(realm)
      for _ in 0..<30 { check(realm, known, &random) }
    }
  }

  @Test("a primary key of text serves equality, ranges and prefixes as a filter does")
  func textKeys() throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Sample.self, Label.self])
    try realm.write {
      for (rank, name) in Self.texts.enumerated() {
        realm.create(Label.self, value: ["name": name, "rank": rank % 5])
      }
    }
    let all = realm.objects(Label.self).map(\.name)
    #expect(
      all.map(Self.utf8) == Self.texts.map(Self.utf8).sorted { $0.lexicographicallyPrecedes($1) })
    func names(_ query: (Query<Label>) -> Query<Bool>) -> [[UInt8]] {
      let found = realm.objects(Label.self).where(query)
      #expect(found.explain().hasPrefix("primary key Label.name: "))
      return found.map { Self.utf8($0.name) }
    }
    for part in Self.texts {
      #expect(names { $0.name == part } == [Self.utf8(part)])
      #expect(names { $0.name <= part } == all.filter { !Self.isBelow(part, $0) }.map(Self.utf8))
      #expect(names { $0.name > part } == all.filter { Self.isBelow(part, $0) }.map(Self.utf8))
      let starts = all.filter { Self.utf8($0).starts(with: Self.utf8(part)) }.map(Self.utf8)
      if !part.isEmpty { #expect(names { $0.name.starts(with: part) } == starts) }
      #expect(names { $0.name.in([part, "a"]) && $0.rank >= 0 }.contains(Self.utf8(part)))
    }
  }
}
