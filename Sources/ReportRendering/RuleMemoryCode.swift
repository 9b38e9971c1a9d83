// The code of rules with memory: what it needs of earlier launches it stores between them.
import LaunchSchedules

/// What a rule with memory remembers, with its threshold.
enum RuleMemory {
  case launches(Int)
  case hours(Int)
  case waste(hours: Int)

  /// nil for a rule without memory.
  init?(_ rule: TunedRule) {
    switch rule {
    case .everyLaunches(let count): self = .launches(count)
    case .everyHours(let hours): self = .hours(hours)
    case .rentOrBuy(let hours): self = .waste(hours: hours)
    case .sizeAndShare, .freeBytes, .multiple, .squareRoot, .capped, .boundedCopy: return nil
    }
  }

  /// The first line of the code, after the signs of a comment.
  var comment: String {
    switch self {
    case .launches: "Counts launches since the last compaction."
    case .hours: "Stores the time of the last compaction; the first launch counts as one."
    case .waste: "Adds up the wasted bytes × the seconds since the launch before."
    }
  }
}

enum RuleMemoryCode {
  static func all(_ memory: RuleMemory) -> [RuleCode] {
    [
      RuleCode(language: "Swift", tag: "swift", text: swift(memory)),
      RuleCode(language: "Objective-C", tag: "objc", text: objectiveC(memory)),
      RuleCode(language: "Kotlin", tag: "kotlin", text: kotlin(memory)),
      RuleCode(language: "Java", tag: "java", text: java(memory)),
      RuleCode(language: "JavaScript", tag: "javascript", text: javaScript(memory)),
    ].map {
      RuleCode(language: $0.language, tag: $0.tag, text: "// \(memory.comment)\n\($0.text)")
    }
  }

  static func swift(_ memory: RuleMemory) -> String {
    switch memory {
    case .launches(let count):
      """
      let store = UserDefaults.standard
      let configuration = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
        let launches = store.integer(forKey: "launchesSinceCompaction") + 1
        let compacts = launches >= \(count)
        store.set(compacts ? 0 : launches, forKey: "launchesSinceCompaction")
        return compacts
      })
      """
    case .hours(let hours):
      """
      let store = UserDefaults.standard
      let now = Date().timeIntervalSince1970
      if store.double(forKey: "lastCompaction") == 0 { store.set(now, forKey: "lastCompaction") }
      let configuration = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
        let compacts = now - store.double(forKey: "lastCompaction") >= \(hours) * 3600
        if compacts { store.set(now, forKey: "lastCompaction") }
        return compacts
      })
      """
    case .waste(let hours):
      """
      let store = UserDefaults.standard
      let now = Date().timeIntervalSince1970
      let configuration = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
        let before = store.double(forKey: "lastLaunch")
        let span = before > 0 ? now - before : 0
        let waste = store.double(forKey: "waste") + Double(totalBytes - usedBytes) * span
        let compacts = waste >= \(hours) * 3600 * Double(usedBytes)
        store.set(now, forKey: "lastLaunch")
        store.set(compacts ? 0 : waste, forKey: "waste")
        return compacts
      })
      """
    }
  }

  static func objectiveC(_ memory: RuleMemory) -> String {
    switch memory {
    case .launches(let count):
      """
      NSUserDefaults *store = NSUserDefaults.standardUserDefaults;
      configuration.shouldCompactOnLaunch = ^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) {
        NSInteger launches = [store integerForKey:@"launchesSinceCompaction"] + 1;
        BOOL compacts = launches >= \(count);
        [store setInteger:(compacts ? 0 : launches) forKey:@"launchesSinceCompaction"];
        return compacts;
      };
      """
    case .hours(let hours):
      """
      NSUserDefaults *store = NSUserDefaults.standardUserDefaults;
      double now = NSDate.date.timeIntervalSince1970;
      if ([store doubleForKey:@"lastCompaction"] == 0) [store setDouble:now forKey:@"lastCompaction"];
      configuration.shouldCompactOnLaunch = ^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) {
        BOOL compacts = now - [store doubleForKey:@"lastCompaction"] >= \(hours) * 3600.0;
        if (compacts) [store setDouble:now forKey:@"lastCompaction"];
        return compacts;
      };
      """
    case .waste(let hours):
      """
      NSUserDefaults *store = NSUserDefaults.standardUserDefaults;
      double now = NSDate.date.timeIntervalSince1970;
      configuration.shouldCompactOnLaunch = ^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) {
        double before = [store doubleForKey:@"lastLaunch"];
        double span = before > 0 ? now - before : 0;
        double waste = [store doubleForKey:@"waste"] + (double)(totalBytes - usedBytes) * span;
        BOOL compacts = waste >= \(hours) * 3600.0 * (double)usedBytes;
        [store setDouble:now forKey:@"lastLaunch"];
        [store setDouble:(compacts ? 0 : waste) forKey:@"waste"];
        return compacts;
      };
      """
    }
  }
}
