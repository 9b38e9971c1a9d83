// The collections of one keeper, kept in memory by change sets alone.
import Foundation

@testable import ObjectStore

/// Mirrors of a keeper's collections, which observers update.
final class KeeperMirror {
  private let keeper: Keeper
  private var pets: [String] = []
  private var tags: [String] = []
  private var scores: [Int] = []
  private var ratings: [String: Double] = [:]
  private var tokens: [NotificationToken] = []
  private(set) var problems: [String] = []
  private(set) var calls = 0

  init(_ keeper: Keeper) {
    self.keeper = keeper
    tokens = [
      keeper.pets.observe { [unowned self] in apply($0, &pets) { $0.name } },
      keeper.tags.observe { [unowned self] in apply($0, &tags) { $0 } },
      keeper.scores.observe { [unowned self] in apply($0, &scores) { $0 } },
      keeper.ratings.observe { [unowned self] in apply($0) },
    ]
  }

  private func apply<Collection: RandomAccessCollection, Value>(
    _ change: RealmCollectionChange<Collection>, _ mirror: inout [Value],
    _ value: (Collection.Element) -> Value
  ) where Collection.Index == Int {
    switch change {
    case .initial(let collection): mirror = collection.map(value)
    case .update(let collection, let deletions, let insertions, let modifications):
      calls += 1
      for index in deletions.reversed() { mirror.remove(at: index) }
      for index in insertions { mirror.insert(value(collection[index]), at: index) }
      for index in modifications { mirror[index] = value(collection[index]) }
      if deletions != deletions.sorted() || insertions != insertions.sorted()
        || modifications != modifications.sorted()
        || !Set(insertions).isDisjoint(with: modifications)
        || (deletions.isEmpty && insertions.isEmpty && modifications.isEmpty)
      {
        problems.append("-\(deletions) +\(insertions) *\(modifications)")
      }
    }
  }

  private func apply(_ change: RealmMapChange<Map<String, Double>>) {
    switch change {
    case .initial(let map):
      ratings = Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) })
    case .update(let map, let deletions, let insertions, let modifications):
      calls += 1
      for key in deletions where ratings.removeValue(forKey: key) == nil {
        problems.append("\(key) deleted twice")
      }
      for key in insertions {
        if ratings[key] != nil { problems.append("\(key) inserted twice") }
        ratings[key] = map[key]
      }
      for key in modifications { ratings[key] = map[key] }
    }
  }

  /// Returns what the mirrors have other than the model; nil for a keeper that was deleted, whose collections are empty.
  func problems(beside model: LinkWorld.Keeper?) -> [String] {
    let model = model ?? LinkWorld.Keeper()
    if pets != model.pets { problems.append("pets \(pets), not \(model.pets)") }
    if tags != model.tags { problems.append("tags \(tags), not \(model.tags)") }
    if Set(scores) != model.scores || scores.count != model.scores.count {
      problems.append("scores \(scores), not \(model.scores)")
    }
    if ratings != model.ratings { problems.append("ratings \(ratings), not \(model.ratings)") }
    return problems
  }
}
