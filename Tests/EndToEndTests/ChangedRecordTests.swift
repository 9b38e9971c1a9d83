// Files of a run that were changed or lost afterwards: no command reads them silently.
import Foundation
import SystemIO
import Testing

@Suite("Changed files of a run")
struct ChangedRecordTests {
  private static let readers = [
    ["report", "Reports/small"], ["gate"], ["baseline", "save"], ["baseline", "compare"],
    ["gallery", "Reports", "--output", "Gallery"], ["history", "add", "--commit", "abc"],
    ["compare-curves", "Reports/small", "Reports/small"],
    ["agreement", "--records", "Reports", "--engine", "native", "--reference", "lmdb"],
  ]

  private static func lab(_ arguments: [String], _ folder: FilePath) async throws
    -> BuiltCommand.Outcome
  {
    try await BuiltCommand.run(arguments, in: folder)
  }

  @Test("a figure that was changed in record.json is an error in every command that reads records")
  func changedFigure() async throws {
    try await ForeignRecordTests.withRun { folder in
      let file = folder.pushing(ForeignRecordTests.record)
      let text = try FileSystem.readText(file)
      let line = try #require(text.split(separator: "\n").first { $0.contains("\"highWater\"") })
      try FileSystem.write(
        text: text.replacing(line, with: line.replacing(" : ", with: " : 1")), to: file)
      for arguments in Self.readers {
        let outcome = try await Self.lab(arguments, folder)
        #expect(outcome.code == 2, "\(arguments): \(outcome.output)")
        #expect(
          outcome.errors.contains("Reports/small/record.json: was changed after the run"),
          "\(arguments): \(outcome.errors)")
      }
      #expect(!FileSystem.exists(folder.appending("Gallery")))
      #expect(!FileSystem.exists(folder.appending(".compaction-lab")))
      let marked = try await Self.lab(["report", "Reports/small", "--accept-changed"], folder)
      #expect(marked.code == 0)
      #expect(marked.errors.contains("changed after the run: record.json"))
      for name in ["report.md", "report.html"] {
        let report = try FileSystem.readText(folder.appending("Reports/small").appending(name))
        #expect(report.contains("Made from files that were changed after the run: "), "\(name)")
      }
      // No sum of figures is made of one that would not fit.
      let most = line.prefix { $0 != ":" } + ": \(Int.max),"
      try FileSystem.write(text: text.replacing(line, with: most), to: file)
      let impossible = try await Self.lab(["report", "Reports/small", "--accept-changed"], folder)
      #expect(impossible.code == 2, "\(impossible.errors)")
      #expect(impossible.errors.contains("\(Int.max) is not a possible figure"))
      // What was restored is trusted again.
      try FileSystem.write(text: text, to: file)
      #expect(try await Self.lab(["report", "Reports/small"], folder).code == 0)
      let report = try FileSystem.readText(folder.appending("Reports/small/report.md"))
      #expect(!report.contains("changed after the run"))
    }
  }

  @Test(
    "a destroyed, cut or missing file beside the record is an error that names it",
    arguments: ["samples.csv", "timings.csv", "events.csv"])
  func files(_ name: String) async throws {
    try await ForeignRecordTests.withRun { folder in
      let file = folder.appending("Reports/small").appending(name)
      let whole = try FileSystem.read(file)
      var flipped = whole
      flipped[whole.count - 3] ^= 1
      let states: [(bytes: [UInt8]?, what: String)] = [
        (flipped, "was changed after the run"),
        (
          Array(whole.dropLast(20)),
          "has \(whole.count - 20) bytes instead of \(whole.count)"
        ),
        ([], "has 0 bytes instead of "), (nil, "is missing"),
      ]
      for (bytes, what) in states {
        if let bytes {
          try FileSystem.write(bytes, to: file)
        } else {
          try FileSystem.removeFile(file)
        }
        for arguments in [
          ["report", "Reports/small"], ["gate"], ["history", "add", "--commit", "a"],
        ] {
          let outcome = try await Self.lab(arguments, folder)
          #expect(outcome.code == 2, "\(arguments): \(outcome.output)")
          #expect(outcome.errors.contains("Reports/small/\(name): \(what)"), "\(outcome.errors)")
        }
        let marked = try await Self.lab(["report", "Reports/small", "--accept-changed"], folder)
        // Without rows there is nothing to render.
        guard name != "samples.csv" else { continue }
        #expect(marked.code == 0, "\(marked.errors)")
        let report = try FileSystem.readText(folder.appending("Reports/small/report.md"))
        #expect(report.contains("changed after the run: `\(name)`"))
      }
    }
  }

  @Test(
    "changed rows that are possible are rendered with a note, and impossible ones are an error"
  )
  func changedRows() async throws {
    try await ForeignRecordTests.withRun { folder in
      let file = folder.appending("Reports/small/samples.csv")
      let lines = try FileSystem.readText(file).split(separator: "\r\n").map(String.init)
      func render(_ column: String, _ value: String) async throws -> BuiltCommand.Outcome {
        let index = try #require(lines[0].split(separator: ",").firstIndex { $0 == column })
        var fields = lines[7].split(separator: ",", omittingEmptySubsequences: false)
          .map(String.init)
        fields[index] = value
        var changed = lines
        changed[7] = fields.joined(separator: ",")
        try FileSystem.write(text: changed.joined(separator: "\r\n") + "\r\n", to: file)
        return try await Self.lab(["report", "Reports/small", "--accept-changed"], folder)
      }
      let possible = try await render("file_bytes", "123456789")
      #expect(possible.code == 0 && possible.errors.contains("changed after the run: samples.csv"))
      for (column, value) in [
        ("file_bytes", "\(Int.max)"), ("file_bytes", "-1"), ("commit", "\(Int.max)"),
        ("time_us", "1"), ("launch", "0"), ("live_bytes", "\(1 << 60)"), ("pins", "\(Int.min)"),
      ] {
        let outcome = try await render(column, value)
        #expect(outcome.code == 2, "\(column) \(value): \(outcome.output)")
        #expect(
          outcome.errors.contains("samples.csv: row 7 of native, never, default cannot"),
          "\(column) \(value): \(outcome.errors)")
      }
    }
  }

  @Test("a record of an earlier version is read, and the report and a note state what is unknown")
  func earlier() async throws {
    try await ForeignRecordTests.withRun { folder in
      let file = folder.pushing(ForeignRecordTests.record)
      var members = try #require(
        try JSONSerialization.jsonObject(with: Data(try FileSystem.read(file))) as? [String: Any])
      members["digest"] = nil
      members["files"] = nil
      // Nothing but a record of that version may lack them.
      try FileSystem.write(
        Array(try JSONSerialization.data(withJSONObject: members)), to: file)
      #expect(try await Self.lab(["report", "Reports/small"], folder).code == 2)
      members["format"] = 5
      try FileSystem.write(
        Array(try JSONSerialization.data(withJSONObject: members)), to: file)
      let rendered = try await Self.lab(["report", "Reports/small"], folder)
      #expect(rendered.code == 0, "\(rendered.errors)")
      #expect(rendered.errors.contains("note: Reports/small: made by an earlier version"))
      let report = try FileSystem.readText(folder.appending("Reports/small/report.md"))
      #expect(report.contains("of an earlier version and has no digests"))
      let saved = try await Self.lab(["baseline", "save"], folder)
      #expect(saved.code == 0 && saved.errors.contains("made by an earlier version"))
    }
  }

  @Test("report renders every record below a folder, in spite of a damaged one")
  func below() async throws {
    try await ForeignRecordTests.withRun { folder in
      let reports = folder.appending("Reports")
      for name in ["a", "b/c"] {
        let copy = reports.pushing(FilePath(name))
        try FileSystem.makeFolders(copy.removingLastComponent())
        try FileSystem.copyTree(reports.appending("small"), to: copy)
        try FileSystem.removeFile(copy.appending("report.md"))
      }
      try FileSystem.removeFile(reports.appending("a/events.csv"))
      let outcome = try await Self.lab(["report", "Reports"], folder)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("Reports/a/events.csv: is missing"))
      #expect(
        outcome.output == "report: Reports/b/c/report.md\nreport: Reports/small/report.md\n")
      #expect(FileSystem.exists(reports.appending("b/c/report.md")))
      #expect(!FileSystem.exists(reports.appending("a/report.md")))
      let none = try await Self.lab(["report", ".build-nothing"], folder)
      #expect(none.code == 2 && none.errors.contains("no such file or folder"))
    }
  }
}

@Suite("A disk that is full when a report is written")
struct FullOutputTests {
  /// A run whose files may have so many bytes each, as on a disk that fills up: a write beyond it fails.
  private static func run(_ folder: FilePath, limit: Int?) async throws -> ChildProcess.Outcome {
    let command =
      "\(BuiltCommand.executable) run small.yml --engine null --policy never --schedule stepped --repetitions 1"
    let prefix = limit.map { "trap '' XFSZ; ulimit -f \($0 / 512); " } ?? ""
    return try await ChildProcess(
      "/bin/sh", arguments: ["-c", "\(prefix)exec \(command)"], folder: folder
    ).run()
  }

  @Test(
    "on a full disk the record is left, and the message names the command for the report and no draft"
  )
  func report() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      #expect(try await Self.run(folder, limit: nil).ending == .exited(0))
      let reports = folder.appending("Reports/small")
      func size(_ name: String) throws -> Int {
        try FileSystem.size(of: reports.appending(name)).bytes
      }
      let data =
        try ["record.json", "samples.csv", "timings.csv", "events.csv"].map(size).max() ?? 0
      let page = try size("report.html")
      #expect(data + 2048 < page, "the limit lies between them")
      try FileSystem.removeTree(folder.appending("Reports"))
      let full = try await Self.run(folder, limit: page - 1024)
      #expect(full.ending == .exited(2))
      #expect(full.errorText.contains("Reports/small/report.html: write: "), "\(full.errorText)")
      #expect(
        full.errorText.contains(
          "the record of the run is complete; free space on the disk, and `compaction-lab report Reports/small` writes"
        ))
      #expect(!full.errorText.contains("draft"))
      let names = try FileSystem.list(reports)
      #expect(names.contains("record.json") && !names.contains("report.html"))
      #expect(!names.contains { $0.hasPrefix(".") })
      let again = try await BuiltCommand.run(["report", "Reports/small"], in: folder)
      #expect(again.code == 0 && FileSystem.exists(reports.appending("report.html")))
    }
  }
}
