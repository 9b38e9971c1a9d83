// SQLiteEngine begins here.
