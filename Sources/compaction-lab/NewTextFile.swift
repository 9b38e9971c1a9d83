// Writes a text to a file that must not exist yet.
import SystemIO

enum NewTextFile {
  static func write(_ text: String, to path: FilePath) throws {
    do throws(SystemError) {
      let file = try FileWriter(new: path)
      let bytes = Array(text.utf8)
      try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
        try file.write(UnsafeRawBufferPointer(bytes))
      }
      try file.sync()
    } catch {
      throw couldNotRun(
        error.isAlreadyThere ? "\(path) exists already; choose another name" : "\(error)")
    }
  }
}
