// The part of Realm Core's C interface that the adapter uses, declared by us: no header of it is on a machine that has
// only the library. Structures are those of version 14 on 64-bit machines; RealmCoreLibrary asks the library that it
// finds for its version, and whether what it fills in is where these say. Nothing here refers to the functions themselves.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Any object of the library: an instance, a configuration, an object of the database. Who is given one releases it.
typedef struct crealm_object crealm_object;

/// Bytes of somebody else. Without an address they are null, which is not the same as empty.
typedef struct crealm_bytes {
  const uint8_t *data;
  size_t size;
} crealm_bytes;

/// A link to an object: its class and its key there.
typedef struct crealm_link {
  uint32_t class_key;
  int64_t object_key;
} crealm_link;

/// A value of a property, with its type. Passed by value.
typedef struct crealm_value {
  union {
    int64_t integer;
    crealm_bytes bytes;
    crealm_link link;
    uint8_t room[16];
  };
  uint32_t type;
} crealm_value;

enum { CREALM_VALUE_INTEGER = 1, CREALM_VALUE_BYTES = 4, CREALM_VALUE_LINK = 10 };

/// An argument of a query: one value, or a list of them.
typedef struct crealm_argument {
  size_t count;
  bool is_list;
  crealm_value *values;
} crealm_argument;

/// What went wrong last in the calling thread. The texts are the library's, good until its next call in this thread.
typedef struct crealm_error {
  uint32_t code;
  uint32_t categories;
  const char *message;
  void *user_error;
  const char *path;
} crealm_error;

/// Texts may be empty, never absent: the library does not ask.
typedef struct crealm_property {
  const char *name;
  const char *public_name;
  uint32_t type;
  uint32_t collection;
  const char *link_target;
  const char *link_origin;
  int64_t key;
  int32_t flags;
} crealm_property;

enum { CREALM_PROPERTY_INTEGER = 0, CREALM_PROPERTY_BYTES = 4, CREALM_PROPERTY_OBJECT = 12 };
enum { CREALM_PROPERTY_IS_PRIMARY_KEY = 2, CREALM_PROPERTY_IS_INDEXED = 4 };
enum { CREALM_COLLECTION_LIST = 1 };
enum { CREALM_CLASS_IS_EMBEDDED = 1 };

typedef struct crealm_class {
  const char *name;
  const char *primary_key;
  size_t properties;
  size_t computed_properties;
  uint32_t key;
  int32_t flags;
} crealm_class;

#if __SIZEOF_POINTER__ == 8
_Static_assert(sizeof(crealm_bytes) == 16, "layout");
_Static_assert(sizeof(crealm_link) == 16, "layout");
_Static_assert(sizeof(crealm_value) == 24, "layout");
_Static_assert(sizeof(crealm_argument) == 24, "layout");
_Static_assert(sizeof(crealm_error) == 32, "layout");
_Static_assert(sizeof(crealm_property) == 56, "layout");
_Static_assert(sizeof(crealm_class) == 40, "layout");
#endif

typedef void (*crealm_free_context)(void *context);
typedef bool (*crealm_is_on_thread)(void *context);
typedef void (*crealm_notify)(void *context, void *queue);
typedef bool (*crealm_is_same)(const void *context, const void *other);
typedef bool (*crealm_may_compact)(void *context, uint64_t total, uint64_t used);
typedef void (*crealm_log)(void *context, const char *category, uint32_t level, const char *message);

/// Called during an opening that migrates, with the instance before and the one after.
typedef bool (*crealm_migrate)(
    void *context, crealm_object *before, crealm_object *after, const crealm_object *schema);

enum { CREALM_LOG_DETAIL = 3 };

typedef const char *(*crealm_get_library_version)(void);
typedef void (*crealm_get_library_version_numbers)(int *major, int *minor, int *patch, const char **extra);
typedef bool (*crealm_get_last_error)(crealm_error *error);
typedef void (*crealm_release)(crealm_object *object);
typedef void (*crealm_set_log_callback)(crealm_log log, void *context, crealm_free_context free);
typedef void (*crealm_set_log_level)(uint32_t level);

typedef crealm_object *(*crealm_scheduler_new)(
    void *context, crealm_free_context free, crealm_notify notify, crealm_is_on_thread is_on_thread,
    crealm_is_same is_same, crealm_is_on_thread can_deliver);
typedef crealm_object *(*crealm_schema_new)(
    const crealm_class *classes, size_t count, const crealm_property **properties);

typedef crealm_object *(*crealm_config_new)(void);
typedef void (*crealm_config_set_path)(crealm_object *config, const char *path);
typedef const char *(*crealm_config_get_path)(const crealm_object *config);
typedef bool (*crealm_config_set_encryption_key)(crealm_object *config, const uint8_t *key, size_t size);
typedef void (*crealm_config_set_schema)(crealm_object *config, const crealm_object *schema);
typedef void (*crealm_config_set_schema_version)(crealm_object *config, uint64_t version);
typedef void (*crealm_config_set_scheduler)(crealm_object *config, const crealm_object *scheduler);
typedef void (*crealm_config_set_flag)(crealm_object *config, bool flag);
typedef void (*crealm_config_set_number)(crealm_object *config, uint64_t number);
typedef void (*crealm_config_set_may_compact)(
    crealm_object *config, crealm_may_compact may_compact, void *context, crealm_free_context free);

typedef void (*crealm_config_set_migration)(
    crealm_object *config, crealm_migrate migrate, void *context, crealm_free_context free);
typedef bool (*crealm_schema_rename_property)(
    crealm_object *realm, const crealm_object *schema, const char *class_name, const char *before,
    const char *after);

typedef crealm_object *(*crealm_open)(const crealm_object *config);
/// Closing, beginning to read or to write, committing, rolling back.
typedef bool (*crealm_act)(crealm_object *realm);
typedef crealm_object *(*crealm_freeze)(const crealm_object *realm);
typedef bool (*crealm_act_telling)(crealm_object *realm, bool *did);
typedef bool (*crealm_convert_with_path)(
    const crealm_object *realm, const char *path, crealm_bytes key, bool merges);
typedef bool (*crealm_get_num_versions)(const crealm_object *realm, uint64_t *count);

typedef bool (*crealm_find_class)(
    const crealm_object *realm, const char *name, bool *found, crealm_class *found_class);
typedef bool (*crealm_find_property)(
    const crealm_object *realm, uint32_t class_key, const char *name, bool *found, crealm_property *property);
typedef bool (*crealm_get_num_objects)(const crealm_object *realm, uint32_t class_key, size_t *count);

typedef crealm_object *(*crealm_object_find)(
    const crealm_object *realm, uint32_t class_key, crealm_value primary_key, bool *found);
typedef crealm_object *(*crealm_object_get_or_create)(
    crealm_object *realm, uint32_t class_key, crealm_value primary_key, bool *created);
typedef bool (*crealm_object_delete)(crealm_object *object);
typedef bool (*crealm_get_value)(const crealm_object *object, int64_t property_key, crealm_value *value);
typedef bool (*crealm_set_value)(
    crealm_object *object, int64_t property_key, crealm_value value, bool is_default);

typedef crealm_object *(*crealm_query_parse)(
    const crealm_object *realm, uint32_t class_key, const char *query, size_t count,
    const crealm_argument *arguments);
typedef crealm_object *(*crealm_query_find_all)(crealm_object *query);
typedef bool (*crealm_results_count)(crealm_object *results, size_t *count);
typedef crealm_object *(*crealm_results_get_object)(crealm_object *results, size_t index);

typedef crealm_object *(*crealm_get_object)(
    const crealm_object *realm, uint32_t class_key, int64_t object_key);
typedef crealm_link (*crealm_object_as_link)(const crealm_object *object);
typedef crealm_object *(*crealm_get_list)(crealm_object *object, int64_t property_key);
typedef bool (*crealm_list_size)(const crealm_object *list, size_t *size);
typedef bool (*crealm_list_get)(const crealm_object *list, size_t index, crealm_value *value);
typedef bool (*crealm_list_insert)(crealm_object *list, size_t index, crealm_value value);
typedef crealm_object *(*crealm_list_object)(crealm_object *list, size_t index);
typedef bool (*crealm_list_erase)(crealm_object *list, size_t index);
typedef bool (*crealm_list_clear)(crealm_object *list);
