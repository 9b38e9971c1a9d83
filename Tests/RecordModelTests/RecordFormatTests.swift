// The number of the record's format stands for the columns of the files beside it as well: a program that reads another
// number says so, instead of finding a damaged file.
import RecordModel
import Testing

@Suite("The record's format")
struct RecordFormatTests {
  @Test(
    "the format number is raised, here and there, with every change of the columns that are read back"
  )
  func columns() {
    #expect(RunRecord.currentFormat == 7)
    #expect(
      SampleCSV.header == """
        engine,policy,arm,repetition,launch,phase,commit,time_us,file_bytes,live_bytes,free_bytes,\
        pinned_bytes,pending_bytes,overhead_bytes,sidecar_bytes,tail_bytes,live_versions,pins,\
        oldest_pin_lag_commits,oldest_pin_age_us,refusals,written_bytes,compactions,rewritten_bytes,\
        automatic_state,events
        """ + CSVLine.rowEnd)
    #expect(
      TimingCSV.header == """
        engine,policy,arm,repetition,elapsed_ns,launch,phase,commit,stat_size_bytes,\
        stat_allocated_bytes,resident_memory_bytes,resident_file_bytes,mapped_memory_bytes,\
        process_written_bytes,storage_written_bytes,free_disk_bytes,open_ns,commits_timed,\
        commit_latency_ns_p50,commit_latency_ns_p99,commit_latency_ns_max,reads_timed,\
        read_latency_ns_p50,read_latency_ns_p99,read_latency_ns_max,writes_timed,\
        write_latency_ns_p50,write_latency_ns_p99,write_latency_ns_max,scheduled_timed,\
        intended_latency_ns_p50,intended_latency_ns_p99,intended_latency_ns_max,sampling_ns,lookups_timed,\
        lookup_latency_ns_p50,lookup_latency_ns_p99,lookup_latency_ns_max,lookups_scheduled_timed,\
        lookup_intended_latency_ns_p50,lookup_intended_latency_ns_p99,\
        lookup_intended_latency_ns_max,lock_waits_timed,lock_wait_ns_p50,lock_wait_ns_p99,\
        lock_wait_ns_max
        """ + CSVLine.rowEnd)
  }
}
