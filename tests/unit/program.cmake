perftop_test(options ROOMS program)
perftop_test(loop ROOMS program)
perftop_test(replacement ROOMS program WRAPS write)
perftop_test(child ROOMS program)
perftop_test(result ROOMS program WRAPS task_counts_find)
perftop_test(shed ROOMS program)
perftop_test(budget ROOMS program)
perftop_test(urgency ROOMS program WRAPS sys_be_urgent)
perftop_test(event_set ROOMS program)
perftop_test(fitting ROOMS program WRAPS group_open group_close)
# What stands for the kernel in fake_source.h.
set(SOURCE_WRAPS cpus_create tasks_create host_read host_raise_fd_limit attr_probe_features sys_be_urgent
	sys_now_ns proc_read_task proc_walk counter_time_ns)
perftop_test(engine ROOMS program WRAPS ${SOURCE_WRAPS})
perftop_test(print ROOMS program WRAPS ${SOURCE_WRAPS})
perftop_test(check ROOMS program WRAPS ${KERNEL_WRAPS}
	host_read host_raise_fd_limit attr_probe_features event_finder_create tracepoint_find tracepoint_read_format
	counter_time_ns)
perftop_test(tables ROOMS program)
perftop_test(keys ROOMS program WRAPS key_parse)
set(APP_WRAPS proc_read_task proc_read_command_line proc_find_by_name proc_walk term_repaint
	engine_add_events engine_remove_event engine_add_metric engine_need_metrics engine_change_set
	engine_need_scheduler engine_history task_page_write
	catalog_create catalog_destroy catalog_count catalog_entry catalog_details catalog_matches
	catalog_try
	engine_tick engine_can_tick engine_is_replay engine_rewind replay_position replay_overview replay_remarks
	engine_record engine_stop_recording recorder_path recorder_bytes
	control_open control_signal_open control_signal control_nice control_set_nice control_cpus
	control_set_cpus control_slept_ns control_tick_time)
perftop_test(acting ROOMS program WRAPS ${APP_WRAPS})
perftop_test(commands ROOMS program WRAPS ${APP_WRAPS})
perftop_test(complete ROOMS program WRAPS ${APP_WRAPS})
perftop_test(flames ROOMS program WRAPS ${APP_WRAPS} term_pointer)
perftop_test(mouse ROOMS program WRAPS ${APP_WRAPS} term_pointer term_set_mouse term_paint)
perftop_test(welcome ROOMS program WRAPS ${APP_WRAPS} sys_now_ns)
perftop_test(help ROOMS program WRAPS ${APP_WRAPS})
perftop_test(page ROOMS program WRAPS ${APP_WRAPS})
perftop_test(history_view ROOMS program WRAPS ${APP_WRAPS})
perftop_test(handover ROOMS program)
perftop_test(job ROOMS program)
perftop_test(playback ROOMS program WRAPS ${APP_WRAPS} sys_now_ns)
perftop_test(kept ROOMS program)
perftop_test(playback_time ROOMS program)
perftop_test(compose_frame ROOMS program WRAPS ${APP_WRAPS} summary_make)
perftop_test(row_commands ROOMS program WRAPS ${APP_WRAPS})
perftop_test(every_size ROOMS program WRAPS ${APP_WRAPS})
perftop_test(strips ROOMS program WRAPS ${APP_WRAPS})
perftop_test(setup ROOMS program WRAPS ${APP_WRAPS})
perftop_test(resolve ROOMS program WRAPS ${APP_WRAPS})
perftop_test(config ROOMS program)
perftop_test(config_text ROOMS program WRAPS ${APP_WRAPS})
perftop_test(attach ROOMS program WRAPS ${APP_WRAPS})
perftop_test(manual ROOMS pages)
perftop_test(completion ROOMS program)

# On the kernel that runs the tests.
perftop_test(live_acting LIVE ROOMS program)
perftop_test(live_events LIVE ROOMS program)
perftop_test(live_recording LIVE ROOMS program)
set_tests_properties(live_events live_recording PROPERTIES RUN_SERIAL ON)
