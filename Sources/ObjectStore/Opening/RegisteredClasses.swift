// The classes of realms whose configuration does not list any.

/// The registered classes, in the order of their registration.
enum RegisteredClasses {
  private static let types = LockedValue<[ObjectBase.Type]>([])

  static func add(_ more: [ObjectBase.Type]) {
    types.withLock { known in
      for type in more where !known.contains(where: { $0 == type }) { known.append(type) }
    }
  }

  static var all: [ObjectBase.Type] { types.withLock { $0 } }
}
