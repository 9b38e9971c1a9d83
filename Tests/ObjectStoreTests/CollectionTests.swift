// Lists, sets and maps, managed and unmanaged.
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Collections")
struct CollectionTests {
  private let folder: RealmFolder
  private let realm: Realm

  init() throws {
    folder = try RealmFolder()
    realm = try folder.open(linkedClasses)
  }

  @Test("a list has what an array has after the same random changes", arguments: [false, true])
  func listIsArray(_ isManaged: Bool) throws {
    var random = SeededRandom(seed: testSeed())
    let keeper = Keeper()
    let list = keeper.tags
    var array: [String] = []
    realm.beginWrite()
    if isManaged { realm.add(keeper) }
    for step in 0..<1500 {
      let text = "\(step)" + String(repeating: "x", count: random.below(12))
      let index = random.below(array.count + 1)
      switch random.below(array.isEmpty ? 3 : 10) {
      case 0:
        list.append(text)
        array.append(text)
      case 1:
        list.insert(text, at: index)
        array.insert(text, at: index)
      case 2:
        let texts = (0..<random.below(4)).map { "\(step).\($0)" }
        list.append(objectsIn: texts)
        array.append(contentsOf: texts)
      case 3:
        list.removeFirst()
        array.removeFirst()
      case 4:
        list.removeLast()
        array.removeLast()
      case 5:
        let index = random.below(array.count)
        list.remove(at: index)
        array.remove(at: index)
      case 6:
        let index = random.below(array.count)
        list[index] = text
        array[index] = text
      case 7:
        let (from, to) = (random.below(array.count), random.below(array.count))
        list.move(from: from, to: to)
        array.insert(array.remove(at: from), at: to)
      case 8:
        let (a, b) = (random.below(array.count), random.below(array.count))
        list.swapAt(a, b)
        array.swapAt(a, b)
      default:
        let range = index..<index + random.below(array.count - index + 1)
        let texts = (0..<random.below(3)).map { "\(step).\($0)" }
        list.replaceSubrange(range, with: texts)
        array.replaceSubrange(range, with: texts)
      }
      #expect(
        list.count == array.count && Array(list) == array, "SEED=\(random.seed), step \(step)")
      guard list.count == array.count else { return }
      if let index = array.indices.randomElement(using: &random) {
        #expect(list[index] == array[index])
      }
    }
    #expect(list.index(of: array[0]) == array.firstIndex(of: array[0]))
    list.removeAll()
    #expect(list.isEmpty && list.first == nil)
    try realm.commitWrite()
    #expect(try linkProblems(realm) == [])
  }

  @Test("every kind of element is read as it was written, also from the file opened anew")
  func everyElement() throws {
    let id = UUID()
    let (uuids, idents) = ([UUID(), UUID()], [ObjectId.generate(), ObjectId.generate()])
    let dates = [-1e9, 0, 0.125, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) }
    let floats: [Float] = [-.infinity, -1.5, 0, 1e-30, 3.5]
    let doubles: [Double?] = [nil, -.infinity, -2.25, 0, 1e300]
    func check(_ shelf: Shelf) {
      #expect(Array(shelf.ints) == [3, .min, .max, 3])
      #expect(Array(shelf.bytes) == [.min, -1, 0, .max])
      #expect(shelf.shorts.keys == ["", "a", "ä"] && shelf.shorts["a"] == .min)
      #expect(Array(shelf.words) == [1, nil, .max])
      #expect(Array(shelf.longs) == [.min, -1, 1, .max])
      #expect(Array(shelf.flags) == [false, true])
      #expect(Array(shelf.floats) == floats && Array(shelf.doubles) == doubles)
      #expect(Array(shelf.strings) == ["", "a", "aa", "b"])
      #expect(Array(shelf.blobs) == [Data(), Data([0]), Data([0, 0]), Data([255])])
      #expect(Array(shelf.dates) == dates)
      #expect(Set(shelf.uuids) == Set(uuids) && Set(shelf.idents) == Set(idents))
      #expect(Array(shelf.moods) == [.grim, .calm])
      #expect(shelf.ranks["x"] == .some(.high) && shelf.ranks["y"] == .some(nil))
      #expect(shelf.ranks["z"] == nil && shelf.ranks.count == 2)
      #expect(shelf.some == 8 && shelf.more == nil && shelf.last == .min)
    }
    try realm.write {
      let shelf = Shelf()
      shelf.id = id
      shelf.ints.append(objectsIn: [3, .min, .max, 3])
      shelf.bytes.insert(objectsIn: [.max, -1, 0, .min, 0])
      for key in ["ä", "", "a"] { shelf.shorts[key] = key == "a" ? .min : 1 }
      shelf.words.append(objectsIn: [1, nil, .max])
      shelf.longs.insert(objectsIn: [1, -1, .min, .max])
      shelf.flags.insert(objectsIn: [true, false, true])
      shelf.floats.insert(objectsIn: floats.reversed() + [-0.0])
      shelf.doubles.insert(objectsIn: doubles.reversed())
      shelf.strings.insert(objectsIn: ["b", "aa", "a", "", "a"])
      shelf.blobs.insert(objectsIn: [Data([255]), Data([0, 0]), Data([0]), Data()])
      shelf.dates.insert(objectsIn: dates.reversed())
      shelf.uuids.insert(objectsIn: uuids)
      shelf.idents.insert(objectsIn: idents)
      shelf.moods.append(objectsIn: [.grim, .calm])
      shelf.ranks["x"] = .some(.high)
      shelf.ranks["y"] = .some(nil)
      realm.add(shelf)
      check(shelf)
    }
    let configuration = folder.configuration(linkedClasses)
    try onAnotherThread {
      let other = try Realm(configuration: configuration)
      check(try #require(other.object(ofType: Shelf.self, forPrimaryKey: id)))
      #expect(try linkProblems(other) == [])
    }
  }

  @Test(
    "sets have each element once, managed and unmanaged, and their operations are those of sets")
  func sets() throws {
    let (a, b) = (Keeper(), Keeper())
    (a.id, b.id) = (1, 2)
    func check() {
      a.scores.removeAll()
      b.scores.removeAll()
      a.scores.insert(objectsIn: [1, 2, 3, 2])
      b.scores.insert(objectsIn: [3, 4])
      #expect(a.scores.count == 3 && a.scores.contains(2) && !a.scores.contains(4))
      #expect(a.scores.intersects(b.scores) && !a.scores.isSubset(of: b.scores))
      a.scores.formUnion(b.scores)
      #expect(Set(a.scores) == [1, 2, 3, 4] && b.scores.isSubset(of: a.scores))
      a.scores.subtract(b.scores)
      #expect(Set(a.scores) == [1, 2])
      a.scores.insert(4)
      a.scores.formIntersection(b.scores)
      a.scores.remove(9)
      #expect(Array(a.scores) == [4])
    }
    check()
    try realm.write {
      realm.add([a, b])
      check()
    }
    #expect(try linkProblems(realm) == [])
  }

  @Test("maps set, replace and remove by their keys, managed and unmanaged")
  func maps() throws {
    let keeper = Keeper()
    func check() {
      keeper.ratings.removeAll()
      for (key, value) in [("b", 1.0), ("a", 2), ("c", 3), ("a", 4)] { keeper.ratings[key] = value }
      #expect(keeper.ratings.keys == ["a", "b", "c"] && keeper.ratings.values == [4, 1, 3])
      keeper.ratings["b"] = nil
      keeper.ratings.removeObject(for: "none")
      #expect(keeper.ratings.count == 2 && keeper.ratings["b"] == nil && keeper.ratings["c"] == 3)
    }
    check()
    try realm.write {
      realm.add(keeper)
      check()
    }
    #expect(try linkProblems(realm) == [])
  }

  @Test(
    "a collection that was taken from an unmanaged object is that of the managed one after it was added"
  )
  func attached() throws {
    let keeper = Keeper()
    let (tags, scores, ratings) = (keeper.tags, keeper.scores, keeper.ratings)
    tags.append("a")
    try realm.write {
      realm.add(keeper)
      tags.append("b")
      scores.insert(1)
      ratings["x"] = 2
    }
    let found = try #require(realm.object(ofType: Keeper.self, forPrimaryKey: 0))
    #expect(Array(found.tags) == ["a", "b"] && found.scores.contains(1) && found.ratings["x"] == 2)
    #expect(keeper.tags === tags)
  }

  @Test("assigning a collection copies its elements, also those of another object")
  func assignment() throws {
    let (a, b) = (Keeper(), Keeper())
    b.id = 1
    try realm.write {
      realm.add([a, b])
      a.tags = List(["x", "y"])
      b.tags = a.tags
      a.tags.append("z")
      a.tags = a.tags
      b.scores = {
        let set = MutableSet<Int>()
        set.insert(4)
        return set
      }()
      a.scores = b.scores
      let map = Map<String, Double>()
      map["k"] = 1
      a.ratings = map
    }
    #expect(Array(a.tags) == ["x", "y", "z"] && Array(b.tags) == ["x", "y"])
    #expect(Array(a.scores) == [4] && a.ratings["k"] == 1)
    #expect(try linkProblems(realm) == [])
  }

  @Test("iteration is over the elements that there were when it began")
  func iteration() throws {
    let keeper = Keeper()
    keeper.tags.append(objectsIn: ["a", "b", "c"])
    try realm.write {
      realm.add(keeper)
      for tag in keeper.tags { keeper.tags.insert(tag + "'", at: 0) }
    }
    #expect(Array(keeper.tags) == ["c'", "b'", "a'", "a", "b", "c"])
  }

  @Test(
    "elements of sets and keys of maps have at most 240 bytes; longer ones are refused and nothing changes"
  )
  func lengths() throws {
    let (fits, long) = (String(repeating: "x", count: 240), String(repeating: "x", count: 241))
    let page = Page()
    page.title = String(repeating: "t", count: 253)
    let keeper = Keeper()
    try realm.write {
      realm.add(page)
      realm.add(keeper)
      page.aliases.insert(fits)
      #expect(misuse { page.aliases.insert(objectsIn: ["short", long]) } == [.invalidValue])
      #expect(misuse { keeper.ratings[long] = 1 } == [.invalidValue])
      keeper.ratings[fits] = 1
      page.aliases.remove(long)
      #expect(Array(page.aliases) == [fits] && !page.aliases.contains(long))
      #expect(keeper.ratings[long] == nil && keeper.ratings[fits] == 1)
      let other = Page()
      other.aliases.insert(long)
      #expect(misuse { realm.add(other) } == [.invalidValue])
    }
    #expect(realm.objects(Page.self).count == 1)
    #expect(try linkProblems(realm) == [])
  }

  @Test("an enumeration's raw value that is no case is reported when it is read")
  func unknownCase() throws {
    let keeper = Keeper()
    try realm.write {
      realm.add(keeper)
      let row = try #require(keeper.row)
      let column = try #require(row.info.schema.column("mood"))
      row.write(column: column.index, .string("furious"))
    }
    var mood = Mood.grim
    #expect(misuse { mood = keeper.mood } == [.invalidDatabase])
    #expect(mood == .calm)
  }

  @Test(
    "small numbers are read as they were written, and one in the file that does not fit is reported"
  )
  func sizes() throws {
    let pet = Pet()
    try realm.write {
      realm.add(pet)
      pet.legs = -128
      pet.weight = 0.1
      pet.height = .greatestFiniteMagnitude
    }
    let found = try #require(realm.objects(Pet.self).first)
    #expect(found.legs == -128 && found.weight == 0.1 && found.height == .greatestFiniteMagnitude)
    try realm.write {
      let row = try #require(found.row)
      let column = try #require(row.info.schema.column("legs"))
      row.write(column: column.index, .int(128))
    }
    #expect(misuse { _ = found.legs } == [.invalidDatabase])
  }
}
