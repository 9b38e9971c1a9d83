// The kernel's tables of mounts and of memory, read from text as they have it.
import SystemIO
import Testing

@Suite("Mounts and available memory")
struct MountTableTests {
  private static let table = MountTable(
    parsing: """
      22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,discard,errors=remount-ro
      30 22 0:25 / /tmp rw,nosuid - tmpfs tmpfs rw,size=4096k
      31 30 0:26 / /tmp/with\\040blank ro,noatime master:1 shared:2 - xfs /dev/sdb ro,attr2
      nonsense
      32 30 0:27 / /tmp rw - ramfs none rw

      """)

  @Test("a path lies on the mount that is nearest above it, and a later mount hides an earlier one")
  func nearest() {
    #expect(
      Self.table.mount(ofResolved: "/home/me")?.text
        == "ext4 (rw,relatime,discard,errors=remount-ro)")
    #expect(Self.table.mount(ofResolved: "/tmp/x")?.text == "ramfs (rw)")
    #expect(Self.table.mount(ofResolved: "/tmp")?.type == "ramfs")
    #expect(Self.table.mount(ofResolved: "/tmpfile")?.type == "ext4")
    #expect(Self.table.mount(ofResolved: "/tmp/with blank/x")?.text == "xfs (ro,noatime,attr2)")
    #expect(MountTable(parsing: "").mount(ofResolved: "/") == nil)
  }

  #if os(Linux)
    // Within a changed root, the kernel's table has only the mounts below it.
    private static let hasRoot = MountTable.current()?.mount(ofResolved: "/") != nil

    @Test(
      "the folder for temporary files has a mount of the type that its file system has",
      .enabled(if: hasRoot, "the kernel's table has the mount of the root"))
    func here() throws {
      let folder = try FileSystem.makeTemporaryFolder(prefix: "mount")
      defer { try? FileSystem.removeTree(folder) }
      let mount = try #require(MountTable.current()?.mount(of: folder))
      #expect(mount.options.contains("rw"))
      // The magic number of ext2 and ext3 is that of ext4.
      let type = try FileSystem.typeName(at: folder)
      #expect(mount.type == type || mount.type.hasPrefix("ext") || type.hasPrefix("0x"))
    }
  #endif

  @Test("available is what the machine and every control group have left, whichever is less")
  func available() {
    #expect(AvailableMemory.bytes(ofMeminfo: "MemFree: 1 kB\nMemAvailable:  2048 kB\n") == 2 << 20)
    #expect(AvailableMemory.bytes(ofMeminfo: "MemFree: 1 kB\n") == nil)
    #expect(
      AvailableMemory.bytes(
        ofGroupMax: "1000\n", current: "900\n", stat: "anon 5\ninactive_file 30\n") == 130)
    #expect(AvailableMemory.bytes(ofGroupMax: "1000\n", current: "1100\n", stat: "") == 0)
    #expect(AvailableMemory.bytes(ofGroupMax: "max\n", current: "900\n", stat: "") == nil)
    #expect(AvailableMemory.bytes(ofGroupMax: "", current: "", stat: "") == nil)
    #expect(
      AvailableMemory.groupFolders(ofGroups: "1:cpu:/x\n0::/a/b\n") == [
        "/sys/fs/cgroup", "/sys/fs/cgroup/a", "/sys/fs/cgroup/a/b",
      ])
    #expect(AvailableMemory.groupFolders(ofGroups: "1:cpu:/x\n") == [])
  }

  #if os(Linux)
    @Test("memory that belongs to no file is told apart from pages of files, and peaks do not fall")
    func peaks() throws {
      var peaks = MemoryPeaks()
      peaks.add(ProcessMetrics.memory())
      let first = try #require(peaks.anonymousBytes)
      #expect(peaks.fileBytes != nil)
      let size = 64 << 20
      let space = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
      memsetPages(space, size)
      let full = ProcessMetrics.memory()
      peaks.add(full)
      space.deallocate()
      #expect((full.residentAnonymousBytes ?? 0) >= size)
      let largest = try #require(peaks.anonymousBytes)
      #expect(largest >= max(first, size))
      peaks.add(ProcessMetrics.memory())
      #expect(peaks.anonymousBytes ?? 0 >= largest)
    }

    private func memsetPages(_ space: UnsafeMutableRawPointer, _ size: Int) {
      for offset in stride(from: 0, to: size, by: 4096) {
        space.storeBytes(of: UInt8.max, toByteOffset: offset, as: UInt8.self)
      }
    }
  #endif
}
