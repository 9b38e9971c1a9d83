// Lines of JSON from events, without an encoder: a number costs a few nanoseconds, and a line has no other memory than the
// buffer that it is appended to.

struct LineText {
  private(set) var bytes: [UInt8] = []
  /// Operations written so far, and among them commits that are counted.
  private(set) var records = 0
  private(set) var commits = 0
  private var time = 0
  /// By the operation's number.
  private let forms = TraceEventKind.allCases.map(\.form)

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(header: TraceEmitter.Options, seed: UInt64) {
    append(#"{"trace":1,"header":{"clock":"machine","durable":"#)
    append(header.isDurable ? "true" : "false")
    append(#","origin":{"arm":"app","engine":"#)
    append(quoted: header.engine)
    append(#","engineVersion":"#)
    append(quoted: header.engineVersion)
    append(#","policy":"never","policyRule":"never","program":"TraceEmitter","scenario":"#)
    append(quoted: kebab(header.name))
    append(#"},"sampleEveryCommits":"#)
    append(max(1, header.sampleEveryCommits))
    append(#","seed":"#)
    append(Int(seed >> 12))
    append(#","tables":[]}}"#)
    endLine()
  }

  mutating func append(_ event: TraceEvent, texts: [String]) {
    if event.kind == .table { return append(table: texts[event.size], rows: event.number) }
    let form = forms[Int(event.kind.rawValue)]
    time = max(time, event.time)
    append(#"{"op":""#)
    append(form.name)
    append(#"","at":"#)
    append(time)
    for part in form.parts {
      switch part {
      case .table: append(Int(event.table), named: "table")
      case .key: append(Int(event.key), named: "key")
      case .number(let name): append(event.number, named: name)
      case .size(let name): append(event.size, named: name)
      case .text(let name):
        append(name: name)
        append(quoted: texts[event.size])
      }
    }
    append("}")
    endLine()
    records += 1
    if event.kind == .enter { commits += 1 }
  }

  mutating func append(dropped count: Int) {
    append(#"{"dropped":"#)
    append(count)
    append("}")
    endLine()
  }

  mutating func appendEnd() {
    append(#"{"end":{"commits":"#)
    append(commits)
    append(#","records":"#)
    append(records)
    append("}}")
    endLine()
  }

  private mutating func append(table name: String, rows: Int) {
    append(#"{"tables":[{"name":"#)
    append(quoted: name)
    append(rows, named: "rows")
    append("}]}")
    endLine()
  }

  private mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  private mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(name: StaticString) {
    append(",\"")
    append(name)
    append("\":")
  }

  private mutating func append(_ number: Int, named name: StaticString) {
    append(name: name)
    append(number)
  }

  private mutating func append(_ number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Appends a text as JSON. What no name of a trace may have, control characters, becomes a space.
  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: bytes.append(UInt8(ascii: " "))
      default:
        if scalar == "\"" || scalar == "\\" { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(contentsOf: UTF8.encode(scalar)!)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns the name in lowercase letters, digits and single hyphens, as names of recordings are.
  private func kebab(_ name: String) -> String {
    let words = name.lowercased().utf8.prefix(80).split { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let text = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    return text.isEmpty ? "app" : text
  }
}
