// The root of a table's tree in one version, and the number of its rows.

struct TableRoot {
  var root = BlockRef()
  var rows = 0
  var kind: KeyKind
}
