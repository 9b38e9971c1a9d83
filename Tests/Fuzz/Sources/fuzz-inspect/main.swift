// Gives libFuzzer's inputs to `InspectCase`: files of the kind that FUZZ_KIND numbers, or of all.
import CFuzzer

let kind = getenv("FUZZ_KIND").flatMap { Int(String(cString: $0)) }
precondition(kind.map { (0..<4).contains($0) } ?? true, "FUZZ_KIND is 0 to 3 (InspectCase).")
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
_ = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
  InspectCase(UnsafeRawBufferPointer(start: bytes, count: count), kind: kind)?.run()
  return 0
}
