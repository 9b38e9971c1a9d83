// The functions of the mathematical library that this module uses.
import Foundation

func naturalLogarithm(_ value: Double) -> Double { Foundation.log(value) }
func exponential(_ value: Double) -> Double { Foundation.exp(value) }
func power(_ base: Double, _ exponent: Double) -> Double { Foundation.pow(base, exponent) }
/// Returns the probability that a standard normal deviate is at most `value`.
func normalDistribution(_ value: Double) -> Double {
  0.5 * Foundation.erfc(-value / 2.0.squareRoot())
}
