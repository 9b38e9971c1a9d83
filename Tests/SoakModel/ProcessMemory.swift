// The memory of another process, as the kernel adds it up from its page tables. Not `/proc/PID/status`: since Linux 6.2 its
// numbers are sums of counters that each processor keeps for itself, up to 64 pages a processor away from the truth, which
// is more than what is looked for here.
package import SystemIO

/// What a process has in memory at one moment; sizes in bytes.
package struct ProcessMemory: Sendable, Equatable {
  /// All of it but the pages of the database's files, which are as many as these files have: they go up and down by megabytes
  /// with what snapshots pin, and a leak of one could hide in that. A file that was removed or replaced is not the
  /// database's any more: a session that still maps one has left it behind.
  package var resident = 0
  /// The same, each page divided by the number of mappings that it is in (proportional set size, proc(5)).
  package var proportional = 0
  /// Pages that only this process can give back: heap, stacks, changed copies of private pages. A leak is here.
  package var anonymous = 0
  /// The pages of the database's files, each as often as it is mapped.
  package var database = 0
  /// The number of mappings: one that is left behind shares its pages with those in use.
  package var mappings = 0

  /// The memory of a process that has the database whose files are in `folder`. nil where there is no such process any more,
  /// or no such file on this platform.
  package init?(of process: Int32, databaseIn folder: FilePath) {
    guard let text = try? FileSystem.readText(FilePath("/proc/\(process)/smaps")), !text.isEmpty
    else { return nil }
    self.init(mappings: text, databaseIn: folder)
  }

  /// Adds up a text like that of `/proc/PID/smaps` (proc(5)): for each mapping a line that ends with the file's path, and then
  /// lines of a name and a size.
  package init(mappings text: String, databaseIn folder: FilePath) {
    let files = folder.string + "/"
    var ofDatabase = false
    var sizes = MappingSizes()
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let name = words.first, words.count > 1 else { continue }
      if !name.hasSuffix(":") {
        add(sizes, ofDatabase: ofDatabase)
        sizes = MappingSizes()
        mappings += 1
        ofDatabase = line.contains(files) && !line.hasSuffix(" (deleted)")
      } else if let kibibytes = Int(words[1]) {
        sizes.set(name, kibibytes * 1024)
      }
    }
    add(sizes, ofDatabase: ofDatabase)
  }

  private mutating func add(_ mapping: MappingSizes, ofDatabase: Bool) {
    anonymous += mapping.anonymous
    resident += ofDatabase ? mapping.anonymous : mapping.resident
    proportional += ofDatabase ? min(mapping.anonymous, mapping.proportional) : mapping.proportional
    if ofDatabase { database += mapping.resident - mapping.anonymous }
  }
}

/// What of one mapping is in memory.
private struct MappingSizes {
  var resident = 0
  var proportional = 0
  var anonymous = 0

  mutating func set(_ name: Substring, _ bytes: Int) {
    switch name {
    case "Rss:": resident = bytes
    case "Pss:": proportional = bytes
    case "Anonymous:": anonymous = bytes
    default: break
    }
  }
}
