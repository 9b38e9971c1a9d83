// LMDB's header, and a name for the type of each function that is used: the library is opened at run time, and so the
// compiler checks a function pointer against the header's declaration. Nothing here refers to the functions themselves.
#pragma once
#if __has_include(<lmdb.h>)
#include <lmdb.h>
#elif __has_include("/opt/homebrew/include/lmdb.h")
#include "/opt/homebrew/include/lmdb.h"
#else
#include "/usr/local/include/lmdb.h"
#endif

#define CLMDB_TYPE_OF(name) typedef __typeof__(&name) name##_function

CLMDB_TYPE_OF(mdb_version);
CLMDB_TYPE_OF(mdb_strerror);
CLMDB_TYPE_OF(mdb_env_create);
CLMDB_TYPE_OF(mdb_env_set_mapsize);
CLMDB_TYPE_OF(mdb_env_set_maxreaders);
CLMDB_TYPE_OF(mdb_env_set_maxdbs);
CLMDB_TYPE_OF(mdb_env_open);
CLMDB_TYPE_OF(mdb_env_close);
CLMDB_TYPE_OF(mdb_env_stat);
CLMDB_TYPE_OF(mdb_env_info);
CLMDB_TYPE_OF(mdb_env_copyfd2);
CLMDB_TYPE_OF(mdb_reader_list);
CLMDB_TYPE_OF(mdb_reader_check);
CLMDB_TYPE_OF(mdb_txn_begin);
CLMDB_TYPE_OF(mdb_txn_commit);
CLMDB_TYPE_OF(mdb_txn_abort);
CLMDB_TYPE_OF(mdb_txn_reset);
CLMDB_TYPE_OF(mdb_txn_renew);
CLMDB_TYPE_OF(mdb_txn_id);
CLMDB_TYPE_OF(mdb_dbi_open);
CLMDB_TYPE_OF(mdb_stat);
CLMDB_TYPE_OF(mdb_get);
CLMDB_TYPE_OF(mdb_put);
CLMDB_TYPE_OF(mdb_del);
CLMDB_TYPE_OF(mdb_cursor_open);
CLMDB_TYPE_OF(mdb_cursor_renew);
CLMDB_TYPE_OF(mdb_cursor_close);
CLMDB_TYPE_OF(mdb_cursor_get);

#undef CLMDB_TYPE_OF
