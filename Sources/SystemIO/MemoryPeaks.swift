// The largest parts of a process's memory in a series of readings. The kernel records the peak of all resident memory
// (`VmHWM`), and of no part of it.

package struct MemoryPeaks: Sendable, Equatable {
  /// Bytes that belong to no file; nil where no reading had them.
  package private(set) var anonymousBytes: Int?
  /// Bytes of mapped files; nil where no reading had them.
  package private(set) var fileBytes: Int?

  package init() {}

  package mutating func add(_ memory: ProcessMetrics.Memory) {
    anonymousBytes = [anonymousBytes, memory.residentAnonymousBytes].compactMap { $0 }.max()
    fileBytes = [fileBytes, memory.residentFileBytes].compactMap { $0 }.max()
  }
}
