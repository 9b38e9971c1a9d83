// `--resume` and `--no-resume`: what happens to the journal of a run that did not end.
import ArgumentParser

struct ResumeOption: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      """
      --resume: only the rest of a run that did not end, and an error if there is none. --no-resume: discards what it had \
      measured. (default: the rest, where the output folder has the journal of the same plan)
      """))
  var resume: Bool?
}
