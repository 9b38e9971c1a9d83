// record.json: sorted keys and fixed layout, so that the same record is the same bytes and a diff shows what changed.
package import Foundation
import ScenarioModel

extension RunRecord {
  package static let fileName = "record.json"

  /// The file's bytes, ending in a line feed.
  package func json() throws(RecordError) -> Data {
    Data(try RecordSeal.json(of: self))
  }

  /// Reads a record; the error explains why it cannot be read.
  ///
  /// - Parameter acceptsChanged: whether a record that was changed after the run is read anyway, and marked.
  package init(
    json data: Data, name: String = fileName, acceptsChanged: Bool = false
  ) throws(RecordError) {
    let format = try Self.format(of: data, name)
    guard Self.readableFormats.contains(format) else {
      throw RecordError(
        code: .otherFormat,
        message: "\(name): record format \(format); this program reads formats"
          + " \(Self.unsealedFormat) to \(Self.currentFormat). Render it with the version that wrote it, or run again"
      )
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch let error as DecodingError {
      throw RecordError(code: .malformed, message: "\(name): \(Self.sentence(error))")
    } catch {
      throw RecordError(code: .malformed, message: "\(name): \(error)")
    }
    if let impossible = RecordSeal.impossibleFigure(in: Array(data)) {
      throw RecordError(
        code: .malformed,
        message:
          "\(name): \(impossible) is not a possible figure. No run of this program writes such a record"
      )
    }
    if let (kind, text, rule) = invalidName {
      throw RecordError(
        code: .malformed,
        message:
          "\(name): \(text.debugDescription) cannot be the name of the run's \(kind): \(rule)."
          + " No run of this program writes such a record")
    }
    try checkSeal(data, name, acceptsChanged)
  }

  private mutating func checkSeal(
    _ data: Data, _ name: String, _ acceptsChanged: Bool
  ) throws(RecordError) {
    guard format != Self.unsealedFormat else {
      integrity = .unknown
      return
    }
    guard files?.map(\.name) == RecordedFile.names else {
      throw RecordError(
        code: .malformed,
        message: "\(name): does not list the files that every run writes: "
          + RecordedFile.names.joined(separator: ", "))
    }
    try RecordSeal.check(
      Array(data), name, file: Self.fileName, acceptsChanged: acceptsChanged, &integrity)
  }

  /// The first name that no run could have given, since names become parts of paths and lines of files.
  private var invalidName: (kind: String, name: String, rule: String)? {
    if let found = scenario.invalidName { return found }
    let kinds = [
      ("engine", cells.map(\.key.engine) + provenance.engineVersions.keys.sorted()),
      ("policy", cells.map(\.key.policy)), ("arm", cells.map(\.key.arm)),
    ]
    return kinds.lazy.compactMap { kind, names in
      names.first { !Label.isValid($0) }.map { (kind, $0, Label.rule) }
    }.first
  }

  /// Whether the bytes are a record of ours, of whatever format: what makes an output folder one that may be
  /// overwritten.
  package static func isRecord(_ data: Data) -> Bool { (try? format(of: data, fileName)) != nil }

  private struct Head: Decodable {
    var format: Int
    var provenance: Program
    struct Program: Decodable { var toolVersion: String }
  }

  private static func format(of data: Data, _ name: String) throws(RecordError) -> Int {
    do {
      return try JSONDecoder().decode(Head.self, from: data).format
    } catch {
      throw RecordError(
        code: .malformed,
        message: "\(name): not a record of a run (it is cut off, or another program's file)")
    }
  }

  private static func sentence(_ error: DecodingError) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    }
    return switch error {
    case .keyNotFound(let key, let context): "\(place(context)): no \"\(key.stringValue)\""
    case .valueNotFound(_, let context), .typeMismatch(_, let context),
      .dataCorrupted(let context):
      "\(place(context)): \(context.debugDescription)"
    @unknown default: "\(error)"
    }
  }
}
