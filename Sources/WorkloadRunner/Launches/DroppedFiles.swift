// A cold start: before a launch, while the engine is closed, the database's files are dropped from the page cache. The whole
// machine's cache is left alone.
import EngineInterface
import RecordModel
import SystemIO

/// The files of a closed database.
struct DroppedFiles {
  private let files: [FilePath]

  init(of engine: any Engine, in folder: FilePath) {
    files = FileSystem.dataFiles(
      at: ([engine.mainFile] + engine.sidecarFiles).filter { !$0.isEmpty }
        .map { folder.appending($0) })
  }

  /// Drops the files, and reports what was in the cache before and after.
  func drop(before launch: Int) -> ColdStart {
    do throws(SystemError) {
      let before = try cached()
      for file in files { try PageCache.drop(file) }
      return ColdStart(launch: launch, cachedBefore: before, cachedAfter: try cached())
    } catch {
      return ColdStart(launch: launch, failure: "\(error)")
    }
  }

  private func cached() throws(SystemError) -> Int {
    var sum = 0
    for file in files { sum += try PageCache.residentBytes(of: file) }
    return sum
  }
}
