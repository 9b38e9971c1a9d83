@main
struct CompactionLab {
  static func main() {}
}
