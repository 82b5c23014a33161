/* Memory of vectors and timings is reused from build to build; nothing is freed before the end. */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/snapshot.h"
#include "model/timing.h"
#include "view/rows.h"

/* The row's own sums, which may be added to; NULL: still the snapshot's. */
struct row_sums {
	uint64_t *interval, *total;
	struct timing *timing;
	int32_t pid; /* of a member that has latency; 0: none so far */
};

void row_sums_begin(struct rows *rows, size_t index)
{
	array_reserve(&rows->sums, &rows->sums_capacity, index + 1, sizeof(*rows->sums));
	rows->sums[index] = (struct row_sums){0};
}

/* own: NULL as long as what the row shows is the snapshot's. */
static void add_counts(struct vectors *vectors, uint64_t **own, const uint64_t **shown,
		       const uint64_t *counts)
{
	if (!*own)
		*shown = *own = vectors_take_copy(vectors, *shown);
	counts_add(*own, counts, vectors->width);
}

/* Returns an empty one, in memory of an earlier build. */
static struct timing *take_timing(struct rows *rows)
{
	if (rows->timing_count == rows->timings_made) {
		array_reserve(&rows->timings, &rows->timing_capacity, rows->timings_made + 1,
			      sizeof(struct timing *));
		rows->timings[rows->timings_made++] = xcalloc(1, sizeof(struct timing));
	}
	timing_clear(rows->timings[rows->timing_count]);
	return rows->timings[rows->timing_count++];
}

/* A single member's timing is borrowed, not copied. */
static void add_timing(struct rows *rows, size_t index, const struct timing *timing)
{
	struct view_row *row = &rows->rows[index];
	struct row_sums *sums = &rows->sums[index];

	if (!timing)
		return;
	if (!row->timing) {
		row->timing = timing;
		return;
	}
	if (!sums->timing) {
		sums->timing = take_timing(rows);
		timing_merge(sums->timing, row->timing);
		row->timing = sums->timing;
	}
	timing_merge(sums->timing, timing);
}

void row_sums_add_total(struct rows *rows, size_t index, const uint64_t *counts)
{
	add_counts(&rows->vectors, &rows->sums[index].total, &rows->rows[index].total, counts);
}

static void add_member_interval(struct rows *rows, size_t index, const struct view_row *member)
{
	struct view_row *row = &rows->rows[index];

	if (member->is_held && !row->is_held)
		return;
	if (row->is_held && !member->is_held) {
		row->interval = member->interval;
		row->timing = member->timing;
		rows->sums[index].interval = NULL;
		rows->sums[index].timing = NULL;
		return;
	}
	add_counts(&rows->vectors, &rows->sums[index].interval, &row->interval, member->interval);
	add_timing(rows, index, member->timing);
}

static void look_for_processes(struct rows *rows, size_t index, const struct view_row *member)
{
	struct view_row *row = &rows->rows[index];
	int32_t *pid = &rows->sums[index].pid;

	if (member->interval[QUANTITY_LATENCY_NS] == 0)
		return;
	if (*pid == 0)
		*pid = row->pid > 0 ? row->pid : member->pid;
	if (*pid != member->pid)
		row->unknown |= rows->unknown_of_several;
}

void row_sums_add(struct rows *rows, size_t index, const struct view_row *member)
{
	struct view_row *row = &rows->rows[index];

	look_for_processes(rows, index, member);
	add_member_interval(rows, index, member);
	row->is_from_proc = row->is_from_proc || member->is_from_proc;
	row_sums_add_total(rows, index, member->total);
	row->member_count += member->member_count;
	row->unknown |= member->unknown;
	row->is_held = row->is_held && member->is_held;
	row->is_active = row->is_active || member->is_active;
}

/* Its identity; tasks have small numbers. */
static const uint64_t exited_id = UINT64_C(1) << 63;

enum {
	EXITED_NAMES_SHOWN = 3
};

struct exited_name {
	const char *name;
	uint64_t run_ns;
	size_t count;
};

bool rows_is_short_lived(const struct view_row *row)
{
	return row->is_new && row->is_exited && !row->is_held;
}

void rows_fold_exited(struct rows *rows, const struct view_row *row, struct exited_sums *sums)
{
	size_t width = rows->vectors.width;

	array_reserve(&rows->exited, &rows->exited_capacity, rows->exited_count + 1,
		      sizeof(*rows->exited));
	rows->exited[rows->exited_count++] = (struct exited_process){
		.task = row->task,
		.run_ns = row->interval[QUANTITY_RUN_NS],
		.unknown = row->unknown,
	};
	counts_add(sums->interval, row->interval, width);
	counts_add(sums->total, row->total, width);
	sums->unknown |= row->unknown;
	if (rows->exited_count > 1)
		sums->unknown |= rows->unknown_of_several;
}

static int compare_exited_names(const void *a, const void *b)
{
	const struct exited_name *left = a;
	const struct exited_name *right = b;

	return strcmp(left->name, right->name);
}

static int compare_run_times(const void *a, const void *b)
{
	const struct exited_name *left = a;
	const struct exited_name *right = b;

	if (left->run_ns != right->run_ns)
		return left->run_ns < right->run_ns ? 1 : -1;
	return strcmp(left->name, right->name);
}

/* The names there are, the one that ran longest first; *names is the caller's to free. */
static size_t join_names(const struct rows *rows, struct exited_name **names)
{
	struct exited_name *list = xcalloc(rows->exited_count, sizeof(*list));
	size_t joined = 0;

	for (size_t i = 0; i < rows->exited_count; i++)
		list[i] = (struct exited_name){
			.name = rows->exited[i].task->name,
			.run_ns = rows->exited[i].run_ns,
			.count = 1,
		};
	qsort(list, rows->exited_count, sizeof(*list), compare_exited_names);
	for (size_t i = 0; i < rows->exited_count; i++) {
		if (joined > 0 && strcmp(list[joined - 1].name, list[i].name) == 0) {
			list[joined - 1].run_ns += list[i].run_ns;
			list[joined - 1].count++;
		} else {
			list[joined++] = list[i];
		}
	}
	qsort(list, joined, sizeof(*list), compare_run_times);
	*names = list;
	return joined;
}

/* "cc1 x400, as x10, sh, ... (412 exited, avg 5.00ms)" */
static void describe_exited(struct rows *rows, const struct exited_sums *sums)
{
	struct strbuf *words = &rows->exited_words;
	const size_t count = rows->exited_count;
	struct exited_name *names;
	const size_t name_count = join_names(rows, &names);

	for (size_t i = 0; i < name_count && i < EXITED_NAMES_SHOWN; i++) {
		strbuf_add(words, i == 0 ? "" : ", ");
		strbuf_add(words, names[i].name[0] != '\0' ? names[i].name : "?");
		if (names[i].count > 1)
			strbuf_printf(words, " x%zu", names[i].count);
	}
	free(names);
	strbuf_printf(words, "%s (%zu exited", name_count > EXITED_NAMES_SHOWN ? ", ..." : "",
		      count);
	if (!(sums->unknown & 1u << QUANTITY_RUN_NS)) {
		char mean[UNITS_TEXT_MAX];

		units_format_duration(mean, sums->interval[QUANTITY_RUN_NS] / count);
		strbuf_printf(words, ", avg %s", mean);
	}
	strbuf_add_char(words, ')');
}

void rows_add_exited(struct rows *rows, const struct rows_input *input,
		     const struct exited_sums *sums)
{
	if (rows->exited_count == 0)
		return;
	describe_exited(rows, sums);
	*rows_append(rows) = (struct view_row){
		.kind = ROW_EXITED,
		.id = exited_id,
		.pid = -1,
		.tid = -1,
		.interval = sums->interval,
		.total = sums->total,
		.interval_ns = input->snapshot->interval_ns,
		.unknown = sums->unknown,
		.member_count = (uint32_t)rows->exited_count,
		.is_exited = true,
		.is_new = true,
		.is_active = true,
	};
}

/* How many short-lived processes have each name. */
static void count_names(const struct rows *rows, struct map *counts)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct view_row *row = &rows->rows[i];
		uint64_t name;

		if (!row->task || !rows_is_short_lived(row))
			continue;
		name = hash_text(0, row->task->name);
		map_put(counts, name, (void *)((uintptr_t)map_get(counts, name) + 1));
	}
}

/* A row that others of its name are added to. */
static void begin_joined(struct rows *rows, size_t index, uintptr_t count)
{
	struct view_row *row = &rows->rows[index];
	struct strbuf *words = &rows->exited_words;

	row->words_at = (uint32_t)words->length;
	strbuf_printf(words, "%s x%zu", row->task->name[0] != '\0' ? row->task->name : "?",
		      (size_t)count);
	strbuf_add_char(words, '\0');
	row_sums_begin(rows, index);
	row->kind = ROW_EXITED;
	row->id = exited_id | row->id;
	row->task = NULL;
	row->pid = row->tid = -1;
	row->unknown |= rows->unknown_of_several;
	row->member_count = (uint32_t)count;
}

static void join_short_lived(struct rows *rows, const struct map *counts, struct map *places)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct view_row row = rows->rows[i];
		const bool is_short = row.task && rows_is_short_lived(&row);
		const uint64_t name = is_short ? hash_text(0, row.task->name) : 0;
		const uintptr_t count = is_short ? (uintptr_t)map_get(counts, name) : 0;
		const uintptr_t place = count > 1 ? (uintptr_t)map_get(places, name) : 0;

		if (place > 0) {
			row_sums_add(rows, place - 1, &row);
			/* processes, not their threads */
			rows->rows[place - 1].member_count = (uint32_t)count;
			continue;
		}
		rows->rows[kept] = row;
		if (count > 1) {
			begin_joined(rows, kept, count);
			map_put(places, name, (void *)(uintptr_t)(kept + 1));
		}
		kept++;
	}
	rows->count = kept;
}

void rows_join_exited(struct rows *rows)
{
	struct map counts = {0}, places = {0};

	count_names(rows, &counts);
	join_short_lived(rows, &counts, &places);
	map_fini(&counts);
	map_fini(&places);
}
