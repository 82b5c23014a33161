# Whether events mean the same to perftop and to perf on a machine with a unit of counters.
check_perflist -v
