// Makes Realm files that differ in rows, deletes, long and short values, links, lists, indexes and a frozen version, every third
// of them encrypted, and prints what Realm Core reports of each: `realm_files FOLDER COUNT SEED`. Link with a library that
// exports realm.h; that header is not needed.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"

typedef void object;
typedef struct { const void *data; size_t size; } bytes_value;
typedef struct { uint32_t table; int64_t key; } link_value;
typedef struct {
  union { int64_t integer; bytes_value bytes; link_value link; char space[16]; };
  uint32_t type;
} value;
typedef struct {
  const char *name, *alias;
  uint32_t type, collection;
  const char *target, *origin;
  int64_t key;
  int32_t flags;
} property;
typedef struct {
  const char *name, *primary_key;
  size_t properties, computed;
  uint32_t key;
  int32_t flags;
} class_info;
typedef struct { uint32_t code, categories; const char *message; void *user; const char *path; } error_info;

enum { INTEGER = 0, STRING = 2, BINARY = 4, OBJECT = 12, PRIMARY = 2, INDEXED = 4, NULLABLE = 1, LIST = 1 };
enum { INTEGER_VALUE = 1, STRING_VALUE = 3, BINARY_VALUE = 4, LINK_VALUE = 10, LOG_OFF = 8 };

object *realm_config_new(void);
void realm_config_set_path(object *, const char *);
void realm_config_set_schema(object *, const object *);
void realm_config_set_schema_version(object *, uint64_t);
bool realm_config_set_encryption_key(object *, const uint8_t *, size_t);
void realm_config_set_scheduler(object *, const object *);
object *realm_scheduler_new(
    void *, void (*)(void *), void (*)(void *, void *), bool (*)(void *), bool (*)(const void *, const void *), bool (*)(void *));
void realm_config_set_automatic_change_notifications(object *, bool);
void realm_config_set_should_compact_on_launch_function(
    object *, bool (*)(void *, uint64_t, uint64_t), void *, void (*)(void *));
object *realm_schema_new(const class_info *, size_t, const property **);
object *realm_open(const object *);
bool realm_close(object *);
void realm_release(void *);
bool realm_find_class(const object *, const char *, bool *, class_info *);
bool realm_find_property(const object *, uint32_t, const char *, bool *, property *);
bool realm_begin_write(object *);
bool realm_commit(object *);
bool realm_compact(object *, bool *);
object *realm_freeze(const object *);
object *realm_object_create(object *, uint32_t);
object *realm_object_create_with_primary_key(object *, uint32_t, value);
bool realm_object_delete(object *);
int64_t realm_object_get_key(const object *);
bool realm_set_value(object *, int64_t, value, bool);
object *realm_get_list(object *, int64_t);
bool realm_list_insert(object *, size_t, value);
object *realm_object_find_all(const object *, uint32_t);
bool realm_results_count(object *, size_t *);
object *realm_results_get_object(object *, size_t);
bool realm_get_num_objects(const object *, uint32_t, size_t *);
bool realm_get_last_error(error_info *);
void realm_set_log_level(uint32_t);

static void fail(const char *call) {
  error_info error = {0};
  realm_get_last_error(&error);
  fprintf(stderr, "%s: %s\n", call, error.message ? error.message : "no reason");
  exit(1);
}

static void *checked(void *result, const char *call) {
  if (!result) fail(call);
  return result;
}

#define CALL(call) do { if (!(call)) fail(#call); } while (0)
#define MAKE(call) checked(call, #call)

static object *schema(void) {
  static const property item[] = {
    {"id", "", INTEGER, 0, "", "", 0, PRIMARY}, {"data", "", BINARY, 0, "", "", 0, 0},
    {"name", "", STRING, 0, "", "", 0, INDEXED}, {"count", "", INTEGER, 0, "", "", 0, 0},
  };
  static const property note[] = {
    {"text", "", STRING, 0, "", "", 0, 0}, {"item", "", OBJECT, 0, "Item", "", 0, NULLABLE},
    {"marks", "", INTEGER, LIST, "", "", 0, 0},
  };
  static const class_info classes[] = {{"Item", "id", 4, 0, 0, 0}, {"Note", "", 3, 0, 0, 0}};
  const property *properties[] = {item, note};
  return MAKE(realm_schema_new(classes, 2, properties));
}

/// What the library asks about at the opening: the sizes that an app's closure sees.
static uint64_t total_bytes, used_bytes;

static bool note_sizes(void *context, uint64_t total, uint64_t used) {
  (void)context;
  total_bytes = total, used_bytes = used;
  return false;
}

// One thread, without notifications.
static void ignore_notification(void *context, void *queue) { (void)context, (void)queue; }
static bool is_on_thread(void *context) { (void)context; return true; }
static bool is_same(const void *context, const void *other) { return context == other; }
static bool delivers(void *context) { (void)context; return false; }
static void release_nothing(void *context) { (void)context; }

/// Whether the files that are opened are encrypted, with the key 0, 1, 2, …, 63.
static bool is_encrypted;

static object *open_file(const char *path) {
  object *config = MAKE(realm_config_new()), *classes = schema();
  realm_config_set_path(config, path);
  uint8_t key[64];
  for (int i = 0; i < 64; i++) key[i] = (uint8_t)i;
  if (is_encrypted) CALL(realm_config_set_encryption_key(config, key, sizeof key));
  realm_config_set_schema(config, classes);
  realm_config_set_schema_version(config, 1);
  realm_config_set_automatic_change_notifications(config, false);
  realm_config_set_should_compact_on_launch_function(config, note_sizes, NULL, release_nothing);
  object *scheduler = MAKE(
      realm_scheduler_new(NULL, release_nothing, ignore_notification, is_on_thread, is_same, delivers));
  realm_config_set_scheduler(config, scheduler);
  object *realm = MAKE(realm_open(config));
  realm_release(scheduler);
  realm_release(classes);
  realm_release(config);
  return realm;
}

static uint32_t class_key(object *realm, const char *name) {
  bool found;
  class_info info;
  CALL(realm_find_class(realm, name, &found, &info));
  return info.key;
}

static int64_t property_key(object *realm, uint32_t class, const char *name) {
  bool found;
  property info;
  CALL(realm_find_property(realm, class, name, &found, &info));
  return info.key;
}

static char text[1 << 16];

/// Random letters; the value refers to them until the next call.
static value letters(int max_bytes, uint32_t type) {
  int length = below(max_bytes + 1);
  memset(text, 'a' + below(26), (size_t)length);
  value result = {.bytes = {text, (size_t)length}, .type = type};
  return result;
}

static value integer(int64_t number) {
  value result = {.integer = number, .type = INTEGER_VALUE};
  return result;
}

static int64_t next_id;

static void change_item(object *realm, uint32_t class, object *item, int max_bytes) {
  CALL(realm_set_value(item, property_key(realm, class, "data"), letters(max_bytes, BINARY_VALUE), false));
  CALL(realm_set_value(item, property_key(realm, class, "name"), letters(20, STRING_VALUE), false));
  CALL(realm_set_value(
      item, property_key(realm, class, "count"), integer((int64_t)(next_random() >> below(60))), false));
}

static void insert_rows(object *realm, int rows, int max_bytes) {
  uint32_t items = class_key(realm, "Item"), notes = class_key(realm, "Note");
  for (int row = 0; row < rows; row++) {
    object *item = MAKE(realm_object_create_with_primary_key(realm, items, integer(next_id++)));
    change_item(realm, items, item, max_bytes);
    if (below(3) == 0) {
      object *note = MAKE(realm_object_create(realm, notes));
      value link = {.link = {items, realm_object_get_key(item)}, .type = LINK_VALUE};
      CALL(realm_set_value(note, property_key(realm, notes, "text"), letters(300, STRING_VALUE), false));
      CALL(realm_set_value(note, property_key(realm, notes, "item"), link, false));
      object *marks = MAKE(realm_get_list(note, property_key(realm, notes, "marks")));
      for (int mark = below(20); mark > 0; mark--) CALL(realm_list_insert(marks, 0, integer(mark)));
      realm_release(marks);
      realm_release(note);
    }
    realm_release(item);
  }
}

/// Deletes or changes rows of a class, each with a chance of one in `share`.
static void change_rows(object *realm, const char *name, int share, bool deletes, int max_bytes) {
  uint32_t class = class_key(realm, name);
  object *all = MAKE(realm_object_find_all(realm, class));
  size_t count;
  CALL(realm_results_count(all, &count));
  for (size_t row = count; row-- > 0;) {
    if (below(share) > 0) continue;
    object *found = MAKE(realm_results_get_object(all, row));
    if (deletes) CALL(realm_object_delete(found));
    else if (!strcmp(name, "Item")) change_item(realm, class, found, max_bytes);
    realm_release(found);
  }
  realm_release(all);
}

static void print_file(object *realm, int file, const char *kind) {
  const char *names[] = {"Item", "Note"};
  for (int class = 0; class < 2; class++) {
    size_t count;
    CALL(realm_get_num_objects(realm, class_key(realm, names[class]), &count));
    printf("%d %s %s %zu 0\n", file, kind, names[class], count);
  }
}

static void copy_pair(const char *path, const char *to) {
  char from_lock[1200], to_lock[1200];
  snprintf(from_lock, sizeof from_lock, "%s.lock", path);
  snprintf(to_lock, sizeof to_lock, "%s.lock", to);
  copy(path, to);
  copy(from_lock, to_lock);
}

static long long length(const char *path) {
  struct stat info;
  return stat(path, &info) ? -1 : (long long)info.st_size;
}

/// Returns the newest version as a frozen instance. Its version is held from its first use on.
static object *freeze(object *realm) {
  object *frozen = MAKE(realm_freeze(realm));
  size_t count;
  CALL(realm_get_num_objects(frozen, class_key(frozen, "Item"), &count));
  return frozen;
}

static void make(const char *folder, int file) {
  char path[1000], held[1100], compacted[1100];
  snprintf(path, sizeof path, "%s/%d.realm", folder, file);
  snprintf(held, sizeof held, "%s/%d-held.realm", folder, file);
  snprintf(compacted, sizeof compacted, "%s/%d-compacted.realm", folder, file);
  is_encrypted = file % 3 == 2;
  object *realm = open_file(path), *frozen = NULL;
  int max_bytes = 8 << below(12), max_rows = 10 << below(7), commits = 1 + below(12), freezes = below(2) ? below(commits) : -1;
  next_id = 0;
  for (int commit = 0; commit < commits; commit++) {
    CALL(realm_begin_write(realm));
    insert_rows(realm, below(max_rows), max_bytes);
    change_rows(realm, "Item", 2 + below(20), false, max_bytes);
    if (below(2)) change_rows(realm, below(2) ? "Item" : "Note", 1 + below(8), true, max_bytes);
    CALL(realm_commit(realm));
    if (commit == freezes) frozen = freeze(realm);
  }
  if (frozen) {
    copy_pair(path, held);
    printf("%d held %d\n", file, commits - 1 - freezes);
    CALL(realm_close(frozen));
    realm_release(frozen);
  }
  print_file(realm, file, "rows");
  CALL(realm_close(realm));
  realm_release(realm);
  copy(path, compacted);

  // The sizes are asked for at an opening, with no one else.
  realm = open_file(path);
  printf("%d total %llu\n%d used %llu\n", file, (unsigned long long)total_bytes, file, (unsigned long long)used_bytes);
  CALL(realm_close(realm));
  realm_release(realm);

  realm = open_file(compacted);
  bool done = false;
  CALL(realm_compact(realm, &done));
  CALL(realm_close(realm));
  realm_release(realm);
  if (done) printf("%d compacted %lld\n", file, length(compacted));
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  realm_set_log_level(LOG_OFF);
  int files = atoi(arguments[2]);
  for (int file = 0; file < files; file++) {
    state = strtoull(arguments[3], NULL, 10) * 1000 + (uint64_t)file;
    make(arguments[1], file);
  }
  return 0;
}
