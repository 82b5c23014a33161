/*
 * Accesses to memory that were sampled (perf mem record, perf c2c record): by cache line, each with
 * what accesses it, by address, function, object or task. Addresses are virtual: those of different
 * processes are different ones, and those of the kernel are the same for all.
 *
 * One pass over the samples of the window. In the form of lines each has a row for the line and one
 * below it for the offset, task and function; the first sample of a line makes both, so that a row
 * is always behind the one that it is under.
 */

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/column_table.h"
#include "view/filter_term.h"
#include "view/footer.h"
#include "view/functions.h"
#include "view/names.h"
#include "view/row_kind.h"
#include "view/rows.h"
#include "view/sample_scope.h"
#include "view/tree.h"

enum {
	LINE_BYTES = 64,
	PLACE_BYTES = 20 /* "0xffffffff81234567" */
};

/* The words of the setting `accesses`. */
enum memory_form {
	MEMORY_LINES,
	MEMORY_ADDRESSES,
	MEMORY_FUNCTIONS,
	MEMORY_OBJECTS,
	MEMORY_TASKS,
	MEMORY_FORMS
};

struct access_sums {
	uint64_t accesses, stores;
	uint64_t latency, timed; /* cycles in all, of so many */
	uint64_t from[ACCESS_SOURCES];
	uint64_t tlb_known, tlb_misses, lock_known, locked, snoop_known, hitm, blocked;
};

/* A row: the function is as much of one as it has in common. */
struct access_row {
	struct function function;
	struct access_sums sums, *all;
	uint64_t id;
	int32_t pid, tid; /* -1: it is of several */
	uint32_t parent;  /* index of the row of its line; TREE_NO_PARENT: it is under none */
	uint32_t writers; /* tasks that store there */
	uint8_t distance; /* the farthest */
	bool is_line;
	char place[PLACE_BYTES];
};

/* Kept with the rows. */
struct access_table {
	struct access_row *rows; /* owned */
	size_t count, capacity;
	uint32_t *parents; /* owned; of each row */
	size_t parent_capacity;
	struct map by_id;   /* index + 1 */
	struct map writers; /* of a line or an address, and a task */
	struct access_sums all;
};

static void destroy_access_table(void *kept)
{
	struct access_table *table = kept;

	free(table->rows);
	free(table->parents);
	map_fini(&table->by_id);
	map_fini(&table->writers);
	free(table);
}

static void add_access(struct access_sums *sums, const struct profile_entry *entry)
{
	const unsigned int flags = entry->access.flags;
	const uint64_t times = entry->samples;

	sums->accesses += times;
	sums->stores += entry->access.operation & ACCESS_STORE ? times : 0;
	sums->latency += entry->weight;
	sums->timed += entry->ns;
	sums->from[entry->access.source] += times;
	sums->tlb_known += flags & ACCESS_TLB_KNOWN ? times : 0;
	sums->tlb_misses += flags & ACCESS_TLB_MISS ? times : 0;
	sums->lock_known += flags & ACCESS_LOCK_KNOWN ? times : 0;
	sums->locked += flags & ACCESS_LOCKED ? times : 0;
	sums->snoop_known += flags & ACCESS_SNOOP_KNOWN ? times : 0;
	sums->hitm += flags & ACCESS_HITM ? times : 0;
	sums->blocked += flags & ACCESS_BLOCKED ? times : 0;
}

/* The entry is counted in the row with this id, which is made if there is none; its index. */
static uint32_t count_access(struct access_table *table, const struct access_row *like,
			     const struct profile_entry *entry)
{
	size_t index = (uintptr_t)map_get(&table->by_id, like->id);
	struct access_row *row;

	if (index == 0) {
		array_reserve(&table->rows, &table->capacity, table->count + 1,
			      sizeof(*table->rows));
		table->rows[table->count++] = *like;
		index = table->count;
		map_put(&table->by_id, like->id, (void *)(uintptr_t)index);
	}
	row = &table->rows[index - 1];
	add_access(&row->sums, entry);
	if (entry->access.distance > row->distance)
		row->distance = entry->access.distance;
	return (uint32_t)index - 1;
}

static void count_writer(struct access_table *table, uint32_t index,
			 const struct profile_entry *entry)
{
	struct access_row *row = &table->rows[index];
	const uint64_t key = hash_mix(row->id, (uint32_t)entry->tid);

	if (!(entry->access.operation & ACCESS_STORE) || map_get(&table->writers, key))
		return;
	map_put(&table->writers, key, row);
	row->writers++;
}

/* What samples of one interval are counted with. */
struct access_input {
	struct access_table *table;
	const struct snapshot *snapshot;
	const struct function_names *names;
	enum memory_form form;
};

static struct access_row make_access_row(const struct access_input *input, enum calls_by by)
{
	return (struct access_row){
		.function = {.by = by, .time_ns = input->snapshot->time_ns},
		.all = &input->table->all,
		.id = 1,
		.pid = -1,
		.tid = -1,
		.parent = TREE_NO_PARENT,
	};
}

static struct function_name name_of_entry(const struct access_input *input,
					  const struct profile_entry *entry)
{
	return function_names_find(input->names,
				   input->snapshot->profile->nodes[entry->node].function,
				   input->snapshot->time_ns);
}

static uint32_t function_of(const struct access_input *input, const struct profile_entry *entry)
{
	const uint32_t same_as = name_of_entry(input, entry).same_as;

	return same_as != 0 ? same_as : input->snapshot->profile->nodes[entry->node].function;
}

/* The line, or the address itself. The kernel's are negative. */
static void count_place(const struct access_input *input, const struct profile_entry *entry,
			uint64_t address)
{
	const bool is_of_process = entry->address != 0 && (int64_t)entry->address > 0;
	struct access_row row = make_access_row(input, CALLS_BY_THREAD), part;

	row.pid = is_of_process ? entry->pid : -1;
	row.id = hash_mix(hash_mix(row.id, (uint32_t)row.pid), address);
	row.is_line = true;
	if (entry->address != 0)
		snprintf(row.place, sizeof(row.place), "0x%" PRIx64, address);
	part = row;
	part.parent = count_access(input->table, &row, entry);
	count_writer(input->table, part.parent, entry);
	if (input->form != MEMORY_LINES)
		return;
	part.is_line = false;
	part.function.by = CALLS_BY_FUNCTION;
	part.function.number = function_of(input, entry);
	part.pid = entry->pid;
	part.tid = entry->tid;
	part.id = hash_mix(hash_mix(hash_mix(row.id, entry->address - address), (uint32_t)part.tid),
			   part.function.number);
	if (entry->address != 0)
		snprintf(part.place, sizeof(part.place), "+0x%02" PRIx64, entry->address - address);
	count_access(input->table, &part, entry);
}

static void count_code(const struct access_input *input, const struct profile_entry *entry)
{
	const bool is_object = input->form == MEMORY_OBJECTS;
	struct access_row row =
		make_access_row(input, is_object ? CALLS_BY_OBJECT : CALLS_BY_FUNCTION);

	row.function.number = function_of(input, entry);
	row.id = is_object ? hash_text(row.id, name_of_entry(input, entry).object)
			   : hash_mix(row.id, row.function.number);
	count_access(input->table, &row, entry);
}

static void count_sampled_access(const struct access_input *input,
				 const struct profile_entry *entry)
{
	const uint64_t line = entry->address & ~(uint64_t)(LINE_BYTES - 1);
	struct access_row row;

	add_access(&input->table->all, entry);
	switch (input->form) {
	case MEMORY_LINES:
		count_place(input, entry, line);
		break;
	case MEMORY_ADDRESSES:
		count_place(input, entry, entry->address);
		break;
	case MEMORY_FUNCTIONS:
	case MEMORY_OBJECTS:
		count_code(input, entry);
		break;
	case MEMORY_TASKS:
	case MEMORY_FORMS:
		row = make_access_row(input, CALLS_BY_THREAD);
		row.pid = entry->pid;
		row.tid = entry->tid;
		row.id = hash_mix(row.id, (uint32_t)entry->tid);
		count_access(input->table, &row, entry);
		break;
	}
}

static void count_accesses(struct access_table *table, const struct rows_input *input)
{
	struct sample_window window;

	sample_window_begin(&window, input->request, input->samples_of, input->snapshot);
	while (sample_window_next(&window)) {
		const struct access_input interval = {
			.table = table,
			.snapshot = window.interval,
			.names = input->source->getter_input.function_names,
			.form = (enum memory_form)input->request->settings.accesses,
		};

		for (size_t i = 0; i < window.profile->entry_count; i++) {
			const struct profile_entry *entry = &window.profile->entries[i];

			if (entry->kind == SAMPLE_MEMORY &&
			    sample_scope_has_task(&window.scope, entry))
				count_sampled_access(&interval, entry);
		}
	}
}

/* A line is open at first if several tasks write it. */
static void append_access_rows(struct rows *rows, const struct rows_input *input,
			       struct access_table *table)
{
	struct map tasks = {0};

	for (size_t i = 0; i < input->snapshot->task_count; i++)
		map_put(&tasks, (uint64_t)input->snapshot->tasks[i].tid,
			&input->snapshot->tasks[i]);
	array_reserve(&table->parents, &table->parent_capacity, table->count,
		      sizeof(*table->parents));
	for (size_t i = 0; i < table->count; i++) {
		struct access_row *access = &table->rows[i];

		if (access->parent != TREE_NO_PARENT)
			access->writers = table->rows[access->parent].writers;
		table->parents[i] = access->parent;
		*rows_append(rows) = (struct view_row){
			.kind = ROW_ACCESS,
			.id = access->id,
			.pid = access->pid,
			.tid = access->tid,
			.task = access->tid >= 0 ? map_get(&tasks, (uint64_t)access->tid) : NULL,
			.function = &access->function,
			.item = access,
			.unknown = UINT32_MAX,
			.is_active = true,
			.branch.folds_first = access->writers < 2,
		};
	}
	map_fini(&tasks);
}

/* Of a line that passes the filter all of it is shown. */
static void judge_accesses(struct rows *rows, const struct rows_input *input,
			   const uint32_t *parents)
{
	array_reserve(&rows->fates, &rows->fate_capacity, rows->count, sizeof(*rows->fates));
	for (size_t i = 0; i < rows->count; i++)
		rows->fates[i] =
			(parents[i] != TREE_NO_PARENT && rows->fates[parents[i]] == TREE_SHOWN) ||
					rows_pass_filter(&rows->rows[i], input)
				? TREE_SHOWN
				: TREE_IF_NEEDED;
}

static void make_access_rows(struct rows *rows, const struct rows_input *input)
{
	struct access_table *table = rows_keep(rows, sizeof(*table), destroy_access_table);

	rows_reset(rows, input);
	map_fini(&table->by_id);
	map_fini(&table->writers);
	table->count = 0;
	table->all = (struct access_sums){0};
	count_accesses(table, input);
	append_access_rows(rows, input, table);
	rows->is_tree = input->request->state.info->is_tree;
	judge_accesses(rows, input, table->parents);
	rows_make_tree(rows, input, table->parents);
}

/* Or else it says why not; of a recording they are in it or not. */
static bool is_sampled_here(const struct session *session)
{
	return !session->is_live || session->sampling != SAMPLING_OFF ||
	       session->sampling_words[0] == '\0';
}

/* "8123 accesses, 41.2 cycles each; lines of 64 bytes", or why there are none. */
static void write_memory_footer(struct strbuf *out, const struct footer_input *input)
{
	const struct access_row *first = input->first ? input->first->item : NULL;
	const struct access_sums *all = first ? first->all : NULL;
	struct sample_window window;

	if (!input->snapshot || !input->session)
		return;
	if (!is_sampled_here(input->session)) {
		strbuf_add(out, input->session->sampling_words);
		return;
	}
	if (!input->session->has_accesses) {
		strbuf_add(out,
			   input->session->is_live
				   ? "no memory accesses yet"
				   : "no memory accesses in this recording (perftop -w FILE -V "
				     "memory, perf mem record)");
		return;
	}
	strbuf_printf(out, "%" PRIu64 " accesses", all ? all->accesses : 0);
	if (!all && input->request->window_ns > 0 && input->width > 0)
		strbuf_add(out, " in this window, W: a longer one");
	if (all && all->timed > 0)
		strbuf_printf(out, ", %.1f cycles each", (double)all->latency / (double)all->timed);
	if (input->request->settings.accesses == MEMORY_LINES)
		strbuf_printf(out, "; lines of %d bytes, by virtual address", LINE_BYTES);
	if (input->session->is_live)
		strbuf_printf(out, " (%s)", input->session->sampling_words);
	sample_window_begin(&window, input->request, input->samples_of, input->snapshot);
	if (window.lost > 0)
		strbuf_printf(out, "; %" PRIu64 " lost", window.lost);
	if (window.left_out > 0)
		strbuf_printf(out, "; %" PRIu64 " left out", window.left_out);
	if (input->session->names_pending > 0)
		strbuf_printf(out, "; %" PRIu32 " name%s pending", input->session->names_pending,
			      units_plural(input->session->names_pending));
}

/* What its columns show. */

static const struct access_row *access_of(const struct view_row *row)
{
	return row->kind == ROW_ACCESS ? row->item : NULL;
}

/* part: enum access_source; where none of them is known neither are shares. */
static double get_access_source(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct access_row *access = access_of(row);
	const struct access_sums *sums = access ? &access->sums : NULL;

	if (!access || (part != ACCESS_UNKNOWN && sums->from[ACCESS_UNKNOWN] == sums->accesses))
		return NAN;
	return units_pct(sums->from[part], sums->accesses);
}

enum access_number {
	ACCESS_COUNT,
	ACCESS_PCT,
	ACCESS_STORE_PCT,
	ACCESS_LATENCY,
	ACCESS_LATENCY_PCT,
	ACCESS_TLB_PCT,
	ACCESS_LOCKED_PCT,
	ACCESS_HITM_COUNT,
	ACCESS_HITM_PCT,
	ACCESS_BLOCKED_PCT,
	ACCESS_WRITERS,
	ACCESS_CONTENDED
};

static double get_access_number(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct access_row *access = access_of(row);
	const struct access_sums *sums = access ? &access->sums : NULL;

	if (!access)
		return NAN;
	switch ((enum access_number)part) {
	case ACCESS_COUNT:
		return (double)sums->accesses;
	case ACCESS_PCT:
		return units_pct(sums->accesses, access->all->accesses);
	case ACCESS_STORE_PCT:
		return units_pct(sums->stores, sums->accesses);
	case ACCESS_LATENCY:
		return sums->timed > 0 ? (double)sums->latency / (double)sums->timed : NAN;
	case ACCESS_LATENCY_PCT:
		return units_pct(sums->latency, access->all->latency);
	case ACCESS_TLB_PCT:
		return units_pct(sums->tlb_misses, sums->tlb_known);
	case ACCESS_LOCKED_PCT:
		return units_pct(sums->locked, sums->lock_known);
	case ACCESS_HITM_COUNT:
		return sums->snoop_known > 0 ? (double)sums->hitm : NAN;
	case ACCESS_HITM_PCT:
		return units_pct(sums->hitm, sums->snoop_known);
	case ACCESS_BLOCKED_PCT: /* 0 is also what processors say that do not know it */
		return access->all->blocked > 0 ? units_pct(sums->blocked, sums->accesses) : NAN;
	case ACCESS_WRITERS:
		return access->is_line ? (double)access->writers : NAN;
	case ACCESS_CONTENDED:
		break;
	}
	return access->writers > 1 ? (double)sums->accesses : 0;
}

static struct getter_text get_place(const struct getter_input *in, const struct view_row *row)
{
	return as_text(access_of(row) ? access_of(row)->place : "");
}

static struct getter_text get_distance(const struct getter_input *in, const struct view_row *row)
{
	static const char *const names[ACCESS_DISTANCES] = {"", "core", "node", "socket", "board"};

	return as_text(access_of(row) ? names[access_of(row)->distance] : "");
}

/* clang-format off */
#define SHARE_OF(source_) .format = COLUMN_FIXED_1, .descends = true, .number = get_access_source, .part = source_
#define ACCESS(number_) .descends = true, .number = get_access_number, .part = number_
static const struct column columns[] = {
	{ .name = "contended", .title = "CONTEND", .width = 7, .format = COLUMN_INTEGER, ACCESS(ACCESS_CONTENDED), .then = "accesses", .help = "Accesses to a line that several tasks write; 0 of other lines.", .good = "0: each of them takes the line out of the cache of another core." },
	{ .name = "writers",   .title = "WRITERS", .width = 7, .format = COLUMN_INTEGER, ACCESS(ACCESS_WRITERS), .help = "Tasks that write the line.", .good = "1; where several write, and at different offsets, that is false sharing: keep their data in lines of their own." },
	{ .name = "accesses",  .title = "ACCESSES", .width = 8, .format = COLUMN_INTEGER, ACCESS(ACCESS_COUNT), .then = "latency%", .help = "Accesses to memory that were sampled.", .good = "Above 100; below that shares say little." },
	{ .name = "access%",   .title = "ACC %",   .width = 6, .format = COLUMN_FIXED_1, ACCESS(ACCESS_PCT), .help = "Share of all sampled accesses.", .good = "Low; what is high is worth a look first." },
	{ .name = "store%",    .title = "STORE %", .width = 7, .format = COLUMN_FIXED_1, ACCESS(ACCESS_STORE_PCT), .help = "Share of stores; the others are loads and prefetches.", .good = "0 in lines that several tasks use." },
	{ .name = "latency",   .title = "LATENCY", .width = 7, .format = COLUMN_FIXED_1, ACCESS(ACCESS_LATENCY), .help = "Mean cycles until the access was answered, of those of which the processor says it (perf's weight).", .good = "Near that of the L1, 4 to 6; memory takes some hundreds." },
	{ .name = "latency%",  .title = "LAT %",   .width = 6, .format = COLUMN_FIXED_1, ACCESS(ACCESS_LATENCY_PCT), .then = "accesses", .help = "Share of all cycles until accesses were answered, by which perf mem report orders.", .good = "Low; what is high is worth a look first." },
	{ .name = "hitm",      .title = "HITM",    .width = 6, .format = COLUMN_INTEGER, ACCESS(ACCESS_HITM_COUNT), .then = "accesses", .help = "Accesses to a line that another core's cache had modified.", .good = "Near 0; each takes as long as memory, or longer." },
	{ .name = "hitm%",     .title = "HITM %",  .width = 6, .format = COLUMN_FIXED_1, ACCESS(ACCESS_HITM_PCT), .help = "Accesses to a line that another core's cache had modified, as a share of those of which that is known.", .good = "Near 0." },
	{ .name = "l1%",       .title = "L1 %",    .width = 6, SHARE_OF(ACCESS_L1), .help = "Share of accesses that the core's first cache answered.", .good = "Above 90 %." },
	{ .name = "lfb%",      .title = "LFB %",   .width = 6, SHARE_OF(ACCESS_FILL_BUFFER), .help = "Share for which the line was on its way already (line fill buffer).", .good = "Low; prefetching that comes too late makes it high." },
	{ .name = "l2%",       .title = "L2 %",    .width = 6, SHARE_OF(ACCESS_L2), .help = "Share that the second cache answered.", .good = "Low, as long as L1 % is high." },
	{ .name = "l3%",       .title = "L3 %",    .width = 6, SHARE_OF(ACCESS_L3), .help = "Share that the third cache answered.", .good = "Below 5 %." },
	{ .name = "local%",    .title = "LOCAL %", .width = 7, SHARE_OF(ACCESS_LOCAL_MEMORY), .help = "Share that the memory of the CPU's own node answered.", .good = "Below 2 %; each waits hundreds of cycles." },
	{ .name = "remote%",   .title = "REMOTE %", .width = 8, SHARE_OF(ACCESS_REMOTE_MEMORY), .help = "Share that the memory of another node answered.", .good = "0; else bind the task and its memory to one node." },
	{ .name = "rcache%",   .title = "RCACHE %", .width = 8, SHARE_OF(ACCESS_REMOTE_CACHE), .help = "Share that a cache of another node answered; where the processor counts so, of another core.", .good = "0; tasks of several nodes use the same lines." },
	{ .name = "uncached%", .title = "UNC %",   .width = 6, SHARE_OF(ACCESS_UNCACHED), .help = "Share that went past the caches, to devices for example.", .good = "0." },
	{ .name = "other%",    .title = "OTHER %", .width = 7, SHARE_OF(ACCESS_UNKNOWN), .help = "Share of which it is not known what answered; of stores mostly only whether the L1 did.", .good = "Low, or the other shares say little." },
	{ .name = "tlb-miss%", .title = "TLB %",   .width = 6, .format = COLUMN_FIXED_1, ACCESS(ACCESS_TLB_PCT), .help = "Share whose page was in no TLB.", .good = "Below 1 %; larger pages help." },
	{ .name = "locked%",   .title = "LOCK %",  .width = 6, .format = COLUMN_FIXED_1, ACCESS(ACCESS_LOCKED_PCT), .help = "Share of locked instructions, as of atomic operations.", .good = "Low; each waits for all before it." },
	{ .name = "blocked%",  .title = "BLOCK %", .width = 7, .format = COLUMN_FIXED_1, ACCESS(ACCESS_BLOCKED_PCT), .help = "Share of loads that had to wait for a store before them, by its data or its address.", .good = "Near 0." },
	{ .name = "distance",  .title = "AWAY",    .width = 6, .format = COLUMN_TEXT, .words = get_distance, .help = "How far the farthest of them went, where the processor says it: to another core of the node, node, socket or board." },
	{ .name = "address",   .title = "ADDRESS", .width = 19, .format = COLUMN_TEXT, .words = get_place, .shows_tree = true, .help = "Virtual address of the data, or of the line of 64 bytes that has it; below a line the offset in it." },
};
#undef SHARE_OF
#undef ACCESS
/* clang-format on */

static bool access_has_word(const struct getter_input *in, const struct view_row *row,
			    const char *word)
{
	const struct access_row *access = access_of(row);
	struct function_name name;

	if (!access)
		return false;
	if ((row->task && filter_task_has_word(in, row, word)) ||
	    text_contains(access->place, word))
		return true;
	if (access->function.number == 0)
		return false;
	name = function_names_find(in->function_names, access->function.number,
				   access->function.time_ns);
	return (function_has_name(&access->function) && text_contains(name.function, word)) ||
	       text_contains(name.object, word);
}

const struct row_kind_info kind_access = {
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.has_word = access_has_word,
};

static void write_memory_mode(struct strbuf *out, const struct view_request *request,
			      const struct session *session)
{
	char form[SETTING_WORD_MAX];

	setting_word(&setting_table[SETTING_accesses], request->settings.accesses, form);
	strbuf_add(out, form);
}

static const struct view_info *const forms[MEMORY_FORMS];

/* clang-format off */
#define SOURCES "l1%,lfb%,l2%,l3%,local%,remote%,rcache%,uncached%,other%,tlb-miss%,locked%"
#define OF_MEMORY \
	.name = "memory", .short_name = "mem", .kind = ROW_ACCESS, .filtered = ROW_ACCESS, .has_window = true, \
	.needs = COLUMN_NEEDS_ACCESSES, .make_rows = make_access_rows, .write_footer = write_memory_footer, \
	.forms = forms, .form = SETTING_accesses, .to_next_form = "accesses", .passing = "accesses", .write_mode = write_memory_mode

const struct view_info view_memory = {
	OF_MEMORY,
	.columns = "contended,writers,accesses,store%,latency,hitm," SOURCES ",address,pid,tid,command,function",
	.essential = "store%,hitm,address,command",
	.sort = "contended",
	.is_tree = true,
	.keys = "task,window,next-form,fold,sort-right,ask search,ask filter",
	.next_form = "addresses",
	.help = "Which cache lines are accessed, from samples (perf mem record); those that several tasks write are on top, with offset, task and function.",
};

#define SUMS "latency%,accesses,access%,store%,latency,hitm," SOURCES
#define OF_SUMS OF_MEMORY, .sort = "latency%", .keys = "task,window,next-form,sort-right,ask search,ask filter"

static const struct view_info addresses = {
	OF_SUMS,
	.columns = SUMS ",writers,pid,address",
	.essential = "latency%,accesses,latency,hitm,address",
	.next_form = "functions",
	.help = "Which addresses of data are accessed, from samples (perf mem record), and what answers them.",
};

static const struct view_info by_function = {
	OF_SUMS,
	.columns = SUMS ",object,function",
	.essential = "latency%,accesses,latency,hitm,function",
	.next_form = "objects",
	.help = "Which functions access memory, from samples (perf mem record), and what answers them.",
};

static const struct view_info by_object = {
	OF_SUMS,
	.columns = SUMS ",object",
	.essential = "latency%,accesses,latency,hitm,object",
	.next_form = "tasks",
	.help = "The code of which programs, libraries and modules accesses memory, from samples (perf mem record), and what answers it.",
};

static const struct view_info by_task = {
	OF_SUMS,
	.columns = SUMS ",pid,tid,user,command",
	.essential = "latency%,accesses,latency,hitm,tid,command",
	.next_form = "lines",
	.help = "Which threads access memory, from samples (perf mem record), and what answers them.",
};
#undef OF_SUMS
#undef SUMS
#undef OF_MEMORY
#undef SOURCES
/* clang-format on */

static const struct view_info *const forms[MEMORY_FORMS] = {
	[MEMORY_LINES] = &view_memory,     [MEMORY_ADDRESSES] = &addresses,
	[MEMORY_FUNCTIONS] = &by_function, [MEMORY_OBJECTS] = &by_object,
	[MEMORY_TASKS] = &by_task,
};
