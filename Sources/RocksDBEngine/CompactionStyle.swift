// The ways in which RocksDB merges sorted runs by itself, and the options that choose them.
import MetricModel

/// One of RocksDB's compaction styles, or none.
enum CompactionStyle: Equatable {
  /// Runs are never merged unless it is asked for.
  case none
  /// Each level is one run of a size that is ten times that of the level above it.
  case leveled
  /// A few runs side by side, the newest first: those of similar sizes are merged, and all of them when what is above the
  /// oldest exceeds twice its size.
  case universal
  /// One level of runs that are not merged; when they exceed a limit the oldest is deleted with the rows that it has. The
  /// limit is above every database here, since a row that was not deleted must stay.
  case fifo

  /// More bytes than a database has here.
  private static let unreachableSize = 1 << 50

  init(automatic: Bool, preset: AutomaticPreset?) {
    switch preset {
    case _ where !automatic: self = .none
    case .universal?: self = .universal
    case .fifo?: self = .fifo
    default: self = .leveled
    }
  }

  /// The presets that name a style.
  static let presets: [AutomaticPreset] = [.leveled, .universal, .fifo]

  /// The style in which `CompactRange` merges all runs. By first-in-first-out it merges none.
  var forFullCompaction: Self { self == .fifo ? .none : self }

  /// The options in RocksDB's notation.
  var options: [(String, String)] {
    let off = ("disable_auto_compactions", "\(self == .none)")
    switch self {
    case .none, .leveled: return [off]
    case .universal: return [off, ("compaction_style", "kCompactionStyleUniversal")]
    case .fifo:
      return [
        off, ("compaction_style", "kCompactionStyleFIFO"),
        ("compaction_options_fifo", "{max_table_files_size=\(Self.unreachableSize)}"),
      ]
    }
  }
}
