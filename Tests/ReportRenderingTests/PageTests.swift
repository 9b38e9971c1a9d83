// report.html: whole by itself, and alive in a browser where one is installed.
import Analysis
import Foundation
import MetricModel
import RecordFixtures
import RecordModel
import ReportRendering
import Testing

private let browser = [
  "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].first { FileManager.default.isExecutableFile(atPath: $0) }

private func syntheticPage(
  _ change: (inout RunRecord, inout [CellRows<Sample>]) -> Void = { _, _ in }
) throws -> String {
  var (record, samples) = try SyntheticRecord.make(repetitions: 2)
  change(&record, &samples)
  return ReportHTML.text(ScenarioAnalysis(record: record, samples: samples))
}

@Suite("The report as one page")
struct PageTests {
  @Test("the page names nothing outside of itself: no address, no file, no import")
  func selfContained() throws {
    let page = try syntheticPage()
    for part in [
      "http:", "https:", "src=", "url(", "@import", "<link", "<img", "fetch(", "import(",
    ] {
      #expect(!page.contains(part), "\(part)")
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test("every section of report.md is in the page, and every table with all of its rows")
  func sections() throws {
    let (record, samples) = try SyntheticRecord.make(repetitions: 2)
    let analysis = ScenarioAnalysis(record: record, samples: samples)
    let markdown = ReportMarkdown.text(analysis).split(separator: "\n")
    let page = ReportHTML.text(analysis)
    for line in markdown where line.hasPrefix("## ") {
      #expect(page.contains("<h2>\(line.dropFirst(3))</h2>"), "\(line)")
    }
    let rules = markdown.count { $0.hasPrefix("| ---") || $0.hasPrefix("|---") }
    // The table of the command has an empty header, which is no row.
    let rows = markdown.count { $0.hasPrefix("|") } - rules - 1
    #expect(page.ranges(of: "<tr>").count == rows)
    #expect(!page.contains("**") && !page.contains("| ---"))
    // Three engines: each with all policies, with all arms, and under each policy; two cells have no curve.
    #expect(page.ranges(of: "<div class=\"panel\"").count == 6)
    #expect(page.ranges(of: "<div class=\"small\">").count == 16)
  }

  @Test("names that look like markup are text")
  func oddNames() throws {
    let odd = "</script><b>&\"'"
    let page = try syntheticPage { record, samples in
      SyntheticRecord.rename(policy: "never", odd, &record, &samples)
    }
    #expect(!page.contains("<b>&"))
    // The data's end and the script's, and no other.
    #expect(page.ranges(of: "</script>").count == 2)
  }

  @Test(
    "in a browser the page takes switches, shows values under the pointer, and asks the network for nothing",
    .enabled(if: browser != nil, "no Chromium or Chrome is installed"))
  func inBrowser() throws {
    let findings = try run(
      syntheticPage { record, _ in
        record.scenario.arms[1].summary =
          "invalidate() before blocking, and whatever else takes a line"
      })
    #expect(findings["ready"] == "yes")
    #expect(findings["errors"] == "")
    #expect(findings["requests"] == "0")
    #expect(findings["curves"] == "shown hidden shown")
    #expect(findings["grounds"] == "2 different")
    // Half of the panel is commit 8100, in the second launch's phase after the release.
    let tip = try #require(findings["tip"])
    #expect(tip.hasPrefix("native, commit "))
    #expect(tip.contains("automatic") && tip.contains("live data") && tip.contains("MB"))
    #expect(findings["tipWithout"]?.contains("automatic + on-launch B") == true)
    #expect(findings["tipWithout"]?.contains("every-launch") == false)
    #expect(findings["keyboard"]?.hasPrefix("lmdb, commit 162") == true)
    // In a window of 420 points the page is as wide, and each table scrolls within itself.
    #expect(findings["narrow"] == "420 at most, 0 tables cut")
  }

  /// Opens the page with a script behind its own that uses it as a reader would, and answers what came of it.
  private func run(_ page: String) throws -> [String: String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "report.html")
    let watched = page.replacing("<body>", with: "<body>\n<script>\(Self.watch)</script>")
      .replacing("</body>", with: "<script>\(Self.use)</script>\n</body>")
    try Data(watched.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: try #require(browser))
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--user-data-dir=\(folder.appending(path: "profile").path())", "--window-size=1200,900",
      "--virtual-time-budget=2000", "--dump-dom", file.absoluteString,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let begin = try #require(output.range(of: "FINDINGS[", options: .backwards))
    let end = try #require(output[begin.upperBound...].range(of: "]END"))
    let json = Data(String(output[begin.upperBound..<end.lowerBound]).utf8)
    return try JSONDecoder().decode(
      [String: String].self, from: try #require(Data(base64Encoded: json)))
  }

  private static let watch = """
    var errors=[];addEventListener('error',function(e){errors.push(e.message)});
    addEventListener('securitypolicyviolation',function(e){errors.push(e.blockedURI)});
    """

  private static let use = """
    (function(){
      var f={},d=document,tip=d.getElementById('tip');
      function shown(){var e=d.querySelectorAll('[data-s="2"]');
        return [].every.call(e,function(x){return getComputedStyle(x).display==='none'})?'hidden':'shown'}
      function move(){var s=d.querySelector('[data-panel] svg'),r=s.getBoundingClientRect();
        s.dispatchEvent(new PointerEvent('pointermove',{clientX:r.left+r.width/2,clientY:r.top+40}));return tip.textContent}
      f.ready=d.documentElement.getAttribute('data-ready')||'no';
      var button=d.querySelector('button[data-series="2"]'),states=[shown()];
      f.tip=move();
      button.click();states.push(shown());f.tipWithout=move();
      button.click();states.push(shown());f.curves=states.join(' ');
      function ground(){return getComputedStyle(d.body).backgroundColor+getComputedStyle(d.querySelector('.s0')).stroke}
      var one=ground();d.getElementById('theme').click();f.grounds=(one!==ground()?'2 different':'the same');
      var box=d.querySelectorAll('[data-panel]')[1];
      box.dispatchEvent(new KeyboardEvent('keydown',{key:'ArrowRight'}));f.keyboard=tip.textContent;
      var main=d.querySelector('main');main.style.width='420px';
      var cut=[].filter.call(main.querySelectorAll('table'),function(t){var s=t.closest('.scroll');
        return !s||getComputedStyle(s).overflowX!=='auto'||s.getBoundingClientRect().right>main.getBoundingClientRect().right});
      f.narrow=(main.scrollWidth<=420?'420 at most':String(main.scrollWidth))+', '+cut.length+' tables cut';
      f.requests=String(performance.getEntriesByType('resource').length);f.errors=errors.join('; ');
      var out=d.createElement('pre');out.textContent='FINDINGS['+btoa(unescape(encodeURIComponent(JSON.stringify(f))))+']END';
      d.body.appendChild(out);
    })();
    """
}
