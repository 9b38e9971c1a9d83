// StorageEngine begins here.
