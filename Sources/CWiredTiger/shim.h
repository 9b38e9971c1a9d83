// What is used of WiredTiger's interface, declared anew for version 11.3: without WiredTiger's own headers nothing need be
// installed to build. WiredTiger's handles are structures that begin with their methods, so the order of the members is part
// of the interface and differs from version to version. The compiler cannot check any of this against the library:
// WiredTigerLibrary takes only a library that reports the version for which this is declared, and WiredTigerConnection
// compares what the handles say of each other. Members behind the last that is used are left out; the library allocates the
// structures.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Only what matters to Swift is annotated: methods that are used are never null.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"

typedef struct wt_connection wt_connection;
typedef struct wt_session wt_session;
typedef struct wt_cursor wt_cursor;
typedef struct wt_event_handler wt_event_handler;
/// A method that is not used.
typedef void (*wt_unused)(void);

/// Bytes. The library has the members behind `size` for itself.
typedef struct wt_item {
  const void *data;
  size_t size;
  void *memory;
  size_t memory_size;
  uint32_t flags;
} wt_item;

struct wt_cursor {
  wt_session *session;
  const char *uri;
  const char *key_format;
  const char *value_format;
  int (*_Nonnull get_key)(wt_cursor *_Nonnull cursor, ...);
  int (*_Nonnull get_value)(wt_cursor *_Nonnull cursor, ...);
  wt_unused get_raw_key_value;
  void (*_Nonnull set_key)(wt_cursor *_Nonnull cursor, ...);
  void (*_Nonnull set_value)(wt_cursor *_Nonnull cursor, ...);
  wt_unused compare, equals;
  int (*_Nonnull next)(wt_cursor *_Nonnull cursor);
  wt_unused prev;
  int (*_Nonnull reset)(wt_cursor *_Nonnull cursor);
  int (*_Nonnull search)(wt_cursor *_Nonnull cursor);
  int (*_Nonnull search_near)(wt_cursor *_Nonnull cursor, int *order);
  int (*_Nonnull insert)(wt_cursor *_Nonnull cursor);
  wt_unused modify, update;
  int (*_Nonnull remove)(wt_cursor *_Nonnull cursor);
  wt_unused reserve, checkpoint_id;
  int (*_Nonnull close)(wt_cursor *_Nonnull cursor);
};

struct wt_session {
  wt_connection *connection;
  void *application;
  int (*_Nonnull close)(wt_session *_Nonnull session, const char *options);
  wt_unused reconfigure, strerror;
  int (*_Nonnull open_cursor)(
      wt_session *_Nonnull session, const char *uri, wt_cursor *copied, const char *options, wt_cursor **cursor);
  wt_unused alter, bind_configuration;
  int (*_Nonnull create)(wt_session *_Nonnull session, const char *uri, const char *options);
  int (*_Nonnull compact)(wt_session *_Nonnull session, const char *uri, const char *options);
  wt_unused drop, join;
  int (*_Nonnull log_flush)(wt_session *_Nonnull session, const char *options);
  wt_unused log_printf, rename, reset, salvage;
  int (*_Nonnull truncate)(
      wt_session *_Nonnull session, const char *uri, wt_cursor *first, wt_cursor *last, const char *options);
  wt_unused verify;
  int (*_Nonnull begin_transaction)(wt_session *_Nonnull session, const char *options);
  int (*_Nonnull commit_transaction)(wt_session *_Nonnull session, const char *options);
  wt_unused prepare_transaction;
  int (*_Nonnull rollback_transaction)(wt_session *_Nonnull session, const char *options);
  wt_unused query_timestamp, timestamp_transaction, timestamp_transaction_uint;
  int (*_Nonnull checkpoint)(wt_session *_Nonnull session, const char *options);
};

struct wt_connection {
  int (*_Nonnull close)(wt_connection *_Nonnull connection, const char *options);
  wt_unused debug_info;
  int (*_Nonnull reconfigure)(wt_connection *_Nonnull connection, const char *options);
  const char *(*_Nonnull get_home)(wt_connection *_Nonnull connection);
  wt_unused compile_configuration, configure_method, is_new;
  int (*_Nonnull open_session)(
      wt_connection *_Nonnull connection, wt_event_handler *handler, const char *options, wt_session **session);
};

struct wt_event_handler {
  int (*handle_error)(wt_event_handler *handler, wt_session *session, int error, const char *message);
  int (*handle_message)(wt_event_handler *handler, wt_session *session, const char *message);
  int (*handle_progress)(wt_event_handler *handler, wt_session *session, const char *operation, uint64_t progress);
  int (*handle_close)(wt_event_handler *handler, wt_session *session, wt_cursor *cursor);
  wt_unused handle_general;
  /// Ours, behind WiredTiger's members.
  void *context;
};

typedef const char *(*wiredtiger_version_function)(int *major, int *minor, int *patch);
typedef const char *(*wiredtiger_strerror_function)(int error);
typedef int (*wiredtiger_open_function)(
    const char *folder, wt_event_handler *handler, const char *options, wt_connection **connection);

// Methods with a variable number of arguments, which Swift cannot call, for cursors whose keys are `q` and values `u`.

static inline void wt_cursor_set_key(wt_cursor *cursor, int64_t key) { cursor->set_key(cursor, key); }

/// The bytes must stay where they are until the cursor's next operation.
static inline void wt_cursor_set_value(wt_cursor *cursor, const void *data, size_t size) {
  wt_item item = {data, size, NULL, 0, 0};
  cursor->set_value(cursor, &item);
}

static inline int wt_cursor_get_key(wt_cursor *cursor, int64_t *key) { return cursor->get_key(cursor, key); }

static inline int wt_cursor_get_value(wt_cursor *cursor, wt_item *value) { return cursor->get_value(cursor, value); }

// The same for the cursor of metadata: keys and values are texts.

static inline void wt_metadata_set_key(wt_cursor *cursor, const char *key) { cursor->set_key(cursor, key); }

static inline int wt_metadata_get_value(wt_cursor *cursor, const char **value) { return cursor->get_value(cursor, value); }

// The same for cursors of statistics: keys are `i`, and values a description, the number as text, and the number.

static inline void wt_statistics_set_key(wt_cursor *cursor, int key) { cursor->set_key(cursor, key); }

static inline int wt_statistics_get_key(wt_cursor *cursor, int *key) { return cursor->get_key(cursor, key); }

static inline int wt_statistics_get_value(wt_cursor *cursor, const char **title, int64_t *number) {
  const char *text;
  return cursor->get_value(cursor, title, &text, number);
}

/// There is no such row.
#define WT_NOTFOUND (-31803)
/// The transaction must be rolled back; a cache that is full of what it pins is a reason.
#define WT_ROLLBACK (-31800)
/// The connection can no longer be used, only closed.
#define WT_PANIC (-31804)
#define WT_ERROR (-31802)
#define WT_TRY_SALVAGE (-31809)

#pragma clang diagnostic pop
