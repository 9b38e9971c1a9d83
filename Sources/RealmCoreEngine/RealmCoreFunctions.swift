// The functions of Realm Core's C interface that the adapter uses, each of the type that CRealm declares for it.
import CRealm
import SystemIO

struct RealmCoreFunctions {
  let getLibraryVersion: crealm_get_library_version
  let getLibraryVersionNumbers: crealm_get_library_version_numbers
  let getLastError: crealm_get_last_error
  let release: crealm_release
  let setLogCallback: crealm_set_log_callback
  let setLogLevel: crealm_set_log_level
  let schedulerNew: crealm_scheduler_new
  let schemaNew: crealm_schema_new
  let configNew: crealm_config_new
  let configSetPath: crealm_config_set_path
  let configGetPath: crealm_config_get_path
  let configSetEncryptionKey: crealm_config_set_encryption_key
  let configSetSchema: crealm_config_set_schema
  let configSetSchemaVersion: crealm_config_set_schema_version
  let configSetScheduler: crealm_config_set_scheduler
  let configSetAutomaticChangeNotifications: crealm_config_set_flag
  let configSetMaxNumberOfActiveVersions: crealm_config_set_number
  let configSetInMemory: crealm_config_set_flag
  let configSetShouldCompactOnLaunch: crealm_config_set_may_compact
  let configSetMigration: crealm_config_set_migration
  let schemaRenameProperty: crealm_schema_rename_property
  let open: crealm_open
  let close: crealm_act
  let beginRead: crealm_act
  let beginWrite: crealm_act
  let commit: crealm_act
  let rollback: crealm_act
  let refresh: crealm_act_telling
  let freeze: crealm_freeze
  let compact: crealm_act_telling
  let convertWithPath: crealm_convert_with_path
  let findClass: crealm_find_class
  let findProperty: crealm_find_property
  let getNumObjects: crealm_get_num_objects
  let objectFind: crealm_object_find
  let objectGetOrCreate: crealm_object_get_or_create
  let objectDelete: crealm_object_delete
  let getValue: crealm_get_value
  let setValue: crealm_set_value
  let queryParse: crealm_query_parse
  let queryFindAll: crealm_query_find_all
  let resultsCount: crealm_results_count
  let resultsGetObject: crealm_results_get_object
  let getObject: crealm_get_object
  let objectAsLink: crealm_object_as_link
  let getList: crealm_get_list
  let listSize: crealm_list_size
  let listGet: crealm_list_get
  let listInsert: crealm_list_insert
  let listInsertEmbedded: crealm_list_object
  let listGetLinkedObject: crealm_list_object
  let listErase: crealm_list_erase
  let listClear: crealm_list_clear

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    getLibraryVersion = try library.function("realm_get_library_version")
    getLibraryVersionNumbers = try library.function("realm_get_library_version_numbers")
    getLastError = try library.function("realm_get_last_error")
    release = try library.function("realm_release")
    setLogCallback = try library.function("realm_set_log_callback")
    setLogLevel = try library.function("realm_set_log_level")
    schedulerNew = try library.function("realm_scheduler_new")
    schemaNew = try library.function("realm_schema_new")
    configNew = try library.function("realm_config_new")
    configSetPath = try library.function("realm_config_set_path")
    configGetPath = try library.function("realm_config_get_path")
    configSetEncryptionKey = try library.function("realm_config_set_encryption_key")
    configSetSchema = try library.function("realm_config_set_schema")
    configSetSchemaVersion = try library.function("realm_config_set_schema_version")
    configSetScheduler = try library.function("realm_config_set_scheduler")
    configSetAutomaticChangeNotifications = try library.function(
      "realm_config_set_automatic_change_notifications")
    configSetMaxNumberOfActiveVersions = try library.function(
      "realm_config_set_max_number_of_active_versions")
    configSetInMemory = try library.function("realm_config_set_in_memory")
    configSetShouldCompactOnLaunch = try library.function(
      "realm_config_set_should_compact_on_launch_function")
    configSetMigration = try library.function("realm_config_set_migration_function")
    schemaRenameProperty = try library.function("realm_schema_rename_property")
    open = try library.function("realm_open")
    close = try library.function("realm_close")
    beginRead = try library.function("realm_begin_read")
    beginWrite = try library.function("realm_begin_write")
    commit = try library.function("realm_commit")
    rollback = try library.function("realm_rollback")
    refresh = try library.function("realm_refresh")
    freeze = try library.function("realm_freeze")
    compact = try library.function("realm_compact")
    convertWithPath = try library.function("realm_convert_with_path")
    findClass = try library.function("realm_find_class")
    findProperty = try library.function("realm_find_property")
    getNumObjects = try library.function("realm_get_num_objects")
    objectFind = try library.function("realm_object_find_with_primary_key")
    objectGetOrCreate = try library.function("realm_object_get_or_create_with_primary_key")
    objectDelete = try library.function("realm_object_delete")
    getValue = try library.function("realm_get_value")
    setValue = try library.function("realm_set_value")
    queryParse = try library.function("realm_query_parse")
    queryFindAll = try library.function("realm_query_find_all")
    resultsCount = try library.function("realm_results_count")
    resultsGetObject = try library.function("realm_results_get_object")
    getObject = try library.function("realm_get_object")
    objectAsLink = try library.function("realm_object_as_link")
    getList = try library.function("realm_get_list")
    listSize = try library.function("realm_list_size")
    listGet = try library.function("realm_list_get")
    listInsert = try library.function("realm_list_insert")
    listInsertEmbedded = try library.function("realm_list_insert_embedded")
    listGetLinkedObject = try library.function("realm_list_get_linked_object")
    listErase = try library.function("realm_list_erase")
    listClear = try library.function("realm_list_clear")
  }
}
