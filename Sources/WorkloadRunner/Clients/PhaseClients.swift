// The clients that take part in a phase.

struct PhaseClients {
  var writers: [WriterClient] = []
  var queuedWriters: [QueuedWritersClient] = []
  var lookups: [LookupClient] = []
  var commitDriven: [any CommitDrivenClient] = []
}
