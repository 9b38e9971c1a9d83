// The most bytes that the files of a database had allocated at once: files that are only there for a moment, and files
// without a name, among them. Exact to the page on a file system in memory, as long as one thread at a time works.
import CPlatform

/// Watches the disks of this process, from one of its first moments to its end; Linux only.
package enum DiskWatch {
  /// Begins to watch. From now on this process and its children are stopped for some microseconds at each system call that
  /// can free space of a file. Error `ENOSYS` or `EINVAL` where the system cannot do that.
  ///
  /// - Parameter refusesReservations: whether calls that only reserve space fail as on a system that cannot, so that
  ///   what is measured are the pages in use and not those that a file could do without.
  package static func begin(refusesReservations: Bool = false) throws(SystemError) {
    let result = cplatform_disk_watch_begin(refusesReservations ? 1 : 0)
    guard result == 0 else { throw SystemError(code: result, call: "seccomp", path: "") }
  }

  /// Adds the file system of the folder to those that are watched.
  package static func add(_ folder: FilePath) throws(SystemError) {
    let result = cplatform_disk_watch_add(folder.string)
    guard result == 0 else {
      throw SystemError(code: result, call: "open", path: folder.string)
    }
  }

  /// The most bytes that were allocated at once on all watched file systems together.
  package static var peakBytes: Int { Int(cplatform_disk_watch_peak()) }
}
