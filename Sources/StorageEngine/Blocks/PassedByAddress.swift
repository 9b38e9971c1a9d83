// Why large noncopyable structs are passed by address: Swift 6.3 passes a struct whose fields can all be loaded by value to a
// function that borrows it, and one of hundreds of bytes is copied to the stack for the call. A commit called such functions
// of the writer, of 1,800 bytes, five times, and of the free space, of 960 bytes, for each block. An atomic value has no other
// place than its own, so a struct that has one, or that has a part with one, is not loaded.
import Synchronization

/// A stored property of this type makes a struct passed by address.
struct PassedByAddress: ~Copyable {
  private let unused = Atomic<UInt8>(0)
}
