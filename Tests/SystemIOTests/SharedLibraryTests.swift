import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Libraries opened when they are asked for")
struct SharedLibraryTests {
  /// A library that every machine has that runs these tests.
  private static let mathematics = "libm.so.6"

  /// `variable` is an environment variable that is not set.
  private func request(
    _ names: [String], variable: String = "COMPACTION_LAB_TEST_NO_LIBRARY"
  ) -> LibraryRequest {
    LibraryRequest(
      title: "Mathematics", names: names, variable: variable, cure: "install mathematics")
  }

  private func absence(_ request: LibraryRequest) throws -> LibraryAbsence {
    try #require(throws: LibraryAbsence.self) { try SharedLibrary(request) }
  }

  @Test("the first name that opens is taken, and its functions compute")
  func opens() throws {
    let library = try SharedLibrary(request(["libno-such-library.so.7", Self.mathematics]))
    #expect(library.name == Self.mathematics)
    let floor: @convention(c) (Double) -> Double = try library.function("floor")
    #expect(floor(2.5) == 2)
  }

  @Test("a missing library tells every name that was tried, the loader's words, and the cure")
  func missing() throws {
    let names = ["libno-such-library.so.7", "/no/such/folder/library.so"]
    let absence = try absence(request(names))
    #expect(absence.attempts.map(\.name) == names)
    #expect(
      absence.description == """
        Mathematics could not be loaded: libno-such-library.so.7: cannot open shared object file: No such file or \
        directory; /no/such/folder/library.so: cannot open shared object file: No such file or directory; install \
        mathematics, or name the library in COMPACTION_LAB_TEST_NO_LIBRARY
        """)
  }

  @Test("a file that is no library is refused with the loader's words")
  func noLibrary() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending("text.so")
      try FileSystem.write(text: String(repeating: "no library\n", count: 100), to: file)
      let absence = try absence(request([file.string]))
      #expect(absence.attempts.map(\.reason) == ["\(file): invalid ELF header"])
    }
  }

  @Test("a function that is missing is named, with the library that lacks it")
  func missingFunction() throws {
    let library = try SharedLibrary(request([Self.mathematics]))
    let absence = try #require(throws: LibraryAbsence.self) {
      let _: @convention(c) () -> Void = try library.function("no_such_function")
    }
    #expect(absence.attempts.map(\.name) == [Self.mathematics])
    #expect(absence.description.contains("it has no no_such_function"))
    #expect(absence.description.hasSuffix("COMPACTION_LAB_TEST_NO_LIBRARY"))
  }

  @Test("where the variable names a library, nothing else is tried")
  func variable() throws {
    let variable = "COMPACTION_LAB_TEST_LIBRARY"
    let request = request([Self.mathematics], variable: variable)
    let absence = try #require(throws: LibraryAbsence.self) {
      try SharedLibrary(request, environment: [variable: "/no/such/library.so"])
    }
    #expect(absence.attempts.map(\.name) == ["/no/such/library.so"])
    #expect(
      absence.description.hasSuffix("\(variable) names it: correct the variable, or remove it"))
    let named = try SharedLibrary(request, environment: [variable: "libc.so.6"])
    #expect(named.name == "libc.so.6")
    #expect(try SharedLibrary(request, environment: [variable: ""]).name == Self.mathematics)
    #expect(try SharedLibrary(request).name == Self.mathematics)
  }

  @Test(
    "files of Python's packages are found where each kind of installation keeps them, newest first")
  func pythonPackages() throws {
    try withTemporaryFolder { folder in
      let places = [
        "venv/lib/python3.12/site-packages", "home/.local/lib/python3.9/site-packages",
        "home/.local/lib/python3.11/site-packages",
        "home/.pyenv/versions/3.10.1/lib/python3.10/site-packages",
      ].map { folder.appending($0).appending("some") }
      for place in places {
        try FileSystem.makeFolders(place)
        try FileSystem.write([1], to: place.appending("libsome.so"))
      }
      // A folder that is no Python's.
      try FileSystem.makeFolders(folder.appending("home/.local/lib/perl/site-packages/some"))
      let environment = [
        "HOME": folder.appending("home").string, "VIRTUAL_ENV": folder.appending("venv").string,
      ]
      let found = LibraryRequest.pythonPackageFiles("some/libsome", environment: environment)
      #expect(
        found == [places[0], places[2], places[1], places[3]].map { "\($0)/libsome.so" })
      #expect(LibraryRequest.pythonPackageFiles("some/libsome", environment: [:]).isEmpty)
    }
  }
}
