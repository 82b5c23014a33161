/*
 * Whatever records come in whatever order: the model does not crash, and the books balance
 * at every close, and what was written down of switches adds up to them.
 *
 * Input: one byte of settings, then records of RECORD_BYTES bytes each. Numbers are small,
 * so that cpus, tids and sequences meet often.
 */
#include "base/topology.h"
#include "model/history.h"
#include "model/session.h"

#include "../unit/model_kit.h"
#include "fuzz.h"

enum {
	RECORD_BYTES = 10,
	CLOSE = RECORD_KINDS,
	HOLD,
	WANTED,
	START,
	COPY,
	CHANGE,
	SETTLE,
	SHED,
	KEEP,
	WHO_RAN,
	KINDS
};

enum {
	WIDTH_MAX = 64, /* so many places, and no event is added any more */
	MEMBERS_MAX = 4,
	CPUS = 4,
	ENTRIES = 20000 /* more than there can be */
};

struct input {
	const uint8_t *bytes;              /* of one record */
	bool is_per_task;                  /* readings name a task instead of a CPU */
	struct record_reading readings[2]; /* of a switch */
	uint64_t time_ns;
	uint64_t values[MEMBERS_MAX];
	uint64_t stalls[STALL_NUMBERS];
	struct layout layout;
	char name[4];
	bool is_shedding, has_given;        /* slices, before the start */
	bool is_reported;                   /* all switches since the start are in the history */
	uint64_t sums[CPUS][WIDTH_MAX + 3]; /* what was counted since then */
};

/* -1, 0, 1... */
static int32_t small(uint8_t byte, int32_t below)
{
	return byte % (below + 1) - 1;
}

static struct record_reading reading_of(const struct input *input)
{
	const uint8_t *bytes = input->bytes;

	return (struct record_reading){
		.group = bytes[5] % (KIT_GROUPS_MAX + 1),
		.restarts = (bytes[5] & 0xe0) == 0xe0,
		.has_switch_records = bytes[6] & 1,
		.sequence = bytes[6],
		.enabled_ns = (uint64_t)bytes[7] << 10,
		.running_ns = (uint64_t)bytes[bytes[5] & 8 ? 8 : 7] << 10,
		.values = input->values,
	};
}

/* The second reading, where there is one, is of the group behind. */
static void fill_switch(struct input *input, struct record *record)
{
	const uint8_t *bytes = input->bytes;

	input->readings[0] = input->readings[1] = reading_of(input);
	input->readings[1].group = (uint16_t)((input->readings[0].group + 1) % KIT_GROUPS_MAX);
	record->ctx_switch = (struct record_switch){
		.next_pid = small(bytes[5], 9),
		.next_tid = small(bytes[5], 9),
		.knows_how = bytes[5] & 16,
		.preempted = bytes[6] & 1,
		.state = (bytes[6] >> 1) % TASK_STATES,
		.readings = input->readings,
		.reading_count = input->is_per_task ? 0 : bytes[8] % 3,
	};
}

static void fill(struct input *input, struct record *record)
{
	const uint8_t *bytes = input->bytes;

	switch ((int)record->kind) {
	case RECORD_READING:
		if (input->is_per_task)
			record->cpu = RECORD_CPU_NONE;
		else if (record->cpu < 0)
			record->cpu = 0;
		record->reading = reading_of(input);
		break;
	case RECORD_SWITCH:
		fill_switch(input, record);
		break;
	case RECORD_FORK:
		record->fork = (struct record_fork){small(bytes[5], 9), small(bytes[6], 9)};
		break;
	case RECORD_COMM:
		record->comm =
			(struct record_comm){bytes[5] & 1 ? input->name : NULL, bytes[5] & 2};
		break;
	case RECORD_PROCINFO:
		record->procinfo = (struct record_procinfo){
			.name = bytes[5] & 1 ? input->name : NULL,
			.command_line = bytes[5] & 2 ? input->name : NULL,
			.parent_pid = small(bytes[6], 9),
			.uid = small(bytes[7], 9),
			.cpu = small(bytes[8], 4),
		};
		break;
	case RECORD_SWITCH_COUNT:
		record->switch_count = (struct record_switch_count){bytes[5], bytes[6]};
		break;
	case RECORD_LOST:
		record->lost = bytes[5];
		break;
	case RECORD_RUN_DELAY:
		record->run_delay = (struct record_run_delay){bytes[5]};
		break;
	case RECORD_SITE:
		record->site = (struct record_site){.place = bytes[5], .argument = bytes[6]};
		break;
	case RECORD_SLEEP:
		record->sleep = (struct record_sleep){
			.kind = bytes[5],
			.is_of_call = bytes[6] & 1,
			.until_ns = bytes[7],
			.lock = bytes[4],
			.holder_tid = bytes[6],
			.site.place = bytes[6] >> 1 & 3,
			.is_of_several = bytes[6] >> 3 & 1,
		};
		break;
	case RECORD_CPU_USE:
		record->cpu_use = (struct record_cpu_use){bytes[5], bytes[6]};
		break;
	case RECORD_INTERRUPT:
		record->interrupt = (struct record_interrupt){
			.kind = bytes[5],
			.is_entry = bytes[6] & 1,
			.number = bytes[7] & 3,
			.name = bytes[7] & 4 ? "name" : NULL,
		};
		break;
	case RECORD_SLICE:
		record->slice = (struct record_slice){bytes[5] & 31, bytes[6] & 3, bytes[7]};
		input->has_given = true; /* more than is counted */
		input->is_reported = false;
		break;
	case RECORD_CPU_TIMES:
		record->cpu_times = (struct cpu_times){.idle_ns = bytes[5], .stolen_ns = bytes[6]};
		break;
	case RECORD_STALLS:
		input->stalls[bytes[7] % STALL_NUMBERS] = bytes[8];
		record->stalls = (struct record_stalls){
			.cgroup = bytes[5] & 1 ? input->name : NULL,
			.known = bytes[6] * 3u,
			.numbers = input->stalls,
		};
		break;
	case RECORD_ESTIMATE:
		record->estimate = (struct record_estimate){bytes[5] % (KIT_GROUPS_MAX + 1),
							    bytes[6] % 3, bytes[7], bytes[8]};
		break;
	case RECORD_SHED:
		record->shed = UINT8_MAX; /* a step of its own does it */
		break;
	default:
		break;
	}
}

static void add_up(struct input *input, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &snapshot->cpus[i];

		for (size_t place = 0; place < layout_width(snapshot->layout); place++)
			input->sums[cpu->cpu][place] += cpu->counter[place];
	}
}

/* The last snapshot must stay readable while records come in: look at all of it. */
static const struct snapshot *close_interval(struct model *model, struct input *input)
{
	const struct snapshot *snapshot = model_close_interval(model, input->time_ns);

	add_up(input, snapshot);
	if (!input->is_per_task)
		require(books_balance(snapshot));
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		require(task->id != 0 && task->tid > 0 && task->pid > 0);
		require(!task->is_held || task->is_exited);
		require(memchr(task->name, '\0', sizeof(task->name)) != NULL);
	}
	return snapshot;
}

static void take_out(struct input *input, const struct history *history, uint64_t sequence)
{
	uint64_t counts[WIDTH_MAX + 3];
	struct switch_entry entry;

	history_get(history, sequence, &entry, counts);
	require(history_find_actor(history, entry.prev) && history_find_actor(history, entry.next));
	if (!entry.has_counts)
		return;
	for (size_t place = 0; place < history_width(history); place++)
		input->sums[entry.cpu][place] -= counts[place];
}

/* When all CPUs have gone, no slice is open. */
static void end(struct model *model, struct input *input)
{
	const struct history *history = model_history(model);

	for (int i = 0; i < CPUS; i++)
		feed(model, cpu_offline(.cpu = i, .time = input->time_ns));
	close_interval(model, input);
	if (!input->is_reported)
		return;
	for (uint64_t sequence = 0; sequence < history_end(history); sequence++)
		take_out(input, history, sequence);
	for (size_t place = 0; place < history_width(history); place++) {
		for (int i = 0; i < CPUS; i++)
			require((place != QUANTITY_RUN_NS && place < QUANTITY_BUILTIN) ||
				input->sums[i][place] == 0);
	}
}

/* Looks at every number of the snapshot of the last close. */
static uint64_t sum_all(const struct snapshot *snapshot)
{
	uint64_t sum = 0;

	for (size_t place = 0; place < layout_width(snapshot->layout); place++) {
		for (size_t i = 0; i < snapshot->task_count; i++) {
			const struct snapshot_task *task = &snapshot->tasks[i];

			sum += task->interval[place] + task->total[place];
			sum += task->reaped ? task->reaped[place] : 0;
		}
		for (size_t i = 0; i < snapshot->cpu_count; i++)
			sum += snapshot->cpus[i].counter[place] +
			       snapshot->cpus[i].unattributed_total[place];
	}
	return sum;
}

/* An event comes or goes, a group is opened or closed. */
static void change_layout(struct input *input)
{
	struct layout *layout = &input->layout;
	const size_t group = input->bytes[5] % layout->group_count;
	struct event_group *members = &layout->groups[group];
	const size_t event = input->bytes[7] % (layout->event_count + 1);

	switch (input->bytes[6] % 4) {
	case 0:
		if (members->is_open && members->count < MEMBERS_MAX &&
		    layout_width(layout) < WIDTH_MAX) {
			if (event == layout->event_count)
				layout_add_event(layout, "new");
			if (!layout_counter_in(layout, event, group))
				layout_add_counter(layout, group, event);
		}
		break;
	case 1:
		if (members->is_open && members->count > 0)
			layout_drop_last_counter(layout, group);
		break;
	case 2:
		if (members->is_open && group != layout->kinds[0].clock)
			layout_close_group(layout, group);
		break;
	default:
		if (layout_width(layout) < WIDTH_MAX)
			layout_add_group(layout, 0, event % 2);
	}
}

/* What is seen of it before and after is the same but for the counting times. */
static void change(struct model *model, struct input *input)
{
	const struct snapshot *snapshot = close_interval(model, input);
	const uint64_t before = sum_all(snapshot);

	change_layout(input);
	model_change_layout(model, &input->layout);
	require(sum_all(snapshot) <= before);
	if (!input->is_per_task)
		require(books_balance(snapshot));
}

/* All that was counted or written down before is forgotten. */
static void start(struct model *model, struct input *input)
{
	model_start(model, input->time_ns);
	memset(input->sums, 0, sizeof(input->sums));
	input->is_reported = model_history(model) && !input->is_shedding && !input->has_given;
	input->has_given = false;
}

static void shed(struct model *model, struct input *input)
{
	const enum model_shed shed = input->bytes[5] % 3;

	model_note_session(model, &(struct session){.is_partial = input->bytes[6] & 1});
	model_shed(model, shed);
	input->is_shedding = shed != MODEL_SHED_NOTHING;
	input->is_reported = false;
}

static void act(struct model *model, struct input *input, int kind)
{
	const int32_t pids[2] = {small(input->bytes[5], 9), small(input->bytes[6], 9)};
	struct task_ref refs[3];

	switch (kind) {
	case CLOSE:
		close_interval(model, input);
		break;
	case HOLD:
		model_hold(model, pids, input->bytes[7] % 3);
		break;
	case WANTED:
		require(model_wanted_procinfo(model, refs, 3) <= 3);
		break;
	case WHO_RAN:
		require(model_who_ran(model, refs, 3) <= 3);
		break;
	case START:
		start(model, input);
		break;
	case SETTLE:
		model_settle(model, input->time_ns);
		break;
	case SHED:
		shed(model, input);
		break;
	case KEEP:
		model_keep_history(model, input->bytes[5] % 4 ? ENTRIES : 0);
		input->is_reported = false;
		break;
	case CHANGE:
		change(model, input);
		break;
	default:
		snapshot_destroy(snapshot_copy(close_interval(model, input)));
	}
}

static void take(struct model *model, struct input *input)
{
	const uint8_t *bytes = input->bytes;
	const int kind = bytes[0] % KINDS;

	input->time_ns += bytes[4];
	for (size_t i = 0; i < MEMBERS_MAX; i++)
		input->values[i] = bytes[9];
	memcpy(input->name, &bytes[6], sizeof(input->name) - 1);
	if (kind >= RECORD_KINDS) {
		act(model, input, kind);
		return;
	}

	struct record record = {
		.kind = (enum record_kind)kind,
		.cpu = small(bytes[1], 4),
		.pid = small(bytes[2], 9),
		.tid = small(bytes[3], 9),
		.time_ns = input->time_ns - (bytes[4] & 1 ? bytes[4] : 0),
	};
	fill(input, &record);
	model_feed(model, &record);
}

/* Two CPUs with a core each share it, one has a core of its own, and of one nothing is known. */
static void note_cores(struct model *model)
{
	struct cpu_location places[] = {
		{.cpu = 0, .core = 0, .thread = 0},
		{.cpu = 1, .core = 0, .thread = 1},
		{.cpu = 2, .core = 1, .thread = 0},
	};
	const struct topology topology = {.cpus = places, .count = COUNT_OF(places)};

	model_note_topology(model, &topology);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;

	struct input input = {.is_per_task = data[0] & 128, .is_reported = true};

	kit_layout(&input.layout, 1 + data[0] % KIT_GROUPS_MAX);
	struct model *model = model_create(&input.layout);
	if (data[0] & 64)
		note_cores(model);
	model_keep_history(model, ENTRIES);
	for (size_t at = 1; at + RECORD_BYTES <= size; at += RECORD_BYTES) {
		input.bytes = &data[at];
		take(model, &input);
	}
	end(model, &input);
	model_destroy(model);
	layout_fini(&input.layout);
	return 0;
}
