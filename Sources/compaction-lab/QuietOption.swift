// `--quiet`: less output, for scripts.
import ArgumentParser

struct QuietOption: ParsableArguments {
  @Flag(
    name: [.customShort("q"), .customLong("quiet")],
    help:
      "Shows no progress and no table: only failures, the verdict, and the paths of the files written."
  )
  var isQuiet = false
}
