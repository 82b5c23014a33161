/*
 * Numbers are put and taken byte by byte, so that neither the machine's byte order nor its
 * alignment matters. A cursor that has failed stays failed, so that only the end asks.
 */
#include "source/recording/notes.h"

#include <string.h>

/* What stands for a kind of record in files: letters that are given are never given again. */
/* clang-format off */
static const unsigned char letters[RECORD_KINDS] = {
	[RECORD_READING]      = 'r',
	[RECORD_SWITCH_OUT]   = 'o',
	[RECORD_SWITCH_IN]    = 'i',
	[RECORD_FORK]         = 'f',
	[RECORD_EXIT]         = 'x',
	[RECORD_COMM]         = 'c',
	[RECORD_PROCINFO]        = 'a',
	[RECORD_SWITCH_COUNT] = 'n',
	[RECORD_LOST]         = 'l',
	[RECORD_THROTTLED]    = 't',
	[RECORD_CPU_ONLINE]   = 'u',
	[RECORD_CPU_OFFLINE]  = 'd',
	[RECORD_WAKEUP]       = 'w',
	[RECORD_YIELD]        = 'y',
	[RECORD_RUN_DELAY]    = 'q',
	[RECORD_ESTIMATE]     = 'e',
	[RECORD_SHED]         = 's',
	[RECORD_SETTLED]      = 'b',
};
/* clang-format on */

enum {
	READING_AT_SWITCH = 1,
	READING_RESTARTS = 2,
	READING_TELLS_SWITCHES = 4,
	TICK_PARTIAL = 1,
	TICK_START = 2
};

static const uint32_t NO_TEXT = UINT32_MAX;

unsigned char note_letter(enum record_kind kind)
{
	return letters[kind];
}

void note_put_bytes(struct note *note, const void *bytes, size_t size)
{
	if (size > NOTE_HEAD_BYTES + NOTE_BODY_MAX - note->size) {
		note->is_full = true;
		return;
	}
	if (size > 0)
		memcpy(note->bytes + note->size, bytes, size);
	note->size += size;
}

static void put_number(struct note *note, uint64_t number, size_t size)
{
	unsigned char bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(number >> (8 * i));
	note_put_bytes(note, bytes, size);
}

static void put_u8(struct note *note, unsigned int number)
{
	put_number(note, number, 1);
}

static void put_u16(struct note *note, unsigned int number)
{
	put_number(note, number, 2);
}

static void put_i32(struct note *note, int32_t number)
{
	put_number(note, (uint32_t)number, 4);
}

static void put_u32(struct note *note, uint32_t number)
{
	put_number(note, number, 4);
}

static void put_u64(struct note *note, uint64_t number)
{
	put_number(note, number, 8);
}

/* With its NUL, so that a reader can point to it. */
static void put_text(struct note *note, const char *text)
{
	const size_t length = text ? strnlen(text, NOTE_BODY_MAX / 2 - 64) : 0;

	if (!text) {
		put_u32(note, NO_TEXT);
		return;
	}
	put_u32(note, (uint32_t)length);
	note_put_bytes(note, text, length);
	put_u8(note, 0);
}

void note_begin(struct note *note, enum note_kind kind, unsigned char detail)
{
	note->size = 0;
	note->is_full = false;
	put_u8(note, kind);
	put_u8(note, detail);
	put_u16(note, 0);
	put_u32(note, 0);
}

bool note_end(struct note *note)
{
	const uint32_t body = (uint32_t)(note->size - NOTE_HEAD_BYTES);

	for (size_t i = 0; i < 4; i++)
		note->bytes[4 + i] = (unsigned char)(body >> (8 * i));
	/* raw data is preceded by its size in 4 bytes, and ends where a word does */
	while (note->size % 8 != 4)
		note->bytes[note->size++] = 0;
	return !note->is_full;
}

static void put_reading(struct note *note, const struct record_reading *reading, size_t values)
{
	put_u16(note, reading->group);
	put_u8(note, (reading->at_switch ? READING_AT_SWITCH : 0u) |
			     (reading->restarts ? READING_RESTARTS : 0u) |
			     (reading->tells_switches ? READING_TELLS_SWITCHES : 0u));
	put_u8(note, (unsigned int)values);
	put_u64(note, reading->sequence);
	put_u64(note, reading->enabled_ns);
	put_u64(note, reading->running_ns);
	for (size_t i = 0; i < values; i++)
		put_u64(note, reading->values[i]);
}

static void put_procinfo(struct note *note, const struct record_procinfo *procinfo)
{
	put_i32(note, procinfo->parent_pid);
	put_u64(note, (uint64_t)procinfo->uid);
	put_i32(note, procinfo->cpu);
	put_u8(note, procinfo->is_kernel_thread);
	put_text(note, procinfo->name);
	put_text(note, procinfo->command_line);
	put_i32(note, procinfo->session);
	put_text(note, procinfo->cgroup);
}

static void put_estimate(struct note *note, const struct record_estimate *estimate)
{
	put_u16(note, estimate->group);
	put_u16(note, estimate->member);
	put_u64(note, estimate->value);
	put_u64(note, estimate->run_ns);
}

static void put_details(struct note *note, const struct record *record, size_t values)
{
	switch (record->kind) {
	case RECORD_READING:
		put_reading(note, &record->reading, values);
		break;
	case RECORD_SWITCH_OUT:
	case RECORD_SWITCH_IN:
		put_i32(note, record->ctx_switch.other_pid);
		put_i32(note, record->ctx_switch.other_tid);
		put_u8(note, record->ctx_switch.preempted);
		break;
	case RECORD_FORK:
	case RECORD_EXIT:
		put_i32(note, record->fork.parent_pid);
		put_i32(note, record->fork.parent_tid);
		break;
	case RECORD_COMM:
		put_u8(note, record->comm.exec);
		put_text(note, record->comm.name);
		break;
	case RECORD_PROCINFO:
		put_procinfo(note, &record->procinfo);
		break;
	case RECORD_SWITCH_COUNT:
		put_u64(note, record->switch_count.voluntary);
		put_u64(note, record->switch_count.involuntary);
		break;
	case RECORD_LOST:
		put_u64(note, record->lost);
		break;
	case RECORD_RUN_DELAY:
		put_u64(note, record->run_delay.wait_ns);
		break;
	case RECORD_ESTIMATE:
		put_estimate(note, &record->estimate);
		break;
	case RECORD_SHED:
		put_u8(note, record->shed);
		break;
	case RECORD_THROTTLED:
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
	case RECORD_WAKEUP:
	case RECORD_YIELD:
	case RECORD_SETTLED:
	case RECORD_KINDS:
		break;
	}
}

void note_put_record(struct note *note, const struct record *record, size_t values)
{
	put_i32(note, record->cpu);
	put_i32(note, record->pid);
	put_i32(note, record->tid);
	put_u64(note, record->time_ns);
	put_details(note, record, values);
}

void note_put_tick(struct note *note, const struct recording_interval *tick)
{
	put_u8(note, (tick->is_partial ? TICK_PARTIAL : 0u) | (tick->is_start ? TICK_START : 0u));
	put_u64(note, tick->time_ns);
	put_u64(note, (uint64_t)tick->wall_offset_ns);
	put_u64(note, tick->own_cpu_ns);
	put_u64(note, tick->own_rss_bytes);
	put_u32(note, tick->own_descriptors);
}

void note_put_user(struct note *note, int64_t uid, const char *name)
{
	put_u64(note, (uint64_t)uid);
	put_text(note, name);
}

struct cursor {
	const unsigned char *at, *end;
	bool has_failed;
};

static uint64_t take_number(struct cursor *cursor, size_t size)
{
	uint64_t number = 0;

	if ((size_t)(cursor->end - cursor->at) < size) {
		cursor->has_failed = true;
		return 0;
	}
	for (size_t i = 0; i < size; i++)
		number |= (uint64_t)cursor->at[i] << (8 * i);
	cursor->at += size;
	return number;
}

static uint8_t take_u8(struct cursor *cursor)
{
	return (uint8_t)take_number(cursor, 1);
}

static uint16_t take_u16(struct cursor *cursor)
{
	return (uint16_t)take_number(cursor, 2);
}

static uint32_t take_u32(struct cursor *cursor)
{
	return (uint32_t)take_number(cursor, 4);
}

static int32_t take_i32(struct cursor *cursor)
{
	return (int32_t)take_u32(cursor);
}

static uint64_t take_u64(struct cursor *cursor)
{
	return take_number(cursor, 8);
}

static const char *take_text(struct cursor *cursor)
{
	const uint32_t length = take_u32(cursor);
	const char *text = (const char *)cursor->at;

	if (cursor->has_failed || length == NO_TEXT)
		return NULL;
	if ((size_t)(cursor->end - cursor->at) <= length || text[length] != '\0') {
		cursor->has_failed = true;
		return NULL;
	}
	cursor->at += length + 1;
	return text;
}

bool note_open(struct note_view *view, const void *bytes, size_t size)
{
	struct cursor cursor = {.at = bytes};

	if (!bytes || size < NOTE_HEAD_BYTES)
		return false;
	cursor.end = cursor.at + size;
	view->kind = (enum note_kind)take_u8(&cursor);
	view->detail = take_u8(&cursor);
	take_u16(&cursor);
	view->size = take_u32(&cursor);
	view->body = cursor.at;
	return view->size <= size - NOTE_HEAD_BYTES;
}

static void take_reading(struct cursor *cursor, struct record_reading *reading, uint64_t *values,
			 size_t *value_count)
{
	unsigned int flags;

	reading->group = take_u16(cursor);
	flags = take_u8(cursor);
	*value_count = take_u8(cursor);
	reading->at_switch = (flags & READING_AT_SWITCH) != 0;
	reading->restarts = (flags & READING_RESTARTS) != 0;
	reading->tells_switches = (flags & READING_TELLS_SWITCHES) != 0;
	reading->sequence = take_u64(cursor);
	reading->enabled_ns = take_u64(cursor);
	reading->running_ns = take_u64(cursor);
	reading->values = values;
	if (*value_count > LAYOUT_GROUP_MEMBERS_MAX) {
		cursor->has_failed = true;
		return;
	}
	for (size_t i = 0; i < *value_count; i++)
		values[i] = take_u64(cursor);
}

static void take_procinfo(struct cursor *cursor, struct record_procinfo *procinfo)
{
	procinfo->parent_pid = take_i32(cursor);
	procinfo->uid = (int64_t)take_u64(cursor);
	procinfo->cpu = take_i32(cursor);
	procinfo->is_kernel_thread = take_u8(cursor) != 0;
	procinfo->name = take_text(cursor);
	procinfo->command_line = take_text(cursor);
	if (cursor->at == cursor->end)
		return; /* earlier versions wrote no more */
	procinfo->session = take_i32(cursor);
	procinfo->cgroup = take_text(cursor);
}

static void take_estimate(struct cursor *cursor, struct record_estimate *estimate)
{
	estimate->group = take_u16(cursor);
	estimate->member = take_u16(cursor);
	estimate->value = take_u64(cursor);
	estimate->run_ns = take_u64(cursor);
}

static void take_details(struct cursor *cursor, struct record *record, uint64_t *values,
			 size_t *value_count)
{
	switch (record->kind) {
	case RECORD_READING:
		take_reading(cursor, &record->reading, values, value_count);
		break;
	case RECORD_SWITCH_OUT:
	case RECORD_SWITCH_IN:
		record->ctx_switch.other_pid = take_i32(cursor);
		record->ctx_switch.other_tid = take_i32(cursor);
		record->ctx_switch.preempted = take_u8(cursor) != 0;
		break;
	case RECORD_FORK:
	case RECORD_EXIT:
		record->fork.parent_pid = take_i32(cursor);
		record->fork.parent_tid = take_i32(cursor);
		break;
	case RECORD_COMM:
		record->comm.exec = take_u8(cursor) != 0;
		record->comm.name = take_text(cursor);
		break;
	case RECORD_PROCINFO:
		take_procinfo(cursor, &record->procinfo);
		break;
	case RECORD_SWITCH_COUNT:
		record->switch_count.voluntary = take_u64(cursor);
		record->switch_count.involuntary = take_u64(cursor);
		break;
	case RECORD_LOST:
		record->lost = take_u64(cursor);
		break;
	case RECORD_RUN_DELAY:
		record->run_delay.wait_ns = take_u64(cursor);
		break;
	case RECORD_ESTIMATE:
		take_estimate(cursor, &record->estimate);
		break;
	case RECORD_SHED:
		record->shed = take_u8(cursor);
		break;
	case RECORD_THROTTLED:
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
	case RECORD_WAKEUP:
	case RECORD_YIELD:
	case RECORD_SETTLED:
	case RECORD_KINDS:
		break;
	}
}

static bool find_letter(unsigned char letter, enum record_kind *kind)
{
	for (size_t i = 0; i < RECORD_KINDS; i++) {
		if (letters[i] != letter)
			continue;
		*kind = (enum record_kind)i;
		return true;
	}
	return false;
}

bool note_take_record(const struct note_view *view, struct record *record,
		      uint64_t values[static LAYOUT_GROUP_MEMBERS_MAX], size_t *value_count)
{
	struct cursor cursor = {.at = view->body, .end = view->body + view->size};

	*record = (struct record){0};
	*value_count = 0;
	if (view->kind != NOTE_RECORD || !find_letter(view->detail, &record->kind))
		return false;
	record->cpu = take_i32(&cursor);
	record->pid = take_i32(&cursor);
	record->tid = take_i32(&cursor);
	record->time_ns = take_u64(&cursor);
	take_details(&cursor, record, values, value_count);
	return !cursor.has_failed;
}

bool note_take_tick(const struct note_view *view, struct recording_interval *tick)
{
	struct cursor cursor = {.at = view->body, .end = view->body + view->size};
	const unsigned int flags = take_u8(&cursor);

	*tick = (struct recording_interval){
		.is_partial = (flags & TICK_PARTIAL) != 0,
		.is_start = (flags & TICK_START) != 0,
	};
	tick->time_ns = take_u64(&cursor);
	tick->wall_offset_ns = (int64_t)take_u64(&cursor);
	tick->own_cpu_ns = take_u64(&cursor);
	tick->own_rss_bytes = take_u64(&cursor);
	tick->own_descriptors = take_u32(&cursor);
	return view->kind == NOTE_TICK && !cursor.has_failed;
}

bool note_take_user(const struct note_view *view, int64_t *uid, const char **name)
{
	struct cursor cursor = {.at = view->body, .end = view->body + view->size};

	*uid = (int64_t)take_u64(&cursor);
	*name = take_text(&cursor);
	return view->kind == NOTE_USER && !cursor.has_failed && *uid >= 0 && *name;
}
