// Launches that begin with the database's files dropped from the page cache.

/// What was in the page cache before a cold launch, and what was left of it.
package struct ColdStart: Sendable, Codable, Equatable {
  package var launch: Int
  /// Of all files together; zero where they could not be measured.
  package var cachedBefore: Int
  package var cachedAfter: Int
  /// Why files could not be dropped or measured; nil if they could.
  package var failure: String?

  package init(launch: Int, cachedBefore: Int = 0, cachedAfter: Int = 0, failure: String? = nil) {
    self.launch = launch
    self.cachedBefore = cachedBefore
    self.cachedAfter = cachedAfter
    self.failure = failure
  }
}
