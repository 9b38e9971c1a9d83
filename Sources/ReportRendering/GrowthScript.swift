// Writes the gnuplot script and data of a growth plot. All positions are computed here, so that labels never meet.
import Analysis
import MetricModel
import RecordModel

struct GrowthScript {
  private let model: GrowthPlot
  private var data: PlotData
  private var script = ""

  private static let width = 1000
  private static let left = 104
  private static let right = 20
  private static let panelHeight = 210
  private static let panelGap = 22
  private static let holderHeight = 16
  private static let mostHolders = 5
  private static let bandLabels = 62
  private static let bottom = 66
  /// Okabe and Ito's palette, told apart by people with any kind of colour vision; the first is for doing nothing.
  private static let colours = [
    "#6b6b6b", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
  ]

  init(_ model: GrowthPlot) {
    self.model = model
    data = PlotData("\(model.name): data of the plot; megabytes are 10^6 bytes")
    write()
  }

  var plot: Plot {
    Plot(name: model.name, caption: model.caption, script: script, data: data.text)
  }

  private var holders: [(name: String, spans: [PinSpan])] { model.holders(most: Self.mostHolders) }
  private var legendRows: Int {
    let marks = model.showsEvents ? Self.marks.map(\.title) : []
    let widths = (model.titles + marks).map { $0.count * 9 + 90 }
    let columns = max(1, (Self.width - Self.left) / max(1, widths.max() ?? 1))
    let entries = model.titles.count + 1 + marks.count
    return (entries + columns - 1) / columns
  }
  private var top: Int { 16 + legendRows * 20 + Self.bandLabels }
  private var stripHeight: Int { holders.isEmpty ? 0 : holders.count * Self.holderHeight + 10 }
  private var height: Int {
    top + model.panels.count * (Self.panelHeight + Self.panelGap) + stripHeight + Self.bottom
  }

  private mutating func line(_ text: String) { script += text + "\n" }

  private mutating func write() {
    header()
    for (index, panel) in model.panels.enumerated() { write(panel, index) }
    writeStrip()
    line("unset multiplot")
    line("unset output")
  }

  private mutating func header() {
    let size = "size \(Self.width),\(height)"
    line("# \(model.name).svg: drawn by `gnuplot \(model.name).gp`, run in this folder.")
    line("# `gnuplot -e png=1 \(model.name).gp` draws \(model.name).png.")
    line("if (exists('png')) {")
    line("  set terminal pngcairo \(size) font 'Helvetica,11' noenhanced background rgb 'white'")
    line("  set output '\(model.name).png'")
    line("} else {")
    line(
      "  set terminal svg \(size) dynamic font 'Helvetica,13' noenhanced background rgb 'white'"
        + " name '\(model.name)'")
    line("  set output '\(model.name).svg'")
    line("}")
    line("set encoding utf8")
    line("data = '\(model.name).tsv'")
    line("set multiplot")
    line("set border 3 lc rgb '#444444'")
    line("set tics nomirror out scale 0.6 textcolor rgb '#444444'")
    line("set grid ytics lc rgb '#dddddd' lw 0.6")
    line("set xrange [0:\(model.lastCommit)]")
    line("set lmargin at screen \(across(Self.left))")
    line("set rmargin at screen \(across(Self.width - Self.right))")
    line(
      "set key at screen \(across(Self.left)), screen \(up(8)) left top Left reverse horizontal"
        + " maxrows \(legendRows) samplen 2.4 width 1 noautotitle")
  }

  private func across(_ pixels: Int) -> String { fraction(pixels, of: Self.width) }
  private func up(_ pixelsFromTop: Int) -> String { fraction(height - pixelsFromTop, of: height) }

  /// A fraction with five decimals, from whole numbers.
  private func fraction(_ part: Int, of whole: Int) -> String {
    let scaled = max(0, min(100_000, (part * 100_000 + whole / 2) / whole))
    let digits = String(scaled % 100_000)
    return "\(scaled / 100_000).\(String(repeating: "0", count: 5 - digits.count))\(digits)"
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "''").replacing("\n", with: " ") + "'"
  }
}

// MARK: - Panels

extension GrowthScript {
  private mutating func write(_ panel: GrowthPlot.Panel, _ index: Int) {
    let topOfPanel = top + index * (Self.panelHeight + Self.panelGap)
    let isLast = index == model.panels.count - 1 && holders.isEmpty
    line("")
    line("# \(panel.engine)")
    line("set tmargin at screen \(up(topOfPanel))")
    line("set bmargin at screen \(up(topOfPanel + Self.panelHeight))")
    bands(withLabels: index == 0)
    scale(panel)
    line(isLast ? "set xlabel 'commits' textcolor rgb '#444444'" : "unset xlabel")
    line(isLast ? "set format x '%.0f'" : "set format x ''")
    if index == 1 { line("unset key") }
    line("plot \\")
    line(curves(panel, titled: index == 0).joined(separator: ", \\\n"))
  }

  /// Logarithmic only where the curves lie more than two powers of ten apart.
  private mutating func scale(_ panel: GrowthPlot.Panel) {
    let totals = panel.lines.compactMap { $0 }.flatMap { $0.cell.samples }
      .map { $0.observation.space.total.bytes }
    let greatest = max(1, totals.max() ?? 1)
    let least = max(1, totals.filter { $0 > 0 }.min() ?? 1)
    let isLogarithmic = greatest > 100 * least
    let unit = isLogarithmic ? "MB, log scale" : "MB"
    line("set ylabel \(quoted("\(panel.engine) (\(unit))")) offset 0.5,0 textcolor rgb '#222222'")
    line("unset logscale y")
    if isLogarithmic {
      line("set logscale y")
      line("set yrange [\(PlotData.megabytes(ByteCount(least * 7 / 10))):*]")
    } else {
      line("set yrange [0:\(PlotData.megabytes(Self.linearTop(greatest: totals.max() ?? 0)))]")
    }
    line("set format y '%g'")
  }

  /// Where a linear axis ends: a little above the curves, and never so low that it shows fractions of bytes. Nothing at
  /// all (the engine `null`) lies on an axis of a megabyte.
  private static func linearTop(greatest: Int) -> ByteCount {
    ByteCount(greatest == 0 ? 1_000_000 : max(10_000, greatest + greatest / 12 + 1))
  }

  private mutating func curves(_ panel: GrowthPlot.Panel, titled: Bool) -> [String] {
    var parts: [String] = []
    func title(_ text: String) -> String { titled ? "title \(quoted(text))" : "notitle" }
    if let first = panel.lines.compactMap({ $0 }).first {
      let live = first.cell.samples.compactMap { sample in
        sample.observation.space.live.map {
          Curve.Point(commit: sample.observation.commits, bytes: $0)
        }
      }
      let block = data.add("\(panel.engine), live data", ["commit", "MB"], Curve(live).rows)
      parts.append(
        "  data index \(block) using 1:2 with filledcurves x1 fc rgb '#dcdcdc' fs solid 1 noborder"
          + " \(title("live data"))")
    }
    for (index, entry) in panel.lines.enumerated() {
      let points =
        entry?.cell.samples.map {
          Curve.Point(commit: $0.observation.commits, bytes: $0.observation.space.total)
        } ?? []
      if points.isEmpty && !titled { continue }
      let name = "\(panel.engine), \(model.titles[index])"
      let block = data.add(name, ["commit", "MB"], Curve(points).rows)
      parts.append(
        "  data index \(block) using 1:2 with lines lc rgb '\(colour(index))' lw \(width(index))"
          + " dt \(dash(index)) \(title(model.titles[index]))")
    }
    if model.showsEvents { parts += markers(panel, titled) }
    return parts
  }

  private func colour(_ index: Int) -> String { Self.colours[index % Self.colours.count] }

  /// The first lines are wider, so that a later one on the same course leaves a rim of them.
  private func width(_ index: Int) -> String {
    ["5", "3.6", "2.8", "2.2", "1.8", "1.6"][min(index, 5)]
  }

  private func dash(_ index: Int) -> String {
    ["solid", "solid", "solid", "(12,5)", "(4,4)", "(14,4,3,4)"][min(index, 5)]
  }

  private static let marks: [(title: String, outcomes: Set<CompactionEvent.Outcome>, shape: Int)] =
    [
      ("compacted", [.finished], 11), ("declined at launch", [.declined], 6),
      ("skipped or given up", [.skipped, .abandoned], 2),
    ]

  private mutating func markers(_ panel: GrowthPlot.Panel, _ titled: Bool) -> [String] {
    Self.marks.compactMap { name, outcomes, shape in
      var rows: [[String]] = []
      for (index, entry) in panel.lines.enumerated() {
        let events =
          entry?.cell.first?.events.filter {
            outcomes.contains($0.event.outcome) && $0.event.before > .zero
              && ($0.event.kind == .onLaunch || $0.event.outcome != .declined)
          } ?? []
        for event in thinned(events) {
          let height = entry?.cell.height(at: event) ?? event.event.after
          rows.append([
            String(event.commit), PlotData.megabytes(height), "0x" + colour(index).dropFirst(),
          ])
        }
      }
      if rows.isEmpty && !titled { return nil }
      let block = data.add("\(panel.engine), \(name)", ["commit", "MB", "colour"], rows)
      let points = "with points pt \(shape) ps 0.9"
      let mark = "  data index \(block) using 1:2:3 \(points) lw 1.5 lc rgb variable notitle"
      return titled
        ? mark + ", \\\n  NaN \(points) lc rgb '#444444' title \(quoted(name))" : mark
    }
  }

  /// Automatic compaction may end with every commit: of markers that would lie on each other the last is drawn.
  private func thinned(_ events: [RunEvent]) -> [RunEvent] {
    let usable = Self.width - Self.left - Self.right
    let apart = max(1, 10 * model.lastCommit / usable)
    var kept: [RunEvent] = []
    var begin = 0
    for event in events {
      if kept.last?.launch == event.launch, event.commit - begin < apart {
        kept[kept.count - 1] = event
      } else {
        kept.append(event)
        begin = event.commit
      }
    }
    return kept
  }
}

// MARK: - Phases and snapshots

extension GrowthScript {
  /// Bands behind the curves; names above the first panel where they fit, upright where only that fits.
  private mutating func bands(withLabels: Bool) {
    line("unset object")
    line("unset label")
    line("unset arrow")
    let pinned = model.phasesWithPins
    let usable = Self.width - Self.left - Self.right
    var number = 0
    for (index, phase) in model.phases.enumerated() {
      let colour =
        pinned.contains(phase.phase) ? "#fff3d6" : index.isMultiple(of: 2) ? "#f6f6f6" : "#ffffff"
      line(
        "set object \(index + 1) rectangle from \(phase.firstCommit), graph 0"
          + " to \(phase.lastCommit), graph 1 fc rgb '\(colour)' fs solid 1 noborder behind")
      let pixels = (phase.lastCommit - phase.firstCommit) * usable / model.lastCommit
      let fits = phase.phase.count * 7 + 4 <= pixels
      guard withLabels, fits || pixels >= 13 else { continue }
      number += 1
      let middle = (phase.firstCommit + phase.lastCommit) / 2
      let turn = fits ? "center" : "left rotate by 90"
      line(
        "set label \(number) \(quoted(label(phase.phase, fits: fits))) at \(middle), graph 1"
          + " \(turn) offset 0,\(fits ? "0.6" : "0.3") font ',10' textcolor rgb '#666666'")
    }
    for (index, begin) in launchBegins.enumerated() {
      line(
        "set arrow \(index + 1) from \(begin.commit), graph 0 to \(begin.commit), graph 1 nohead"
          + " dt (6,4) lw 1.2 lc rgb '#777777' front")
      guard withLabels else { continue }
      number += 1
      line(
        "set label \(number) \(quoted("launch \(begin.launch)")) at \(begin.commit), graph 1"
          + " left offset 0.3,3.1 font ',10' textcolor rgb '#222222'")
    }
  }

  /// The end of a long name tells more than its begin.
  private func short(_ holder: String) -> String {
    holder.count <= 15 ? holder : "…\(holder.suffix(14))"
  }

  /// An upright name has room for eight letters.
  private func label(_ phase: String, fits: Bool) -> String {
    fits || phase.count <= 8 ? phase : phase.prefix(7) + "…"
  }

  private var launchBegins: [(launch: Int, commit: Int)] {
    var begins: [(launch: Int, commit: Int)] = []
    for phase in model.phases where begins.last?.launch != phase.launch {
      begins.append((phase.launch, phase.firstCommit))
    }
    return begins
  }

  private mutating func writeStrip() {
    guard !holders.isEmpty else { return }
    let begin = top + model.panels.count * (Self.panelHeight + Self.panelGap)
    line("")
    line("# Snapshots held, by holder")
    line("unset object; unset label; unset arrow; unset key; unset logscale y; unset ylabel")
    line("set tmargin at screen \(up(begin))")
    line("set bmargin at screen \(up(begin + stripHeight))")
    line("set yrange [\(-holders.count).0:0.0]")
    let names = holders.enumerated().map { "\(quoted(short($1.name))) \(-$0 - 1)+0.5" }
    line("set ytics (\(names.joined(separator: ", "))) scale 0 font ',10'")
    line("unset grid")
    line("set format x '%.0f'")
    line("set xlabel 'commits' textcolor rgb '#444444'")
    let rows = holders.enumerated().flatMap { index, holder in
      holder.spans.map {
        [String($0.firstCommit), "-\(index).5", String($0.lastCommit - $0.firstCommit), "0"]
      }
    }
    let block = data.add("snapshots held", ["commit", "row", "commits", "0"], rows)
    line(
      "plot data index \(block) using 1:2:3:4 with vectors nohead lw 7 lc rgb '#e69f00' notitle")
  }
}
