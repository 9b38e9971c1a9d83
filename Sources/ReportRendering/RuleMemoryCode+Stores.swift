// The code of rules with memory for Android, where SharedPreferences store it, and for JavaScript, where a file does.

extension RuleMemoryCode {
  static func kotlin(_ memory: RuleMemory) -> String {
    switch memory {
    case .launches(let count):
      """
      val store = context.getSharedPreferences("compaction", Context.MODE_PRIVATE)
      RealmConfiguration.Builder(schema)
        .compactOnLaunch { totalBytes, usedBytes ->
          val launches = store.getInt("launchesSinceCompaction", 0) + 1
          val compacts = launches >= \(count)
          store.edit().putInt("launchesSinceCompaction", if (compacts) 0 else launches).apply()
          compacts
        }
      """
    case .hours(let hours):
      """
      val store = context.getSharedPreferences("compaction", Context.MODE_PRIVATE)
      val now = System.currentTimeMillis()
      if (!store.contains("lastCompaction")) store.edit().putLong("lastCompaction", now).apply()
      RealmConfiguration.Builder(schema)
        .compactOnLaunch { totalBytes, usedBytes ->
          val compacts = now - store.getLong("lastCompaction", now) >= \(hours) * 3_600_000L
          if (compacts) store.edit().putLong("lastCompaction", now).apply()
          compacts
        }
      """
    case .waste(let hours):
      """
      val store = context.getSharedPreferences("compaction", Context.MODE_PRIVATE)
      val now = System.currentTimeMillis()
      RealmConfiguration.Builder(schema)
        .compactOnLaunch { totalBytes, usedBytes ->
          val span = (now - store.getLong("lastLaunch", now)) / 1000.0
          val before = Double.fromBits(store.getLong("waste", 0L))
          val waste = before + (totalBytes - usedBytes).toDouble() * span
          val compacts = waste >= \(hours) * 3600.0 * usedBytes.toDouble()
          store.edit().putLong("lastLaunch", now)
            .putLong("waste", (if (compacts) 0.0 else waste).toRawBits()).apply()
          compacts
        }
      """
    }
  }

  static func java(_ memory: RuleMemory) -> String {
    switch memory {
    case .launches(let count):
      """
      SharedPreferences store = context.getSharedPreferences("compaction", Context.MODE_PRIVATE);
      RealmConfiguration.Builder builder = new RealmConfiguration.Builder()
        .compactOnLaunch((totalBytes, usedBytes) -> {
          int launches = store.getInt("launchesSinceCompaction", 0) + 1;
          boolean compacts = launches >= \(count);
          store.edit().putInt("launchesSinceCompaction", compacts ? 0 : launches).apply();
          return compacts;
        });
      """
    case .hours(let hours):
      """
      SharedPreferences store = context.getSharedPreferences("compaction", Context.MODE_PRIVATE);
      long now = System.currentTimeMillis();
      if (!store.contains("lastCompaction")) store.edit().putLong("lastCompaction", now).apply();
      RealmConfiguration.Builder builder = new RealmConfiguration.Builder()
        .compactOnLaunch((totalBytes, usedBytes) -> {
          boolean compacts = now - store.getLong("lastCompaction", now) >= \(hours) * 3_600_000L;
          if (compacts) store.edit().putLong("lastCompaction", now).apply();
          return compacts;
        });
      """
    case .waste(let hours):
      """
      SharedPreferences store = context.getSharedPreferences("compaction", Context.MODE_PRIVATE);
      long now = System.currentTimeMillis();
      RealmConfiguration.Builder builder = new RealmConfiguration.Builder()
        .compactOnLaunch((totalBytes, usedBytes) -> {
          double span = (now - store.getLong("lastLaunch", now)) / 1000.0;
          double before = Double.longBitsToDouble(store.getLong("waste", 0L));
          double waste = before + (double) (totalBytes - usedBytes) * span;
          boolean compacts = waste >= \(hours) * 3600.0 * (double) usedBytes;
          store.edit().putLong("lastLaunch", now)
            .putLong("waste", Double.doubleToRawLongBits(compacts ? 0.0 : waste)).apply();
          return compacts;
        });
      """
    }
  }

  static func javaScript(_ memory: RuleMemory) -> String {
    let condition =
      switch memory {
      case .launches(let count):
        """
            state.launches = (state.launches || 0) + 1;
            const compacts = state.launches >= \(count);
            if (compacts) state.launches = 0;
        """
      case .hours(let hours):
        """
            state.lastCompaction = state.lastCompaction || now;
            const compacts = now - state.lastCompaction >= \(hours) * 3600;
            if (compacts) state.lastCompaction = now;
        """
      case .waste(let hours):
        """
            const span = now - (state.lastLaunch || now);
            state.waste = (state.waste || 0) + (totalBytes - usedBytes) * span;
            const compacts = state.waste >= \(hours) * 3600 * usedBytes;
            if (compacts) state.waste = 0;
            state.lastLaunch = now;
        """
      }
    return """
      // In React Native any synchronous store takes the place of the file.
      const fs = require("fs");
      const file = "compaction.json";
      const state = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {};
      const now = Date.now() / 1000;
      const configuration = {
        shouldCompact: (totalBytes, usedBytes) => {
      \(condition)
          fs.writeFileSync(file, JSON.stringify(state));
          return compacts;
        },
      };
      """
  }
}
