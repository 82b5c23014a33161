/*
 * Reading and adding up a scenario's results; see results.h. All sums are unsigned 64-bit, as the
 * program's own: a book that balances only in floating point does not balance.
 */
#include "results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *results_text(const char *name)
{
	const char *folder = getenv("GUEST_RESULTS");
	char path[4096];
	char *text = NULL;
	size_t size = 0;

	snprintf(path, sizeof(path), "%s/%s", folder ? folder : ".", name);
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	ssize_t length = getdelim(&text, &size, EOF, file);
	fclose(file);
	if (length >= 0)
		return text;
	free(text);
	return calloc(1, 1);
}

long results_number(const char *name)
{
	char *text = results_text(name);
	char *end = text;
	long number = text ? strtol(text, &end, 10) : -1;

	if (end == text)
		number = -1;
	free(text);
	return number;
}

json_t *results_intervals(const char *name)
{
	static json_t *known;
	char *text, *rest;
	json_t *intervals;

	if (known == NULL)
		known = json_object();
	if ((intervals = json_object_get(known, name)) != NULL)
		return intervals;
	intervals = json_array();
	json_object_set_new(known, name, intervals);
	rest = text = results_text(name);
	if (!text)
		fail_msg("%s: the scenario brought no such file", name);
	for (char *line; (line = strsep(&rest, "\n"));) {
		json_error_t error;
		json_t *interval;

		if (!*line)
			continue;
		interval = json_loads(line, JSON_REJECT_DUPLICATES, &error);
		if (!interval)
			fail_msg("%s: line %zu is not JSON: %s", name,
				 json_array_size(intervals) + 1, error.text);
		/* the totals at the end are none */
		if (json_object_get(interval, "summary"))
			json_decref(interval);
		else
			json_array_append_new(intervals, interval);
	}
	free(text);
	if (json_array_size(intervals) == 0)
		fail_msg("%s: no interval in it", name);
	return intervals;
}

int64_t results_integer(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value))
		fail_msg("\"%s\" is not a whole number", key);
	return json_integer_value(value);
}

double results_real(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_null(value))
		return NAN;
	if (!json_is_number(value))
		fail_msg("\"%s\" is neither a number nor null", key);
	return json_number_value(value);
}

static bool is_called(const json_t *task, const char *command)
{
	const char *name = json_string_value(json_object_get(task, "command"));

	return !command || (name && strcmp(name, command) == 0);
}

static uint64_t sum(const json_t *intervals, const char *command, const char *in, const char *key)
{
	uint64_t total = 0;
	size_t i, j;
	json_t *interval, *task;

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "tasks"), j, task) {
			if (is_called(task, command))
				total += (uint64_t)results_integer(
					in ? json_object_get(task, in) : task, key);
		}
	}
	return total;
}

uint64_t results_sum_counts(const json_t *intervals, const char *command, const char *event)
{
	return sum(intervals, command, "counts", event);
}

uint64_t results_sum_field(const json_t *intervals, const char *command, const char *key)
{
	return sum(intervals, command, NULL, key);
}

size_t results_count_pids(const json_t *intervals, const char *command)
{
	json_t *pids = json_object();
	size_t i, j, count;
	json_t *interval, *task;
	char pid[32];

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "tasks"), j, task) {
			if (!is_called(task, command))
				continue;
			snprintf(pid, sizeof(pid), "%lld", (long long)results_integer(task, "pid"));
			json_object_set_new(pids, pid, json_true());
		}
	}
	count = json_object_size(pids);
	json_decref(pids);
	return count;
}

const json_t *results_task(const json_t *interval, const char *command, size_t *place)
{
	json_t *task;
	size_t i;

	json_array_foreach (json_object_get(interval, "tasks"), i, task) {
		if (!is_called(task, command))
			continue;
		if (place)
			*place = i;
		return task;
	}
	return NULL;
}

const json_t *results_function(const char *file, const char *name)
{
	const json_t *rows =
		json_object_get(json_array_get(results_intervals(file), 0), "functions");
	const json_t *row;
	size_t i;

	json_array_foreach (rows, i, row)
		if (strcmp(json_string_value(json_object_get(row, "function")), name) == 0)
			return row;
	fail_msg("%s: no function %s", file, name);
	return NULL;
}

const json_t *results_event(const json_t *interval, const char *name)
{
	json_t *event;
	size_t i;

	json_array_foreach (json_object_get(interval, "events"), i, event) {
		const char *own = json_string_value(json_object_get(event, "name"));

		if (own && strcmp(own, name) == 0)
			return event;
	}
	fail_msg("no event called %s", name);
	return NULL;
}

/* Of an owner (a task, a CPU, its idle time...): time and switches have keys of their own. */
static uint64_t number_of(const json_t *owner, const char *number)
{
	const bool has_key = strcmp(number, "ns") == 0 || strcmp(number, "switches") == 0;

	return (uint64_t)results_integer(has_key ? owner : json_object_get(owner, "counts"),
					 number);
}

/* One number of one interval, over all CPUs. */
static bool number_balances(const json_t *interval, size_t index, const char *number)
{
	const bool is_time = strcmp(number, "ns") == 0;
	uint64_t counted = 0, charged = 0, idle = 0, unattributed = 0;
	json_t *cpu, *task;
	size_t i;

	json_array_foreach (json_object_get(interval, "cpus"), i, cpu) {
		counted += number_of(cpu, number);
		idle += number_of(json_object_get(cpu, "idle"), number);
		unattributed += number_of(json_object_get(cpu, "unattributed"), number);
	}
	json_array_foreach (json_object_get(interval, "tasks"), i, task)
		charged += is_time ? (uint64_t)results_integer(task, "run_ns")
				   : number_of(task, number);
	if (charged + idle + unattributed == counted)
		return true;
	print_message(
		"interval %zu, %s: tasks %llu + idle %llu + unattributed %llu = %llu, but the "
		"CPUs counted %llu (%lld more)\n",
		index, number, (unsigned long long)charged, (unsigned long long)idle,
		(unsigned long long)unattributed,
		(unsigned long long)(charged + idle + unattributed), (unsigned long long)counted,
		(long long)(counted - charged - idle - unattributed));
	return false;
}

bool results_books_balance(const json_t *intervals)
{
	bool balance = true;
	json_t *interval, *value;
	const char *number;
	size_t i;

	json_array_foreach (intervals, i, interval) {
		json_t *cpu = json_array_get(json_object_get(interval, "cpus"), 0);

		if (!cpu)
			fail_msg("interval %zu has no CPUs", i);
		balance &= number_balances(interval, i, "ns");
		balance &= number_balances(interval, i, "switches");
		json_object_foreach (json_object_get(cpu, "counts"), number, value)
			balance &= number_balances(interval, i, number);
	}
	return balance;
}

uint64_t results_unattributed(const json_t *intervals, const char *number)
{
	uint64_t total = 0;
	json_t *interval, *cpu;
	size_t i, j;

	json_array_foreach (intervals, i, interval)
		json_array_foreach (json_object_get(interval, "cpus"), j, cpu)
			total += number_of(json_object_get(cpu, "unattributed"), number);
	return total;
}

bool results_near(const char *what, double measured, double expected, double tolerance_pct)
{
	double off_pct = fabs(measured - expected) / expected * 100;

	if (off_pct <= tolerance_pct)
		return true;
	print_message("%s: %.5f instead of %.5f, %.3f %% off, allowed are %.3f %%\n", what,
		      measured, expected, off_pct, tolerance_pct);
	return false;
}

static bool has_all(const char *line, const char *const *words)
{
	for (; *words; words++)
		if (!strstr(line, *words))
			return false;
	return true;
}

char *results_line_with(const char *file, const char *const *words)
{
	char *text = results_text(file);
	char *rest = text, *found = NULL;

	if (!text)
		fail_msg("%s: the scenario brought no such file", file);
	for (char *line; !found && (line = strsep(&rest, "\n"));)
		if (has_all(line, words))
			found = strdup(line);
	free(text);
	return found;
}
