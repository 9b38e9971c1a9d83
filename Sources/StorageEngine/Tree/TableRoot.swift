// What a version knows of one table: where its tree begins and how many rows it has.

struct TableRoot {
  var root = BlockRef()
  var rows = 0
  var kind: KeyKind
}
