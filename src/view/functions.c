/*
 * The samples of an interval are summed node by node of its tree: what a node has by itself, then,
 * from the tips to the roots, with what is under it. A function that calls itself is in several
 * nodes of a path; of these the outermost one has all that the others have.
 *
 * The window is that of the other views of the past: intervals that are still kept, as far as they
 * are in it.
 */

#include "view/functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/mul_div.h"
#include "base/strbuf.h"
#include "model/profile.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/call_tree.h"
#include "view/cell.h"
#include "view/footer.h"
#include "view/names.h"
#include "view/rows.h"
#include "view/sample_scope.h"
#include "view/sleep_reason.h"
#include "view/window.h"

enum {
	WINDOW_INTERVALS_MAX = 120 /* so many are summed in no time */
};

/* Samples and weight of a node: its own, and with what is under it. */
struct node_sum {
	uint64_t self_samples, self_weight, total_samples, total_weight;
	size_t function; /* index */
};

/* Kept with the rows. */
struct function_table {
	struct function *functions; /* owned */
	size_t count, capacity;
	struct map by_number; /* to index + 1; of those that are the same both numbers lead there */
	struct node_sum *sums; /* owned; one per node of the interval that is summed */
	size_t sums_capacity;
	uint64_t all_weight;
};

static void forget(struct function_table *table)
{
	map_fini(&table->by_number);
	table->count = 0;
	table->all_weight = 0;
}

static void destroy(void *kept)
{
	struct function_table *table = kept;

	forget(table);
	free(table->functions);
	free(table->sums);
	free(table);
}

static size_t known_as(const struct function_table *table, uint32_t number)
{
	return (size_t)(uintptr_t)map_get(&table->by_number, number);
}

static size_t add_function(struct function_table *table, uint32_t number, uint64_t time_ns)
{
	const size_t count = table->count + 1;

	array_reserve(&table->functions, &table->capacity, count, sizeof(*table->functions));
	table->functions[table->count++] = (struct function){.number = number, .time_ns = time_ns};
	map_put(&table->by_number, number, (void *)(uintptr_t)count);
	return count;
}

/* The index of the function that this number means by now. */
static size_t find_function(struct function_table *table, const struct function_names *names,
			    uint32_t number, uint64_t time_ns)
{
	size_t found = known_as(table, number);
	uint32_t same_as;

	if (found > 0)
		return found - 1;
	same_as = function_names_find(names, number, time_ns).same_as;
	found = known_as(table, same_as);
	if (found == 0)
		found = add_function(table, same_as, time_ns);
	if (same_as != number && same_as != 0)
		map_put(&table->by_number, number, (void *)(uintptr_t)found);
	return found - 1;
}

/* What an entry counts; false: it is not meant. */
static bool weigh(const void *context, const struct profile_entry *entry, uint64_t *weight)
{
	*weight = sample_scope_weight(context, entry);
	return sample_scope_has(context, entry);
}

static void sum_nodes(struct function_table *table, const struct snapshot *snapshot,
		      const struct function_names *names, const struct sample_scope *scope)
{
	const struct profile *profile = snapshot->profile;
	struct node_sum *sums;

	array_reserve(&table->sums, &table->sums_capacity, profile->node_count,
		      sizeof(*table->sums));
	sums = table->sums;
	memset(sums, 0, profile->node_count * sizeof(*sums));
	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		uint64_t weight;
		struct node_sum *sum;

		if (!weigh(scope, entry, &weight))
			continue;
		sum = &sums[sleep_reason_node(profile, entry, names, snapshot->time_ns)];
		sum->self_samples += entry->samples;
		sum->self_weight += weight;
		table->all_weight += weight;
	}
	for (size_t i = profile->node_count; i-- > 0;) {
		struct node_sum *parent = &sums[profile->nodes[i].parent];

		sums[i].total_samples += sums[i].self_samples;
		sums[i].total_weight += sums[i].self_weight;
		if (i == 0 || profile->nodes[i].parent == 0)
			continue;
		parent->total_samples += sums[i].total_samples;
		parent->total_weight += sums[i].total_weight;
	}
}

/* It is called by itself, directly or not. */
static bool is_called_again(const struct function_table *table, const struct profile *profile,
			    size_t node)
{
	size_t caller = profile->nodes[node].parent;

	while (caller > 0 && table->sums[caller].function != table->sums[node].function)
		caller = profile->nodes[caller].parent;
	return caller > 0;
}

/* What was counted between samples belongs to the function of the later one. */
static void credit_counts(struct function_table *table, const struct sample_scope *scope,
			  const struct snapshot *snapshot, struct vectors *vectors)
{
	const struct profile *profile = snapshot->profile;

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		struct function *function;

		if (entry->counts == 0 || entry->node == 0 || !sample_scope_has(scope, entry))
			continue;
		function = &table->functions[table->sums[entry->node].function];
		if (!function->counts)
			function->counts = vectors_take(vectors);
		profile_credit(profile, entry, snapshot->layout, function->counts);
	}
}

static void add_profile(struct function_table *table, const struct rows_input *input,
			const struct snapshot *snapshot, struct vectors *vectors)
{
	const struct function_names *names = input->source->getter_input.function_names;
	const struct profile *profile = snapshot->profile;
	struct sample_scope scope;

	if (!profile)
		return;
	sample_scope_init(&scope, input->settings, snapshot);
	sum_nodes(table, snapshot, names, &scope);
	for (size_t i = 0; i < profile->node_count; i++) {
		struct node_sum *sum = &table->sums[i];
		struct function *function;

		if (sum->total_samples == 0)
			continue;
		sum->function =
			find_function(table, names, profile->nodes[i].function, snapshot->time_ns);
		function = &table->functions[sum->function];
		function->time_ns = snapshot->time_ns;
		function->self_samples += sum->self_samples;
		function->self_weight += sum->self_weight;
		if (is_called_again(table, profile, i))
			continue;
		function->total_samples += sum->total_samples;
		function->total_weight += sum->total_weight;
	}
	credit_counts(table, &scope, snapshot, vectors);
	sample_scope_fini(&scope);
}

/* Intervals of the window that are kept, and the last one, in the order of time. Returns how many.
 */
static size_t list_window(const struct view_settings *settings, const struct snapshot *now,
			  const struct snapshot *intervals[static WINDOW_INTERVALS_MAX])
{
	const uint64_t window_ns = settings->window_ns > 0 ? settings->window_ns : UINT64_MAX;
	size_t count = 0, kept = 0;

	if (settings->past)
		count = settings->past(settings->past_context, now->time_ns, intervals,
				       WINDOW_INTERVALS_MAX - 1);
	for (size_t i = 0; i < count; i++)
		if (now->time_ns - intervals[i]->time_ns < window_ns)
			intervals[kept++] = intervals[i];
	intervals[kept++] = now;
	return kept;
}

void functions_sum_calls(struct call_tree *callees, const struct rows_input *input)
{
	const struct snapshot *intervals[WINDOW_INTERVALS_MAX];
	const size_t count = list_window(input->settings, input->snapshot, intervals);

	call_tree_begin(callees);
	for (size_t i = 0; i < count; i++) {
		struct sample_scope scope;
		const struct call_tree_input interval = {
			.profile = intervals[i]->profile,
			.time_ns = intervals[i]->time_ns,
			.names = input->source->getter_input.function_names,
			.weigh = weigh,
			.context = &scope,
		};

		if (!interval.profile)
			continue;
		sample_scope_init(&scope, input->settings, intervals[i]);
		call_tree_add(callees, &interval);
		sample_scope_fini(&scope);
	}
	call_tree_finish(callees);
}

static void make_rows(struct rows *rows, const struct rows_input *input)
{
	struct function_table *table = rows_keep(rows, sizeof(*table), destroy);
	const struct snapshot *intervals[WINDOW_INTERVALS_MAX];
	size_t interval_count;

	rows_reset(rows, input);
	forget(table);
	interval_count = list_window(input->settings, input->snapshot, intervals);
	for (size_t i = 0; i < interval_count; i++)
		add_profile(table, input, intervals[i], &rows->vectors);
	for (size_t i = 0; i < table->count; i++) {
		struct function *function = &table->functions[i];
		const struct view_row row = {
			.kind = ROW_FUNCTION,
			.id = functions_row_id(function->number),
			.pid = -1,
			.tid = -1,
			.function = function,
			.interval = function->counts,
			/* all that is known is what events counted together */
			.unknown = ~(uint32_t)METRIC_EVENTS_UNKNOWN,
			.is_active = true,
		};

		function->all_weight = table->all_weight;
		if (rows_pass_filter(&row, input))
			*rows_append(rows) = row;
	}
}

/* No row of a task or a CPU has such an id (rows.c). */
uint64_t functions_row_id(uint64_t which)
{
	const uint64_t function_id = UINT64_C(1) << 61;

	return function_id | (which & (function_id - 1));
}

/* --- where in one of them */

/* A node of an interval, for one function. */
struct node_spot {
	bool is_it;  /* it is the function */
	uint64_t at; /* all samples of the node are there; 0: they have spots */
};

/* Where it is found. */
struct spot_finder {
	struct function_spots *spots;
	struct map by_address;   /* to index + 1 */
	struct node_spot *nodes; /* owned; of the interval */
};

static struct node_spot *find_nodes(const struct profile *profile,
				    const struct function_names *names, uint32_t number,
				    uint64_t time_ns)
{
	struct node_spot *nodes = xcalloc(profile->node_count, sizeof(*nodes));

	for (size_t i = 1; i < profile->node_count; i++) {
		const struct function_name name =
			function_names_find(names, profile->nodes[i].function, time_ns);

		nodes[i] = (struct node_spot){.is_it = name.same_as == number, .at = name.at};
	}
	return nodes;
}

static void add_spot(struct spot_finder *finder, const struct profile_spot *spot)
{
	struct function_spots *spots = finder->spots;
	size_t index = (size_t)(uintptr_t)map_get(&finder->by_address, spot->at);

	if (index == 0) {
		array_reserve(&spots->items, &spots->capacity, spots->count + 1,
			      sizeof(*spots->items));
		spots->items[spots->count++] = (struct function_spot){.at = spot->at};
		index = spots->count;
		map_put(&finder->by_address, spot->at, (void *)(uintptr_t)index);
	}
	spots->items[index - 1].samples += spot->samples;
	spots->items[index - 1].weight += spot->weight;
}

/* The spot of the entry with what it stands for here. */
static struct profile_spot weigh_spot(const struct sample_scope *scope,
				      const struct profile_entry *entry,
				      const struct profile_spot *spot)
{
	struct profile_spot weighed = *spot;

	if (entry->weight > 0)
		weighed.weight =
			mul_div(spot->weight, sample_scope_weight(scope, entry), entry->weight);
	return weighed;
}

static void add_spots(struct spot_finder *finder, const struct profile *profile,
		      const struct sample_scope *scope)
{
	struct function_spots *spots = finder->spots;

	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		const struct node_spot *node = &finder->nodes[entry->node];
		uint64_t weight;

		if (!weigh(scope, entry, &weight))
			continue;
		spots->all_weight += weight;
		if (!node->is_it)
			continue;
		spots->weight += weight;
		spots->samples += entry->samples;
		if (node->at != 0)
			add_spot(finder, &(struct profile_spot){
						 .at = node->at,
						 .samples = entry->samples,
						 .weight = weight,
					 });
	}
	for (size_t i = 0; i < profile->spot_count; i++) {
		const struct profile_entry *entry = &profile->entries[profile->spots[i].entry];
		const struct node_spot *node = &finder->nodes[entry->node];

		if (node->is_it && node->at == 0 && sample_scope_has(scope, entry)) {
			const struct profile_spot spot =
				weigh_spot(scope, entry, &profile->spots[i]);

			add_spot(finder, &spot);
		}
	}
}

static int compare_spots(const void *a, const void *b)
{
	const struct function_spot *one = a, *other = b;

	return one->at < other->at ? -1 : one->at > other->at;
}

void functions_find_spots(struct function_spots *spots, const struct view_settings *settings,
			  const struct snapshot *snapshot, const struct function_names *names,
			  const struct function *function)
{
	const struct snapshot *intervals[WINDOW_INTERVALS_MAX];
	const size_t count = list_window(settings, snapshot, intervals);
	struct spot_finder finder = {.spots = spots};

	for (size_t i = 0; i < count; i++) {
		struct sample_scope scope;

		if (!intervals[i]->profile)
			continue;
		sample_scope_init(&scope, settings, intervals[i]);
		finder.nodes = find_nodes(intervals[i]->profile, names, function->number,
					  intervals[i]->time_ns);
		add_spots(&finder, intervals[i]->profile, &scope);
		free(finder.nodes);
		sample_scope_fini(&scope);
	}
	map_fini(&finder.by_address);
	if (spots->count > 0)
		qsort(spots->items, spots->count, sizeof(*spots->items), compare_spots);
}

void function_spots_fini(struct function_spots *spots)
{
	free(spots->items);
	*spots = (struct function_spots){0};
}

struct footer_sums {
	uint64_t samples, lost, left_out;
};

static struct footer_sums sum_window(const struct footer_input *input)
{
	const struct snapshot *intervals[WINDOW_INTERVALS_MAX];
	const size_t count = list_window(input->settings, input->snapshot, intervals);
	struct footer_sums sums = {0};

	for (size_t i = 0; i < count; i++) {
		const struct profile *profile = intervals[i]->profile;
		struct sample_scope scope;

		if (!profile)
			continue;
		sample_scope_init(&scope, input->settings, intervals[i]);
		for (size_t j = 0; j < profile->entry_count; j++)
			if (sample_scope_has(&scope, &profile->entries[j]))
				sums.samples += profile->entries[j].samples;
		sample_scope_fini(&scope);
		sums.lost += profile->lost;
		sums.left_out += profile->left_out;
	}
	return sums;
}

/* "cpu-clock, 997 Hz", and how what is off the CPU is sampled, or why not. */
static void write_how(struct strbuf *out, const struct session *session, enum view_samples samples)
{
	const bool has_words = session->off_cpu_words[0] != '\0';

	if (samples != SAMPLES_OFF_CPU || !has_words)
		strbuf_add(out, session->sampling_words);
	if (samples == SAMPLES_ON_CPU || !has_words)
		return;
	strbuf_printf(out, "%soff the CPU: %s", samples == SAMPLES_BOTH ? "; " : "",
		      session->off_cpu_words);
}

/* "996 samples (cpu-clock, 997 Hz), 3 lost", or why there are none. Those lost are of all tasks. */
void functions_write_footer(struct strbuf *out, const struct footer_input *input)
{
	const struct session *session = input->session;
	struct footer_sums sums;

	if (!input->snapshot || !session)
		return;
	sums = sum_window(input);
	if (sums.samples == 0 && session->sampling == SAMPLING_OFF) {
		strbuf_add(out, session->sampling_words[0] != '\0' ? session->sampling_words
				: session->is_live                 ? "no samples yet"
						   : "no samples in this recording");
		return;
	}
	strbuf_printf(out, "%" PRIu64 " samples", sums.samples);
	if (session->sampling_words[0] != '\0') {
		strbuf_add(out, " (");
		write_how(out, session, input->settings->samples);
		strbuf_add_char(out, ')');
	}
	if (session->uncounted[0] != '\0')
		strbuf_printf(out, ", no IPC: %s", session->uncounted);
	if (sums.lost > 0)
		strbuf_printf(out, ", %" PRIu64 " lost", sums.lost);
	if (sums.left_out > 0)
		strbuf_printf(out, ", %" PRIu64 " left out", sums.left_out);
	if (session->names_pending > 0)
		strbuf_printf(out, ", %" PRIu32 " names pending", session->names_pending);
}

/* clang-format off */
const struct view_info view_functions = {
	.name = "functions",
	.columns = "self%,total%,samples,ipc,mpki,object,function",
	.essential = "self%,total%,function",
	.sort = "self%",
	.kind = ROW_FUNCTION,
	.filtered = ROW_FUNCTION,
	.has_window = true,
	.needs = COLUMN_NEEDS_SAMPLES,
	.make_rows = make_rows,
	.write_footer = functions_write_footer,
	.keys = "task,window,samples,next-form,calls flame,sort-right,ask search,ask filter,ask record",
	.help = "In which functions the CPU time is spent, from samples; the kernel's too. IPC and misses are estimates.",
};
/* clang-format on */
