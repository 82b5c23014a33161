/*
 * One function for each thing says what its bytes are, whether it is written or read, so that the
 * two cannot differ. Numbers go byte by byte: neither the machine's byte order nor its alignment
 * matters. A coder that has failed stays failed, so that only the end asks.
 */
#include "perfdata/notes.h"

#include <assert.h>
#include <string.h>

#include "base/stall.h"

/* The letter of a kind of record in files; 0: perf has a record for it. Letters that were given are
 * never given again. */
/* clang-format off */
static const unsigned char letters[RECORD_KINDS] = {
	[RECORD_PROCINFO]        = 'a',
	[RECORD_SWITCH_COUNT] = 'n',
	[RECORD_LOST]         = 'l',
	[RECORD_CPU_ONLINE]   = 'u',
	[RECORD_CPU_OFFLINE]  = 'd',
	[RECORD_WAKEUP]       = 'w',
	[RECORD_YIELD]        = 'y',
	[RECORD_RUN_DELAY]    = 'q',
	[RECORD_ESTIMATE]     = 'e',
	[RECORD_SHED]         = 's',
	[RECORD_SETTLED]      = 'b',
	[RECORD_UNREAD]       = 'g',
	[RECORD_SAMPLE]       = 'p',
	[RECORD_MAPPING]      = 'v',
	[RECORD_CPU_TIMES]    = 'h',
	[RECORD_STALLS]       = 'z',
	[RECORD_SITE]         = 'j',
	[RECORD_SLEEP]        = 'k',
	[RECORD_CPU_USE]      = 'A',
	[RECORD_INTERRUPT]    = 'B',
};
/* clang-format on */

static const uint32_t NO_TEXT = UINT32_MAX;

/* Writes to a note, or reads: then there is none. */
struct note_coder {
	struct note *note;
	const unsigned char *at, *end;
	bool has_failed;
};

static struct note_coder coder_of(const struct note_view *view)
{
	return (struct note_coder){.at = view->body, .end = view->body + view->size};
}

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

static void put_fixed(struct note *note, uint64_t number, size_t size)
{
	unsigned char bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(number >> (8 * i));
	note_put_bytes(note, bytes, size);
}

static uint64_t take_number(struct note_coder *coder, size_t size)
{
	uint64_t number = 0;

	if ((size_t)(coder->end - coder->at) < size) {
		coder->has_failed = true;
		return 0;
	}
	for (size_t i = 0; i < size; i++)
		number |= (uint64_t)coder->at[i] << (8 * i);
	coder->at += size;
	return number;
}

/* What is read; what is written is what it was. */
static uint64_t code_number(struct note_coder *coder, uint64_t number, size_t size)
{
	if (!coder->note)
		return take_number(coder, size);
	put_fixed(coder->note, number, size);
	return number;
}

/* A number, or a flag, in as many bytes as the field has. */
#define CODE(coder, field)                                                                         \
	((field) = (__typeof__(field))code_number(coder, (uint64_t)(field), sizeof(field)))

static void put_note_text(struct note *note, const char *text)
{
	const size_t length = text ? strnlen(text, NOTE_BODY_MAX / 2 - 64) : 0;

	put_fixed(note, text ? length : NO_TEXT, sizeof(NO_TEXT));
	note_put_bytes(note, text, length);
	if (text)
		put_fixed(note, 0, 1);
}

static const char *take_text(struct note_coder *coder)
{
	const uint32_t length = (uint32_t)take_number(coder, sizeof(length));
	const char *text = (const char *)coder->at;

	if (coder->has_failed || length == NO_TEXT)
		return NULL;
	if ((size_t)(coder->end - coder->at) <= length || text[length] != '\0') {
		coder->has_failed = true;
		return NULL;
	}
	coder->at += length + 1;
	return text;
}

/* With its NUL, so that a reader can point to it. */
static void code_text(struct note_coder *coder, const char **text)
{
	if (coder->note)
		put_note_text(coder->note, *text);
	else
		*text = take_text(coder);
}

void note_begin(struct note *note, unsigned char *bytes, enum note_kind kind, unsigned char detail)
{
	*note = (struct note){.bytes = bytes};
	put_fixed(note, kind, 1);
	put_fixed(note, detail, 1);
	put_fixed(note, 0, NOTE_HEAD_BYTES - 2);
}

bool note_end(struct note *note)
{
	const uint32_t body = (uint32_t)(note->size - NOTE_HEAD_BYTES);

	for (size_t i = 0; i < 4; i++)
		note->bytes[4 + i] = (unsigned char)(body >> (8 * i));
	return !note->is_full;
}

bool note_open(struct note_view *view, const void *bytes, size_t size)
{
	struct note_coder coder = {.at = bytes};

	if (!bytes || size < NOTE_HEAD_BYTES)
		return false;
	coder.end = coder.at + size;
	view->kind = (enum note_kind)take_number(&coder, 1);
	view->detail = (unsigned char)take_number(&coder, 1);
	take_number(&coder, 2);
	view->size = (size_t)take_number(&coder, 4);
	view->body = coder.at;
	return view->size <= size - NOTE_HEAD_BYTES;
}

static void code_procinfo(struct note_coder *coder, struct record_procinfo *procinfo)
{
	CODE(coder, procinfo->parent_pid);
	CODE(coder, procinfo->uid);
	CODE(coder, procinfo->cpu);
	CODE(coder, procinfo->is_kernel_thread);
	code_text(coder, &procinfo->name);
	code_text(coder, &procinfo->command_line);
	CODE(coder, procinfo->session);
	code_text(coder, &procinfo->cgroup);
}

static void code_estimate(struct note_coder *coder, struct record_estimate *estimate)
{
	CODE(coder, estimate->group);
	CODE(coder, estimate->member);
	CODE(coder, estimate->value);
	CODE(coder, estimate->run_ns);
}

/* What is added is a record of perf's. */
static void code_mapping(struct note_coder *coder, struct record_mapping *mapping)
{
	uint8_t change = (uint8_t)mapping->change;

	CODE(coder, change);
	CODE(coder, mapping->parent_pid);
	mapping->change = (enum mapping_change)change;
	if (change == MAPPING_ADDED || change > MAPPING_EXITED)
		coder->has_failed = true;
}

static void code_stalls(struct note_coder *coder, struct record_stalls *stalls, uint64_t *numbers)
{
	code_text(coder, &stalls->cgroup);
	CODE(coder, stalls->known);
	if (coder->note)
		memcpy(numbers, stalls->numbers, STALL_NUMBERS * sizeof(*numbers));
	for (size_t i = 0; i < STALL_NUMBERS; i++)
		CODE(coder, numbers[i]);
	stalls->numbers = numbers;
}

/* Without the last three: an older file. */
static void code_cpu_times(struct note_coder *coder, struct cpu_times *times)
{
	CODE(coder, times->stolen_ns);
	CODE(coder, times->idle_ns);
	if (!coder->note && coder->at == coder->end) {
		times->user_ns = times->system_ns = times->irq_ns = UINT64_MAX;
		return;
	}
	CODE(coder, times->user_ns);
	CODE(coder, times->system_ns);
	CODE(coder, times->irq_ns);
}

/* Without the last two: an older file. */
static void code_sleep(struct note_coder *coder, struct record_sleep *sleep)
{
	CODE(coder, sleep->kind);
	CODE(coder, sleep->is_of_call);
	CODE(coder, sleep->until_ns);
	if (!coder->note && coder->at == coder->end)
		return;
	CODE(coder, sleep->lock);
	CODE(coder, sleep->holder_tid);
}

static void code_details(struct note_coder *coder, struct record *record, uint64_t *numbers)
{
	switch (record->kind) {
	case RECORD_PROCINFO:
		code_procinfo(coder, &record->procinfo);
		break;
	case RECORD_SWITCH_COUNT:
		CODE(coder, record->switch_count.voluntary);
		CODE(coder, record->switch_count.involuntary);
		break;
	case RECORD_LOST:
		CODE(coder, record->lost);
		break;
	case RECORD_RUN_DELAY:
		CODE(coder, record->run_delay.wait_ns);
		break;
	case RECORD_ESTIMATE:
		code_estimate(coder, &record->estimate);
		break;
	case RECORD_SHED:
		CODE(coder, record->shed);
		break;
	case RECORD_SAMPLE: /* one that is there is a record of perf's */
		CODE(coder, record->sample.lost);
		break;
	case RECORD_MAPPING:
		code_mapping(coder, &record->mapping);
		break;
	case RECORD_WAKEUP:
		CODE(coder, record->wakeup.waker_tid);
		break;
	case RECORD_CPU_TIMES:
		code_cpu_times(coder, &record->cpu_times);
		break;
	case RECORD_STALLS:
		code_stalls(coder, &record->stalls, numbers);
		break;
	case RECORD_SITE:
		CODE(coder, record->site.place);
		CODE(coder, record->site.argument);
		CODE(coder, record->site.is_other);
		break;
	case RECORD_SLEEP:
		code_sleep(coder, &record->sleep);
		break;
	case RECORD_CPU_USE:
		CODE(coder, record->cpu_use.user_ns);
		CODE(coder, record->cpu_use.system_ns);
		break;
	case RECORD_INTERRUPT:
		CODE(coder, record->interrupt.kind);
		CODE(coder, record->interrupt.is_entry);
		CODE(coder, record->interrupt.number);
		code_text(coder, &record->interrupt.name);
		break;
	case RECORD_READING:
	case RECORD_SWITCH:
	case RECORD_FORK:
	case RECORD_EXIT:
	case RECORD_COMM:
	case RECORD_THROTTLED:
	case RECORD_CPU_ONLINE:
	case RECORD_CPU_OFFLINE:
	case RECORD_YIELD:
	case RECORD_SETTLED:
	case RECORD_UNREAD:
	case RECORD_KINDS:
		break;
	}
}

static void code_head(struct note_coder *coder, struct record *record)
{
	CODE(coder, record->cpu);
	CODE(coder, record->pid);
	CODE(coder, record->tid);
	CODE(coder, record->time_ns);
}

static void code_record(struct note_coder *coder, struct record *record, uint64_t *numbers)
{
	code_head(coder, record);
	code_details(coder, record, numbers);
}

static void code_tick(struct note_coder *coder, struct recording_interval *tick)
{
	CODE(coder, tick->is_partial);
	CODE(coder, tick->is_start);
	CODE(coder, tick->time_ns);
	CODE(coder, tick->wall_offset_ns);
	CODE(coder, tick->own_cpu_ns);
	CODE(coder, tick->own_rss_bytes);
	CODE(coder, tick->own_descriptors);
	CODE(coder, tick->own_switch_ns);
	CODE(coder, tick->own_samples_ns);
	CODE(coder, tick->own_budget_mpct);
	CODE(coder, tick->own_counting_mpct);
}

static void code_user(struct note_coder *coder, int64_t *uid, const char **name)
{
	CODE(coder, *uid);
	code_text(coder, name);
}

void note_put_record(struct note *note, const struct record *record)
{
	struct note_coder coder = {.note = note};
	struct record copy = *record;
	uint64_t numbers[STALL_NUMBERS];

	code_record(&coder, &copy, numbers);
}

bool note_take_record(const struct note_view *view, struct record *record,
		      uint64_t numbers[static STALL_NUMBERS])
{
	struct note_coder coder = coder_of(view);
	const unsigned char *letter =
		view->detail ? memchr(letters, view->detail, RECORD_KINDS) : NULL;

	*record = (struct record){0};
	if (view->kind != NOTE_RECORD || !letter)
		return false;
	record->kind = (enum record_kind)(letter - letters);
	code_record(&coder, record, numbers);
	return !coder.has_failed;
}

void note_put_tick(struct note *note, const struct recording_interval *tick)
{
	struct note_coder coder = {.note = note};
	struct recording_interval copy = *tick;

	code_tick(&coder, &copy);
}

bool note_take_tick(const struct note_view *view, struct recording_interval *tick)
{
	struct note_coder coder = coder_of(view);

	*tick = (struct recording_interval){0};
	code_tick(&coder, tick);
	return view->kind == NOTE_TICK && !coder.has_failed;
}

void note_put_user(struct note *note, int64_t uid, const char *name)
{
	struct note_coder coder = {.note = note};

	code_user(&coder, &uid, &name);
}

bool note_take_user(const struct note_view *view, int64_t *uid, const char **name)
{
	struct note_coder coder = coder_of(view);

	*uid = -1;
	*name = NULL;
	code_user(&coder, uid, name);
	return view->kind == NOTE_USER && !coder.has_failed && *uid >= 0 && *name;
}

void note_put_name(struct note *note, const struct record *about, const char *name)
{
	struct note_coder coder = {.note = note};
	struct record copy = *about;

	code_head(&coder, &copy);
	code_text(&coder, &name);
}

const char *note_take_name(const struct note_view *view, struct record *about)
{
	struct note_coder coder = coder_of(view);
	const char *name = NULL;

	if (view->kind != NOTE_RECORD || view->detail != NOTE_NAME)
		return NULL;
	*about = (struct record){0};
	code_head(&coder, about);
	code_text(&coder, &name);
	return coder.has_failed ? NULL : name;
}
