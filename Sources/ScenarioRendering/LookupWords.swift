// What clients of lookups do, in a sentence.
import MetricModel
import ScenarioModel

extension LookupSpec {
  var words: String {
    let threads = threads == 1 ? "reads" : "\(grouped(threads)) threads read"
    let parts = [
      reads > 0 ? rows(reads) : nil,
      scans > 0
        ? "\(scans == 1 ? "a scan" : "\(grouped(scans)) scans") of \(rows(scanLength))" : nil,
    ].compactMap { $0 }
    let snapshot =
      transactionsPerSnapshot == 1
      ? "a snapshot for each" : "a snapshot for \(grouped(transactionsPerSnapshot)) of them"
    return
      "\(threads) \(table) in short transactions, each of \(joined(parts)), keys \(keys.words), "
      + "\(snapshot); \(load.words)"
  }
}

extension PhaseSpec {
  /// How long lookups without a writer go on; nil for none.
  var lookupWords: String? {
    switch lookupExtent {
    case .transactions(let count): "lookups of \(grouped(count)) transactions without a writer"
    case .time(let time): "lookups for \(span(time)) without a writer"
    case nil: nil
    }
  }
}
