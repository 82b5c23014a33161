/*
 * A record is reduced when it is read (struct queued), waits in the order for its turn, and then
 * becomes records for the model (emit.c).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/decode.h"
#include "kernel/spec.h"
#include "source/convert.h"
#include "source/wakeup.h"

#include "perfdata/reader.h"
#include "perfdata/replaying.h"

enum {
	FILE_ROUNDS = 2, /* perf does not always keep to one, and a file can wait */
	QUEUED_MOST = offsetof(struct queued, values) +
		      DECODE_READ_MAX * sizeof(struct queued_value), /* of what counts */
	CGROUPS_MAX = 65536,                                         /* with their paths */
	NAMESPACES_MAX = 65536,   /* tasks with known namespaces */
	PEEKED_RECORDS = 20000,   /* that are looked at to find out what was recorded */
	EMPTY_INTERVALS_MAX = 100 /* in a row; a longer gap is one interval */
};

static const uint64_t TIME_MAX_NS = INT64_MAX / 2; /* no clock has come so far */

static size_t queued_size(const struct queued *queued)
{
	if (queued->record.kind == RECORD_ESTIMATE)
		return offsetof(struct queued, record.estimate) + sizeof(queued->record.estimate);
	if (queued->record.kind == RECORD_READING)
		return offsetof(struct queued, values) +
		       queued->value_count * sizeof(queued->values[0]);
	return offsetof(struct queued, name) +
	       (queued->record.kind == RECORD_COMM ? sizeof(queued->name) : 0);
}

static void take_role(struct queued *queued, const struct replay_event *event,
		      const struct decoded_bytes *raw)
{
	int64_t tid = -1, state = 0;

	if (event->role == REPLAY_ROLE_NONE)
		return;
	if (event->role != REPLAY_ROLE_YIELD &&
	    (!tracepoint_read_field(&event->tid, raw->bytes, raw->size, &tid) || tid < 0 ||
	     tid > INT32_MAX))
		return;
	if (event->role == REPLAY_ROLE_SWITCH &&
	    !tracepoint_read_field(&event->state, raw->bytes, raw->size, &state))
		return;
	queued->role = (uint8_t)event->role;
	queued->role_tid = (int32_t)tid;
	queued->is_in_interrupt = wakeup_is_in_interrupt(raw);
	queued->role_state = event->role == REPLAY_ROLE_SWITCH
				     ? task_states_find(&event->states, (uint32_t)state)
				     : (uint8_t)TASK_STATE_UNKNOWN;
}

static void take_queued_reading(struct queued *queued, const struct decoded_read *read)
{
	queued->record.kind = RECORD_READING;
	queued->has_times = read->has_times;
	queued->record.reading.enabled_ns = read->enabled_ns;
	queued->record.reading.running_ns = read->running_ns;
	queued->value_count =
		read->count < DECODE_READ_MAX ? (uint8_t)read->count : DECODE_READ_MAX;
	for (size_t i = 0; i < queued->value_count; i++)
		queued->values[i] = (struct queued_value){read->ids[i], read->values[i]};
}

static void make_queued_sample(struct queued *queued, const struct decoded *decoded,
			       const struct replay_event *event)
{
	queued->record.kind = RECORD_ESTIMATE;
	if (event->has_readings)
		take_queued_reading(queued, &decoded->sample.read);
	else
		queued->record.estimate.value =
			event->has_periods ? decoded->sample.period : event->period;
}

static void take_ids(struct record *record, const struct decoded_id *id)
{
	record->cpu = id->has & DECODED_HAS_CPU && id->cpu <= INT32_MAX ? (int32_t)id->cpu
									: RECORD_CPU_NONE;
	record->pid = id->has & DECODED_HAS_TID ? id->pid : RECORD_TASK_UNKNOWN;
	record->tid = id->has & DECODED_HAS_TID ? id->tid : RECORD_TASK_UNKNOWN;
	record->time_ns = id->has & DECODED_HAS_TIME ? id->time_ns : 0;
}

/* What perf reports with other words than the kernel. */
static void take_particulars(struct queued *queued, const struct decoded *decoded)
{
	const bool is_fork = decoded->type == DECODED_FORK || decoded->type == DECODED_EXIT;

	queued->is_cpu_wide = decoded->type == DECODED_SWITCH_CPU_WIDE;
	queued->is_sum = decoded->type == DECODED_LOST_SAMPLES;
	/* said at the end, of all that was lost */
	if (queued->is_sum)
		queued->record.cpu = RECORD_CPU_NONE;
	/* what perf makes up of what ran already has no time */
	if (is_fork && decoded->fork.time_ns == 0)
		queued->record.time_ns = 0;
}

static bool queued_make(struct queued *queued, const struct decoded *decoded, size_t event,
			const struct replay_events *events)
{
	struct record *record = &queued->record;

	memset(queued, 0, offsetof(struct queued, name));
	queued->event = (uint16_t)event;
	take_ids(record, &decoded->id);
	if (decoded->type == DECODED_SAMPLE) {
		make_queued_sample(queued, decoded, &events->events[event]);
		take_role(queued, &events->events[event], &decoded->sample.raw);
		return true;
	}
	if (decoded->type == DECODED_MMAP || decoded->type == DECODED_MMAP2 ||
	    decoded->type == DECODED_KSYMBOL)
		return convert_mapping(decoded, record);
	if (!convert_record(decoded, queued->name, sizeof(queued->name), record))
		return false;
	take_particulars(queued, decoded);
	return true;
}

static bool is_new(const struct replay_perf *perf)
{
	size_t count;

	perfdata_events(perf->file, &count);
	return count != perf->events.count ||
	       perfdata_info(perf->file)->tracing != perf->events.tracing;
}

static bool is_sample(const struct record *record)
{
	return record->kind == RECORD_ESTIMATE || record->kind == RECORD_READING;
}

/* The path of a cgroup (perf record --all-cgroups). No two have one id. */
static void learn_cgroup(struct replay_perf *perf, const struct decoded_cgroup *cgroup)
{
	if (perf->cgroups.count < CGROUPS_MAX && !map_get(&perf->cgroups, cgroup->id))
		map_put(&perf->cgroups, cgroup->id, xstrndup(cgroup->path, cgroup->path_length));
}

/* Those that it is in now; 0: perf could not see it. */
static void learn_namespaces(struct replay_perf *perf, const struct decoded_namespaces *from)
{
	uint64_t *inodes = map_get(&perf->namespaces, (uint64_t)from->tid);

	if (from->tid <= 0 || (!inodes && perf->namespaces.count >= NAMESPACES_MAX))
		return;
	if (!inodes) {
		inodes = xcalloc(REPLAY_NAMESPACES, sizeof(*inodes));
		map_put(&perf->namespaces, (uint64_t)from->tid, inodes);
	}
	for (size_t i = 0; i < REPLAY_NAMESPACES; i++)
		inodes[i] = i < from->count
				    ? decode_word_at(from->links, (2 * i + 1) * sizeof(*inodes))
				    : 0;
}

void replay_perf_add_namespaces(const struct replay_perf *perf, int32_t tid, struct strbuf *words)
{
	static const char *const names[REPLAY_NAMESPACES] = {"net",  "uts", "ipc",   "pid",
							     "user", "mnt", "cgroup"};
	const uint64_t *of_task = map_get(&perf->namespaces, (uint64_t)tid);
	const uint64_t *of_first = map_get(&perf->namespaces, 1);

	for (size_t i = 0; of_task && of_first && i < REPLAY_NAMESPACES; i++)
		if (of_task[i] != of_first[i] && of_task[i] != 0 && of_first[i] != 0)
			strbuf_printf(words, "%s%s %" PRIu64, words->length > 0 ? ", " : "",
				      names[i], of_task[i]);
}

/* A sample says in which cgroup its task is: kept where that is news. */
static void keep_cgroup(struct replay_perf *perf, const struct decoded *decoded,
			const struct record *sample)
{
	const char *path = map_get(&perf->cgroups, decoded->sample.cgroup);
	struct queued *queued;

	if ((decoded->id.has & DECODED_HAS_CGROUP) == 0 || !path || sample->tid <= 0 ||
	    map_get(&perf->cgroup_of, (uint64_t)sample->tid) == path)
		return;
	map_put(&perf->cgroup_of, (uint64_t)sample->tid, (void *)path);
	queued = order_place(&perf->order, QUEUED_MOST);
	memset(queued, 0, offsetof(struct queued, name));
	queued->record = *sample;
	queued->record.kind = RECORD_PROCINFO;
	queued->record.procinfo = (struct record_procinfo){.cgroup = path};
	order_put(&perf->order, sample->time_ns, offsetof(struct queued, name));
}

/* What is said of types that are left out. What the kernel changes of its own code has no name. */
static const struct {
	enum decoded_type type;
	const char *what, *how;
} left_out_types[] = {
	{DECODED_AUX, "AUX record", "left out: trace data is not decoded"},
	{DECODED_ITRACE_START, "ITRACE_START record", "left out"},
	{DECODED_AUX_OUTPUT_HW_ID, "AUX_OUTPUT_HW_ID record", "left out"},
	{DECODED_READ, "READ record",
	 "left out: what threads had counted when they ended (perf report -T shows it)"},
};

enum {
	LEFT_OUT_TYPES = sizeof(left_out_types) / sizeof(left_out_types[0])
};

static void keep_record(struct replay_perf *perf, const struct perfdata_record *record)
{
	struct queued *queued = order_place(&perf->order, QUEUED_MOST);
	const struct replay_event *event = &perf->events.events[record->event];
	struct record made;
	int32_t wakee_tid;

	/* a BPF program's: of perf's offcpu-time it is a sum, or raw data */
	if (event->is_mute && record->decoded->type == DECODED_SAMPLE) {
		perf->of_programs++;
		return;
	}
	if (record->decoded->type == DECODED_CGROUP)
		learn_cgroup(perf, &record->decoded->cgroup);
	if (record->decoded->type == DECODED_NAMESPACES)
		learn_namespaces(perf, &record->decoded->namespaces);
	if (record->decoded->type < DECODED_TYPES)
		perf->of_types[record->decoded->type]++;
	if (!queued_make(queued, record->decoded, record->event, &perf->events))
		return;
	/* a profile without times is one interval of no length */
	if (queued->record.time_ns == 0 && is_sample(&queued->record))
		queued->record.time_ns = 1;
	made = queued->record;
	if (made.time_ns > TIME_MAX_NS) {
		perf->broken++;
		return;
	}
	if (made.kind == RECORD_MAPPING) {
		replay_keep_mapping(perf, record, made);
		return;
	}
	wakee_tid = queued->role == REPLAY_ROLE_WAKING ? queued->role_tid : 0;
	order_put(&perf->order, made.time_ns, queued_size(queued));
	if (made.kind == RECORD_EXIT)
		map_remove(&perf->cgroup_of, (uint64_t)made.tid);
	if (!is_sample(&made))
		return;
	keep_cgroup(perf, record->decoded, &made);
	if (!event->is_mute)
		replay_keep_branches(perf, record, made);
	if (!event->is_mute)
		replay_keep_access(perf, record, made);
	if (event->is_profile)
		replay_keep_sample(perf, record, made, 0);
	if (event->is_waker && wakee_tid > 0)
		replay_keep_sample(perf, record, made, wakee_tid);
}

/* Reads on until something can be taken. False: nothing more for now. */
static bool pump(struct replay_perf *perf)
{
	struct perfdata_record record;

	while (!order_is_ready(&perf->order) && !perf->order.is_ended) {
		switch (perfdata_next(perf->file, &record)) {
		case PERFDATA_RECORD:
			if (record.has_news && is_new(perf))
				replay_events_learn(&perf->events, perf->file);
			keep_record(perf, &record);
			break;
		case PERFDATA_ROUND:
			order_round(&perf->order);
			break;
		case PERFDATA_WAIT:
			return false;
		case PERFDATA_END:
			order_end(&perf->order);
			break;
		}
	}
	return order_is_ready(&perf->order);
}

/* The next record, which stays the next one until it is delivered. */
static bool hold_next(struct replay_perf *perf)
{
	size_t size;

	if (perf->held)
		return true;
	if (!pump(perf))
		return false;
	perf->held = order_take(&perf->order, &perf->held_ns, &size);
	return true;
}

/* The next of the first records, of which *left are still looked at; NULL: none. */
static const struct decoded *peek_record(struct replay_perf *perf, struct perfdata_record *record,
					 int *left)
{
	while ((*left)-- > 0) {
		const enum perfdata_result result = perfdata_next(perf->file, record);

		if (result == PERFDATA_RECORD)
			return record->decoded;
		if (result != PERFDATA_ROUND)
			break;
	}
	return NULL;
}

/* An unknown task may be the idle task: only where CPUs are counted does it have samples. */
static bool has_idle(struct replay_perf *perf)
{
	struct perfdata_record record;
	const struct decoded *decoded;
	int left = PEEKED_RECORDS;
	bool found = false;

	while (!found && (decoded = peek_record(perf, &record, &left)))
		found = decoded->type == DECODED_SWITCH_CPU_WIDE ||
			(decoded->type == DECODED_SAMPLE &&
			 (decoded->id.has & DECODED_HAS_TID) != 0 && decoded->id.pid == 0 &&
			 decoded->id.tid == 0);
	perfdata_rewind(perf->file);
	return found;
}

/* The event chosen for the profile may have no samples, while another one has. */
static void prefer_sampled(struct replay_perf *perf)
{
	struct replay_events *events = &perf->events;
	struct perfdata_record record;
	const struct decoded *decoded;
	int left = PEEKED_RECORDS, other = -1;
	size_t count;

	if (events->profile_event < 0 || perfdata_info(perf->file)->is_pipe)
		return;
	while ((decoded = peek_record(perf, &record, &left))) {
		if (decoded->type != DECODED_SAMPLE)
			continue;
		if (record.event == (size_t)events->profile_event)
			break;
		if (other < 0 && (decoded->id.has & DECODED_HAS_IP) != 0 &&
		    !events->events[record.event].is_mute && !events->events[record.event].is_waker)
			other = (int)record.event;
	}
	perfdata_rewind(perf->file);
	if (decoded || other < 0)
		return;
	events->profile_event = other;
	replay_events_find_profile(events, perfdata_events(perf->file, &count), 0);
}

/*
 * Whether CPUs were counted, of which the file itself says nothing. Samples have their CPU then; of
 * tasks only tracepoints' do, unless that was asked for.
 */
static bool is_system(struct replay_perf *perf)
{
	const struct perfdata_info *info = perfdata_info(perf->file);
	const int scope = replay_scope(info->command);
	bool is_traced_only = true;
	size_t count;
	const struct perfdata_event *all = perfdata_events(perf->file, &count);

	for (size_t i = 0; i < count; i++) {
		if ((all[i].format.sample_type & DECODED_HAS_CPU) == 0 || all[i].begins_with_exec)
			return false;
		is_traced_only = is_traced_only && (all[i].type == EVENT_TYPE_TRACEPOINT ||
						    perf->events.events[i].is_mute);
	}
	if (scope != 0)
		return scope > 0;
	if (!is_traced_only && !strstr(info->command, "--sample-cpu"))
		return true;
	return info->is_pipe || has_idle(perf);
}

static void fill_session(struct replay_perf *perf)
{
	replay_describe(&perf->source->session, perf->path, perfdata_info(perf->file),
			&perf->events);
}

static void learn_events(struct replay_perf *perf)
{
	replay_events_learn(&perf->events, perf->file);
	perf->events.is_system = is_system(perf);
	prefer_sampled(perf);
	replay_events_learn(&perf->events, perf->file);
	replay_events_lay(&perf->events, perf->file);
	fill_session(perf);
}

struct replay_perf *replay_perf_create(struct perfdata *file, struct source *source,
				       const char *path, uint64_t interval_ns)
{
	struct replay_perf *perf = xcalloc(1, sizeof(*perf));

	perf->file = file;
	perf->source = source;
	perf->path = path;
	perf->interval_ns = interval_ns;
	order_init(&perf->order, 0, perfdata_info(file)->is_pipe ? 1 : FILE_ROUNDS);
	replay_events_init(&perf->events, &source->layout);
	learn_events(perf);
	return perf;
}

void replay_perf_destroy(struct replay_perf *perf)
{
	if (!perf)
		return;
	map_fini_with(&perf->counters, free);
	map_fini_with(&perf->sums, free);
	map_fini(&perf->pids);
	map_fini_with(&perf->cgroups, free);
	map_fini(&perf->cgroup_of);
	map_fini_with(&perf->namespaces, free);
	map_fini_with(&perf->threads.by_tid, free);
	replay_cpus_fini(&perf->cpus);
	order_fini(&perf->order);
	replay_events_fini(&perf->events);
	free(perf);
}

/*
 * Names and births only say which tasks exist, maybe long before anything was counted; but where a
 * task's own switches are reported it runs from its exec on.
 */
static bool counts_something(const struct replay_perf *perf, const struct record *record)
{
	if (record->kind == RECORD_COMM)
		return record->comm.exec && !perf->events.is_system &&
		       perf->events.reports_switches;
	return record->kind != RECORD_FORK && record->kind != RECORD_EXIT &&
	       record->kind != RECORD_MAPPING && record->kind != RECORD_PROCINFO;
}

/* The interval ends where the grid says, at the end of the file, or before events that are new. */
static bool is_over_at(const struct replay_perf *perf, const struct queued *queued)
{
	if (!perf->is_started)
		return queued->record.time_ns > 0 && counts_something(perf, &queued->record);
	return queued->record.time_ns > perf->end_ns || queued->event >= perf->events.laid;
}

static void end_at(struct replay_perf *perf, uint64_t time_ns)
{
	perf->is_due = true;
	perf->end_ns = time_ns;
}

/* Of a long time in which nothing was recorded one interval is made. */
static uint64_t end_of_gap(const struct replay_perf *perf, uint64_t next_ns)
{
	const uint64_t length_ns = perf->interval_ns;

	if (perf->has_emitted || next_ns - perf->end_ns <= EMPTY_INTERVALS_MAX * length_ns)
		return perf->end_ns;
	return next_ns - 1 - (next_ns - 1 - perf->start_ns) % length_ns;
}

static void end_before(struct replay_perf *perf, const struct queued *queued)
{
	if (!perf->is_started)
		end_at(perf, queued->record.time_ns);
	else if (queued->record.time_ns > perf->end_ns)
		end_at(perf, end_of_gap(perf, queued->record.time_ns));
	else
		end_at(perf, perf->now_ns);
}

static bool has_delivered_all(const struct replay_perf *perf)
{
	return perf->order.is_ended && !order_is_ready(&perf->order) && !perf->held;
}

/*
 * The readings with which the interval closes, CPU by CPU. Where switches are reported, the record
 * of one that has been read may still come, though it is later than the interval.
 */
static bool close_next(struct replay_perf *perf)
{
	const bool is_read =
		perf->is_started && (perf->events.reports_switches || perf->events.traces_switches);
	const bool ends_switches = !is_read || has_delivered_all(perf);

	while (perf->closing < perf->cpus.count) {
		struct replay_cpu *cpu = &perf->cpus.cpus[perf->closing];
		const bool has_ended = ends_switches && replay_cpu_end_switch(cpu, &perf->out);

		if (is_read && cpu->is_seen)
			replay_cpu_close(cpu, (int)perf->closing, perf->end_ns, &perf->out);
		perf->closing++;
		if (has_ended || (is_read && cpu->is_seen))
			return true;
	}
	return is_read && replay_threads_close_next(&perf->threads, perf->end_ns, &perf->out);
}

static void begin_next_interval(struct replay_perf *perf)
{
	if (!perf->is_started)
		perf->start_ns = perf->end_ns;
	perf->is_started = true;
	perf->source->tick_ns = perf->end_ns;
	perf->source->settled_ns = perf->end_ns;
	/* where nothing was counted there is an interval all the same */
	perf->is_over = !hold_next(perf) && has_delivered_all(perf) && perf->end_ns >= perf->now_ns;
	perf->end_ns += perf->interval_ns - (perf->end_ns - perf->start_ns) % perf->interval_ns;
	perf->is_due = perf->is_closing = perf->has_emitted = false;
	perf->closing = 0;
	perf->threads.closing = NULL;
	if (replay_events_lay(&perf->events, perf->file)) {
		perf->source->layout_changes++;
		fill_session(perf);
	}
}

/* Nothing more for now. */
static enum replay_step pause_interval(struct replay_perf *perf)
{
	if (has_delivered_all(perf)) {
		end_at(perf, perf->is_started ? perf->now_ns : perf->first_ns);
		return REPLAY_DUE;
	}
	/* an interval that is closed before it was all there ends with what there is */
	if (perf->is_closing && perf->is_started) {
		end_at(perf, perf->now_ns);
		return REPLAY_DUE;
	}
	perf->is_closing = false;
	return REPLAY_WAITS;
}

/* Makes the next records. REPLAY_RECORD: there are some now, or may be soon. */
static enum replay_step advance_replay(struct replay_perf *perf)
{
	if (perf->is_over)
		return REPLAY_DUE;
	if (perf->is_due && !perf->is_closing)
		return REPLAY_DUE;
	if (perf->is_due) {
		if (close_next(perf))
			return REPLAY_RECORD;
		begin_next_interval(perf);
		return REPLAY_CLOSED;
	}
	if (!hold_next(perf)) {
		const enum replay_step step = pause_interval(perf);

		return step == REPLAY_DUE && perf->is_closing ? REPLAY_RECORD : step;
	}
	if (is_over_at(perf, perf->held)) {
		end_before(perf, perf->held);
		return perf->is_closing ? REPLAY_RECORD : REPLAY_DUE;
	}
	replay_emit(perf, perf->held);
	perf->held = NULL;
	return REPLAY_RECORD;
}

enum replay_step replay_perf_next(struct replay_perf *perf, struct record *record)
{
	enum replay_step step;

	if (replay_out_take(&perf->out, record))
		return REPLAY_RECORD;
	replay_out_begin(&perf->out, record);
	do
		step = advance_replay(perf);
	while (step == REPLAY_RECORD && perf->out.count == 0);
	return step;
}

void replay_perf_remarks(const struct replay_perf *perf, struct strbuf *remarks)
{
	replay_add_remark(remarks, perf->order.late, "record", "came too late to be put in order");
	replay_add_remark(remarks, perf->nowhere, "sample", "without a CPU left out");
	replay_add_remark(remarks, perf->broken, "record", "that cannot be true left out");
	replay_add_remark(remarks, perf->events.left_out, "event", "left out, there are too many");
	replay_add_remark(
		remarks, perf->of_programs, "sample",
		"that BPF programs wrote (offcpu-time) left out: their form is not known");
	for (size_t i = 0; i < LEFT_OUT_TYPES; i++)
		replay_add_remark(remarks, perf->of_types[left_out_types[i].type],
				  left_out_types[i].what, left_out_types[i].how);
}
