/*
 * The page of the row of ended processes: a line for each name and parent. Parents are
 * distinguished by their names, too, since each file that is compiled may have a shell of its own.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "model/history.h"
#include "model/snapshot.h"
#include "view/page.h"
#include "view/rows.h"
#include "view/task_page.h"

enum {
	NAME_WIDTH = 18,
	COUNT_WIDTH = 6,
	TIME_WIDTH = 11,
	MEAN_WIDTH = 9,
	PARENT_WORDS = TASK_NAME_MAX + 16
};

struct sum {
	const char *name;
	const char *parent; /* "" unknown */
	int32_t parent_pid; /* 0: several of that name; -1: unknown */
	uint64_t run_ns;    /* SWITCH_NS_UNKNOWN */
	uint64_t count;
};

/* The same parent of tasks without a name is that of the same number. */
static int compare_parents(const struct sum *a, const struct sum *b)
{
	const int by_name = strcmp(a->parent, b->parent);

	if (by_name != 0 || a->parent[0] != '\0')
		return by_name;
	return (a->parent_pid > b->parent_pid) - (a->parent_pid < b->parent_pid);
}

static int compare_kinds(const void *a, const void *b)
{
	const struct sum *one = a, *other = b;
	const int by_name = strcmp(one->name, other->name);

	return by_name != 0 ? by_name : compare_parents(one, other);
}

static int compare_times(const void *a, const void *b)
{
	const struct sum *one = a, *other = b;

	if (one->run_ns != other->run_ns)
		return one->run_ns < other->run_ns ? 1 : -1;
	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;
	return compare_kinds(a, b);
}

static void add_exited_child(struct sum *sum, const struct sum *other)
{
	if (sum->parent_pid != other->parent_pid)
		sum->parent_pid = 0;
	if (sum->run_ns == SWITCH_NS_UNKNOWN || other->run_ns == SWITCH_NS_UNKNOWN)
		sum->run_ns = SWITCH_NS_UNKNOWN;
	else
		sum->run_ns += other->run_ns;
	sum->count++;
}

static void list(const struct rows *rows, const struct snapshot *snapshot, struct sum *sums)
{
	struct map tasks = {0};

	for (size_t i = 0; i < snapshot->task_count; i++)
		map_put(&tasks, snapshot->tasks[i].id, &snapshot->tasks[i]);
	for (size_t i = 0; i < rows->exited_count; i++) {
		const struct exited_process *process = &rows->exited[i];
		const struct snapshot_task *parent = map_get(&tasks, process->task->parent_id);
		const bool is_unknown = process->unknown & 1u << QUANTITY_RUN_NS;

		sums[i] = (struct sum){
			.name = process->task->name,
			.parent = parent ? parent->name : "",
			.parent_pid = process->task->parent_pid,
			.run_ns = is_unknown ? SWITCH_NS_UNKNOWN : process->run_ns,
			.count = 1,
		};
	}
	map_fini(&tasks);
}

/* Returns how many there are. */
static size_t join(struct sum *sums, size_t count)
{
	size_t joined = 0;

	qsort(sums, count, sizeof(*sums), compare_kinds);
	for (size_t i = 0; i < count; i++)
		if (joined > 0 && compare_kinds(&sums[joined - 1], &sums[i]) == 0)
			add_exited_child(&sums[joined - 1], &sums[i]);
		else
			sums[joined++] = sums[i];
	qsort(sums, joined, sizeof(*sums), compare_times);
	return joined;
}

static void write_parent(struct page *page, const struct sum *sum)
{
	char words[PARENT_WORDS];

	if (sum->parent[0] != '\0' && sum->parent_pid > 0)
		snprintf(words, sizeof(words), "%s %" PRId32, sum->parent, sum->parent_pid);
	else if (sum->parent[0] == '\0' && sum->parent_pid > 0)
		snprintf(words, sizeof(words), "%" PRId32, sum->parent_pid);
	else
		snprintf(words, sizeof(words), "%s", sum->parent);
	page_add_words(page, 0, words);
}

static void write_child_line(struct page *page, const struct sum *sum)
{
	const bool is_known = sum->run_ns != SWITCH_NS_UNKNOWN;

	page_add_words(page, NAME_WIDTH, sum->name);
	strbuf_printf(&page->text, "%*" PRIu64, COUNT_WIDTH, sum->count);
	page_add_duration(page, TIME_WIDTH, sum->run_ns);
	page_add_duration(page, MEAN_WIDTH, is_known ? sum->run_ns / sum->count : sum->run_ns);
	strbuf_add(&page->text, "  ");
	write_parent(page, sum);
	strbuf_add_char(&page->text, '\n');
}

void rows_write_exited(const struct rows *rows, const struct snapshot *snapshot, bool ascii,
		       struct strbuf *out)
{
	const struct task_page_input input = {.ascii = ascii};
	struct page page = {.input = &input};
	struct sum *sums = xcalloc(rows->exited_count + 1, sizeof(*sums));
	size_t count;

	list(rows, snapshot, sums);
	count = join(sums, rows->exited_count);
	strbuf_printf(&page.text, "%-*s%*s%*s%*s  %s\n", NAME_WIDTH, "NAME", COUNT_WIDTH, "COUNT",
		      TIME_WIDTH, "CPU TIME", MEAN_WIDTH, "MEAN", "PARENT");
	for (size_t i = 0; i < count; i++)
		write_child_line(&page, &sums[i]);
	strbuf_add(out, strbuf_text(&page.text));
	strbuf_fini(&page.text);
	free(page.spans);
	free(sums);
}
