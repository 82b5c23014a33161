/*
 * Whatever records come in whatever order: the model does not crash, and the books balance
 * at every close. Build with -fsanitize=fuzzer,address,undefined.
 *
 * Input: one byte of settings, then records of RECORD_BYTES bytes each. Numbers are small,
 * so that cpus, tids and sequences meet often.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/model_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	RECORD_BYTES = 10,
	CLOSE = RECORD_KINDS,
	HOLD,
	WANTED,
	START,
	COPY,
	CHANGE,
	KINDS
};

enum {
	WIDTH_MAX = 64, /* so many places, and no event is added any more */
	MEMBERS_MAX = 4
};

struct input {
	const uint8_t *bytes; /* of one record */
	bool is_per_task;     /* readings name a task instead of a CPU */
	uint64_t time_ns;
	uint64_t values[MEMBERS_MAX];
	struct layout layout;
	char name[4];
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* -1, 0, 1... */
static int32_t small(uint8_t byte, int32_t below)
{
	return byte % (below + 1) - 1;
}

static void fill_reading(const struct input *input, struct record *record)
{
	const uint8_t *bytes = input->bytes;

	if (input->is_per_task)
		record->cpu = RECORD_CPU_NONE;
	else if (record->cpu < 0)
		record->cpu = 0;
	record->reading = (struct record_reading){
		.group = bytes[5] % (KIT_GROUPS_MAX + 1),
		.at_switch = bytes[5] & 16,
		.restarts = (bytes[5] & 0xe0) == 0xe0,
		.tells_switches = bytes[6] & 1,
		.sequence = bytes[6],
		.enabled_ns = (uint64_t)bytes[7] << 10,
		.running_ns = (uint64_t)bytes[bytes[5] & 8 ? 8 : 7] << 10,
		.values = input->values,
	};
}

static void fill(struct input *input, struct record *record)
{
	const uint8_t *bytes = input->bytes;

	switch (record->kind) {
	case RECORD_READING:
		fill_reading(input, record);
		break;
	case RECORD_SWITCH_OUT:
	case RECORD_SWITCH_IN:
		record->swap = (struct record_switch){small(bytes[5], 9), small(bytes[5], 9),
						      bytes[6] & 1};
		break;
	case RECORD_FORK:
		record->fork = (struct record_fork){small(bytes[5], 9), small(bytes[6], 9)};
		break;
	case RECORD_COMM:
		record->comm =
			(struct record_comm){bytes[5] & 1 ? input->name : NULL, bytes[5] & 2};
		break;
	case RECORD_FACTS:
		record->facts = (struct record_facts){
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
	case RECORD_EXIT:
	case RECORD_THROTTLED:
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
	case RECORD_KINDS:
		break;
	}
}

/* The last snapshot must stay readable while records come in: look at all of it. */
static void close_interval(struct model *model, const struct input *input)
{
	const struct snapshot *snapshot = model_close_interval(model, input->time_ns);

	if (!input->is_per_task)
		require(books_balance(snapshot));
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		require(task->id != 0 && task->tid > 0 && task->pid > 0);
		require(!task->is_held || task->is_exited);
		require(memchr(task->name, '\0', sizeof(task->name)) != NULL);
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
	const struct snapshot *snapshot = model_close_interval(model, input->time_ns);
	const uint64_t before = sum_all(snapshot);

	change_layout(input);
	model_change_layout(model, &input->layout);
	require(sum_all(snapshot) <= before);
	if (!input->is_per_task)
		require(books_balance(snapshot));
}

static void act(struct model *model, struct input *input, int kind)
{
	const int32_t pids[2] = {small(input->bytes[5], 9), small(input->bytes[6], 9)};
	struct task_ref refs[3];

	if (kind == CLOSE) {
		close_interval(model, input);
	} else if (kind == HOLD) {
		model_hold(model, pids, input->bytes[7] % 3);
	} else if (kind == WANTED) {
		require(model_wanted_facts(model, refs, 3) <= 3);
	} else if (kind == START) {
		model_start(model, input->time_ns);
	} else if (kind == CHANGE) {
		change(model, input);
	} else {
		snapshot_destroy(snapshot_copy(model_close_interval(model, input->time_ns)));
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;

	struct input input = {.is_per_task = data[0] & 128};

	kit_layout(&input.layout, 1 + data[0] % KIT_GROUPS_MAX);
	struct model *model = model_create(&input.layout);
	for (size_t at = 1; at + RECORD_BYTES <= size; at += RECORD_BYTES) {
		input.bytes = &data[at];
		take(model, &input);
	}
	close_interval(model, &input);
	model_destroy(model);
	layout_fini(&input.layout);
	return 0;
}
