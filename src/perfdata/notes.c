#include "perfdata/notes.h"

#include <string.h>

#include "base/codec.h"
#include "base/stall.h"
#include "base/strbuf.h"

enum {
	TEXT_MAX = NOTE_BODY_MAX / 2 - 64
};

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
	[RECORD_SLICE]        = 'C',
};
/* clang-format on */

static struct codec body_of(const struct note_view *view)
{
	return codec_of(view->body, view->size);
}

unsigned char note_letter(enum record_kind kind)
{
	return letters[kind];
}

static void code_note_head(struct codec *codec, uint8_t *kind, uint8_t *detail, uint32_t *size)
{
	uint16_t none = 0;

	CODE(codec, *kind);
	CODE(codec, *detail);
	CODE(codec, none);
	CODE(codec, *size);
}

void note_begin(struct strbuf *note, enum note_kind kind, unsigned char detail)
{
	uint8_t number = (uint8_t)kind;
	uint32_t size = 0;

	strbuf_clear(note);
	code_note_head(&(struct codec){.to = note}, &number, &detail, &size);
}

bool note_end(struct strbuf *note)
{
	const uint32_t size = (uint32_t)(note->length - NOTE_HEAD_BYTES);

	memcpy(note->text + NOTE_HEAD_BYTES - sizeof(size), &size, sizeof(size));
	return size <= NOTE_BODY_MAX;
}

bool note_open(struct note_view *view, const void *bytes, size_t size)
{
	struct codec codec = codec_of(bytes, size);
	uint8_t kind = 0;
	uint32_t body = 0;

	if (!bytes)
		return false;
	code_note_head(&codec, &kind, &view->detail, &body);
	view->kind = (enum note_kind)kind;
	view->size = body;
	view->body = codec.at;
	return !codec.has_failed && body <= codec_left(&codec);
}

static void code_procinfo(struct codec *codec, struct record_procinfo *procinfo)
{
	CODE(codec, procinfo->parent_pid);
	CODE(codec, procinfo->uid);
	CODE(codec, procinfo->cpu);
	CODE(codec, procinfo->is_kernel_thread);
	codec_text(codec, &procinfo->name, TEXT_MAX);
	codec_text(codec, &procinfo->command_line, TEXT_MAX);
	CODE(codec, procinfo->session);
	codec_text(codec, &procinfo->cgroup, TEXT_MAX);
}

static void code_estimate(struct codec *codec, struct record_estimate *estimate)
{
	CODE(codec, estimate->group);
	CODE(codec, estimate->member);
	CODE(codec, estimate->value);
	CODE(codec, estimate->run_ns);
}

/* What is added is a record of perf's. */
static void code_mapping(struct codec *codec, struct record_mapping *mapping)
{
	uint8_t change = (uint8_t)mapping->change;

	CODE(codec, change);
	CODE(codec, mapping->parent_pid);
	mapping->change = (enum mapping_change)change;
	if (change == MAPPING_ADDED || change > MAPPING_EXITED)
		codec->has_failed = true;
}

static void code_stalls(struct codec *codec, struct record_stalls *stalls, uint64_t *numbers)
{
	codec_text(codec, &stalls->cgroup, TEXT_MAX);
	CODE(codec, stalls->known);
	if (codec->to)
		memcpy(numbers, stalls->numbers, STALL_NUMBERS * sizeof(*numbers));
	for (size_t i = 0; i < STALL_NUMBERS; i++)
		CODE(codec, numbers[i]);
	stalls->numbers = numbers;
}

static void code_cpu_times(struct codec *codec, struct cpu_times *times)
{
	CODE(codec, times->stolen_ns);
	CODE(codec, times->idle_ns);
	CODE(codec, times->user_ns);
	CODE(codec, times->system_ns);
	CODE(codec, times->irq_ns);
}

static void code_site(struct codec *codec, struct record_site *site)
{
	CODE(codec, site->place);
	CODE(codec, site->argument);
	CODE(codec, site->is_other);
}

/* Of a site are only those with which a recording begins. */
static void code_sleep(struct codec *codec, struct record_sleep *sleep)
{
	CODE(codec, sleep->kind);
	CODE(codec, sleep->is_of_call);
	CODE(codec, sleep->until_ns);
	CODE(codec, sleep->lock);
	CODE(codec, sleep->holder_tid);
	if (codec->to ? sleep->site.place == 0 : codec_left(codec) == 0)
		return;
	code_site(codec, &sleep->site);
	CODE(codec, sleep->state);
	CODE(codec, sleep->is_of_several);
}

static void code_details(struct codec *codec, struct record *record, uint64_t *numbers)
{
	switch (record->kind) {
	case RECORD_PROCINFO:
		code_procinfo(codec, &record->procinfo);
		break;
	case RECORD_SWITCH_COUNT:
		CODE(codec, record->switch_count.voluntary);
		CODE(codec, record->switch_count.involuntary);
		break;
	case RECORD_LOST:
		CODE(codec, record->lost);
		break;
	case RECORD_RUN_DELAY:
		CODE(codec, record->run_delay.wait_ns);
		break;
	case RECORD_ESTIMATE:
		code_estimate(codec, &record->estimate);
		break;
	case RECORD_SHED:
		CODE(codec, record->shed);
		break;
	case RECORD_SAMPLE: /* one that is there is a record of perf's */
		CODE(codec, record->sample.lost);
		break;
	case RECORD_MAPPING:
		code_mapping(codec, &record->mapping);
		break;
	case RECORD_WAKEUP:
		CODE(codec, record->wakeup.waker_tid);
		break;
	case RECORD_CPU_TIMES:
		code_cpu_times(codec, &record->cpu_times);
		break;
	case RECORD_STALLS:
		code_stalls(codec, &record->stalls, numbers);
		break;
	case RECORD_SITE:
		code_site(codec, &record->site);
		break;
	case RECORD_SLEEP:
		code_sleep(codec, &record->sleep);
		break;
	case RECORD_CPU_USE:
		CODE(codec, record->cpu_use.user_ns);
		CODE(codec, record->cpu_use.system_ns);
		break;
	case RECORD_INTERRUPT:
		CODE(codec, record->interrupt.kind);
		CODE(codec, record->interrupt.is_entry);
		CODE(codec, record->interrupt.number);
		codec_text(codec, &record->interrupt.name, TEXT_MAX);
		break;
	case RECORD_SLICE:
		CODE(codec, record->slice.place);
		CODE(codec, record->slice.news);
		CODE(codec, record->slice.value);
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

static void code_head(struct codec *codec, struct record *record)
{
	CODE(codec, record->cpu);
	CODE(codec, record->pid);
	CODE(codec, record->tid);
	CODE(codec, record->time_ns);
}

static void code_record(struct codec *codec, struct record *record, uint64_t *numbers)
{
	code_head(codec, record);
	code_details(codec, record, numbers);
}

static void code_tick(struct codec *codec, struct recording_interval *tick)
{
	CODE(codec, tick->is_partial);
	CODE(codec, tick->is_start);
	CODE(codec, tick->time_ns);
	CODE(codec, tick->wall_offset_ns);
	CODE(codec, tick->own_cpu_ns);
	CODE(codec, tick->own_rss_bytes);
	CODE(codec, tick->own_descriptors);
	CODE(codec, tick->own_switch_ns);
	CODE(codec, tick->own_samples_ns);
	CODE(codec, tick->own_budget_mpct);
	CODE(codec, tick->own_counting_mpct);
}

static void code_user(struct codec *codec, int64_t *uid, const char **name)
{
	CODE(codec, *uid);
	codec_text(codec, name, TEXT_MAX);
}

void note_put_record(struct strbuf *note, const struct record *record)
{
	struct codec codec = {.to = note};
	struct record copy = *record;
	uint64_t numbers[STALL_NUMBERS];

	code_record(&codec, &copy, numbers);
}

bool note_take_record(const struct note_view *view, struct record *record,
		      uint64_t numbers[static STALL_NUMBERS])
{
	struct codec codec = body_of(view);
	const unsigned char *letter =
		view->detail ? memchr(letters, view->detail, RECORD_KINDS) : NULL;

	*record = (struct record){0};
	if (view->kind != NOTE_RECORD || !letter)
		return false;
	record->kind = (enum record_kind)(letter - letters);
	code_record(&codec, record, numbers);
	return !codec.has_failed;
}

void note_put_tick(struct strbuf *note, const struct recording_interval *tick)
{
	struct codec codec = {.to = note};
	struct recording_interval copy = *tick;

	code_tick(&codec, &copy);
}

bool note_take_tick(const struct note_view *view, struct recording_interval *tick)
{
	struct codec codec = body_of(view);

	*tick = (struct recording_interval){0};
	code_tick(&codec, tick);
	return view->kind == NOTE_TICK && !codec.has_failed;
}

void note_put_user(struct strbuf *note, int64_t uid, const char *name)
{
	struct codec codec = {.to = note};

	code_user(&codec, &uid, &name);
}

bool note_take_user(const struct note_view *view, int64_t *uid, const char **name)
{
	struct codec codec = body_of(view);

	*uid = -1;
	*name = NULL;
	code_user(&codec, uid, name);
	return view->kind == NOTE_USER && !codec.has_failed && *uid >= 0 && *name;
}

void note_put_name(struct strbuf *note, const struct record *about, const char *name)
{
	struct codec codec = {.to = note};
	struct record copy = *about;

	code_head(&codec, &copy);
	codec_text(&codec, &name, TEXT_MAX);
}

const char *note_take_name(const struct note_view *view, struct record *about)
{
	struct codec codec = body_of(view);
	const char *name = NULL;

	if (view->kind != NOTE_RECORD || view->detail != NOTE_NAME)
		return NULL;
	*about = (struct record){0};
	code_head(&codec, about);
	codec_text(&codec, &name, TEXT_MAX);
	return codec.has_failed ? NULL : name;
}
