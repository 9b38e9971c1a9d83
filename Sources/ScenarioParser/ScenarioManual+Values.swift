// What may be written for the values of keys: the second part of Reports/ScenarioKeys.md.

extension ScenarioManual {
  /// The sections on values, in the page's order.
  static var values: [String] {
    [
      quantities, distributionsOfSizes, distributionsOfKeys, shapes, arrivals, lifetimes,
      conditionsOfExpectations,
    ]
  }

  private static let quantities = """
    ## Quantities

    | quantity | written | notes |
    |---|---|---|
    | number | `40_000` | underscores between digits |
    | size | `256 B`, `4 kB`, `1 MiB` | kB, MB, GB are 10³, 10⁶, 10⁹; KiB, MiB, GiB are 2¹⁰, \
    2²⁰, 2³⁰ |
    | range of sizes | `100 B to 4 kB` | all sizes equally likely |
    | share | `85 %`, `0.85` | |
    | time | `8 h`, `10 ms` | us, ms, s, min, h, d; a unit is required |
    | rate | `100 per s`, `5 per 10 ms`, `30/min` | |
    | commits | `50 commits`, `50` | |
    | truth | `true`, `false` | |

    One name may stand for a list of names. A file has at most 1 MiB, a list 1,000 elements, and
    there are at most 200 each of tables, clients, arms and phases. YAML anchors are not read.

    """

  private static let distributionsOfSizes = """
    ## Distributions of sizes

    | size | what values have |
    |---|---|
    | `log-normal 256 B sigma 1.2` | log-normal with the median 256 B; sizes beyond 4 σ, one in \
    30,000, are drawn again |
    | `log-normal 256 B sigma 1.2 up to 64 kB` | the same; larger sizes are drawn again |
    | `90 % 200 B and 10 % 4 kB to 16 kB` | a share of the values each, of one size or of a \
    range |
    | `histogram sizes.csv` | as measured |

    A histogram is a file in the scenario's folder with lines of `from,to,count`: so many values had
    `from` bytes or more and fewer than `to`. Ranges ascend and may leave gaps. Lines that begin
    with `#` are comments.

    """

  private static let distributionsOfKeys = """
    ## Distributions of keys

    | keys | which rows |
    |---|---|
    | `uniform` | every row equally likely |
    | `sequential` | one after the other, from the first again after the last |
    | `fifo` | always the oldest: with as many inserts as deletes, a queue |
    | `zipfian θ` | few rows take most operations, the lowest keys the most; θ from 0.001 to \
    0.999, 0.99 by default |
    | `scrambled θ` | as zipfian, the popular rows spread over all keys, the same ones for every \
    client and phase |
    | `latest θ` | as zipfian, the newest rows the most |
    | `hotspot 80 % on 20 %` | 80 % of the operations on the first 20 % of the rows, uniform \
    within each part |
    | `histogram keys.csv` | as measured: lines of `from,to,count`, the axis from the first \
    `from` to the last `to` stretched over the rows |

    The same seed gives the same rows and sizes on any machine.

    """

  private static let shapes = """
    ## Shapes

    | shape | what a row has | with objects | as rows of key and value |
    |---|---|---|---|
    | `links 8` | links to eight rows of the table at most, drawn by the writer's `keys` | a \
    list of objects, and their backlinks | two join tables, a row for each link and each \
    direction |
    | `list` | a list of integers, empty at first: `append`, `remove-first` | a list | a row for \
    each element |
    | `tree of 3` | three children of three leaves each; their sizes are drawn like the row's | \
    embedded objects | a row for each, overwritten by an update |
    | `indexes 3` | three indexed columns of 28 random bits | indexed properties | the columns \
    before the row's bytes, an entry for each value |

    `native-objects` and Realm Core have objects; other engines get tables.

    """

  private static let arrivals = """
    ## Arrivals

    | value | meaning |
    |---|---|
    | `after each` | a [closed loop](../GLOSSARY.md#closed-loop); on real threads as fast as the \
    engine allows, whatever the rate |
    | `steady`, `poisson` | an [open loop](../GLOSSARY.md#open-loop) with equal or exponential \
    gaps |
    | `bursts of 50` | fifty at once, then a gap fifty times as long |
    | `wave: 80 % over 1 d` | the rate varies between a fifth and nine fifths of the mean |
    | `rate: 70 % of maximum` | first unhindered for a tenth of the phase's commits (50 to \
    1,000), then at that share of what was reached; on the virtual clock each transaction of \
    such a writer takes 10 ms |
    | `oscillates: 20 % to 100 % over 200 commits` | the table's rows fall to a fifth and rise \
    again every 200 commits |

    """

  private static let lifetimes = """
    ## Lifetimes

    | lifetime | meaning |
    |---|---|
    | `200 commits`, `10 to 200 commits` | the same for each; all equally likely |
    | `exponential 200 commits` | by its mean |
    | `log-normal 200 commits 1.2` | by its median and σ, from 0.1 to 5 |
    | `pareto 50 commits 1.5` | by its minimum and α, from 0.1 to 5, smaller for a heavier tail \
    |
    | `never` | a [leak](../GLOSSARY.md#leak), which ends with its launch; all others end with \
    the phase at the latest |

    """

  private static let conditionsOfExpectations = """
    ## Conditions of expectations

    | condition | holds where |
    |---|---|
    | `plateau` | the variable [levels off](../Docs/Method.md#trends) |
    | `grows`, or `slope > 0` | the variable [grows](../Docs/Method.md#trends) |
    | `slope <= 40 B/commit over the last third` | over the last third the slope per commit is \
    at most that; also `<`, `>=`, `>`, and without the last words |
    | `high-water <= 3 * liveBytes` | the variable's maximum is at most so many times the \
    other's maximum |
    | `high-water <= 20 MB` | the variable's maximum is at most that; also `<`, `>=`, `>` |
    | `high-water <= 1.2 times` | the variable's maximum is at most so many times that of the \
    cell named by `against` |
    | `rise <= 20 MB` | from the first sample to the last the variable rises by at most that; \
    limits as of `high-water` |
    | `reclaimed within 500 commits after release` | at most so many commits after clients \
    released the last snapshot, the variable is back at what it was before they held one, or \
    below |
    | `rebound <= 1.5` | after its minimum the variable rises to at most so many times that |
    | `peak_disk_bytes <= 60 MB` | an exact [figure](Metrics.md) of the stepped run, by its \
    column, is at most that; also `<`, `>=`, `>`, `<= 2 * final_bytes`, and `<= 1.2 times`; with \
    `at: end` |
    | a predicate | it holds at every sample |
    | `never`, then a predicate | it holds at no sample |
    | a predicate, then `eventually` | it holds at one sample |
    | a predicate, then `within 2_000 commits` | it holds at one sample at most so many commits \
    after the beginning |
    | a predicate, then `within 500 commits of release` | after each such event it holds at one \
    sample at most so many commits later; also `of compaction`, `of opening` |

    Slopes are Theil–Sen's. A `release` is a sample without snapshots after one with some, an
    `opening` the first sample of a launch, a `compaction` a sample that counts one more than the
    sample before.

    """
}
