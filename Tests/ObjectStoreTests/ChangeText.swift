// Change sets of collections as text, for tests that compare them.

@testable import ObjectStore

func text<Collection>(_ change: RealmCollectionChange<Collection>) -> String {
  switch change {
  case .initial: "initial"
  case .update(_, let deletions, let insertions, let modifications):
    "-\(deletions) +\(insertions) *\(modifications)"
  }
}

func text<Collection>(_ change: RealmMapChange<Collection>) -> String {
  switch change {
  case .initial: "initial"
  case .update(_, let deletions, let insertions, let modifications):
    "-\(deletions) +\(insertions) *\(modifications)"
  }
}
