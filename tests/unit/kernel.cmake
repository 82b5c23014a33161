perftop_test(sys ROOMS kernel base WRAPS syscall ioctl read close mmap munmap sched_setscheduler
	     sched_getscheduler getpriority)
perftop_test(control ROOMS kernel base WRAPS syscall kill getpriority setpriority
	sched_setaffinity sched_getaffinity)
perftop_test(file ROOMS kernel base)
perftop_test(ring ROOMS kernel base WRAPS sys_map sys_unmap)
perftop_test(decode ROOMS kernel base)
perftop_test(attr ROOMS kernel base WRAPS sys_perf_event_open sys_close)
perftop_test(group ROOMS kernel base
	WRAPS sys_perf_event_open sys_perf_ioctl sys_read sys_close)
perftop_test(explain ROOMS kernel base WRAPS proc_owner proc_is_guarded geteuid)
perftop_test(cpu_topology ROOMS kernel base)
perftop_test(host ROOMS kernel base WRAPS getrlimit setrlimit)
perftop_test(load ROOMS kernel base)
perftop_test(maps ROOMS kernel base)
perftop_test(proc ROOMS kernel base)
perftop_test(counter_users ROOMS kernel base)
perftop_test(generic ROOMS kernel base)
perftop_test(encode ROOMS kernel base)
