// LMDBEngine begins here.
