// The machine a measurement was made on: a number without it cannot be compared.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A description of this machine.
package struct Machine: Sendable, Equatable {
  /// The operating system, for example `Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64`.
  package let system: String
  /// The processor's model as the kernel names it; `unknown processor` where it does not.
  package let processor: String
  /// Processors that can run threads now.
  package let processorCount: Int
  /// Main memory in bytes.
  package let memoryBytes: Int

  package static func current() -> Machine {
    Machine(
      system: systemText(), processor: processorText(),
      processorCount: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))),
      memoryBytes: Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE))))
  }

  /// The size of a page of memory in bytes.
  package static var pageBytes: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

  /// The byte order of the processor.
  package static var byteOrder: String { 1.littleEndian == 1 ? "little-endian" : "big-endian" }

  /// The kernel, for example `Linux 6.1.0 x86_64`.
  package static var kernel: String {
    var names = utsname()
    uname(&names)
    return [text(names.sysname), text(names.release), text(names.machine)].joined(separator: " ")
  }

  /// The machine's name in its network.
  package static var hostName: String {
    var names = utsname()
    uname(&names)
    return text(names.nodename)
  }

  /// The frequency governor of the first processor, as the kernel names it; empty if the kernel does not report it, as on a
  /// virtual machine.
  package static var governor: String {
    let path = FilePath("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    return ((try? FileSystem.readText(path)) ?? "").filter { $0 != "\n" }
  }

  /// The C library's version, as it names itself; empty where it has none.
  package static var cLibrary: String {
    String(cString: cplatform_c_library())
  }

  private static func systemText() -> String {
    let release = try? FileSystem.readText("/etc/os-release")
    let line = release?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    guard let name = line?.dropFirst("PRETTY_NAME=".count) else { return kernel }
    return name.filter { $0 != "\"" } + ", " + kernel
  }

  private static func processorText() -> String {
    #if os(Linux)
      let lines = (try? FileSystem.readText("/proc/cpuinfo"))?.split(separator: "\n") ?? []
      let line = lines.first { $0.hasPrefix("model name") }
      let words = line?.split(separator: ":").last?.split(separator: " ")
      return words?.joined(separator: " ") ?? "unknown processor"
    #else
      var buffer = [CChar](repeating: 0, count: 256)
      var room = buffer.count
      guard sysctlbyname("machdep.cpu.brand_string", &buffer, &room, nil, 0) == 0 else {
        return "unknown processor"
      }
      return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    #endif
  }

  /// The text in one of the fixed arrays of `utsname`.
  private static func text<Array>(_ characters: Array) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
