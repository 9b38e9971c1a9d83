// What SQLite calls: the extension's beginning, and the hooks of each connection. The hooks only look; a transaction takes
// place as it would without them.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "include/SQLiteTrace.h"
#include "extension.h"
#include "recorder.h"
#include "statements.h"
#include "preload.h"

#pragma GCC visibility push(hidden)
SQLITE_EXTENSION_INIT1
#pragma GCC visibility pop

/// A connection, and the recording of its file.
typedef struct {
    sqlite3 *handle;
    Recorder *recorder;
} Connection;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Recorder *recorders;
/// In a process that was forked, the trace is its parent's.
static bool is_forked;
static Preupdate preupdate;

const Preupdate *preupdate_functions(void) { return &preupdate; }

static void note_fork(void) {
    is_forked = true;
    pthread_mutex_init(&lock, NULL);
}

static bool find_preupdate(void) {
    Dl_info library;
    void *handle = NULL;
    union { int (*function)(void); void *address; } known = {sqlite3_api->libversion_number};
    if (dladdr(known.address, &library) != 0) {
        handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }
    if (handle == NULL) handle = dlopen(NULL, RTLD_LAZY);
    *(void **)&preupdate.hook = dlsym(handle, "sqlite3_preupdate_hook");
    *(void **)&preupdate.old_value = dlsym(handle, "sqlite3_preupdate_old");
    *(void **)&preupdate.new_value = dlsym(handle, "sqlite3_preupdate_new");
    *(void **)&preupdate.count = dlsym(handle, "sqlite3_preupdate_count");
    *(void **)&preupdate.blob_write = dlsym(handle, "sqlite3_preupdate_blobwrite");
    return preupdate.hook != NULL && preupdate.old_value != NULL && preupdate.new_value != NULL
        && preupdate.count != NULL;
}

// MARK: Hooks

static void on_change(
    void *context, sqlite3 *handle, int operation, const char *schema, const char *table,
    sqlite3_int64 old_rowid, sqlite3_int64 new_rowid) {
    if (strcmp(schema, "main") != 0 || is_forked) return;
    pthread_mutex_lock(&lock);
    recorder_change(
        ((Connection *)context)->recorder, handle, operation, table, old_rowid, new_rowid);
    pthread_mutex_unlock(&lock);
}

static void end_transaction(Connection *connection, bool is_committed) {
    if (is_forked) return;
    pthread_mutex_lock(&lock);
    recorder_end_transaction(connection->recorder, connection->handle, is_committed);
    pthread_mutex_unlock(&lock);
}

static int on_commit(void *context) {
    end_transaction(context, true);
    return 0;
}

static void on_rollback(void *context) { end_transaction(context, false); }

static int on_statement(unsigned event, void *context, void *statement, void *sql) {
    Connection *connection = context;
    (void)event;
    (void)statement;
    if (is_forked || !may_change_schema(sql)) return 0;
    pthread_mutex_lock(&lock);
    Recorder *recorder = connection->recorder;
    recorder_schema_changes(recorder);
    SchemaStatement found = parse_statement(sql);
    if (found.kind == statement_renames_table) {
        recorder_rename(recorder, found.name, found.new_name);
    }
    if (found.kind == statement_drops_table || found.kind == statement_drops_index) {
        bool is_index = found.kind == statement_drops_index;
        recorder_drop(recorder, connection->handle, found.name, is_index);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static void on_close(void *context) {
    end_transaction(context, false);
    free(context);
}

/// `compaction_lab_trace()` returns the trace's path.
static void trace_path(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    (void)values;
    Connection *connection = sqlite3_user_data(context);
    sqlite3_result_text(context, connection->recorder->trace, -1, SQLITE_TRANSIENT);
}

// MARK: Beginning and end

/// Returns the recording of a file, which begins with the file's first connection; null without memory.
static Recorder *recorder_of(const char *file) {
    for (Recorder *known = recorders; known != NULL; known = known->next) {
        if (strcmp(known->database, file) == 0) return known;
    }
    Recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL) return NULL;
    const char *path = getenv("COMPACTION_LAB_TRACE");
    recorder->database = sqlite3_mprintf("%s", file);
    recorder->trace = path != NULL && *path != 0 ? sqlite3_mprintf("%s", path)
                                                 : sqlite3_mprintf("%s.trace.jsonl", file);
    recorder->names_tables = getenv("COMPACTION_LAB_TRACE_NAMES") != NULL;
    if (recorder->database == NULL || recorder->trace == NULL) return NULL;
    recorder->next = recorders;
    recorders = recorder;
    return recorder;
}

static int attach(sqlite3 *handle, Recorder *recorder) {
    Connection *connection = malloc(sizeof *connection);
    if (connection == NULL) return SQLITE_NOMEM;
    *connection = (Connection){handle, recorder};
    // Its destructor is the only call that SQLite makes when a connection closes.
    int code = sqlite3_create_function_v2(
        handle, "compaction_lab_trace", 0, SQLITE_UTF8, connection, trace_path, NULL, NULL,
        on_close);
    if (code != SQLITE_OK) return code;
    preupdate.hook(handle, on_change, connection);
    sqlite3_commit_hook(handle, on_commit, connection);
    sqlite3_rollback_hook(handle, on_rollback, connection);
    return sqlite3_trace_v2(handle, SQLITE_TRACE_STMT, on_statement, connection);
}

int sqlite3_extension_init(
    sqlite3 *handle, char **error, const struct sqlite3_api_routines *api) {
    SQLITE_EXTENSION_INIT2(api);
    bool is_quiet = is_preloaded();
    const char *file = sqlite3_db_filename(handle, "main");
    if (file == NULL || *file == 0) {
        if (is_quiet) return SQLITE_OK;
        *error = sqlite3_mprintf("the database has no file; open one and load again");
        return SQLITE_ERROR;
    }
    if (!find_preupdate()) {
        if (is_quiet) return SQLITE_OK;
        *error = sqlite3_mprintf("this SQLite was built without SQLITE_ENABLE_PREUPDATE_HOOK");
        return SQLITE_ERROR;
    }
    pthread_mutex_lock(&lock);
    static bool has_fork_handler;
    if (!has_fork_handler) has_fork_handler = pthread_atfork(NULL, NULL, note_fork) == 0;
    Recorder *recorder = recorder_of(file);
    int failure = recorder == NULL || is_quiet ? 0 : recorder_open(recorder);
    int code = SQLITE_NOMEM;
    if (failure != 0) {
        code = SQLITE_CANTOPEN;
        *error = sqlite3_mprintf("%s: %s", recorder->trace, strerror(failure));
    } else if (recorder != NULL) code = attach(handle, recorder);
    pthread_mutex_unlock(&lock);
    // A preloaded library is never the reason for which a program cannot open its database.
    if (is_quiet) return SQLITE_OK;
    // The library stays when the connection goes: others of the same file may follow.
    return code == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : code;
}

__attribute__((destructor)) static void end_all(void) {
    if (is_forked) return;
    pthread_mutex_lock(&lock);
    for (Recorder *recorder = recorders; recorder != NULL; recorder = recorder->next) {
        recorder_close(recorder);
    }
    pthread_mutex_unlock(&lock);
}
