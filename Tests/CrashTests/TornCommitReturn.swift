// A failure that needs two crashes: a commit lacks one sector, recovery rejects it, and the next commit happens to
// write that very sector with the same bytes before the power fails again. Both commits change one row of the same
// leaf, at the same offset, so most sectors are the same in both.
import StorageEngine
import TestSupport

/// Every such pair of crashes for one leaf of 60 rows.
struct TornCommitReturn {
  private(set) var checked = 0
  /// Second crashes that left neither the rows from before both commits nor those after the second.
  private(set) var problems: [String] = []

  init(options: DatabaseOptions) throws {
    var rows: RowModel = [:]
    for key in 0..<60 { rows[Int64(key)] = [UInt8](repeating: 1, count: 60) }
    let first = RowChange(key: 2, value: [UInt8](repeating: 2, count: 60))
    let second = RowChange(key: 57, value: [UInt8](repeating: 3, count: 60))
    let allowed = [rows, rows.applying([second])]
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options)
    try database.apply(rows.sorted { $0.key < $1.key }.map { RowChange(key: $0, value: $1) })
    var torn: [[UInt8]] = []
    file.beforeSync = { torn += $0.crashStates().imagesLackingOneUnit(of: 512) }
    try database.apply([first])
    file.beforeSync = nil
    for image in torn {
      let again = FaultyStorageFile(image: image)
      let recovered = try Database.open(file: again, options: options)
      guard try recovered.rows() == rows else { continue }
      var left: [[UInt8]] = []
      again.beforeSync = { left += $0.crashStates().imagesWithOneUnit(of: 512) }
      try recovered.apply([second])
      again.beforeSync = nil
      for image in left {
        checked += 1
        let opened = try? Database.open(file: FaultyStorageFile(image: image), options: options)
        guard let found = try? opened?.rows(), allowed.contains(found) else {
          problems.append("second crash \(checked): \(opened == nil ? "refused" : "other rows")")
          continue
        }
      }
    }
  }
}
