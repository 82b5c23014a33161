/*
 * The samples of a window are summed into a tree of callees. A list is the first calls of the tree
 * of callers that is made from it. Branches in which little time is spent are folded at first, and
 * of callers all functions are.
 */

#include "view/functions.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/branches.h"
#include "view/call_tree.h"
#include "view/cell.h"
#include "view/filter_term.h"
#include "view/footer.h"
#include "view/names.h"
#include "view/row_kind.h"
#include "view/rows.h"
#include "view/sample_scope.h"
#include "view/table.h"
#include "view/tree.h"

static const double SMALL_PCT = 1; /* of all samples */

static const char NOT_RECORDED[] =
	"no samples in this recording (perftop -w FILE -V functions, perf record)";

static const char OFF_CPU_NOT_RECORDED[] =
	"not recorded: where tasks left the CPU (perftop -w FILE --samples off-cpu)";
static const char WAKERS_NOT_RECORDED[] =
	"not recorded: callers of wake-ups (perf record -a -g -e sched:sched_waking)";
static const char BRANCHES_NOT_RECORDED[] = "no branches: they are in recordings of perf record -b";

/* Kept with the rows. */
struct call_table {
	struct call_tree callees, callers;
	uint32_t *parents; /* owned; of each row */
	size_t parent_capacity;
};

static void destroy_call_table(void *kept)
{
	struct call_table *table = kept;

	call_tree_fini(&table->callees);
	call_tree_fini(&table->callers);
	free(table->parents);
	free(table);
}

static void sum_calls(struct call_tree *callees, const struct rows_input *input, enum calls_by by,
		      struct vectors *vectors)
{
	struct sample_window window;

	call_tree_begin(callees, vectors);
	sample_window_begin(&window, input->request, input->samples_of, input->snapshot);
	while (sample_window_next(&window))
		call_tree_add(callees, &(struct call_tree_input){
					       .snapshot = window.interval,
					       .names = input->source->getter_input.function_names,
					       .by = by,
					       .scope = &window.scope,
				       });
	call_tree_finish(callees);
}

/* No row of a task or a CPU has such an id (rows.c). */
static uint64_t row_id(uint64_t which)
{
	const uint64_t function_id = UINT64_C(1) << 61;

	return function_id | (which & (function_id - 1));
}

/* Ids of functions at the top of the callers are those of the list; others are those of paths. */
static uint64_t id_of(const struct call *call, bool is_first)
{
	return row_id(is_first ? call->function.number : call->id | UINT64_C(1) << 60);
}

static bool is_small(const struct function *function)
{
	return 100.0 * (double)function->total_weight < SMALL_PCT * (double)function->all_weight;
}

/* For samples that are not only on the CPU. */
static const struct session_samples *other_samples(const struct session *session,
						   enum view_samples samples)
{
	return samples == SAMPLES_WAKERS ? &session->wakers : &session->off_cpu;
}

/* Why a recording has none of these samples; NULL: it may have some, or they are taken now. */
static const char *explain_not_recorded(const struct session *session, enum view_samples samples)
{
	const struct session_samples *others = other_samples(session, samples);

	if (session->is_live)
		return NULL;
	if (samples == SAMPLES_ON_CPU || samples == SAMPLES_BOTH)
		return session->samples_are_accesses ? NOT_RECORDED : NULL;
	if (others->are_taken || others->words[0] != '\0')
		return NULL;
	return samples == SAMPLES_WAKERS ? WAKERS_NOT_RECORDED : OFF_CPU_NOT_RECORDED;
}

static bool are_estimates(const struct rows_input *input)
{
	const enum view_samples samples = (enum view_samples)input->request->settings.samples;

	if (!input->session)
		return false;
	return samples == SAMPLES_ON_CPU ? input->session->samples_are_estimates
					 : other_samples(input->session, samples)->are_estimates;
}

/* A row for each call, in the order of the tree. */
static void append_rows(struct rows *rows, const struct rows_input *input, struct call_table *table,
			struct call_tree *tree)
{
	const bool is_estimate = are_estimates(input);

	array_reserve(&table->parents, &table->parent_capacity, tree->count,
		      sizeof(*table->parents));
	for (size_t i = 1; i < tree->count; i++) {
		struct call *call = &tree->calls[i];
		const bool is_first = tree == &table->callers && call->parent == 0;

		call->function.is_estimate = is_estimate;
		table->parents[i - 1] = call->parent > 0 ? call->parent - 1 : TREE_NO_PARENT;
		*rows_append(rows) = (struct view_row){
			.kind = ROW_FUNCTION,
			.id = id_of(call, is_first),
			.pid = -1,
			.tid = -1,
			.function = &call->function,
			.interval = call->function.counts,
			/* only what events counted together is known */
			.unknown = ~(uint32_t)METRIC_EVENTS_UNKNOWN,
			.is_active = true,
			.branch.folds_first = is_first || is_small(&call->function),
		};
	}
}

/*
 * A function that passes the filter is shown below all that call it; in a tree of callers the
 * others are left out with their branches.
 */
static void judge_calls(struct rows *rows, const struct rows_input *input, const uint32_t *parents,
			bool is_callers)
{
	array_reserve(&rows->fates, &rows->fate_capacity, rows->count, sizeof(*rows->fates));
	for (size_t i = 0; i < rows->count; i++)
		if (is_callers && parents[i] != TREE_NO_PARENT)
			rows->fates[i] = rows->fates[parents[i]];
		else if (rows_pass_filter(&rows->rows[i], input))
			rows->fates[i] = TREE_SHOWN;
		else
			rows->fates[i] = is_callers ? TREE_LEFT_OUT : TREE_IF_NEEDED;
}

/* callers: depth of the callers, the function included; 0: callees. */
static struct call_table *append_calls(struct rows *rows, const struct rows_input *input,
				       enum calls_by by, size_t callers)
{
	struct call_table *table = rows_keep(rows, sizeof(*table), destroy_call_table);

	rows_reset(rows, input);
	sum_calls(&table->callees, input, by, &rows->vectors);
	if (callers > 0)
		call_tree_invert(&table->callers, &table->callees, callers);
	append_rows(rows, input, table, callers > 0 ? &table->callers : &table->callees);
	judge_calls(rows, input, table->parents, callers > 0);
	return table;
}

/* part: enum calls_by, of functions */
static void make_list(struct rows *rows, const struct rows_input *input)
{
	const enum calls_by by = (enum calls_by)input->request->state.info->part;
	struct call_table *table = append_calls(rows, input, by, 1);

	if (input->session && input->session->has_branches)
		branches_count_in(&table->callers, input);
	rows_keep_shown(rows);
}

/* part: the same, of others. What is known of each is of the first function or line in it. */
static void make_sums(struct rows *rows, const struct rows_input *input)
{
	const enum calls_by by = (enum calls_by)input->request->state.info->part;
	const struct function_names *names = input->source->getter_input.function_names;
	struct call_table *table = append_calls(rows, input, by, 1);

	for (size_t i = 0; i < rows->count; i++) {
		struct function *sum = &table->callers.calls[i + 1].function;
		const struct function_name name =
			function_names_find(names, sum->number, sum->time_ns);

		sum->by = by;
		rows->rows[i].id = row_id(call_tree_likeness(&name, by));
	}
	rows_keep_shown(rows);
}

/* Threads that have ended have ids only. */
static void make_threads(struct rows *rows, const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	struct call_table *table = append_calls(rows, input, CALLS_BY_THREAD, 0);
	struct map tasks = {0};

	for (size_t i = 0; i < snapshot->task_count; i++)
		map_put(&tasks, (uint64_t)snapshot->tasks[i].tid, &snapshot->tasks[i]);
	for (size_t i = 0; i < rows->count; i++) {
		struct function *thread = &table->callees.calls[i + 1].function;

		thread->by = CALLS_BY_THREAD;
		thread->number = 0;
		rows->rows[i].pid = thread->pid;
		rows->rows[i].tid = thread->tid;
		rows->rows[i].task = map_get(&tasks, (uint64_t)thread->tid);
	}
	map_fini(&tasks);
	rows_keep_shown(rows);
}

/* part: whether it is of callers */
static void make_tree(struct rows *rows, const struct rows_input *input)
{
	const size_t callers = input->request->state.info->part ? SIZE_MAX : 0;
	const struct call_table *table = append_calls(rows, input, CALLS_BY_FRAME, callers);

	rows->is_tree = true;
	rows_make_tree(rows, input, table->parents);
}

struct footer_sums {
	size_t intervals; /* of the window */
	uint64_t samples, lost, left_out;
	uint64_t weighed;            /* of these samples: their latency is known */
	uint64_t off_ns, waiting_ns; /* of that: for a CPU */
};

static void add_to_sums(struct footer_sums *sums, const struct profile_entry *entry)
{
	sums->samples += entry->samples;
	sums->weighed += entry->latency > 0 ? entry->samples : 0;
	sums->off_ns += entry->kind == SAMPLE_ON_CPU ? 0 : entry->ns;
	if (entry->kind == SAMPLE_PREEMPTED || entry->kind == SAMPLE_QUEUED)
		sums->waiting_ns += entry->ns;
}

static struct footer_sums sum_window(const struct footer_input *input)
{
	struct sample_window window;
	struct footer_sums sums = {0};

	sample_window_begin(&window, input->request, input->samples_of, input->snapshot);
	sums.intervals = window.count;
	sums.lost = window.lost;
	sums.left_out = window.left_out;
	while (sample_window_next(&window))
		for (size_t i = 0; i < window.profile->entry_count; i++)
			if (sample_scope_has(&window.scope, &window.profile->entries[i]))
				add_to_sums(&sums, &window.profile->entries[i]);
	return sums;
}

/* "cpu-clock, 997 Hz", and how what is off the CPU is sampled, or why not. All of it has room in
 * 80 columns. */
static void write_how(struct strbuf *out, const struct session *session,
		      const struct settings *settings, const struct footer_sums *sums)
{
	const enum view_samples samples = (enum view_samples)settings->samples;
	const char *asked = other_samples(session, samples)->words;
	const char *words = asked[0] == '\0' && !session->is_live ? "not recorded" : asked;
	const bool has_words = words[0] != '\0';

	if (samples == SAMPLES_ON_CPU || samples == SAMPLES_BOTH || !has_words)
		strbuf_add(out, session->sampling_words);
	if (samples == SAMPLES_ON_CPU && settings->weight == WEIGHT_LATENCY)
		strbuf_printf(out,
			      sums->weighed < sums->samples ? ", by latency, %" PRIu64 " unknown"
							    : ", by latency",
			      sums->samples - sums->weighed);
	if (samples == SAMPLES_ON_CPU || !has_words)
		return;
	strbuf_printf(out, "%s%s", samples == SAMPLES_BOTH ? "; off-CPU: " : "", words);
	if (sums->off_ns > 0 && (samples == SAMPLES_OFF_CPU || samples == SAMPLES_BOTH))
		strbuf_printf(out, ", %.1f %% waiting",
			      100.0 * (double)sums->waiting_ns / (double)sums->off_ns);
}

/* What the rows, or the window, do not cover although it was requested. */
static void write_beyond(struct strbuf *out, const struct function *function, size_t intervals)
{
	if (intervals == SAMPLE_INTERVALS_MAX)
		strbuf_printf(out, ", last %d intervals", SAMPLE_INTERVALS_MAX);
	if (function && function->left_out_weight > 0)
		strbuf_printf(out, ", %.1f %% in totals only: more than %d paths",
			      100.0 * (double)function->left_out_weight /
				      (double)function->all_weight,
			      CALL_TREE_MOST);
}

/* Off the CPU frame pointers are followed in any case. */
static void write_broken(struct strbuf *out, const struct function *function,
			 const struct session *session, bool is_on_cpu)
{
	static const char *const reasons[] = {
		[CHAINS_BY_FRAME_POINTERS] = "no frame pointers",
		[CHAINS_BY_LBR] = "not in the processor's record",
		[CHAINS_BY_STACKS] = "not unwound in time, no tables, or beyond the copy",
		[CHAINS_NOT_SAMPLED] = "recorded without --call-graph",
	};
	const enum session_chains chains = is_on_cpu || session->chains == CHAINS_NOT_SAMPLED
						   ? session->chains
						   : CHAINS_BY_FRAME_POINTERS;
	const bool has_remedy = is_on_cpu && session->is_live && chains != CHAINS_BY_STACKS;

	strbuf_printf(out, "callers unknown: %.1f %% (%s%s)",
		      100.0 * (double)function->broken_weight / (double)function->all_weight,
		      reasons[chains], has_remedy ? ": --call-graph dwarf" : "");
}

bool functions_write_unknown(struct strbuf *out, const struct view_row *row,
			     const struct session *session, enum view_samples samples)
{
	const struct function *function = row ? row->function : NULL;
	const bool is_on_cpu = samples == SAMPLES_ON_CPU || samples == SAMPLES_BOTH;

	if (!function || (function->broken_weight == 0 && !function->interpreted))
		return false;
	if (function->broken_weight > 0)
		write_broken(out, function, session, is_on_cpu);
	if (function->interpreted)
		strbuf_printf(out, "%sno names of %s", function->broken_weight > 0 ? ", " : "",
			      function->interpreted);
	return true;
}

static void write_unknown(struct strbuf *out, const struct footer_input *input)
{
	const enum view_samples samples = (enum view_samples)input->request->settings.samples;
	struct strbuf words = {0};

	if (functions_write_unknown(&words, input->first, input->session, samples))
		strbuf_printf(out, ", %s", strbuf_text(&words));
	strbuf_fini(&words);
}

/* Shown with samples that have an IPC; where most never have one, only if there is room. */
static void write_uncounted(struct strbuf *out, const struct footer_input *input)
{
	const char *reason = input->session->uncounted;
	const size_t width = text_width(strbuf_text(out)) + strlen(", no IPC: ") + strlen(reason);
	const bool has_room = input->width > 0 && width <= (size_t)input->width;
	const enum view_samples samples = (enum view_samples)input->request->settings.samples;

	if (reason[0] != '\0' &&
	    (samples == SAMPLES_ON_CPU || (samples == SAMPLES_BOTH && has_room)))
		strbuf_printf(out, ", no IPC: %s", reason);
}

/* "OFF-CPU: 996 samples"; those on the CPU are just samples. */
static void write_sample_number(struct strbuf *out, enum view_samples samples, uint64_t number)
{
	static const char *const prefixes[] = {
		[SAMPLES_ON_CPU] = "",
		[SAMPLES_OFF_CPU] = "OFF-CPU: ",
		[SAMPLES_BLOCKED] = "BLOCKED: ",
		[SAMPLES_PREEMPTED] = "PREEMPTED: ",
		[SAMPLES_BOTH] = "",
		[SAMPLES_WAKERS] = "WAKERS: ",
	};

	strbuf_printf(out, "%s%" PRIu64 " sample%s", prefixes[samples], number,
		      units_plural(number));
}

/* "996 samples (cpu-clock, 997 Hz); 3 lost", or why there are none. Those lost are of all tasks. */
static void write_footer(struct strbuf *out, const struct footer_input *input)
{
	const enum view_samples samples = (enum view_samples)input->request->settings.samples;
	const struct session *session = input->session;
	struct footer_sums sums;

	if (!input->snapshot || !session)
		return;
	if (input->request->settings.calls == FUNCTIONS_BRANCHES && !session->has_branches) {
		strbuf_add(out, session->unbranched[0] != '\0' ? session->unbranched
				: session->is_live             ? "no branches yet"
							       : BRANCHES_NOT_RECORDED);
		return;
	}
	sums = sum_window(input);
	if (sums.samples == 0 && explain_not_recorded(session, samples)) {
		strbuf_add(out, explain_not_recorded(session, samples));
		return;
	}
	if (sums.samples == 0 && session->sampling == SAMPLING_OFF) {
		strbuf_add(out, session->sampling_words[0] != '\0' ? session->sampling_words
				: session->is_live                 ? "no samples yet"
								   : NOT_RECORDED);
		return;
	}
	write_sample_number(out, samples, sums.samples);
	if (sums.samples == 0 && input->request->window_ns > 0 && input->width > 0)
		strbuf_add(out, " in this window, W: a longer one");
	write_unknown(out, input);
	if (session->sampling_words[0] != '\0') {
		strbuf_add(out, " (");
		write_how(out, session, &input->request->settings, &sums);
		strbuf_add_char(out, ')');
	}
	if (sums.lost > 0)
		strbuf_printf(out, "; %" PRIu64 " lost", sums.lost);
	if (sums.left_out > 0)
		strbuf_printf(out, ", %" PRIu64 " left out", sums.left_out);
	write_beyond(out, input->first ? input->first->function : NULL, sums.intervals);
	if (session->not_unwound > 0)
		strbuf_printf(out, ", %" PRIu32 " stack%s not unwound", session->not_unwound,
			      units_plural(session->not_unwound));
	if (session->names_pending > 0)
		strbuf_printf(out, ", %" PRIu32 " name%s pending", session->names_pending,
			      units_plural(session->names_pending));
	write_uncounted(out, input);
}

/* What its columns show. */

static struct function_name function_name_of(const struct getter_input *in,
					     const struct view_row *row)
{
	const struct function *function = row->function;

	if (!function)
		return (struct function_name){.function = "", .object = ""};
	return function_names_find(in->function_names, function->number, function->time_ns);
}

static struct getter_text get_function(const struct getter_input *in, const struct view_row *row)
{
	const struct function_name name = function_name_of(in, row);

	if (row->function && !function_has_name(row->function))
		return as_text("");
	if (row->function && row->function->number == 0)
		return as_text("(no stack)");
	if (branch_of(row) && branch_of(row)->to_offset[0] != '\0')
		return (struct getter_text){.text = name.function,
					    .mark = branch_of(row)->to_offset};
	return (struct getter_text){.text = name.function, .mark = name.mark};
}

static struct getter_text get_object(const struct getter_input *in, const struct view_row *row)
{
	return as_text(function_name_of(in, row).object);
}

static struct getter_text get_line(const struct getter_input *in, const struct view_row *row)
{
	const char *source = function_name_of(in, row).source;

	return as_text(source ? source : "");
}

static struct getter_text get_mapping(const struct getter_input *in, const struct view_row *row)
{
	const struct function *function = row->function;

	if (!function || function->mapping == 0)
		return as_text("");
	return as_text(function_names_find(in->function_names, function->mapping, function->time_ns)
			       .object);
}

enum {
	FUNCTION_SELF_PCT,
	FUNCTION_TOTAL_PCT,
	FUNCTION_SAMPLES,
	FUNCTION_MAPPING_PCT
};

static double get_share(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct function *function = row->function;
	uint64_t weight;

	if (!function)
		return NAN;
	if (part == FUNCTION_SAMPLES)
		return (double)function->self_samples;
	if (part == FUNCTION_MAPPING_PCT)
		return function->mapping > 0 ? 100.0 * (double)function->mapping_weight /
						       (double)function->self_weight
					     : NAN;
	weight = part == FUNCTION_SELF_PCT ? function->self_weight : function->total_weight;
	return 100.0 * (double)weight / (double)function->all_weight;
}

/* clang-format off */
static const struct column columns[] = {
	{ .name = "self%",    .title = "SELF %",  .width = 6, .format = COLUMN_FIXED_1, .descends = true, .then = "total%", .number = get_share, .part = FUNCTION_SELF_PCT, .help = "Share of the samples in which the CPU was in the function itself; all rows together are 100.", .good = "Low; what is high is worth a look first." },
	{ .name = "total%",   .title = "TOTAL %", .width = 7, .format = COLUMN_FIXED_1, .descends = true, .number = get_share, .part = FUNCTION_TOTAL_PCT, .help = "Share of the samples in which the CPU was in the function or in what it called, as far as call chains say.", .good = "Low; what is high is worth a look first." },
	{ .name = "samples",  .title = "SAMPLES", .width = 7, .format = COLUMN_INTEGER, .descends = true, .total = TOTAL_OF_INTERVAL, .number = get_share, .part = FUNCTION_SAMPLES, .help = "Samples in the function itself; not compared: a longer interval has more.", .good = "Above 100; below that shares say little." },
	{ .name = "mapping",  .title = "MAPPING", .width = 16, .format = COLUMN_TEXT, .words = get_mapping, .help = "What is mapped at the addresses that the page faults of the function are of: [heap], [stack], a file, or [anon], other memory; of several the one that has most of them." },
	{ .name = "mapping%", .title = "MAP %",   .width = 6, .format = COLUMN_FIXED_1, .descends = true, .number = get_share, .part = FUNCTION_MAPPING_PCT, .help = "Share of the page faults of the function itself that is there; of the others it is another, or not known.", .good = "100: one kind of memory to look at." },
	{ .name = "branch-times%", .title = "TAKEN %", .width = 7, .format = COLUMN_FIXED_1, .descends = true, .number = branch_number, .part = BRANCH_TIMES_PCT, .needs = COLUMN_NEEDS_BRANCHES, .help = "Share of the recorded branches.", .good = "Low; what is high is worth a look first." },
	{ .name = "branch-times", .title = "TAKEN",   .width = 7, .format = COLUMN_INTEGER, .descends = true, .total = TOTAL_OF_INTERVAL, .number = get_share, .part = FUNCTION_SAMPLES, .needs = COLUMN_NEEDS_BRANCHES, .help = "How often the branch was taken, of those that were recorded before samples; not compared: a longer interval has more.", .good = "Above 100; below that shares say little." },
	{ .name = "mispredicted", .title = "MISPRED", .width = 7, .format = COLUMN_INTEGER, .descends = true, .then = "branch-times%", .total = TOTAL_OF_INTERVAL, .number = branch_number, .part = BRANCH_MISPREDICTED, .needs = COLUMN_NEEDS_BRANCHES, .help = "How often the processor had expected it to lead elsewhere, where it says so; not compared, as TAKEN.", .good = "Near 0; each costs some 15 to 20 cycles." },
	{ .name = "mispredicted%", .title = "MISPR %", .width = 7, .format = COLUMN_FIXED_1, .descends = true, .number = branch_number, .part = BRANCH_MISPREDICTED_PCT, .needs = COLUMN_NEEDS_BRANCHES, .help = "How often it was mispredicted, as a share of the times that it was taken; of a function the share of all branches in it.", .good = "Below 2 %; half is what chance does." },
	{ .name = "branch-cycles", .title = "CYCLES", .width = 6, .format = COLUMN_FIXED_1, .descends = true, .number = branch_number, .part = BRANCH_CYCLES, .needs = COLUMN_NEEDS_BRANCHES, .help = "Mean cycles from the branch before to this one, where the processor says it.", .good = "Few for few instructions between." },
	{ .name = "branch-type", .title = "TYPE", .width = 15, .format = COLUMN_TEXT, .words = branch_type, .needs = COLUMN_NEEDS_BRANCHES, .help = "What kind of branch, where it was recorded: cond, call, ret, ind (indirect), syscall; an abort of a transaction with its reason." },
	{ .name = "privilege", .title = "PRIV", .width = 6, .format = COLUMN_TEXT, .words = branch_privilege, .needs = COLUMN_NEEDS_BRANCHES, .help = "Whether the branch leads to code of the user, the kernel or a hypervisor, where it was recorded." },
	{ .name = "branch-to", .title = "TO",     .width = 32, .format = COLUMN_TEXT, .words = get_function, .needs = COLUMN_NEEDS_BRANCHES, .help = "The function to which the branch leads, and how far behind its start." },
	{ .name = "branch-from", .title = "FROM", .width = 32, .format = COLUMN_TEXT, .words = branch_from, .needs = COLUMN_NEEDS_BRANCHES, .help = "The function that has the branch, and how far behind its start it is." },
	{ .name = "object",   .rows = 1 << ROW_ACCESS, .title = "OBJECT",  .width = 20, .format = COLUMN_TEXT, .words = get_object, .help = "The program, library or kernel module that the function is in." },
	{ .name = "line",     .title = "LINE",    .width = 24, .format = COLUMN_TEXT, .words = get_line, .help = "File and line of source; the address while that is being looked up. Only where functions are summed by line." },
	{ .name = "function", .rows = 1 << ROW_ACCESS, .title = "FUNCTION", .width = 40, .format = COLUMN_TEXT, .words = get_function, .shows_tree = true, .help = "Name of the function, in trees also of those that were inlined, of a line the one that was inlined there; its address while that is being looked up." },
};
/* clang-format on */

static bool function_has_word(const struct getter_input *in, const struct view_row *row,
			      const char *word)
{
	return (row->task && filter_task_has_word(in, row, word)) ||
	       text_contains(get_function(in, row).text, word) ||
	       text_contains(get_object(in, row).text, word);
}

const struct row_kind_info kind_function = {
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.has_word = function_has_word,
};

enum {
	EVENT_COLUMNS = 24 /* the line below the rows has all of its name */
};

/* Samples at an event are of that, and not of time. */
static void write_event_of_samples(struct strbuf *out, const char *event)
{
	size_t width;

	strbuf_add_bytes(out, event, text_fit(event, EVENT_COLUMNS, &width));
}

static void write_function_mode(struct strbuf *out, const struct view_request *request,
				const struct session *session)
{
	static const char *const samples[] = {
		[SAMPLES_ON_CPU] = "",
		[SAMPLES_OFF_CPU] = "off-CPU",
		[SAMPLES_BLOCKED] = "blocked",
		[SAMPLES_PREEMPTED] = "preempted",
		[SAMPLES_BOTH] = "on and off CPU",
		[SAMPLES_WAKERS] = "wakers",
	};
	const struct settings *settings = &request->settings;
	char form[SETTING_WORD_MAX];

	if (settings->samples == SAMPLES_ON_CPU)
		write_event_of_samples(out, session->sampling_event);
	strbuf_add_item(out, samples[settings->samples]);
	if (settings->samples == SAMPLES_ON_CPU && settings->weight == WEIGHT_LATENCY)
		strbuf_add_item(out, "by latency");
	setting_word(&setting_table[SETTING_calls], settings->calls, form);
	strbuf_add_item(out, settings->calls != FUNCTIONS_LIST ? form : "");
}

static const struct view_info *const forms[FUNCTIONS_FORMS];

/* clang-format off */
#define OF_FUNCTIONS \
	.name = "functions", .short_name = "func", .kind = ROW_FUNCTION, .filtered = ROW_FUNCTION, .has_window = true, \
	.needs = COLUMN_NEEDS_SAMPLES, .write_footer = write_footer, \
	.forms = forms, .form = SETTING_calls, .by = "calls", .passing = "samples,calls", .write_mode = write_function_mode

const struct view_info view_functions = {
	OF_FUNCTIONS,
	.columns = "self%,total%,samples,mapping,mapping%,ipc,mpki,object,function",
	.columns_bare = "self%,total%,samples,mapping,mapping%,object,function",
	.column_of_branches = "mispredicted%",
	.essential = "self%,total%,function",
	.sort = "self%",
	.make_rows = make_list, .part = CALLS_BY_FUNCTION,
	.keys = "task,by,window,samples,ask by-event,next-form,calls flame,sort-right,ask search,ask filter,weight,ask record",
	.next_form = "callees",
	.to_next_form = "calls callees",
	.help = "In which functions the CPU time is spent, from samples; the kernel's too. IPC and misses are estimates.",
};

const struct view_info view_frames = {
	OF_FUNCTIONS,
	.columns = "self%,total%,function",
	.columns_bare = "self%,total%,function",
	.essential = "self%,total%,function",
	.sort = "self%",
	.has_frames = true,
	.make_rows = make_list, .part = CALLS_BY_FRAME,
};

#define OF_SUMS \
	OF_FUNCTIONS, .sort = "self%", .next_form = "list", .to_next_form = "calls list", \
	.keys = "task,by,window,samples,ask by-event,next-form,sort-right,ask search,ask filter,weight,ask record"

static const struct view_info objects = {
	OF_SUMS,
	.columns = "self%,total%,samples,mapping,mapping%,ipc,mpki,object",
	.columns_bare = "self%,total%,samples,mapping,mapping%,object",
	.essential = "self%,total%,object",
	.make_rows = make_sums, .part = CALLS_BY_OBJECT,
	.to_members = "calls list", .members = "functions of the object", .from_members = "calls objects",
	.help = "In which programs, libraries and modules of the kernel the CPU time is spent, from samples.",
};

static const struct view_info threads = {
	OF_SUMS,
	.columns = "self%,samples,mapping,mapping%,ipc,mpki,pid,tid,user,command",
	.columns_bare = "self%,samples,mapping,mapping%,pid,tid,user,command",
	.essential = "self%,tid,command",
	.make_rows = make_threads,
	.help = "In which threads the CPU time is spent, from samples.",
};

static const struct view_info lines = {
	OF_SUMS,
	.columns = "self%,total%,samples,mapping,mapping%,ipc,mpki,object,line,function",
	.columns_bare = "self%,total%,samples,mapping,mapping%,object,line,function",
	.essential = "self%,total%,line",
	.has_frames = true,
	.make_rows = make_sums, .part = CALLS_BY_LINE,
	.help = "In which lines of source the CPU time is spent, from samples; of code without them, in which functions.",
};

static const struct view_info branches = {
	OF_FUNCTIONS,
	.columns = "mispredicted,mispredicted%,branch-times,branch-times%,branch-cycles,branch-type,privilege,branch-from,branch-to",
	.essential = "mispredicted,branch-times,branch-from,branch-to",
	.sort = "mispredicted",
	.make_rows = branches_make_rows,
	.keys = "task,by,window,ask by-event,next-form,sort-right,ask search,ask filter",
	.next_form = "list",
	.to_next_form = "calls list",
	.help = "The branches before each sample, as the processor or perf record -b recorded them, from place to place, mispredicted ones first.",
};

static const struct view_info callees = {
	OF_FUNCTIONS,
	.columns = "total%,self%,samples,mapping,mapping%,ipc,mpki,object,function",
	.columns_bare = "total%,self%,samples,mapping,mapping%,object,function",
	.essential = "total%,self%,function",
	.sort = "total%",
	.is_tree = true,
	.has_frames = true,
	.make_rows = make_tree,
	.keys = "task,window,samples,ask by-event,next-form,calls flame,fold,sort-right,ask search,ask filter,weight,ask record",
	.next_form = "callers",
	.to_next_form = "calls callers",
	.help = "In which functions the CPU time is spent, from samples; each under the one that called it.",
};

static const struct view_info callers = {
	OF_FUNCTIONS,
	.columns = "self%,total%,samples,mapping,mapping%,ipc,mpki,object,function",
	.columns_bare = "self%,total%,samples,mapping,mapping%,object,function",
	.essential = "self%,total%,function",
	.sort = "self%",
	.is_tree = true,
	.has_frames = true,
	.make_rows = make_tree, .part = true,
	.keys = "task,window,samples,ask by-event,next-form,calls flame,fold,sort-right,ask search,ask filter,weight,ask record",
	.next_form = "flame graph",
	.to_next_form = "calls flame",
	.help = "In which functions the CPU time is spent, from samples; under each those that called it.",
};

static const struct view_info flame = {
	OF_FUNCTIONS,
	.columns = "total%,self%,ipc,mpki,object,function",
	.columns_bare = "total%,self%,object,function",
	.essential = "total%,self%,function",
	.sort = "total%",
	.fixed_order = "frames are always in the order of their width",
	.is_tree = true,
	.drawing = "flames",
	.has_frames = true,
	.make_rows = make_tree,
	.keys = "task,back,window,samples,ask by-event,next-form,flame-colour,ask search,ask filter,weight,ask record",
	.next_form = "list",
	.to_next_form = "calls list",
	.help = "In which functions the CPU time is spent, from samples; as a flame graph.",
};
#undef OF_SUMS
#undef OF_FUNCTIONS
/* clang-format on */

static const struct view_info *const forms[FUNCTIONS_FORMS] = {
	[FUNCTIONS_LIST] = &view_functions, [FUNCTIONS_CALLEES] = &callees,
	[FUNCTIONS_CALLERS] = &callers,     [FUNCTIONS_FLAME] = &flame,
	[FUNCTIONS_OBJECTS] = &objects,     [FUNCTIONS_THREADS] = &threads,
	[FUNCTIONS_LINES] = &lines,         [FUNCTIONS_BRANCHES] = &branches,
};

uint32_t call_graph_stack_bytes(enum call_graph call_graph)
{
	static const uint32_t bytes[] = {
		[CALL_GRAPH_DWARF] = 8192, /* perf's default */
		[CALL_GRAPH_DWARF_16K] = 16384,
		[CALL_GRAPH_DWARF_32K] = 32768,
	};

	return bytes[call_graph];
}

int functions_next_list(int form, bool has_branches)
{
	const int end = has_branches ? FUNCTIONS_FORMS : FUNCTIONS_BRANCHES;

	if (form < FUNCTIONS_OBJECTS)
		return FUNCTIONS_OBJECTS;
	return form + 1 < end ? form + 1 : FUNCTIONS_LIST;
}
