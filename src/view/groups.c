/*
 * Rows of processes (or threads) are made first, as for the tasks view, and then replaced by one
 * row for each group. A key is a text or a number; its hash is the row's identity, so that the
 * cursor stays on a group while its members change.
 */

#include "view/groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "model/container.h"
#include "model/counts.h"
#include "model/exited_totals.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/names.h"
#include "view/row_kind.h"
#include "view/rows.h"

/* No task has such an id (rows.c). */
static const uint64_t group_id = UINT64_C(3) << 62;

static struct group_key key_of_command(const struct getter_input *in,
				       const struct snapshot_task *task)
{
	return (struct group_key){.text = task->name};
}

static struct group_key key_of_user(const struct getter_input *in, const struct snapshot_task *task)
{
	return (struct group_key){.text = users_name(in->users, task->uid)};
}

static struct group_key key_of_cgroup(const struct getter_input *in,
				      const struct snapshot_task *task)
{
	return (struct group_key){.text = task->cgroup ? task->cgroup : ""};
}

static struct group_key key_of_container(const struct getter_input *in,
					 const struct snapshot_task *task)
{
	return (struct group_key){.text = containers_name(in->containers, task->cgroup)};
}

static struct group_key key_of_parent(const struct getter_input *in,
				      const struct snapshot_task *task)
{
	return (struct group_key){.number = task->parent_pid};
}

static struct group_key key_of_session(const struct getter_input *in,
				       const struct snapshot_task *task)
{
	return (struct group_key){.number = task->session > 0 ? task->session : -1};
}

static struct group_key key_of_host(const struct getter_input *in, const struct snapshot_task *task)
{
	return (struct group_key){.text = in->session->host};
}

static struct group_key key_of_type(const struct getter_input *in, const struct snapshot_task *task)
{
	return (struct group_key){.text = task_type_word(task->is_kernel_thread)};
}

/* clang-format off */
static const struct grouping groupings[GROUPINGS] = {
	{ .name = "command",   .column = "command",   .none = "(no name)",      .find = key_of_command },
	{ .name = "user",      .column = "user",      .none = "(unknown)",      .find = key_of_user },
	{ .name = "cgroup",    .column = "cgroup",    .none = "(unknown)",      .find = key_of_cgroup, .cgroup = strlen },
	{ .name = "container", .column = "container", .none = "(no container)", .find = key_of_container, .cgroup = container_path_length },
	{ .name = "parent",    .column = "ppid",      .none = "(unknown)",      .find = key_of_parent, .is_of_ids = true },
	{ .name = "session",   .column = "session",   .none = "(no session)",   .find = key_of_session, .is_of_ids = true },
	{ .name = "host",      .column = "host",      .none = "(this host)",    .find = key_of_host },
	{ .name = "type",      .column = "type",      .none = "",               .find = key_of_type },
};
/* clang-format on */

enum {
	WORDS_MAX = 64
};

const struct grouping *grouping_get(int number)
{
	return &groupings[number < 0 ? 0 : number];
}

static const struct grouping *grouping_of(const struct rows_input *input)
{
	return grouping_get(input->request->settings.group_by);
}

/* A group while it is summed; its row is that of the same index behind the members. */
struct group_entry {
	struct task_group group;
	size_t next;    /* of the same hash, + 1; 0: none */
	size_t words;   /* offset in table.words */
	bool has_words; /* they are not the key's text */
};

/* Kept with the rows. */
struct group_table {
	struct group_entry *entries; /* owned */
	size_t count, capacity;
	size_t members;      /* rows that become part of a group, the first ones */
	struct map by_hash;  /* to index + 1 */
	struct map names;    /* pid to struct snapshot_task, of processes */
	struct strbuf words; /* of groups that need some of their own */
	const uint64_t *nothing;
};

static void forget_groups(struct group_table *table)
{
	map_fini(&table->by_hash);
	map_fini(&table->names);
	strbuf_clear(&table->words);
	table->count = 0;
}

static void destroy_group_table(void *kept)
{
	struct group_table *table = kept;

	forget_groups(table);
	strbuf_fini(&table->words);
	free(table->entries);
	free(table);
}

static uint64_t hash_key(const struct group_key *key)
{
	const uint64_t sum = hash_mix(1, key->text ? 0 : (uint64_t)key->number);

	return hash_text(sum, key->text) | group_id;
}

static bool are_same_key(const struct group_key *a, const struct group_key *b)
{
	return a->text ? strcmp(a->text, b->text) == 0 : a->number == b->number;
}

static bool is_none(const struct group_key *key)
{
	return key->text ? key->text[0] == '\0' : key->number < 0;
}

/* Its number, + 1; 0: there is none yet. */
static size_t group_number(const struct group_table *table, const struct group_key *key,
			   uint64_t hash)
{
	size_t number = (size_t)(uintptr_t)map_get(&table->by_hash, hash);

	while (number > 0 && !are_same_key(&table->entries[number - 1].group.key, key))
		number = table->entries[number - 1].next;
	return number;
}

/* "sshd 712"; of an unknown process the number alone. */
static void write_words(struct group_table *table, struct group_entry *entry)
{
	const int64_t id = entry->group.key.number;
	const struct snapshot_task *task = map_get(&table->names, (uint64_t)id);
	const bool has_name = task && task->name[0] != '\0';

	entry->has_words = true;
	entry->words = table->words.length;
	strbuf_printf(&table->words, "%s%s%" PRId64, has_name ? task->name : "",
		      has_name ? " " : "", id);
	strbuf_add_char(&table->words, '\0');
}

static void begin_group(struct group_table *table, const struct rows_input *input,
			struct rows *rows, const struct group_key *key, uint64_t hash,
			const char *cgroup)
{
	const struct grouping *grouping = grouping_of(input);
	const size_t number = table->count + 1;
	struct group_entry *entry;

	array_reserve(&table->entries, &table->capacity, number, sizeof(*table->entries));
	entry = &table->entries[table->count++];
	*entry = (struct group_entry){
		.group = {.grouping = grouping,
			  .key = *key,
			  .is_none = is_none(key),
			  .cgroup = cgroup},
		.next = (size_t)(uintptr_t)map_put(&table->by_hash, hash,
						   (void *)(uintptr_t)number),
	};
	if (entry->group.is_none)
		entry->group.words = grouping->none;
	else if (grouping->is_of_ids)
		write_words(table, entry);
	else
		entry->group.words = key->text;
	*rows_append(rows) = (struct view_row){
		.kind = ROW_GROUP,
		.id = hash,
		.pid = -1,
		.tid = -1,
		.interval = table->nothing,
		.total = table->nothing,
		.interval_ns = input->snapshot->interval_ns,
	};
	row_sums_begin(rows, rows->count - 1);
}

/*
 * Adds it to its group; of a task that ended earlier only the total, since that interval has
 * counted it.
 */
static void add_to_group(struct group_table *table, const struct rows_input *input,
			 struct rows *rows, const struct view_row *member)
{
	const struct group_key key =
		grouping_of(input)->find(&input->source->getter_input, member->task);
	const uint64_t hash = hash_key(&key);
	size_t number = group_number(table, &key, hash);
	size_t row;

	if (number == 0) {
		begin_group(table, input, rows, &key, hash, member->task->cgroup);
		number = table->count;
	}
	row = table->members + number - 1;
	if (member->is_held) {
		row_sums_add_total(rows, row, member->total);
		return;
	}
	row_sums_add(rows, row, member);
	table->entries[number - 1].group.tasks++;
}

static void know_names(struct group_table *table, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->task_count; i++) {
		struct snapshot_task *task = &snapshot->tasks[i];

		if (task->tid == task->pid && !task->is_held)
			map_put(&table->names, (uint64_t)task->pid, task);
	}
}

/* Tasks that have ended have no interval, and are no attached processes. */
static void add_exited_totals(struct group_table *table, struct rows *rows,
			      const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;

	for (size_t i = 0; i < snapshot->exited_total_count && !input->request->pids; i++) {
		const struct snapshot_task *task = &snapshot->exited_totals[i].like;
		const struct view_row row = {
			.kind = ROW_TASK,
			.task = task,
			.pid = -1,
			.tid = -1,
			.interval = table->nothing,
			.total = task->total,
			.unknown = task->unknown,
			.interval_ns = snapshot->interval_ns,
			.is_exited = true,
			.is_held = true,
		};

		if (input->request->uid >= 0 && task->uid != input->request->uid)
			continue;
		if (rows_pass_filter(&row, input))
			add_to_group(table, input, rows, &row);
	}
}

/* The groups take the place of their members. */
static void keep_groups(struct group_table *table, struct rows *rows,
			const struct rows_input *input)
{
	const struct view_request *request = input->request;

	rows->count = 0;
	for (size_t i = 0; i < table->count; i++) {
		struct task_group *group = &table->entries[i].group;
		struct view_row row = rows->rows[table->members + i];
		const bool shows_idle = request->settings.idle || row.id == request->selected;

		if (!row.is_active && (!shows_idle || group->tasks == 0))
			continue;
		if (table->entries[i].has_words)
			group->words = table->words.text + table->entries[i].words;
		row.group = group;
		rows->rows[rows->count++] = row;
	}
}

static void make_group_rows(struct rows *rows, const struct rows_input *input)
{
	struct group_table *table = rows_keep(rows, sizeof(*table), destroy_group_table);

	forget_groups(table);
	rows_reset(rows, input);
	table->nothing = vectors_take(&rows->vectors);
	rows_sum_tasks(rows, input);
	table->members = rows->count;
	if (grouping_of(input)->is_of_ids)
		know_names(table, input->snapshot);
	for (size_t i = 0; i < table->members; i++) {
		const struct view_row member = rows->rows[i];

		if (rows_is_asked_for(&member, input))
			add_to_group(table, input, rows, &member);
	}
	add_exited_totals(table, rows, input);
	keep_groups(table, rows, input);
	if (!rows_want_unattributed(input))
		return;
	const struct view_row idle = rows_over_cpus(rows, input, ROW_IDLE);

	/* A filter selects tasks, and idle is none. */
	if (!input->filter && input->snapshot->cpu_count > 0)
		*rows_append(rows) = idle;
	rows_add_unattributed(rows, input);
}

bool group_write_filter(const struct task_group *group, struct strbuf *out)
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
	if (strchr(key->text, '\n')) /* where a filter ends */
		return false;
	if (strchr(key->text, '"')) {
		if (strchr(key->text, '\''))
			return false;
		quote = '\'';
	}
	strbuf_printf(out, "%s = %c%s%c", column, quote, key->text, quote);
	return true;
}

static bool group_has_word(const struct getter_input *in, const struct view_row *row,
			   const char *word)
{
	return text_contains(get_group(in, row).text, word);
}

const struct row_kind_info kind_group = {.has_word = group_has_word};
const struct row_kind_info kind_idle = {.has_word = group_has_word};

static void write_group_mode(struct strbuf *out, const struct view_request *request,
			     const struct session *session)
{
	strbuf_printf(out, "by %s", grouping_get(request->settings.group_by)->name);
}

static const struct view_info *const forms[GROUPINGS];

/* clang-format off */
#define OF_GROUPS \
	.name = "groups", .kind = ROW_GROUP, .filtered = ROW_TASK, .sort = "cpu%", .make_rows = make_group_rows, \
	.forms = forms, .form = SETTING_group_by, .by = "group-by", .write_mode = write_group_mode, .has_totals = true, .is_joined = true, \
	.to_members = "view tasks", .members = "tasks of the group", \
	.keys = "task,by,sort miss%,sort ipc,sort cpu%,sort-right,ask search,ask filter,events,next-columns", \
	.help = "Tasks summed by command, user, cgroup, container, parent, session or type; idle and unaccounted too, so that the rows add up to the whole machine."

const struct view_info view_groups = {
	OF_GROUPS,
	.columns = "tasks,cpu%,ghz,ipc,miss%,mpki,br-mpki,sw/s,pre/s,fault/s,time,group",
	.around = "tasks,cpu%,ipc,*,group",
	.columns_bare = "tasks,cpu%,sw/s,pre/s,slice,slice-p99,pwait%,time,migr/s,fault/s,group",
	.essential = "cpu%,ipc,miss%,group",
	.essential_bare = "cpu%,sw/s,group",
};

static const struct view_info cgroups = {
	OF_GROUPS,
	.columns = "tasks,cpu%,throttled%,psi-cpu,psi-mem,psi-io,ipc,miss%,sw/s,pwait%,group",
	.around = "tasks,cpu%,*,group",
	.columns_bare = "tasks,cpu%,throttled%,psi-cpu,psi-mem,psi-io,sw/s,pwait%,group",
	.essential = "cpu%,throttled%,group",
	.essential_bare = "cpu%,throttled%,group",
};
#undef OF_GROUPS
/* clang-format on */

/* Of cgroups and containers it has their limits and pressure. */
static const struct view_info *const forms[GROUPINGS] = {
	&view_groups, &view_groups, &cgroups,     &cgroups,
	&view_groups, &view_groups, &view_groups, &view_groups,
};
