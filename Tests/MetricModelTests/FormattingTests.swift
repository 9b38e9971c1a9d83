// Figures as people read them.
import MetricModel
import Testing

@Suite("Formatting")
struct FormattingTests {
  @Test(
    "byte counts have three digits and decimal units",
    arguments: [
      (0, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "1.00 kB"), (1023, "1.02 kB"),
      (9994, "9.99 kB"), (9995, "10.0 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"),
      (999_499, "999 kB"), (999_500, "1.00 MB"), (22_100_000, "22.1 MB"),
      (20_971_520, "21.0 MB"), (1_304_000_000, "1.30 GB"), (5_000_000_000_000, "5.00 TB"),
      (-1, "-1 B"), (-22_100_000, "-22.1 MB"), (Int.max, "9.22 EB"), (Int.min, "-9.22 EB"),
    ])
  func byteCounts(bytes: Int, text: String) {
    #expect("\(ByteCount(bytes))" == text)
  }

  @Test(
    "ratios have three digits, and larger ones all before the point",
    arguments: [
      (0, "0.00"), (0.004, "0.00"), (0.005, "0.01"), (0.1, "0.10"), (1.299, "1.30"),
      (9.99, "9.99"), (9.996, "10.0"), (22.14, "22.1"), (99.96, "100"), (410.4, "410"),
      (123_456.7, "123,457"), (4298, "4,298"), (-1.5, "-1.50"), (-0.001, "0.00"), (1e16, "1e+16"),
      (.infinity, "inf"),
    ] as [(Double, String)])
  func threeDigits(value: Double, text: String) {
    #expect(value.threeDigits == text)
  }

  @Test("counts have a comma between thousands, and one of a thing is no plural")
  func counts() {
    #expect(
      [0, 999, 1000, 1_234_567, -12_345].map(grouped) == [
        "0", "999", "1,000", "1,234,567", "-12,345",
      ])
    #expect(counted(1, "engine") == "1 engine" && counted(2, "launch") == "2 launches")
    #expect(counted(0, "policy", "policies") == "0 policies")
    #expect(["a"].inWords == "a" && ["a", "b", "c"].inWords == "a, b and c")
    #expect(percent(0.0034) == "0.34 %" && percent(0.969) == "96.9 %")
  }

  @Test("a value that is no number prints as such")
  func notANumber() {
    #expect(Double.nan.threeDigits == "nan")
  }
}
