// Slurm with one node, this machine, in a folder of its own and without systemd: its daemons run while a body does.
import SystemIO
import TestSupport

struct SlurmCluster {
  let folder: FilePath

  /// The environment in which `sbatch`, `scontrol` and the others find it.
  var environment: [String: String?] { ["SLURM_CONF": folder.appending("slurm.conf").string] }

  /// Why no cluster can run here; nil where one can. Tried once, with the daemons.
  static let problem: String? = {
    let programs = ["munged", "slurmctld", "slurmd", "sbatch"]
    let missing = programs.filter { ChildProcess.findExecutable($0) == nil }
    guard missing.isEmpty else { return "not installed: \(missing.joined(separator: ", "))" }
    do {
      return try withTemporaryFolder { folder in
        let cluster = SlurmCluster(folder: folder)
        defer { cluster.stop() }
        return try cluster.start()
      }
    } catch {
      return "\(error)"
    }
  }()

  static func with<R>(_ body: (SlurmCluster) async throws -> R) async throws -> R {
    let cluster = SlurmCluster(folder: try FileSystem.makeTemporaryFolder(prefix: "slurm"))
    defer {
      cluster.stop()
      try? FileSystem.removeTree(cluster.folder)
    }
    if let problem = try cluster.start() { throw Problem(description: problem) }
    return try await body(cluster)
  }

  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns what the daemons wrote if the node is not ready within half a minute.
  private func start() throws -> String? {
    let outcome = try script(Self.starting)
    return outcome.ending.isSuccess ? nil : outcome.outputText + outcome.errorText
  }

  private func stop() {
    _ = try? script(
      """
      for daemon in slurmd slurmctld munged; do
        [ -s $daemon.pid ] && kill "$(cat $daemon.pid)" && tail --pid="$(cat $daemon.pid)" --sleep=0.1 -f /dev/null
      done
      """)
  }

  private func script(_ text: String) throws -> ChildProcess.Outcome {
    try ChildProcess(
      "/bin/bash", arguments: ["-c", text], environment: environment, folder: folder
    ).run()
  }

  /// A requeued task may begin when the credential of its first start has expired: after 5 s here, 120 s by default.
  private static let starting = """
    set -eu
    trap '[ $? = 0 ] || tail -n 5 ./*.log' EXIT  # The reason for the summary of tests.
    dir=$PWD host=$(hostname -s) port=$((20000 + $$ % 20000 * 2))
    chmod 755 "$dir"  # munged demands that its socket can be reached.
    mkdir state spool
    (umask 077 && head -c 1024 /dev/urandom > munge.key)
    munged --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \\
      --log-file="$dir/munged.log" --seed-file="$dir/munge.seed"
    cat > slurm.conf <<CONFIGURATION
    ClusterName=local
    SlurmctldHost=$host
    SlurmctldPort=$port
    SlurmdPort=$((port + 1))
    SlurmUser=root
    AuthType=auth/munge
    AuthInfo=socket=$dir/munge.socket,cred_expire=5
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    JobAcctGatherType=jobacct_gather/none
    ReturnToService=2
    StateSaveLocation=$dir/state
    SlurmdSpoolDir=$dir/spool
    SlurmctldPidFile=$dir/slurmctld.pid
    SlurmdPidFile=$dir/slurmd.pid
    SlurmctldLogFile=$dir/slurmctld.log
    SlurmdLogFile=$dir/slurmd.log
    NodeName=$host CPUs=2
    PartitionName=main Nodes=$host Default=YES State=UP
    CONFIGURATION
    slurmctld
    slurmd
    for try in {1..300}; do
      [ "$(sinfo --noheader --format %T 2>&1)" = idle ] && exit 0
      sleep 0.1
    done
    sinfo
    exit 1
    """
}
