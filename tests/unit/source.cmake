# What stands for the kernel in fake_kernel.h.
set(KERNEL_WRAPS group_open group_close group_enable group_disable group_read
	timeline_open timeline_redirect sampler_open glance_open glance_let_go ring_map sys_close sys_now_ns switch_time_begin switch_time_take switch_time_end)

perftop_test(counter_time ROOMS kernel base WRAPS ${KERNEL_WRAPS})
perftop_test(sample_time ROOMS kernel base
	WRAPS profiler_open ring_map sys_close profiler_set_period switch_time_begin switch_time_take sys_now_ns timeline_turn)
perftop_test(absences ROOMS source model event kernel base)
perftop_test(convert ROOMS source model event kernel base)
perftop_test(task_states ROOMS source model event kernel base WRAPS ${KERNEL_WRAPS})
perftop_test(pack ROOMS source model event kernel base)
perftop_test(plan ROOMS source model event kernel base WRAPS ${KERNEL_WRAPS})
perftop_test(cpu_stream ROOMS source model event kernel base WRAPS ${KERNEL_WRAPS})
# What stands for a machine in fake_machine.h.
set(MACHINE_WRAPS ${KERNEL_WRAPS} host_read_online sys_read epoll_ctl epoll_wait sched_setaffinity
	sched_getaffinity proc_owner proc_has_run_delay tracepoint_find tracepoint_find_field
	tracepoint_read_format cgroup_paths_create cgroup_paths_destroy cgroup_paths_put
	cgroup_paths_find probe_find_kernel)
perftop_test(cpus ROOMS source model event kernel base WRAPS ${MACHINE_WRAPS})
perftop_test(sampling ROOMS source model event kernel base
	WRAPS profiler_open access_leader_open profiler_set_period ring_map sys_close epoll_ctl host_read_max_sample_rate host_read_max_stack
		group_read sample_time_begin sample_time_take sample_time_end wakeup_find sched_getcpu)
perftop_test(thread_targets ROOMS source model event kernel base
	WRAPS geteuid proc_owner proc_is_guarded proc_walk)
perftop_test(task_counts ROOMS source model event kernel base
	WRAPS inherited_open inherited_read proc_walk sys_close)
perftop_test(scheduler ROOMS source model event kernel base WRAPS ${MACHINE_WRAPS})
perftop_test(tasks ROOMS source model event kernel base
	WRAPS ${KERNEL_WRAPS} epoll_ctl epoll_wait proc_read_task proc_read_command_line
		proc_read_switches proc_read_schedstat proc_has_run_delay proc_last_pid proc_owner proc_is_guarded proc_walk
		sys_task_exists geteuid)

# On the kernel that runs the tests.
perftop_test(live_cpus LIVE ROOMS source model event kernel base)
perftop_test(live_tasks LIVE ROOMS source model event kernel base)
perftop_test(live_switches LIVE ROOMS source model event kernel base)
set_tests_properties(live_cpus live_tasks live_switches PROPERTIES RUN_SERIAL ON)
