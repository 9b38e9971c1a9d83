// The base classes of a program's classes.

/// The base class of persisted classes whose objects are found by themselves: `realm.objects`, and links to them.
open class Object: ObjectBase {}

/// The base class of objects that belong to one property of another object, and are deleted with it, or as soon as the
/// property has another value.
open class EmbeddedObject: ObjectBase {}
