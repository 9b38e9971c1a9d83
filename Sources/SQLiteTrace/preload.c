// Where the library is loaded before a program, it has the functions with which that opens databases: each asks SQLite to
// call the extension's beginning for every connection (sqlite3_auto_extension), and then calls SQLite's own.
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "preload.h"

#include <dlfcn.h>
#include <stddef.h>

#include "include/SQLiteTrace.h"

static bool has_seen_opening;

bool is_preloaded(void) { return has_seen_opening; }

#if defined(__linux__)

/// Returns SQLite's function of this name, as the caller at the address would have found it.
static void *original(const char *name, void *caller) {
    void *next = dlsym(RTLD_NEXT, name);
    Dl_info library;
    // A library that was loaded later has SQLite for itself.
    if (next == NULL && dladdr(caller, &library) != 0) {
        void *handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        if (handle != NULL) next = dlsym(handle, name);
    }
    return next;
}

static void record_openings(void *caller) {
    int (*automatic)(void (*)(void));
    *(void **)&automatic = original("sqlite3_auto_extension", caller);
    if (automatic == NULL) return;
    has_seen_opening = true;
    automatic((void (*)(void))sqlite3_extension_init);
}

__attribute__((visibility("default"))) int sqlite3_open_v2(
    const char *file, struct sqlite3 **handle, int flags, const char *system) {
    void *caller = __builtin_return_address(0);
    int (*open)(const char *, struct sqlite3 **, int, const char *);
    *(void **)&open = original("sqlite3_open_v2", caller);
    record_openings(caller);
    return open == NULL ? 1 : open(file, handle, flags, system);
}

__attribute__((visibility("default"))) int sqlite3_open(const char *file, struct sqlite3 **handle) {
    void *caller = __builtin_return_address(0);
    int (*open)(const char *, struct sqlite3 **);
    *(void **)&open = original("sqlite3_open", caller);
    record_openings(caller);
    return open == NULL ? 1 : open(file, handle);
}

#endif
