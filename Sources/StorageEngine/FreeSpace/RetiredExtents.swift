// Extents that commits freed and that someone may still see. Under exact reclamation each hangs on the greatest
// registered version below its death; when that version goes, only its own list is looked at again. Nothing is scanned.
// See RetiredExtents+Invariants.swift.

/// An extent that lived from `birth` to before `death`.
struct RetiredExtent {
  var offset: Int
  var size: Int
  var birth: UInt64
  var death: UInt64
  var extent: Extent { Extent(offset: offset, size: size) }
}

struct RetiredExtents {
  private struct Version {
    let number: UInt64
    var holders: Int
    var extents: RawList<RetiredExtent>
  }

  let reclamation: DatabaseOptions.Reclamation
  /// The registered versions, ascending.
  private var versions: [Version] = []
  /// Bytes of all extents that are kept.
  private(set) var bytes = 0

  init(_ reclamation: DatabaseOptions.Reclamation) { self.reclamation = reclamation }

  func deallocate() { for version in versions { version.extents.deallocate() } }

  var registered: [UInt64] { versions.map(\.number) }
  var registeredCount: Int { versions.count }
  var oldest: UInt64? { versions.first?.number }
  var isEmpty: Bool { versions.isEmpty }

  /// Registers a holder of the newest version.
  mutating func register(_ version: UInt64) {
    if let last = versions.indices.last, versions[last].number == version {
      versions[last].holders += 1
    } else {
      precondition(versions.last.map { $0.number < version } ?? true, "An old version is pinned.")
      versions.append(Version(number: version, holders: 1, extents: RawList(capacity: 16)))
    }
  }

  /// Keeps an extent that the newest commit freed, or answers that nobody sees it.
  mutating func retire(_ extent: RetiredExtent) -> Bool {
    guard let last = versions.indices.last else { return false }
    switch reclamation {
    case .exact:
      guard extent.birth <= versions[last].number else { return false }
      versions[last].extents.append(extent)
    case .oldestReader:
      versions[last].extents.append(extent)
    }
    bytes += extent.size
    return true
  }

  /// Ends one registration; the extents that nobody sees any more are appended to `freed`.
  mutating func release(_ version: UInt64, freed: inout RawList<Extent>) {
    guard let index = versions.firstIndex(where: { $0.number == version }) else {
      preconditionFailure("A version is released that is not registered (RETIRED-1).")
    }
    versions[index].holders -= 1
    guard versions[index].holders == 0 else { return }
    let gone = versions.remove(at: index)
    defer { gone.extents.deallocate() }
    for extent in gone.extents.buffer {
      if index > 0, reclamation == .oldestReader || extent.birth <= versions[index - 1].number {
        versions[index - 1].extents.append(extent)
      } else {
        bytes -= extent.size
        freed.append(extent.extent)
      }
    }
  }

  func visit(_ body: (RetiredExtent) -> Void) {
    for version in versions {
      for extent in version.extents.buffer { body(extent) }
    }
  }

  func visitVersions(_ body: (UInt64, UnsafeMutableBufferPointer<RetiredExtent>) -> Void) {
    for version in versions { body(version.number, version.extents.buffer) }
  }
}
