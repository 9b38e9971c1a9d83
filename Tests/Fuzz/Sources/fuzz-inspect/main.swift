// Gives libFuzzer's inputs to `InspectCase`.
import CFuzzer

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
_ = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
  InspectCase(UnsafeRawBufferPointer(start: bytes, count: count))?.run()
  return 0
}
