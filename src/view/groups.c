/*
 * Rows of processes (or threads) are made first, as for the tasks view; they become members of
 * groups and give way to one row for each. A key is a text or a number; its hash is the row's
 * identity, so that the cursor stays on a group while its members come and go.
 */

#include "view/groups.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "model/counts.h"
#include "model/exited_totals.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "model/timing.h"
#include "view/cell.h"
#include "view/containers.h"
#include "view/rows.h"
#include "view/users.h"

/* No task has such an id (rows.c). */
static const uint64_t group_id = UINT64_C(3) << 62;
static const uint64_t idle_id = (UINT64_C(1) << 63) + 2;

static struct group_key find_command(const struct getter_input *in,
				     const struct snapshot_task *task)
{
	return (struct group_key){.text = task->name};
}

static struct group_key find_user(const struct getter_input *in, const struct snapshot_task *task)
{
	return (struct group_key){.text = users_name(in->users, task->uid)};
}

static struct group_key find_cgroup(const struct getter_input *in, const struct snapshot_task *task)
{
	return (struct group_key){.text = task->cgroup ? task->cgroup : ""};
}

static struct group_key find_container(const struct getter_input *in,
				       const struct snapshot_task *task)
{
	return (struct group_key){.text = containers_name(in->containers, task->cgroup)};
}

static struct group_key find_parent(const struct getter_input *in, const struct snapshot_task *task)
{
	return (struct group_key){.number = task->parent_pid};
}

static struct group_key find_session(const struct getter_input *in,
				     const struct snapshot_task *task)
{
	return (struct group_key){.number = task->session > 0 ? task->session : -1};
}

static struct group_key find_type(const struct getter_input *in, const struct snapshot_task *task)
{
	return (struct group_key){.text = get_type_word(task->is_kernel_thread)};
}

/* clang-format off */
static const struct grouping groupings[] = {
	{ .name = "command",   .column = "command",   .none = "(no name)",      .find = find_command, .help = "a row for each command" },
	{ .name = "user",      .column = "user",      .none = "(unknown)",      .find = find_user, .help = "a row for each user" },
	{ .name = "cgroup",    .column = "cgroup",    .none = "(unknown)",      .find = find_cgroup, .help = "a row for each cgroup" },
	{ .name = "container", .column = "container", .none = "(no container)", .find = find_container, .help = "a row for each container" },
	{ .name = "parent",    .column = "ppid",      .none = "(unknown)",      .find = find_parent, .is_of_ids = true, .help = "a row for each parent" },
	{ .name = "session",   .column = "session",   .none = "(no session)",   .find = find_session, .is_of_ids = true, .help = "a row for each session" },
	{ .name = "type",      .column = "type",      .none = "",               .find = find_type, .help = "kernel threads and user programs" },
};
/* clang-format on */

enum {
	GROUPING_COUNT = sizeof(groupings) / sizeof(groupings[0]),
	WORDS_MAX = 64
};

const struct grouping *grouping_table(size_t *count)
{
	*count = GROUPING_COUNT;
	return groupings;
}

const struct grouping *grouping_find(const char *name)
{
	for (size_t i = 0; i < GROUPING_COUNT; i++)
		if (strcasecmp(groupings[i].name, name) == 0)
			return &groupings[i];
	return NULL;
}

void grouping_names(char *text, size_t size)
{
	size_t length = 0;

	if (size == 0)
		return;
	text[0] = '\0';
	for (size_t i = 0; i < GROUPING_COUNT && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "",
					   groupings[i].name);
}

/* A group while it is summed. */
struct sum {
	struct group group;
	struct view_row row;
	uint64_t *interval, *total;
	struct timing *timing; /* NULL: the row has none, or a member's */
	size_t next;           /* of the same hash, + 1; 0: none */
	size_t words;          /* place in table.words */
	bool has_words;        /* they are not the key's text */
};

struct group_table {
	struct sum *sums; /* owned */
	size_t count, capacity;
	struct map by_hash;       /* to index + 1 */
	struct map names;         /* pid to struct snapshot_task, of processes */
	struct view_row *members; /* owned */
	size_t member_count, member_capacity;
	struct strbuf words; /* of groups that need some of their own */
};

static void forget(struct group_table *table)
{
	map_fini(&table->by_hash);
	map_fini(&table->names);
	strbuf_clear(&table->words);
	table->count = 0;
}

static void destroy(struct group_table *table)
{
	forget(table);
	strbuf_fini(&table->words);
	free(table->sums);
	free(table->members);
	free(table);
}

static uint64_t hash_of(const struct group_key *key)
{
	const uint64_t sum = hash_mix(1, key->text ? 0 : (uint64_t)key->number);

	return hash_text(sum, key->text) | group_id;
}

static bool are_same(const struct group_key *a, const struct group_key *b)
{
	return a->text ? strcmp(a->text, b->text) == 0 : a->number == b->number;
}

static bool is_none(const struct group_key *key)
{
	return key->text ? key->text[0] == '\0' : key->number < 0;
}

static struct sum *find_sum(const struct group_table *table, const struct group_key *key,
			    uint64_t hash)
{
	size_t number = (size_t)(uintptr_t)map_get(&table->by_hash, hash);

	while (number > 0 && !are_same(&table->sums[number - 1].group.key, key))
		number = table->sums[number - 1].next;
	return number > 0 ? &table->sums[number - 1] : NULL;
}

/* "sshd 712"; of an unknown process the number alone. */
static void write_words(struct group_table *table, struct sum *sum)
{
	const int64_t id = sum->group.key.number;
	const struct snapshot_task *task = map_get(&table->names, (uint64_t)id);
	const bool has_name = task && task->name[0] != '\0';

	sum->has_words = true;
	sum->words = table->words.length;
	strbuf_printf(&table->words, "%s%s%" PRId64, has_name ? task->name : "",
		      has_name ? " " : "", id);
	strbuf_add_char(&table->words, '\0');
}

static struct sum *add_sum(struct group_table *table, const struct rows_input *input,
			   struct rows *rows, const struct group_key *key, uint64_t hash)
{
	const struct grouping *grouping = input->settings->grouping;
	const size_t number = table->count + 1;
	struct sum *sum;

	array_reserve(&table->sums, &table->capacity, number, sizeof(*table->sums));
	sum = &table->sums[table->count++];
	*sum = (struct sum){
		.group = {.grouping = grouping, .key = *key},
		.interval = vectors_take(&rows->vectors),
		.total = vectors_take(&rows->vectors),
		.row = {.kind = ROW_GROUP, .id = hash, .pid = -1, .tid = -1},
	};
	sum->row.interval_ns = input->snapshot->interval_ns;
	sum->next = (size_t)(uintptr_t)map_put(&table->by_hash, hash, (void *)(uintptr_t)number);
	sum->group.is_none = is_none(key);
	if (sum->group.is_none)
		sum->group.words = grouping->none;
	else if (grouping->is_of_ids)
		write_words(table, sum);
	else
		sum->group.words = key->text;
	return sum;
}

/* The group of a task; made when it is the first. */
static struct sum *sum_of(struct group_table *table, const struct rows_input *input,
			  struct rows *rows, const struct snapshot_task *task)
{
	const struct group_key key =
		input->settings->grouping->find(&input->source->getter_input, task);
	const uint64_t hash = hash_of(&key);
	struct sum *sum = find_sum(table, &key, hash);

	return sum ? sum : add_sum(table, input, rows, &key, hash);
}

/* One that is alone in having any lends its own. */
static void add_timing(struct sum *sum, struct rows *rows, const struct timing *timing)
{
	if (!timing)
		return;
	if (!sum->row.timing) {
		sum->row.timing = timing;
		return;
	}
	if (!sum->timing) {
		sum->timing = rows_take_timing(rows);
		timing_merge(sum->timing, sum->row.timing);
		sum->row.timing = sum->timing;
	}
	timing_merge(sum->timing, timing);
}

/* What one that ended earlier did then is in that interval's books. */
static void add_member(struct sum *sum, struct rows *rows, const struct view_row *member)
{
	counts_add(sum->total, member->total, rows->vectors.width);
	if (member->is_held)
		return;
	counts_add(sum->interval, member->interval, rows->vectors.width);
	add_timing(sum, rows, member->timing);
	sum->row.unknown |= member->unknown;
	sum->row.is_from_proc = sum->row.is_from_proc || member->is_from_proc;
	sum->row.member_count += member->member_count;
	sum->row.is_active = sum->row.is_active || member->is_active;
	sum->group.tasks++;
}

/* The rows that there are become members. */
static void take_members(struct group_table *table, struct rows *rows)
{
	table->member_count = rows->count;
	array_reserve(&table->members, &table->member_capacity, rows->count,
		      sizeof(*table->members));
	if (rows->count > 0)
		memcpy(table->members, rows->rows, rows->count * sizeof(*rows->rows));
	rows->count = 0;
}

static void know_names(struct group_table *table, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		struct snapshot_task *task = &snapshot->tasks[i];

		if (task->tid == task->pid && !task->is_held)
			map_put(&table->names, (uint64_t)task->pid, task);
	}
}

/* What is not there any more has no interval, and is no attached process. */
static void add_exited_totals(struct group_table *table, struct rows *rows,
			      const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	const uint64_t *nothing = vectors_take(&rows->vectors);

	for (size_t i = 0; i < snapshot->exited_total_count && !input->settings->pids; i++) {
		const struct snapshot_task *task = &snapshot->exited_totals[i].like;
		const struct view_row row = {
			.kind = ROW_TASK,
			.task = task,
			.pid = -1,
			.tid = -1,
			.interval = nothing,
			.total = task->total,
			.unknown = task->unknown,
			.interval_ns = snapshot->interval_ns,
			.is_exited = true,
			.is_held = true,
		};

		if (input->settings->uid >= 0 && task->uid != input->settings->uid)
			continue;
		if (rows_pass_filter(&row, input))
			add_member(sum_of(table, input, rows, task), rows, &row);
	}
}

static void append_groups(struct group_table *table, struct rows *rows,
			  const struct rows_input *input)
{
	for (size_t i = 0; i < table->count; i++) {
		struct sum *sum = &table->sums[i];
		struct view_row *row = &sum->row;

		if (!row->is_active && (!input->settings->idle_tasks || sum->group.tasks == 0))
			continue;
		if (sum->has_words)
			sum->group.words = table->words.text + sum->words;
		row->interval = sum->interval;
		row->total = sum->total;
		row->group = &sum->group;
		*rows_append(rows) = *row;
	}
}

/* A filter is about tasks, and idle is none. */
static void append_idle(struct rows *rows, const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	uint64_t *interval = vectors_take(&rows->vectors);
	uint64_t *total = vectors_take(&rows->vectors);

	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		counts_add(interval, snapshot->cpus[i].idle, rows->vectors.width);
		counts_add(total, snapshot->cpus[i].idle_total, rows->vectors.width);
	}
	*rows_append(rows) = (struct view_row){
		.kind = ROW_IDLE,
		.id = idle_id,
		.pid = -1,
		.tid = -1,
		.interval = interval,
		.total = total,
		.interval_ns = snapshot->interval_ns,
		.unknown = LAYOUT_WAITS | input->session->unknown,
		.is_active = true,
	};
}

static void make_rows(struct rows *rows, const struct rows_input *given)
{
	struct view_settings settings = *given->settings;
	struct rows_input input = *given;
	struct group_table *table = rows->groups;

	if (!settings.grouping)
		settings.grouping = &groupings[0];
	input.settings = &settings;
	if (!table)
		table = rows->groups = xcalloc(1, sizeof(*table));
	rows->destroy_groups = destroy;
	forget(table);
	rows_reset(rows, &input);
	rows_sum_tasks(rows, &input);
	take_members(table, rows);
	if (settings.grouping->is_of_ids)
		know_names(table, input.snapshot);
	for (size_t i = 0; i < table->member_count; i++) {
		const struct view_row *member = &table->members[i];

		if (rows_is_asked_for(member, &input))
			add_member(sum_of(table, &input, rows, member->task), rows, member);
	}
	add_exited_totals(table, rows, &input);
	append_groups(table, rows, &input);
	if (!rows_want_unattributed(&input))
		return;
	if (!input.filter)
		append_idle(rows, &input);
	rows_add_unattributed(rows, &input);
}

bool group_write_filter(const struct group *group, struct strbuf *out)
{
	const char *column = group->grouping->column;
	const struct group_key *key = &group->key;
	char quote = '"';

	if (group->is_none) {
		strbuf_printf(out, key->text ? "!(%s ~ .)" : "!(%s >= 0)", column);
		return true;
	}
	if (!key->text) {
		strbuf_printf(out, "%s = %" PRId64, column, key->number);
		return true;
	}
	if (strchr(key->text, '"')) {
		if (strchr(key->text, '\''))
			return false;
		quote = '\'';
	}
	strbuf_printf(out, "%s = %c%s%c", column, quote, key->text, quote);
	return true;
}

/* clang-format off */
const struct view_info view_groups = {
	.name = "groups",
	.title = "groups",
	.columns = "tasks,cpu%,ghz,ipc,miss%,mpki,br-mpki,sw/s,pre/s,fault/s,time,group",
	.columns_bare = "tasks,cpu%,sw/s,pre/s,slice,slice-p99,pwait%,time,migr/s,fault/s,group",
	.essential = "cpu%,ipc,miss%,group",
	.essential_bare = "cpu%,sw/s,group",
	.sort = "cpu%",
	.kind = ROW_GROUP,
	.filtered = ROW_TASK,
	.make_rows = make_rows,
	.help = "Tasks summed by command, user, cgroup, container, parent, session or type; idle and unaccounted too, so that the rows add up to the whole machine.",
};
/* clang-format on */
