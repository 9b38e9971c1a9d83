// Realm Core through its C interface. Its only way to release a version is to close the instance that has it, so a
// program that holds none between transactions opens an instance for each, as the adapter does; one that does not mind
// keeps an instance (`kept`), and with it the version of its last transaction.
#include "../../Sources/CRealm/shim.h"
#include "calls.h"
#include <stdlib.h>

#define FUNCTIONS(USE)                                                                                    \
  USE(realm_get_last_error, crealm_get_last_error) USE(realm_release, crealm_release)                     \
  USE(realm_set_log_level, crealm_set_log_level) USE(realm_scheduler_new, crealm_scheduler_new)           \
  USE(realm_schema_new, crealm_schema_new) USE(realm_config_new, crealm_config_new)                       \
  USE(realm_config_set_path, crealm_config_set_path) USE(realm_config_set_schema, crealm_config_set_schema) \
  USE(realm_config_set_schema_version, crealm_config_set_schema_version)                                  \
  USE(realm_config_set_scheduler, crealm_config_set_scheduler)                                            \
  USE(realm_config_set_automatic_change_notifications, crealm_config_set_flag)                            \
  USE(realm_open, crealm_open) USE(realm_close, crealm_act) USE(realm_begin_read, crealm_act)             \
  USE(realm_begin_write, crealm_act) USE(realm_commit, crealm_act) USE(realm_refresh, crealm_act_telling) \
  USE(realm_find_class, crealm_find_class) USE(realm_find_property, crealm_find_property)                 \
  USE(realm_object_find_with_primary_key, crealm_object_find)                                             \
  USE(realm_object_get_or_create_with_primary_key, crealm_object_get_or_create)                           \
  USE(realm_get_value, crealm_get_value) USE(realm_set_value, crealm_set_value)

#define MEMBER(name, type) type name;
#define FIND(name, type) DIRECT_FIND(name)
static struct {
  FUNCTIONS(MEMBER)
} call;

/// What a program that sets nothing has: the adapter asks for more lines of the log, and reads them.
enum { USUAL_LOG_LEVEL = 4 };

struct direct_database {
  crealm_object *config;
  /// Keeps the database open. Where instances are kept it is also the one that is used.
  crealm_object *keeper;
  int kept;
  uint32_t table;
  int64_t row;
};

static int find(void *handle) {
  FUNCTIONS(FIND)
  return 0;
}

static int fail(const char *action) {
  crealm_error error = {0};
  return direct_fail(action, call.realm_get_last_error(&error) ? error.message : NULL);
}

static bool always(void *context) { return true; }

static crealm_value integer(int64_t number) {
  crealm_value value = {.integer = number, .type = CREALM_VALUE_INTEGER};
  return value;
}

static crealm_object *schema(void) {
  crealm_property properties[] = {
      {"id", "", CREALM_PROPERTY_INTEGER, 0, "", "", -1, CREALM_PROPERTY_IS_PRIMARY_KEY},
      {"bytes", "", CREALM_PROPERTY_BYTES, 0, "", "", -1, 0},
  };
  crealm_class rows = {"rows", "id", 2, 0, UINT32_MAX >> 1, 0};
  const crealm_property *of_class = properties;
  return call.realm_schema_new(&rows, 1, &of_class);
}

static int configure(direct_database *database, const direct_settings *settings) {
  if (!(database->config = call.realm_config_new())) return fail("realm_config_new");
  call.realm_config_set_path(database->config, settings->path);
  crealm_object *scheduler = call.realm_scheduler_new(NULL, NULL, NULL, always, NULL, NULL);
  if (!scheduler) return fail("realm_scheduler_new");
  call.realm_config_set_scheduler(database->config, scheduler);
  call.realm_release(scheduler);
  call.realm_config_set_automatic_change_notifications(database->config, false);
  crealm_object *made = schema();
  if (!made) return fail("realm_schema_new");
  call.realm_config_set_schema(database->config, made);
  call.realm_release(made);
  call.realm_config_set_schema_version(database->config, 0);
  return 0;
}

static int prepare(direct_database *database, const direct_settings *settings) {
  database->kept = settings->kept;
  if (configure(database, settings)) return 1;
  if (!(database->keeper = call.realm_open(database->config))) return fail("realm_open");
  // To ask for a property begins a read (realm.h does not say so): the keeper would hold that version for good.
  crealm_object *asking = call.realm_open(database->config);
  if (!asking) return fail("realm_open");
  bool found = false;
  crealm_class rows;
  crealm_property row;
  const char *failed = NULL;
  if (!call.realm_find_class(asking, "rows", &found, &rows) || !found)
    failed = "realm_find_class";
  else if (!call.realm_find_property(asking, rows.key, "bytes", &found, &row) || !found)
    failed = "realm_find_property";
  int result = failed ? fail(failed) : 0;
  call.realm_close(asking);
  call.realm_release(asking);
  if (result) return result;
  database->table = rows.key;
  database->row = row.key;
  return 0;
}

static void end(direct_database *database) {
  if (database->keeper) {
    call.realm_close(database->keeper);
    call.realm_release(database->keeper);
  }
  if (database->config) call.realm_release(database->config);
  free(database);
}

static direct_database *begin(const direct_settings *settings) {
  return direct_begin(settings, sizeof(direct_database), find, prepare, end);
}

/// An instance to work with, and what is done with it afterwards.
static crealm_object *take(direct_database *database) {
  return database->kept ? database->keeper : call.realm_open(database->config);
}

static void give_back(direct_database *database, crealm_object *instance) {
  if (database->kept) return;
  call.realm_close(instance);
  call.realm_release(instance);
}

static int put(direct_database *database, crealm_object *instance, int64_t key, const void *value, size_t bytes) {
  bool created = false;
  crealm_object *object = call.realm_object_get_or_create_with_primary_key(
      instance, database->table, integer(key), &created);
  if (!object) return fail("realm_object_get_or_create_with_primary_key");
  crealm_value row = {.bytes = {value, bytes}, .type = CREALM_VALUE_BYTES};
  bool done = call.realm_set_value(object, database->row, row, false);
  call.realm_release(object);
  return done ? 0 : fail("realm_set_value");
}

static int load(direct_database *database, size_t rows, const void *value, size_t bytes) {
  crealm_object *instance = take(database);
  if (!instance || !call.realm_begin_write(instance)) return fail("realm_begin_write");
  for (size_t row = 0; row < rows; row++)
    if (put(database, instance, (int64_t)row, value, bytes)) return 1;
  if (!call.realm_commit(instance)) return fail("realm_commit");
  give_back(database, instance);
  return 0;
}

static int commit(
    direct_database *database, const int64_t *keys, size_t puts, size_t commits, void *value, size_t bytes) {
  call.realm_set_log_level(USUAL_LOG_LEVEL);
  for (size_t number = 0; number < commits; number++) {
    direct_stamp(value, bytes, number);
    crealm_object *instance = take(database);
    if (!instance || !call.realm_begin_write(instance)) return fail("realm_begin_write");
    for (size_t count = 0; count < puts; count++)
      if (put(database, instance, *keys++, value, bytes)) return 1;
    if (!call.realm_commit(instance)) return fail("realm_commit");
    give_back(database, instance);
  }
  call.realm_set_log_level(CREALM_LOG_DETAIL);
  return 0;
}

static int read_rows(
    direct_database *database, const int64_t *keys, size_t reads, size_t in_snapshot, uint64_t *sum) {
  call.realm_set_log_level(USUAL_LOG_LEVEL);
  for (size_t done = 0; done < reads;) {
    crealm_object *instance = take(database);
    bool moved = false;
    if (!instance || !call.realm_begin_read(instance)) return fail("realm_begin_read");
    if (database->kept && !call.realm_refresh(instance, &moved)) return fail("realm_refresh");
    for (size_t row = 0; row < in_snapshot && done < reads; row++, done++) {
      bool found = false;
      crealm_object *object =
          call.realm_object_find_with_primary_key(instance, database->table, integer(keys[done]), &found);
      if (!object) return fail("realm_object_find_with_primary_key");
      crealm_value value;
      bool done_well = call.realm_get_value(object, database->row, &value);
      if (done_well) *sum += direct_touch(value.bytes.data, value.bytes.size);
      call.realm_release(object);
      if (!done_well) return fail("realm_get_value");
    }
    give_back(database, instance);
  }
  call.realm_set_log_level(CREALM_LOG_DETAIL);
  return 0;
}

const direct_library *direct_realm(void) {
  static const direct_library library = {begin, load, commit, read_rows, end, 1};
  return &library;
}
