// The access rights of a file: mode, owner, group, and extended attributes, of which Linux's access lists are some. A file
// that takes another one's name must have the other one's, or a compaction would open a private file to everyone.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The purpose of a new file, which determines the access rights that it gets from another one.
public enum AccessRole: Sendable {
  /// The file is being written and will replace the other one: the same owner and group, and access for the owner only.
  case draft
  /// The file is about to replace the other one: the same owner, group, mode, extended attributes and access list.
  case replacement
  /// The file is a copy under another name. It gets the rights of a replacement. If the process may not change the owner,
  /// the owner is the process's user, without the access list; if it may not change the group either, the group has no more
  /// rights than others have.
  case copy
  /// The file is beside the other one and for the same users: the rights of a copy, and of the attributes the access list
  /// only.
  case companion
  /// The file is a new database made from the other one: the rights of a copy, and its owner may read and write it.
  case seeded
}

/// The access rights of a file, as values.
package struct FileAccessRights: Sendable, Equatable {
  /// The lower 12 bits of `st_mode`.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// The extended attributes by name, without those that the system sets by its own rules (labels of security modules).
  package var attributes: [String: [UInt8]]

  package init(
    mode: UInt32, owner: UInt32, group: UInt32, attributes: [String: [UInt8]] = [:]
  ) {
    self.mode = mode
    self.owner = owner
    self.group = group
    self.attributes = attributes
  }

  /// Reads the rights of a file by its path, following links. The file is not opened, so locks of POSIX on it stay.
  package init(of path: FilePath) throws(SystemError) {
    var facts = stat()
    guard stat(path.string, &facts) == 0 else { throw .last("stat", path) }
    self.init(facts, attributes: try ExtendedAttributes(path: path).all())
  }

  fileprivate init(_ facts: stat, attributes: [String: [UInt8]]) {
    self.init(
      mode: UInt32(facts.st_mode) & 0o7777, owner: facts.st_uid, group: facts.st_gid,
      attributes: attributes)
  }

  /// The mode without rights for the group that others do not have: for a file that has another group.
  package var modeForOtherGroup: UInt32 { mode & 0o1707 | mode & (mode << 3) & 0o070 }

  /// Sets the rights on an open file. Throws an error that `isRefusal` if a replacement cannot have them, or a draft not
  /// the owner. They are durable with the next `fsync` of the file. Returns whether the file has the owner and the group
  /// now.
  @discardableResult
  func give(
    toDescriptor descriptor: Int32, _ path: FilePath, as role: AccessRole
  ) throws(SystemError) -> Bool {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .last("fstat", path) }
    let attributes = ExtendedAttributes(descriptor: descriptor, path: path)
    let now = FileAccessRights(facts, attributes: try attributes.all())
    switch role {
    case .draft:
      try attributes.replace(now.attributes, by: [:])
      try setMode(0o600, descriptor, path)
      try setOwner(now, descriptor, path)
      return true
    case .replacement:
      try setOwner(now, descriptor, path)
      try attributes.replace(now.attributes, by: self.attributes)
      try setMode(mode, descriptor, path)
      return true
    case .copy, .companion, .seeded:
      return try giveToCopy(now, attributes, descriptor, path, role)
    }
  }

  /// Sets as many of the rights as the process may, and no more for anyone than they allow.
  private func giveToCopy(
    _ now: FileAccessRights, _ attributes: ExtendedAttributes, _ descriptor: Int32,
    _ path: FilePath, _ role: AccessRole
  ) throws(SystemError) -> Bool {
    var (isTheirs, isOfGroup) = (true, true)
    do throws(SystemError) { try setOwner(now, descriptor, path) } catch {
      guard error.isRefusal else { throw error }
      isTheirs = false
      isOfGroup = now.group == group || fchown(descriptor, uid_t.max, group) == 0
    }
    // An access list names users beside the owner, who is another one now.
    let wanted = self.attributes.filter { name, _ in
      Self.isAccessList(name) ? isTheirs : role != .companion
    }
    let refused = try attributes.replace(now.attributes, by: wanted, isComplete: false)
    let lists = self.attributes.keys.filter(Self.isAccessList)
    // Beside a list the mode's bits for the group are the most that anyone in the list has.
    let hasLists = isTheirs && refused.isDisjoint(with: lists) || lists.isEmpty
    var next = isOfGroup && hasLists ? mode : modeForOtherGroup
    if !isTheirs { next &= 0o1777 }
    if role == .seeded { next |= 0o600 }
    try setMode(next, descriptor, path)
    return isTheirs
  }

  private static func isAccessList(_ attribute: String) -> Bool { attribute.hasPrefix("system.") }

  private func setOwner(
    _ now: FileAccessRights, _ descriptor: Int32, _ path: FilePath
  ) throws(SystemError) {
    guard now.owner != owner || now.group != group else { return }
    guard fchown(descriptor, owner, group) == 0 else {
      throw .last("fchown to user \(owner) and group \(group)", path)
    }
  }

  /// Sets the mode after reading it again, because a new owner or group clears bits of it and an access list sets some.
  private func setMode(
    _ next: UInt32, _ descriptor: Int32, _ path: FilePath
  ) throws(SystemError) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .last("fstat", path) }
    guard UInt32(facts.st_mode) & 0o7777 != next else { return }
    guard fchmod(descriptor, mode_t(next)) == 0 else {
      throw .last("fchmod to 0\(String(next, radix: 8))", path)
    }
  }
}

extension FileSystem {
  /// Gives an open file the access rights of `original`, as far as its role asks for them.
  static func inheritAccess(
    of original: FilePath, descriptor: Int32, _ path: FilePath, as role: AccessRole
  ) throws(SystemError) {
    let rights = try FileAccessRights(of: original)
    let isTheirs = try rights.give(toDescriptor: descriptor, path, as: role)
    guard role != .draft, isTheirs else { return }
    let code = cplatform_copy_access_list(original.string, descriptor)
    guard code == 0 || role != .replacement else {
      throw SystemError(code: code, call: "acl_set_fd_np", path: path.string)
    }
  }

  /// Gives a file access rights that another one had, as far as this process may, and makes them durable.
  package static func give(_ rights: FileAccessRights, to path: FilePath) throws(SystemError) {
    let descriptor = open(path.string, accessMode(path) | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", path) }
    defer { close(descriptor) }
    try rights.give(toDescriptor: descriptor, path, as: .copy)
    guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
  }

  /// The same for a file that no library has open in this process, and makes it durable.
  package static func inheritAccess(
    of original: FilePath, to path: FilePath, as role: AccessRole
  ) throws(SystemError) {
    let descriptor = open(path.string, accessMode(path) | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", path) }
    defer { close(descriptor) }
    try inheritAccess(of: original, descriptor: descriptor, path, as: role)
    guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
  }
}

/// A folder cannot be opened for writing, and its rights can be set all the same.
private func accessMode(_ path: FilePath) -> Int32 {
  FileSystem.isFolder(path) ? O_RDONLY : O_RDWR
}

extension SystemError {
  /// Whether the process lacks the right, or the file system the feature, so that a second attempt would fail too.
  package var isRefusal: Bool {
    isPermissionDenied || [EINVAL, ENOTSUP, EOPNOTSUPP].contains(code)
  }
}
