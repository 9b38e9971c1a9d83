// Gives libFuzzer's inputs to `FuzzCase`, the same that the tests replay from the corpus.
import CFuzzer

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
_ = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
  var input = FuzzCase(UnsafeRawBufferPointer(start: bytes, count: count))
  _ = input.run()
  return 0
}
