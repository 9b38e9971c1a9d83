// The complementary cumulative distribution that reports draw.
import Generators
import Testing

@testable import FleetModel

@Suite("The share of values from each value up") struct ExceedanceTests {
  private static func sketch(_ values: [Double]) -> QuantileSketch {
    var sketch = QuantileSketch()
    for value in values { sketch.add(value) }
    return sketch
  }

  @Test("each point is exact: so many values are in its bin or above it")
  func exact() {
    var stream = RandomStream(seed: 3, label: "exceedance")
    let values = (0..<20_000).map { _ in StandardExponential.value(ofBits: stream.next()) * 1e6 }
    let curve = Self.sketch(values).exceedance(scale: 1)
    for point in curve.dropLast() {
      #expect(Double(values.count { $0 >= point.value }) / 20_000 == point.share)
    }
    #expect(curve.first?.share == 1 && curve.first?.value == values.min())
    #expect(curve.last == ExceedancePoint(value: values.max() ?? 0, share: 1.0 / 20_000))
  }

  @Test("values rise and shares fall, in a number of points that does not depend on the values'")
  func bounded() {
    for count in [100, 10_000, 300_000] {
      var stream = RandomStream(seed: 4, label: "bounded")
      let values = (0..<count).map { _ in StandardExponential.value(ofBits: stream.next()) * 1e8 }
      let curve = Self.sketch(values).exceedance(scale: 1000)
      #expect(curve.count <= 180, "\(count): \(curve.count)")
      for (point, next) in zip(curve, curve.dropFirst()) {
        #expect(point.value < next.value && next.share < point.share)
      }
    }
  }

  @Test("the share of devices that have any of it is a point, and nothing gives no point")
  func zeros() {
    let curve = Self.sketch([0, 0, 0, 0, 0, 0, 0, 500, 600, 700]).exceedance(scale: 1)
    #expect(curve[0] == ExceedancePoint(value: 0, share: 1))
    #expect(curve[1].share == 0.3 && abs(curve[1].value - 500) < 4)
    #expect(Self.sketch([]).exceedance(scale: 1).isEmpty)
    #expect(Self.sketch([5]).exceedance(scale: 1) == [ExceedancePoint(value: 5, share: 1)])
  }
}
