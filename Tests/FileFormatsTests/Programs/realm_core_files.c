// Makes Realm files with Realm Core itself that differ in classes, rows, value sizes, deletes, held versions, compactions and
// encryption, and prints what the library reports of each: `realm_core_files FOLDER COUNT SEED LIBRARY`. An odd file is encrypted
// with the key 0, 1, 2, …, 63.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"
#include "shim.h"

static void *library;

static void fail(const char *what) {
  crealm_error error = {0};
  crealm_get_last_error get = (crealm_get_last_error)dlsym(library, "realm_get_last_error");
  if (get && get(&error)) fprintf(stderr, "%s: %s\n", what, error.message);
  else fprintf(stderr, "%s failed\n", what);
  exit(1);
}

static void *function(const char *name) {
  void *address = dlsym(library, name);
  if (!address) fprintf(stderr, "no function %s\n", name), exit(1);
  return address;
}
#define F(type, name) ((type)function(name))
#define CHECK(call) do { if (!(call)) fail(#call); } while (0)

static uint64_t total, used;
static bool is_asked;

static bool may_compact(void *context, uint64_t all, uint64_t in_use) {
  (void)context;
  total = all, used = in_use, is_asked = true;
  return false;
}

// Everything is on one thread, and nothing is delivered.
static void forget(void *context) { (void)context; }
static void notify(void *context, void *queue) { (void)context, (void)queue; }
static bool is_here(void *context) { return context == NULL; }
static bool is_same(const void *context, const void *other) { return context == other; }

static crealm_object *open_file(const char *path, bool is_encrypted, int classes, bool asks) {
  static char names[4][8];
  static crealm_class list[4];
  static crealm_property properties[4][2];
  const crealm_property *all[4];
  for (int i = 0; i < classes; i++) {
    snprintf(names[i], sizeof names[i], "Item%d", i);
    list[i] = (crealm_class){.name = names[i], .primary_key = "id", .properties = 2};
    properties[i][0] = (crealm_property){.name = "id", .public_name = "", .type = CREALM_PROPERTY_INTEGER, .link_target = "",
                                         .link_origin = "", .flags = CREALM_PROPERTY_IS_PRIMARY_KEY};
    properties[i][1] = (crealm_property){.name = "data", .public_name = "", .type = CREALM_PROPERTY_BYTES, .link_target = "",
                                         .link_origin = ""};
    all[i] = properties[i];
  }
  crealm_object *schema = F(crealm_schema_new, "realm_schema_new")(list, (size_t)classes, all);
  CHECK(schema);
  crealm_object *config = F(crealm_config_new, "realm_config_new")();
  F(crealm_config_set_path, "realm_config_set_path")(config, path);
  F(crealm_config_set_schema, "realm_config_set_schema")(config, schema);
  F(crealm_config_set_schema_version, "realm_config_set_schema_version")(config, 1);
  F(crealm_config_set_flag, "realm_config_set_cached")(config, false);
  uint8_t key[64];
  for (int i = 0; i < 64; i++) key[i] = (uint8_t)i;
  if (is_encrypted) CHECK(F(crealm_config_set_encryption_key, "realm_config_set_encryption_key")(config, key, 64));
  if (asks)
    F(crealm_config_set_may_compact, "realm_config_set_should_compact_on_launch_function")(config, may_compact, NULL, NULL);
  crealm_object *scheduler =
      F(crealm_scheduler_new, "realm_scheduler_new")(NULL, forget, notify, is_here, is_same, is_here);
  F(crealm_config_set_scheduler, "realm_config_set_scheduler")(config, scheduler);
  crealm_object *realm = F(crealm_open, "realm_open")(config);
  CHECK(realm);
  return realm;
}

static void act(const char *name, crealm_object *realm) {
  if (!F(crealm_act, name)(realm)) fail(name);
}

static void change(crealm_object *realm, int classes, int rows) {
  static uint8_t bytes[30000];
  act("realm_begin_write", realm);
  for (int i = 0; i < classes; i++) {
    char name[8];
    snprintf(name, sizeof name, "Item%d", i);
    crealm_class class;
    crealm_property property;
    bool found;
    CHECK(F(crealm_find_class, "realm_find_class")(realm, name, &found, &class) && found);
    CHECK(F(crealm_find_property, "realm_find_property")(realm, class.key, "data", &found, &property) && found);
    for (int row = 0; row < rows / (i + 1); row++) {
      crealm_value id = {.integer = below(700 * (i + 1)), .type = CREALM_VALUE_INTEGER};
      if (below(5) == 0) {
        crealm_object *old = F(crealm_object_find, "realm_object_find_with_primary_key")(realm, class.key, id, &found);
        if (old) {
          CHECK(F(crealm_object_delete, "realm_object_delete")(old));
          F(crealm_release, "realm_release")(old);
        }
        continue;
      }
      bool created;
      crealm_object *object =
          F(crealm_object_get_or_create, "realm_object_get_or_create_with_primary_key")(realm, class.key, id, &created);
      CHECK(object);
      size_t size = (size_t)(below(20) == 0 ? below(30000) : below(300));
      for (size_t at = 0; at < size; at++) bytes[at] = (uint8_t)(at * 7);
      crealm_value value = {.bytes = {bytes, size}, .type = CREALM_VALUE_BYTES};
      CHECK(F(crealm_set_value, "realm_set_value")(object, property.key, value, false));
      F(crealm_release, "realm_release")(object);
    }
  }
  act("realm_commit", realm);
}

static void close_file(crealm_object *realm) {
  act("realm_close", realm);
  F(crealm_release, "realm_release")(realm);
}

static void print(int file, crealm_object *realm, int classes) {
  for (int i = 0; i < classes; i++) {
    char name[8];
    snprintf(name, sizeof name, "Item%d", i);
    crealm_class class;
    bool found;
    size_t count;
    CHECK(F(crealm_find_class, "realm_find_class")(realm, name, &found, &class) && found);
    CHECK(F(crealm_get_num_objects, "realm_get_num_objects")(realm, class.key, &count));
    printf("%d rows %s %zu\n", file, name, count);
  }
}

static void make(int file, const char *folder) {
  char data[1100], to[1100], lock[1110], lock_to[1110];
  snprintf(data, sizeof data, "%s/work%d.realm", folder, file);
  snprintf(to, sizeof to, "%s/%d.db", folder, file);
  snprintf(lock, sizeof lock, "%s.lock", data);
  snprintf(lock_to, sizeof lock_to, "%s.lock", to);
  bool is_encrypted = file % 2 == 1;
  int classes = 1 + file % 4;
  crealm_object *realm = open_file(data, is_encrypted, classes, false), *held = NULL;
  int rounds = file % 9;
  for (int round = 0; round < rounds; round++) {
    if (round == rounds / 2 && file % 3 == 1) {
      held = F(crealm_freeze, "realm_freeze")(realm);
      CHECK(held);
      act("realm_begin_read", held);
    }
    change(realm, classes, 20 + below(file % 5 == 4 ? 1500 : 300));
  }
  if (held) close_file(held);
  if (file % 6 == 5) {
    bool did = false;
    CHECK(F(crealm_act_telling, "realm_compact")(realm, &did));
    printf("%d compacted %d\n", file, did);
  }
  close_file(realm);
  // The question at an opening comes after an empty commit: what is in the file then is what was told.
  is_asked = false;
  realm = open_file(data, is_encrypted, classes, true);
  copy(data, to);
  copy(lock, lock_to);
  print(file, realm, classes);
  if (is_asked) printf("%d space %llu %llu\n", file, (unsigned long long)total, (unsigned long long)used);
  close_file(realm);
  // The size of a compacted file, of the version after that commit.
  bool did = false;
  realm = open_file(data, is_encrypted, classes, false);
  if (F(crealm_act_telling, "realm_compact")(realm, &did) && did) {
    struct stat status;
    if (stat(data, &status) == 0) printf("%d compactedBytes %lld\n", file, (long long)status.st_size);
  }
  close_file(realm);
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  library = dlopen(arguments[4], RTLD_NOW);
  if (!library) fprintf(stderr, "%s\n", dlerror()), exit(1);
  enum { NO_LOG = 8 };
  F(crealm_set_log_level, "realm_set_log_level")(NO_LOG);
  int files = atoi(arguments[2]);
  for (int file = 0; file < files; file++) {
    state = strtoull(arguments[3], NULL, 10) * 1000003 + (uint64_t)file;
    make(file, arguments[1]);
  }
  return 0;
}
