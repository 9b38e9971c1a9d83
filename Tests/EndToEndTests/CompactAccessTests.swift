// Owner, group and permissions of the files that `compact` makes and replaces.
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Access rights after compact")
struct CompactAccessTests {
  private static let setpriv = ChildProcess.findExecutable("setpriv")
  /// Only root can be another user, and only where the program for it is.
  private static let mayBeOthers = FileAccessRights.maySetOwner && setpriv != nil

  /// Runs the built command as a user and group, with no other groups.
  private func run(
    as user: UInt32, _ group: UInt32, _ arguments: [String], groups: [UInt32] = []
  ) async throws -> BuiltCommand.Outcome {
    let setpriv = try #require(Self.setpriv)
    let others =
      groups.isEmpty
      ? "--clear-groups" : "--groups=" + groups.map(String.init).joined(separator: ",")
    let outcome = try await ChildProcess(
      setpriv,
      arguments: ["--reuid=\(user)", "--regid=\(group)", others, BuiltCommand.executable.string]
        + arguments
    ).run()
    guard case .exited(let code) = outcome.ending else {
      throw SystemError(code: 0, call: "setpriv", path: "\(outcome.ending)")
    }
    return .init(code: code, output: outcome.outputText, errors: outcome.errorText)
  }

  @Test("compact and compact --copy leave a private file private, with its owner")
  func kept() async throws {
    try await BuiltCommand.withFolder { folder in
      let (file, copy) = (folder.appending("data"), folder.appending("copy"))
      try SampleDatabase.make(file)
      var rights = FileAccessRights.telling
      (rights.mode, rights.attributes) = (0o600, [:])
      for expected in [rights, .telling] {
        try FileSystem.give(expected, to: file)
        try FileSystem.removeFile(copy)
        let copying = try await BuiltCommand.run(["compact", file.string, "--copy", copy.string])
        #expect(copying.code == 0, "\(copying.errors)")
        try #expect(FileAccessRights(of: copy) == expected)
        let outcome = try await BuiltCommand.run(["compact", file.string])
        #expect(outcome.code == 0, "\(outcome.errors)")
        try #expect(FileAccessRights(of: file) == expected)
        try FileSystem.removeFile(file)
        try SampleDatabase.make(file)
      }
      #expect(try FileSystem.list(folder) == ["copy", "data"])
    }
  }

  @Test(
    "a user who cannot give the copy the file's owner gets an error; the file stays as it was, with nothing beside it",
    .enabled(if: mayBeOthers))
  func refused() async throws {
    try await BuiltCommand.withFolder { folder in
      #expect(chmod(folder.string, 0o777) == 0)
      let file = folder.appending("data")
      try SampleDatabase.make(file)
      let rights = FileAccessRights(mode: 0o666, owner: 4321, group: 4322)
      try FileSystem.give(rights, to: file)
      let bytes = try FileSystem.read(file)
      let outcome = try await run(as: 1000, 1000, ["compact", file.string])
      let dry = try await run(as: 1000, 1000, ["compact", "--dry-run", file.string])
      #expect(dry.code == 2)
      #expect(dry.errors.contains("the copy cannot have the file's owner"), "\(dry.errors)")
      #expect(outcome.code == 2)
      #expect(
        outcome.errors.contains("the copy cannot have the file's owner and access rights"),
        "\(outcome.errors)")
      #expect(outcome.errors.contains("fchown to user 4321 and group 4322"), "\(outcome.errors)")
      #expect(try FileSystem.read(file) == bytes)
      try #expect(FileAccessRights(of: file) == rights)
      #expect(try FileSystem.list(folder) == ["data"])
      let owners = try await run(as: 4321, 4322, ["compact", file.string])
      #expect(owners.code == 0, "\(owners.errors)")
      try #expect(FileAccessRights(of: file) == rights)
    }
  }

  @Test(
    "a copy that another user makes is that user's, and allows no one more than the file did",
    .enabled(if: mayBeOthers))
  func copyOfOthers() async throws {
    try await BuiltCommand.withFolder { folder in
      #expect(chmod(folder.string, 0o777) == 0)
      let file = folder.appending("data")
      try SampleDatabase.make(file)
      // The mode of the file, the groups of the user that runs the copy, and the group and mode of the copy.
      let cases: [(UInt32, [UInt32], UInt32, UInt32)] = [
        (0o644, [], 1000, 0o644), (0o664, [], 1000, 0o644), (0o640, [4322], 4322, 0o640),
      ]
      for (index, (mode, groups, group, expected)) in cases.enumerated() {
        try FileSystem.give(FileAccessRights(mode: mode, owner: 4321, group: 4322), to: file)
        let copy = folder.appending("copy-\(index)")
        let outcome = try await run(
          as: 1000, 1000, ["compact", file.string, "--copy", copy.string], groups: groups)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try #expect(
          FileAccessRights(of: copy)
            == FileAccessRights(mode: expected, owner: 1000, group: group))
      }
    }
  }
}
