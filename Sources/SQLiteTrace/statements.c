// Reads the first words of a statement, as far as SQLite's own grammar has them before the name.
#include "statements.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/// Returns what follows spaces and comments.
static const char *skipped(const char *sql) {
    for (;;) {
        while (isspace((unsigned char)*sql)) sql++;
        const char *end = NULL;
        if (strncmp(sql, "--", 2) == 0) end = strchr(sql, '\n');
        else if (strncmp(sql, "/*", 2) == 0) end = strstr(sql + 2, "*/");
        else return sql;
        if (end == NULL) return sql + strlen(sql);
        sql = end + (*end == '*' ? 2 : 1);
    }
}

static bool is_of_word(char byte) {
    unsigned char code = (unsigned char)byte;
    return isalnum(code) || byte == '_' || byte == '$' || code >= 0x80;
}

/// Moves past the word if it is next.
static bool take(const char **sql, const char *word) {
    const char *next = skipped(*sql);
    size_t length = strlen(word);
    if (strncasecmp(next, word, length) != 0 || is_of_word(next[length])) return false;
    *sql = next + length;
    return true;
}

/// Reads a name, quoted or not; false where none is next or it is too long.
static bool take_name(const char **sql, char *name) {
    const char *next = skipped(*sql);
    char close = *next == '[' ? ']' : *next;
    bool is_quoted = close == ']' || close == '"' || close == '`' || close == '\'';
    if (is_quoted) next++;
    size_t length = 0;
    while (*next != 0 && length < max_name - 1) {
        if (is_quoted && *next == close) {
            // A doubled quote is one.
            if (close == ']' || next[1] != close) break;
            next++;
        } else if (!is_quoted && !is_of_word(*next)) break;
        name[length++] = *next++;
    }
    name[length] = 0;
    if (is_quoted && *next++ != close) return false;
    *sql = next;
    return length > 0;
}

/// Reads the name of a table or index of the schema `main`.
static bool take_main_name(const char **sql, char *name) {
    if (!take_name(sql, name)) return false;
    const char *next = skipped(*sql);
    if (*next != '.') return true;
    next++;
    bool is_main = strcasecmp(name, "main") == 0;
    if (!take_name(&next, name)) return false;
    *sql = next;
    return is_main;
}

bool may_change_schema(const char *sql) {
    if (sql == NULL) return false;
    return take(&sql, "CREATE") || take(&sql, "DROP") || take(&sql, "ALTER");
}

SchemaStatement parse_statement(const char *sql) {
    SchemaStatement statement = {.kind = statement_other};
    if (take(&sql, "DROP")) {
        bool is_table = take(&sql, "TABLE");
        if (!is_table && !take(&sql, "INDEX")) return statement;
        if (take(&sql, "IF")) take(&sql, "EXISTS");
        if (take_main_name(&sql, statement.name)) {
            statement.kind = is_table ? statement_drops_table : statement_drops_index;
        }
    } else if (take(&sql, "ALTER") && take(&sql, "TABLE") && take_main_name(&sql, statement.name)
               && take(&sql, "RENAME") && take(&sql, "TO") && take_name(&sql, statement.new_name)) {
        statement.kind = statement_renames_table;
    }
    return statement;
}
