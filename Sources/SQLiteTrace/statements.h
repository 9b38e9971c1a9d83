// The few statements that change rows without a call of the hook: those that drop and rename.
#ifndef STATEMENTS_H
#define STATEMENTS_H
#include <stdbool.h>

#pragma GCC visibility push(hidden)

enum { max_name = 256 };

typedef struct {
    enum {
        statement_other,
        statement_drops_table,
        statement_drops_index,
        statement_renames_table
    } kind;
    char name[max_name];
    char new_name[max_name];
} SchemaStatement;

/// Whether the statement begins with CREATE, DROP or ALTER.
bool may_change_schema(const char *sql);

/// Reads a statement of which `may_change_schema` is true. One of another schema than `main` is `statement_other`.
SchemaStatement parse_statement(const char *sql);

#pragma GCC visibility pop

#endif
