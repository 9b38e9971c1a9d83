// NullEngine begins here.
