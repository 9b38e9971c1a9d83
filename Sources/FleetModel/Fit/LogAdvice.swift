// What a log cannot tell, and what to log to know it.

enum LogAdvice {
  private static let minDevicesForP99 = 500
  private static let minDays = 14.0
  private static let notableShare = 0.2

  static func lines(
    _ log: LaunchLog, _ rates: [DeviceRates], _ missing: MissingLaunches, _ options: FitOptions
  ) -> [String] {
    let count = Double(rates.count)
    let compactions = rates.reduce(0) { $0 + $1.compactions }
    let launches = rates.reduce(0) { $0 + $1.launches }
    let unknown = rates.count { $0.commitsPerDay == nil }
    let bounded = rates.count { $0.isCommitsLowerBound }
    let areCounted = rates.allSatisfy(\.countsCommits)
    var lines: [String] = []
    if rates.count < minDevicesForP99 {
      lines.append(
        "more devices: \(rates.count) have at most \(rates.count / 100) beyond p99, which rests on the shape of the fit"
      )
    }
    if log.days < minDays {
      lines.append("for longer: growth from \(Int(log.days)) days is uncertain over a year")
    }
    if unknown > 0 {
      lines.append(
        "commits, the write transactions so far: \(unknown) devices have too few launches between compactions, and 100 a day "
          + "are assumed for all")
    } else if !areCounted {
      lines.append(
        "commits, the write transactions so far: without them their number rests on the model of free space; "
          + "fleet measure gives the engine's, for --curves")
    }
    if !areCounted, compactions * 2 > launches {
      lines.append(
        "launches that do not compact: \(compactions) of \(launches) launches compacted, so that free bytes are hardly seen; "
          + "raise the threshold on some devices")
    } else if !areCounted, compactions == 0, Double(bounded) > notableShare * count {
      lines.append(
        "devices after a compaction: none compacted, so that how fast free bytes return is hardly seen; compact on some devices"
      )
    }
    if Double(bounded) > notableShare * count {
      lines.append(
        "launches soon after compactions: on \(bounded) devices free bytes no longer rise, and commits are a lower bound"
      )
    }
    if missing.evidence == .none {
      lines.append(
        "launch, the number of the launch on its device: missing launches cannot be counted otherwise, nor with few compactions"
      )
    }
    if !log.layout.has(.compacted) {
      lines.append("compacted, true or false: compactions are seen only where totalBytes falls")
    }
    if Double(log.devices.count - rates.count) > notableShare * Double(log.devices.count) {
      lines.append(
        "for longer: \(log.devices.count - rates.count) devices have too few launches, and those that are left are busier"
      )
    }
    return lines
  }
}
