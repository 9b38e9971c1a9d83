// The end of a journal's file: the checksum of its last line, on which that of the next depends.
import SystemIO

/// Appends lines to a journal. Used by one thread at a time.
struct JournalFile {
  let file: AppendedFile
  private var check: String

  init(_ file: AppendedFile, check: String) { (self.file, self.check) = (file, check) }

  /// Adds the lines with one write and one sync, and returns when they are durable. Where that fails, adds as many of them as
  /// can be added one by one.
  ///
  /// - Parameter added: receives the number of lines that are durable.
  mutating func append(_ lines: [[UInt8]], added: inout Int) throws(SystemError) {
    added = 0
    do throws(SystemError) {
      try append(lines[...])
      added = lines.count
    } catch {
      guard lines.count > 1 else { throw error }
      for index in lines.indices {
        try append(lines[index...index])
        added += 1
      }
    }
  }

  private mutating func append(_ lines: ArraySlice<[UInt8]>) throws(SystemError) {
    var bytes: [UInt8] = []
    var check = check
    for json in lines {
      let line = JournalLine.bytes(json, after: check)
      bytes += line.line
      check = line.check
    }
    try file.append(bytes)
    self.check = check
  }
}
