// WorkloadRunner begins here.
