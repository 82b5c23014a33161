perftop_test(perfdata ROOMS perfdata kernel base)
perftop_test(perfdata_records ROOMS perfdata kernel base)
perftop_test(perfdata_inflate ROOMS perfdata kernel base LINKS perftop_zstd)
perftop_test(outlet ROOMS perfdata kernel base WRAPS write pwrite ftruncate rename open poll close)
perftop_test(writer ROOMS perfdata kernel base WRAPS write pwrite ftruncate)
perftop_test(tracing ROOMS perfdata kernel base)
perftop_test(build_ids ROOMS perfdata kernel base)
perftop_test(features ROOMS perfdata kernel base)
perftop_test(compress ROOMS perfdata kernel base LINKS perftop_zstd)
perftop_test(order ROOMS perfdata source model event kernel base)
perftop_test(replay_parts ROOMS perfdata source model event kernel base)
perftop_test(replay_perf ROOMS perfdata source model event kernel base WRAPS perfdata_open perfdata_close
	perfdata_next perfdata_rewind perfdata_events perfdata_info perfdata_counts perfdata_fd
	perfdata_read_ahead perfdata_find_event)
perftop_test(replay_samples ROOMS perfdata source model event kernel base WRAPS perfdata_open perfdata_close
	perfdata_next perfdata_rewind perfdata_events perfdata_info perfdata_counts perfdata_fd
	perfdata_read_ahead perfdata_find_event perfdata_find_format)
perftop_test(recorder ROOMS perfdata source model event kernel base
	WRAPS writer_create writer_room writer_commit writer_flush writer_note_interval writer_change_events writer_note_file
		writer_failure writer_finish proc_read_task maps_walk)
perftop_test(recording ROOMS perfdata source model event kernel base)
perftop_test(recording_json ROOMS perfdata source model event kernel base)
perftop_test(recording_runs ROOMS perfdata source model event kernel base)
