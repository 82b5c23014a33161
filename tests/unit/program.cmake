perftop_test(options ROOMS program)
perftop_test(loop ROOMS program)
perftop_test(replacement ROOMS program WRAPS write)
perftop_test(child ROOMS program)
perftop_test(result ROOMS program WRAPS task_counts_find)
perftop_test(shed ROOMS program)
perftop_test(budget ROOMS program)
perftop_test(cgroup_target ROOMS program)
perftop_test(urgency ROOMS program WRAPS sys_be_urgent)
perftop_test(event_set ROOMS program)
perftop_test(fitting ROOMS program WRAPS group_open group_close)
# What stands for the kernel in fake_source.h.
set(SOURCE_WRAPS cpus_create tasks_create host_read host_raise_fd_limit attr_probe_features sys_be_urgent
	sys_now_ns proc_read_task proc_walk counter_time_ns)
perftop_test(engine ROOMS program WRAPS ${SOURCE_WRAPS})
perftop_test(check ROOMS program WRAPS ${KERNEL_WRAPS}
	host_read host_raise_fd_limit attr_probe_features event_finder_create tracepoint_find tracepoint_read_format
	counter_time_ns)
perftop_test(tables ROOMS program)
perftop_test(keys ROOMS program WRAPS key_parse)
# What is around the program in app_kit.c: the clock, /proc, other processes, the events there are.
perftop_kit(app_kit ROOMS program
	WRAPS sys_now_ns sys_wall_ns proc_read_task proc_read_command_line proc_find_by_name proc_walk term_repaint
	catalog_create pfm_walk sys_perf_event_open sys_perf_ioctl
	control_open control_signal_open control_signal control_nice control_set_nice control_cpus
	control_set_cpus control_slept_ns control_tick_time)
perftop_test(acting ROOMS app_kit program)
perftop_test(commands ROOMS app_kit program)
perftop_test(complete ROOMS app_kit program)
perftop_test(flames ROOMS app_kit program WRAPS term_pointer)
perftop_test(mouse ROOMS app_kit program WRAPS term_pointer term_set_mouse term_paint)
perftop_test(welcome ROOMS app_kit program)
perftop_test(help ROOMS app_kit program)
perftop_test(page ROOMS app_kit program)
perftop_test(pane ROOMS app_kit program WRAPS task_page_write)
perftop_test(history_view ROOMS app_kit program)
perftop_test(handover ROOMS program)
perftop_test(job ROOMS program)
perftop_test(playback ROOMS app_kit program)
perftop_test(kept ROOMS program)
perftop_test(playback_time ROOMS program)
perftop_test(compose_frame ROOMS app_kit program WRAPS summary_make)
perftop_test(row_commands ROOMS app_kit program)
perftop_test(every_size ROOMS app_kit program)
perftop_test(strips ROOMS app_kit program)
perftop_test(setup ROOMS app_kit program)
perftop_test(resolve ROOMS app_kit program)
perftop_test(config ROOMS program)
perftop_test(config_text ROOMS app_kit program)
perftop_test(attach ROOMS app_kit program)
perftop_test(manual ROOMS pages)
perftop_test(completion ROOMS program)

# On the kernel that runs the tests.
perftop_test(live_acting LIVE ROOMS program)
perftop_test(live_events LIVE ROOMS program)
perftop_test(live_recording LIVE ROOMS program)
set_tests_properties(live_events live_recording PROPERTIES RUN_SERIAL ON)
