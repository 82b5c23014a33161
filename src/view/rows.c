/*
 * Rows are made in three steps: one row per process (or thread), then those are taken out
 * that are hidden or folded, then the extra rows come.
 *
 * A process with one thread borrows that thread's vectors; only sums need vectors of their
 * own. Threads are joined by pid: should a pid be used again within one interval, both
 * processes share a row, so that nothing is counted twice and nothing is lost.
 *
 * A held thread has exited in an earlier interval: what it did then must not be added to what
 * living threads do now. Its interval counts only in a row where all threads are held, and so do
 * its slices and waits.
 */

#include "view/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "model/container.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "model/timing.h"
#include "view/cell.h"
#include "view/filter.h"
#include "view/filter_term.h"
#include "view/interrupts.h"
#include "view/row_kind.h"
#include "view/summary.h"
#include "view/tree.h"
#include "view/window.h"

/* Identities of rows that are no tasks (row_sums.c has another); tasks have small numbers. */
static const uint64_t unattributed_id = (UINT64_C(1) << 63) + 1;
static const uint64_t idle_id = (UINT64_C(1) << 63) + 2;
static const uint64_t cpu_id = UINT64_C(1) << 62;

enum {
	UNKNOWN_ALL = (1 << QUANTITY_BUILTIN) - 1
};

struct view_row rows_of_task(const struct snapshot_task *task)
{
	return (struct view_row){
		.kind = ROW_TASK,
		.id = task->id,
		.task = task,
		.pid = task->pid,
		.tid = task->tid,
		.interval = task->interval,
		.total = task->total,
		.unknown = task->unknown,
		.timing = task->timing,
		.member_count = 1,
		.is_exited = task->is_exited,
		.is_new = task->is_new,
		.is_held = task->is_held,
		.is_from_proc = task->is_from_proc,
		.is_active =
			task->has_run || task_has_waited(task) || task_is_uninterruptible(task),
	};
}

/* Whether `task` speaks for its process rather than `other`. */
static bool speaks_for_process(const struct snapshot_task *task, const struct snapshot_task *other)
{
	bool is_first = task->tid == task->pid;

	if (is_first != (other->tid == other->pid))
		return is_first;
	if (task->is_exited != other->is_exited)
		return other->is_exited;
	return task->id < other->id;
}

static void add_task_to_row(struct rows *rows, size_t index, const struct snapshot_task *task)
{
	struct view_row *row = &rows->rows[index];
	const struct view_row member = rows_of_task(task);

	row_sums_add(rows, index, &member);
	if (speaks_for_process(task, row->task)) {
		row->task = task;
		row->id = task->id;
	}
	row->is_exited = row->is_exited && task->is_exited;
}

/* A first thread begins a process, also when the number was used before. */
static void begin_process(struct rows *rows, const struct snapshot_task *task)
{
	const size_t index = rows->count;
	void *before;

	*rows_append(rows) = rows_of_task(task);
	row_sums_begin(rows, index);
	before = map_put(&rows->processes, (uint64_t)task->pid, (void *)(uintptr_t)(index + 1));
	rows->rows[index].same_pid = (uint32_t)(uintptr_t)before;
	if (task->reaped)
		row_sums_add_total(rows, index, task->reaped);
}

/* A thread belongs to the newest process with its pid that is older than itself. */
static void add_thread_to_process(struct rows *rows, const struct snapshot_task *task)
{
	size_t found = (size_t)(uintptr_t)map_get(&rows->processes, (uint64_t)task->pid);
	size_t chosen = found;

	if (found == 0) {
		begin_process(rows, task);
		return;
	}
	for (; found > 0; found = rows->rows[found - 1].same_pid) {
		const uint64_t id = rows->rows[found - 1].id, best = rows->rows[chosen - 1].id;
		const bool is_older = id < task->id, best_is_older = best < task->id;

		if (is_older != best_is_older ? is_older : is_older ? id > best : id < best)
			chosen = found;
	}
	add_task_to_row(rows, chosen - 1, task);
	if (task->reaped)
		row_sums_add_total(rows, chosen - 1, task->reaped);
}

/* Of all tasks. */
static uint32_t unknown_of_tasks(const struct rows_input *input)
{
	return input->session->unknown | input->snapshot->unknown |
	       (input->snapshot->latency_scope != input->request->latency_scope
			? UINT32_C(1) << QUANTITY_LATENCY_NS
			: 0);
}

/* What slept all the interval has nothing entered of that (scheduling.h): it is not 0. */
static uint32_t unknown_of_row(const struct view_row *row, const struct rows_input *input)
{
	return unknown_of_tasks(input) | (row->is_active ? 0 : UINT32_C(1) << QUANTITY_OFF_NS);
}

static void add_all_processes(struct rows *rows, const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;

	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].tid == snapshot->tasks[i].pid)
			begin_process(rows, &snapshot->tasks[i]);
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].tid != snapshot->tasks[i].pid)
			add_thread_to_process(rows, &snapshot->tasks[i]);
	map_fini(&rows->processes);
	for (size_t i = 0; i < rows->count; i++) {
		struct view_row *row = &rows->rows[i];

		row->tid = row->pid;
		row->unknown |= unknown_of_row(row, input);
		/* Only the first thread shows when a process began. */
		row->is_new = row->task->is_new && row->task->tid == row->pid;
	}
}

static void add_all_threads(struct rows *rows, const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;

	for (size_t i = 0; i < snapshot->task_count; i++) {
		struct view_row row = rows_of_task(&snapshot->tasks[i]);

		row.unknown |= unknown_of_row(&row, input);
		*rows_append(rows) = row;
	}
}

bool rows_pass_filter(const struct view_row *row, const struct rows_input *input)
{
	return !input->filter || filter_passes(input->filter, input->source, row);
}

static bool is_hidden(const struct view_row *row, const struct view_request *request)
{
	return (!request->settings.kernel_threads && row->task->is_kernel_thread) ||
	       (!request->settings.exited && row->is_exited);
}

static bool is_in_cgroups(const struct snapshot_task *task, const char *cgroups)
{
	return task->cgroup && container_path_is_in_any(task->cgroup, cgroups);
}

bool rows_is_asked_for(const struct view_row *row, const struct rows_input *input)
{
	const struct view_request *request = input->request;
	const bool asked_for = request_has_pid(request, row->pid);

	if (request->pids && !asked_for)
		return false;
	if (request->cgroups && !is_in_cgroups(row->task, request->cgroups))
		return false;
	if (!request_wants_thread(request, row->tid, row->id))
		return false;
	if (request->uid >= 0 && row->task->uid != request->uid)
		return false;
	if (!asked_for && is_hidden(row, request))
		return false;
	return rows_pass_filter(row, input);
}

/* Of a parent without any record or procinfo only the pid is known. */
static bool is_unheard_of(const struct snapshot_task *task)
{
	return task->name[0] == '\0' && task->uid < 0;
}

static enum tree_fate fate_of(const struct view_row *row, const struct rows_input *input)
{
	const struct view_request *request = input->request;
	const bool is_asleep = !row->is_active && !request_has_pid(request, row->pid) &&
			       !row->is_held && row->id != request->selected;
	const bool is_idle = is_asleep && !request->settings.idle;

	if ((is_idle && !request->settings.tree) || (is_asleep && is_unheard_of(row->task)))
		return TREE_LEFT_OUT;
	if (!rows_is_asked_for(row, input))
		return TREE_LEFT_OUT;
	return is_idle ? TREE_IF_NEEDED : TREE_SHOWN;
}

static bool is_to_be_folded(const struct view_row *row, const struct view_request *request)
{
	return request->fold_exited == FOLD_TO_ONE && rows_is_short_lived(row) &&
	       !request_has_pid(request, row->pid);
}

void rows_keep_shown(struct rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->fates[i] == TREE_SHOWN)
			rows->rows[kept++] = rows->rows[i];
	rows->count = kept;
}

/* Removes the rows under a folded one, and adds them to it unless it contains them already. */
static void fold_rows(struct rows *rows, const struct folds *folds, bool adds)
{
	const uint32_t *into;

	if (!folds || !tree_fold(rows->tree, rows->rows, folds, &into))
		return;
	for (size_t i = 0; i < rows->count && adds; i++)
		row_sums_begin(rows, i);
	array_reserve(&rows->fates, &rows->fate_capacity, rows->count, sizeof(*rows->fates));
	for (size_t i = 0; i < rows->count; i++) {
		rows->fates[i] = into[i] == i ? TREE_SHOWN : TREE_LEFT_OUT;
		if (into[i] == i)
			continue;
		if (adds)
			row_sums_add(rows, into[i], &rows->rows[i]);
		rows->rows[into[i]].branch.folded++;
	}
	rows_keep_shown(rows);
	tree_keep(rows->tree, rows->fates);
}

void rows_make_tree(struct rows *rows, const struct rows_input *input, const uint32_t *parents)
{
	if (!rows->tree)
		rows->tree = tree_create();
	tree_link_known(rows->tree, parents, rows->count);
	tree_need_ancestors(rows->tree, rows->fates);
	rows_keep_shown(rows);
	tree_keep(rows->tree, rows->fates);
	if (rows->is_tree)
		fold_rows(rows, input->request->folds, false);
}

/* Decides the fate of each row. */
static void judge_all(struct rows *rows, const struct rows_input *input)
{
	array_reserve(&rows->fates, &rows->fate_capacity, rows->count, sizeof(*rows->fates));
	for (size_t i = 0; i < rows->count; i++)
		rows->fates[i] = (uint8_t)fate_of(&rows->rows[i], input);
	if (!input->request->settings.tree)
		return;
	if (!rows->tree)
		rows->tree = tree_create();
	tree_link(rows->tree, rows->rows, rows->count);
	tree_need_ancestors(rows->tree, rows->fates);
	rows->is_tree = true;
}

/* Keeps the wanted rows, and adds the folded ones to *sums. */
static void pick(struct rows *rows, const struct rows_input *input, struct exited_sums *sums)
{
	size_t kept = 0;

	judge_all(rows, input);
	for (size_t i = 0; i < rows->count; i++) {
		const struct view_row *row = &rows->rows[i];

		if (rows->fates[i] != TREE_SHOWN)
			continue;
		if (is_to_be_folded(row, input->request)) {
			rows_fold_exited(rows, row, sums);
			rows->fates[i] = TREE_LEFT_OUT;
		} else {
			rows->rows[kept++] = *row;
		}
	}
	rows->count = kept;
	if (!rows->is_tree)
		return;
	tree_keep(rows->tree, rows->fates);
	fold_rows(rows, input->request->folds, true);
}

/* If only some tasks are watched, it has a row only if it may be missing in their counts. */
static bool has_unattributed(const struct snapshot *snapshot)
{
	const struct layout *layout = snapshot->layout;

	for (size_t i = 0; snapshot->unattributed && i < layout->event_count; i++)
		if (layout_event_count(layout, i, snapshot->unattributed) > 0)
			return true;
	return false;
}

bool rows_want_unattributed(const struct rows_input *input)
{
	const struct view_request *request = input->request;

	if (!request->extra_rows || request->uid >= 0 || request->pids || request->cgroups)
		return false;
	return input->session->scope == SCOPE_SYSTEM || has_unattributed(input->snapshot);
}

/* Its words are known only when it is made. */
static bool unattributed_passes(const struct rows *rows, const struct view_row *row,
				const struct rows_input *input)
{
	struct cell_source source;

	if (!input->filter)
		return true;
	source = *input->source;
	source.getter_input.unattributed_words = strbuf_text(&rows->unattributed_words);
	return filter_passes(input->filter, &source, row);
}

/*
 * In unattributed counts a group's time may exceed the run time, since it is not part of a slice:
 * limits it to that.
 */
static void limit_counting(uint64_t *counts, const struct layout *layout)
{
	for (size_t i = 0; i < layout->group_count; i++) {
		const uint64_t run_ns = counts[layout_kind_index(layout, layout->groups[i].kind)];
		uint64_t *counting_ns = &counts[layout_group_index(layout, i)];

		*counting_ns = *counting_ns < run_ns ? *counting_ns : run_ns;
	}
}

struct view_row rows_over_cpus(struct rows *rows, const struct rows_input *input,
			       enum row_kind kind)
{
	const struct snapshot *snapshot = input->snapshot;
	const bool is_idle = kind == ROW_IDLE;
	uint64_t *interval = vectors_take(&rows->vectors);
	uint64_t *total = vectors_take(&rows->vectors);
	bool has_passed = false;

	if (!is_idle && snapshot->unattributed) {
		counts_add(interval, snapshot->unattributed, rows->vectors.width);
		counts_add(total, snapshot->unattributed_total, rows->vectors.width);
	}
	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &snapshot->cpus[i];

		has_passed = has_passed || cpu->unread_ns > 0;
		counts_add(interval, is_idle ? cpu->idle : cpu->unattributed, rows->vectors.width);
		counts_add(total, is_idle ? cpu->idle_total : cpu->unattributed_total,
			   rows->vectors.width);
	}
	if (!is_idle)
		limit_counting(interval, snapshot->layout);
	return (struct view_row){
		.kind = kind,
		.id = is_idle ? idle_id : unattributed_id,
		.pid = -1,
		.tid = -1,
		.interval = interval,
		.total = total,
		.interval_ns = snapshot->interval_ns,
		.unknown = LAYOUT_WAITS | 1 << QUANTITY_LATENCY_NS | unknown_of_tasks(input) |
			   (is_idle && has_passed ? METRIC_EVENTS_UNKNOWN : 0),
		.is_active = is_idle || interval[QUANTITY_RUN_NS] > 0,
	};
}

/* Processes of which switches were not reported: the first one, and that there are others. */
static void add_silent(struct strbuf *words, const struct snapshot *snapshot)
{
	int32_t pid = 0;
	bool has_others = false;

	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *task = &snapshot->tasks[i];

		if (!task->is_silent)
			continue;
		has_others = has_others || (pid > 0 && task->pid != pid);
		pid = pid > 0 ? pid : task->pid;
	}
	for (size_t i = 0; i < snapshot->task_count && pid > 0; i++)
		if (snapshot->tasks[i].tid == pid && snapshot->tasks[i].name[0] != '\0') {
			strbuf_printf(words, " of %s%s", snapshot->tasks[i].name,
				      has_others ? " and others" : "");
			return;
		}
}

/* The row exists even if it is zero, which shows that nothing is missing. */
void rows_add_unattributed(struct rows *rows, const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	const struct view_row row = rows_over_cpus(rows, input, ROW_UNATTRIBUTED);
	struct strbuf *words = &rows->unattributed_words;

	strbuf_add(words, "unaccounted");
	if (snapshot->silent_switches > 0 && snapshot->lost_records == 0) {
		strbuf_printf(words, " (kernel did not report %llu switch%s",
			      (unsigned long long)snapshot->silent_switches,
			      snapshot->silent_switches == 1 ? "" : "es");
		add_silent(words, snapshot);
		strbuf_add(words, ")");
	}
	if (unattributed_passes(rows, &row, input))
		*rows_append(rows) = row;
}

void rows_sum_tasks(struct rows *rows, const struct rows_input *input)
{
	if (input->request->settings.threads)
		add_all_threads(rows, input);
	else
		add_all_processes(rows, input);
	for (size_t i = 0; i < rows->count; i++)
		rows->rows[i].interval_ns = input->snapshot->interval_ns;
}

static void mark_tagged(struct rows *rows, const struct map *tags)
{
	if (!tags || tags->count == 0)
		return;
	for (size_t i = 0; i < rows->count; i++)
		rows->rows[i].is_tagged = map_get(tags, rows->rows[i].id);
}

static void make_tasks(struct rows *rows, const struct rows_input *input)
{
	struct exited_sums sums;

	rows_reset(rows, input);
	sums = (struct exited_sums){
		.interval = vectors_take(&rows->vectors),
		.total = vectors_take(&rows->vectors),
	};
	rows_sum_tasks(rows, input);
	mark_tagged(rows, input->request->tags);
	pick(rows, input, &sums);
	if (input->request->settings.exited)
		rows_add_exited(rows, input, &sums);
	if (input->request->fold_exited == FOLD_BY_NAME && !rows->is_tree)
		rows_join_exited(rows);
	if (rows_want_unattributed(input))
		rows_add_unattributed(rows, input);
}

/*
 * With a live source and counted CPUs only these can be unknown. Threads of several processes share
 * a CPU: what each has of its process says nothing of it.
 */
static uint32_t cpu_unknown(const struct rows_input *input, const struct snapshot_cpu *cpu)
{
	const uint32_t run = input->session->idle_is_shared ? 1u << QUANTITY_RUN_NS : 0;
	const uint32_t unknown = unknown_of_tasks(input) | cpu->unknown;

	return run | UINT32_C(1) << QUANTITY_LATENCY_NS |
	       (input->session->is_live
			? unknown & (LAYOUT_WAITS | LAYOUT_SMT | UINT32_C(1) << QUANTITY_MIGRATIONS)
			: unknown);
}

void rows_make_cpus(struct rows *rows, const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;

	rows_reset(rows, input);
	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &snapshot->cpus[i];
		uint64_t *interval = vectors_take(&rows->vectors);
		uint64_t *total = vectors_take(&rows->vectors);
		bool known =
			busy_counts(interval, cpu->counter, cpu->idle, snapshot->layout) &&
			busy_counts(total, cpu->counter_total, cpu->idle_total, snapshot->layout) &&
			cpu->counter[QUANTITY_RUN_NS] > 0;
		struct view_row row;

		row = (struct view_row){
			.kind = ROW_CPU,
			.id = cpu_id + (uint64_t)cpu->cpu,
			.cpu = cpu,
			.pid = -1,
			.tid = -1,
			.interval = interval,
			.total = total,
			.interval_ns = known || input->session->is_live
					       ? cpu->counter[QUANTITY_RUN_NS]
					       : snapshot->interval_ns,
			.unknown = known ? cpu_unknown(input, cpu) : UNKNOWN_ALL,
			.is_active = known && interval[QUANTITY_RUN_NS] > 0,
		};
		if (rows_pass_filter(&row, input))
			*rows_append(rows) = row;
	}
}

static bool task_fits(const struct filter_term *term, const struct view_row *row, bool is_second)
{
	return filter_task_fits(term, row);
}

/* Of rows that have no task of their own. */
static bool command_has_word(const struct getter_input *in, const struct view_row *row,
			     const char *word)
{
	return text_contains(get_command(in, row).text, word);
}

static bool cpu_has_word(const struct getter_input *in, const struct view_row *row,
			 const char *word)
{
	return filter_id_has_word(row->cpu->cpu, word);
}

const struct row_kind_info kind_task = {
	.has_word = filter_task_has_word,
	.task_fits = task_fits,
};
const struct row_kind_info kind_exited = {.has_word = command_has_word};
const struct row_kind_info kind_unattributed = {.has_word = command_has_word};
const struct row_kind_info kind_cpu = {
	.is_of_no_task = true,
	.has_word = cpu_has_word,
};

static void write_task_mode(struct strbuf *out, const struct view_request *request,
			    const struct session *session)
{
	strbuf_add_item(out, request->settings.tree ? "tree" : "");
	strbuf_add_item(out, request->settings.threads ? "threads" : "");
}

/* clang-format off */
const struct view_info view_tasks = {
	.name = "tasks",
	.columns = "pid,user,cpu%,ghz,ipc,miss%,mpki,br-mpki,sw/s,pre/s,fault/s,time,command",
	.around = "pid,cpu%,ipc,*,command",
	.columns_bare = "pid,user,cpu%,sw/s,pre/s,slice,slice-p99,pwait%,time,migr/s,fault/s,command",
	.essential = "cpu%,ipc,miss%,command",
	.essential_bare = "cpu%,sw/s,command",
	.sort = "cpu%",
	.kind = ROW_TASK,
	.filtered = ROW_TASK,
	.has_totals = true,
	.is_joined = true,
	.make_rows = make_tasks,
	.write_mode = write_task_mode,
	.keys = "task,sort miss%,sort ipc,sort cpu%,sort-right,ask search,ask filter,events,next-columns,threads,next-form,signal,ask record,ask hand-over",
	.help = "Processes or threads that ran or waited for a CPU.",
};

const struct view_info view_cpus = {
	.name = "cpus",
	.columns = "cpu,busy,cpu%,ghz,ipc,miss%,mpki,br-mpki,sw/s,pre/s,attr%,fault/s,migr/s,cpu-kind,socket,core,smt,node",
	.around = "cpu,cpu%,ipc,*",
	.columns_bare = "cpu,busy,cpu%,sw/s,pre/s,migr/s,fault/s,slice,attr%,cpu-kind,socket,core,smt,node",
	.essential = "cpu,cpu%,ipc,miss%",
	.essential_bare = "cpu,cpu%,sw/s",
	.sort = "cpu",
	.kind = ROW_CPU,
	.filtered = ROW_CPU,
	.has_totals = true,
	.is_joined = true,
	.to_members = "view functions",
	.members = "functions of the CPU",
	.write_footer = interrupts_footer_write,
	.nothing_of_tasks = "CPU view needs system-wide counting",
	.make_rows = rows_make_cpus,
	.keys = "task,sort miss%,sort ipc,sort cpu%,sort-right,ask search,ask filter,events,next-columns,threads,ask record",
	.help = "Each CPU: how busy it was, IPC and misses. Enter: its functions.",
};
/* clang-format on */

/* The list that rows are made into, below all that makes them. */
void rows_fini(struct rows *rows)
{
	free(rows->rows);
	strbuf_fini(&rows->exited_words);
	strbuf_fini(&rows->unattributed_words);
	vectors_fini(&rows->vectors);
	for (size_t i = 0; i < rows->timings_made; i++) {
		timing_fini(rows->timings[i]);
		free(rows->timings[i]);
	}
	free(rows->timings);
	free(rows->sums);
	free(rows->fates);
	tree_destroy(rows->tree);
	map_fini(&rows->processes);
	free(rows->exited);
	if (rows->kept)
		rows->destroy_kept(rows->kept);
	*rows = (struct rows){0};
}

void *rows_keep(struct rows *rows, size_t size, void (*destroy)(void *kept))
{
	if (rows->kept && rows->destroy_kept != destroy) {
		rows->destroy_kept(rows->kept);
		rows->kept = NULL;
	}
	if (!rows->kept)
		rows->kept = xcalloc(1, size);
	rows->destroy_kept = destroy;
	return rows->kept;
}

void rows_reset(struct rows *rows, const struct rows_input *input)
{
	rows->count = 0;
	rows->exited_count = 0;
	rows->timing_count = 0;
	rows->is_tree = false;
	strbuf_clear(&rows->exited_words);
	strbuf_clear(&rows->unattributed_words);
	rows->unknown_of_several =
		input->snapshot->latency_scope > 0 ? 0 : UINT32_C(1) << QUANTITY_LATENCY_NS;
	vectors_reset(&rows->vectors, layout_width(input->snapshot->layout));
}

struct view_row *rows_append(struct rows *rows)
{
	array_reserve(&rows->rows, &rows->capacity, rows->count + 1, sizeof(*rows->rows));
	return &rows->rows[rows->count++];
}

/*
 * Vectors are parts of blocks of equal size. Blocks are kept from refresh to refresh, so that a
 * table of steady size allocates nothing; another width frees them.
 */

enum {
	VECTORS_PER_BLOCK = 128
};

void vectors_fini(struct vectors *vectors)
{
	for (size_t i = 0; i < vectors->block_count; i++)
		free(vectors->blocks[i]);
	free(vectors->blocks);
	*vectors = (struct vectors){0};
}

void vectors_reset(struct vectors *vectors, size_t width)
{
	if (vectors->width != width)
		vectors_fini(vectors);
	vectors->width = width;
	vectors->used = 0;
}

static uint64_t *take_room(struct vectors *vectors)
{
	size_t block = vectors->used / VECTORS_PER_BLOCK;

	if (block == vectors->block_count) {
		array_reserve(&vectors->blocks, &vectors->block_capacity, block + 1,
			      sizeof(*vectors->blocks));
		vectors->blocks[vectors->block_count++] =
			xcalloc(VECTORS_PER_BLOCK * vectors->width, sizeof(uint64_t));
	}
	return vectors->blocks[block] + (vectors->used++ % VECTORS_PER_BLOCK) * vectors->width;
}

uint64_t *vectors_take(struct vectors *vectors)
{
	uint64_t *counts = take_room(vectors);

	memset(counts, 0, vectors->width * sizeof(*counts));
	return counts;
}

uint64_t *vectors_take_copy(struct vectors *vectors, const uint64_t *counts)
{
	uint64_t *copy = take_room(vectors);

	memcpy(copy, counts, vectors->width * sizeof(*copy));
	return copy;
}
