// The calls by which this process writes, syncs and truncates files, logged while the log is open: in this program the
// functions below stand before those of the C library, for the engines too. Linux on 64 bits only; elsewhere the log stays
// empty.
#ifndef CALL_LOG_H
#define CALL_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum LoggedCallKind { LOGGED_WRITE, LOGGED_SYNC, LOGGED_TRUNCATE };

struct LoggedCall {
  int32_t descriptor;
  enum LoggedCallKind kind;
  /// Whether data become durable: by a call of fsync or fdatasync, or since the file was opened with O_DSYNC.
  bool syncs;
  /// Where the bytes were written; the new length of a file that was truncated.
  int64_t offset;
  /// The number of bytes written.
  int64_t count;
};

/// Empties the log and opens it. Not for use beside other threads.
void calllog_open(void);
/// Closes the log. Returns the number of calls in it.
int64_t calllog_close(void);
/// The calls, until the log is opened again.
const struct LoggedCall *calllog_calls(void);

#endif
