/*
 * Reading stays. perf tells of switches in pairs of lines, OUT and IN, each with its time; timehist
 * in one line when a stay ends; perftop in one line per switch, which ends one stay and begins
 * another. What a CPU is doing meanwhile is kept in `current`: the index of its open stay.
 */
#include "stays.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "results.h"

enum {
	CPUS_MAX = 1024,
	NOBODY = -1,
	SAME_STAY_NS = 500000 /* two that are further apart are not the same */
};

struct reading {
	struct stays *stays;
	long current[CPUS_MAX]; /* index of the stay that goes on there; -1: none */
};

static void reading_init(struct reading *reading, struct stays *stays)
{
	reading->stays = stays;
	for (size_t i = 0; i < CPUS_MAX; i++)
		reading->current[i] = -1;
}

void stays_free(struct stays *stays)
{
	free(stays->list);
	*stays = (struct stays){0};
}

static struct stay *add(struct stays *stays, int pid, int cpu)
{
	if (stays->count == stays->capacity) {
		stays->capacity = stays->capacity ? 2 * stays->capacity : 1024;
		stays->list = realloc(stays->list, stays->capacity * sizeof(*stays->list));
		assert_non_null(stays->list);
	}
	struct stay *stay = &stays->list[stays->count++];
	*stay = (struct stay){
		.pid = pid,
		.cpu = cpu,
		.in_ns = STAY_NS_UNKNOWN,
		.out_ns = STAY_NS_UNKNOWN,
		.slice_ns = STAY_NS_UNKNOWN,
		.off_ns = STAY_NS_UNKNOWN,
		.wait_ns = STAY_NS_UNKNOWN,
	};
	return stay;
}

static struct stay *begin(struct reading *reading, int pid, int cpu, uint64_t ns)
{
	struct stay *stay = add(reading->stays, pid, cpu);

	stay->in_ns = ns;
	assert_in_range(cpu, 0, CPUS_MAX - 1);
	reading->current[cpu] = (long)reading->stays->count - 1;
	return stay;
}

/* The stay that goes on on a CPU, which is that of `pid`; one of unknown beginning otherwise. */
static struct stay *end(struct reading *reading, int pid, int cpu, uint64_t ns)
{
	assert_in_range(cpu, 0, CPUS_MAX - 1);
	const long index = reading->current[cpu];
	struct stay *stay = index >= 0 ? &reading->stays->list[index] : NULL;

	reading->current[cpu] = -1;
	/* a task that was reaped meanwhile has lost its number */
	if (!stay || (pid != NOBODY && stay->pid != pid))
		stay = add(reading->stays, pid, cpu);
	stay->out_ns = ns;
	return stay;
}

static uint64_t first_known(const struct stay *stay)
{
	return stay->in_ns != STAY_NS_UNKNOWN ? stay->in_ns : stay->out_ns;
}

static int by_task_and_time(const void *a, const void *b)
{
	const struct stay *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (first_known(x) > first_known(y)) - (first_known(x) < first_known(y));
}

static void sort(struct stays *stays)
{
	qsort(stays->list, stays->count, sizeof(*stays->list), by_task_and_time);
}

/* Seconds with a decimal point, to nanoseconds. */
static uint64_t parse_time(const char *text, char **rest)
{
	uint64_t ns = strtoull(text, rest, 10) * 1000000000, place = 100000000;

	if (**rest != '.')
		return ns;
	for ((*rest)++; **rest >= '0' && **rest <= '9'; (*rest)++, place /= 10)
		ns += (uint64_t)(**rest - '0') * place;
	return ns;
}

/* " 9569/9569  [000] 23581.420017806: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid: ..."
 */
static void take_script_line(struct reading *reading, const char *line)
{
	const char *kind = strstr(line, "PERF_RECORD_SWITCH_CPU_WIDE");
	const char *bracket = strchr(line, '[');
	const int pid = atoi(line);
	char *rest;

	if (!kind || !bracket)
		return;
	const int cpu = (int)strtol(bracket + 1, &rest, 10);
	const uint64_t ns = parse_time(rest + strspn(rest, "] "), &rest);
	kind += strlen("PERF_RECORD_SWITCH_CPU_WIDE ");
	if (strncmp(kind, "IN", 2) == 0) {
		begin(reading, pid, cpu, ns);
		return;
	}
	struct stay *stay = end(reading, pid, cpu, ns);
	stay->end = strncmp(kind, "OUT preempt", 11) == 0 ? STAY_PREEMPTED : STAY_BLOCKED;
	if (stay->in_ns != STAY_NS_UNKNOWN)
		stay->slice_ns = stay->out_ns - stay->in_ns;
}

static void find_absences(struct stays *stays)
{
	for (size_t i = 1; i < stays->count; i++) {
		const struct stay *before = &stays->list[i - 1];
		struct stay *stay = &stays->list[i];

		if (before->pid == stay->pid && before->out_ns != STAY_NS_UNKNOWN &&
		    stay->in_ns != STAY_NS_UNKNOWN)
			stay->off_ns = stay->in_ns - before->out_ns;
	}
}

void stays_read_script(struct stays *stays, const char *name)
{
	char *text = results_text(name), *rest = text;
	struct reading reading;

	assert_non_null(text);
	reading_init(&reading, stays);
	for (char *line; (line = strsep(&rest, "\n"));)
		take_script_line(&reading, line);
	free(text);
	sort(stays);
	find_absences(stays);
}

/* Milliseconds with three decimals, to nanoseconds. */
static uint64_t parse_ms(const char *text, char **rest)
{
	return parse_time(text + strspn(text, " "), rest) / 1000;
}

/* " 23706.638485 [0000]  migration/0[18]    0.000      0.005      0.018" */
static void take_timehist_line(struct stays *stays, char *line)
{
	char *rest = line + strspn(line, " ");
	char *name = strstr(line, "sh-"), *number = name ? strchr(name, '[') : NULL;

	if (!number)
		return;
	const uint64_t out_ns = parse_time(rest, &rest);
	rest += strspn(rest, " [");
	struct stay *stay = add(stays, atoi(number + 1), (int)strtol(rest, NULL, 10));
	rest = strchr(number, ']') + 1;
	stay->out_ns = out_ns;
	stay->off_ns = parse_ms(rest, &rest);
	stay->wait_ns = parse_ms(rest, &rest);
	stay->slice_ns = parse_ms(rest, &rest);
	stay->in_ns = out_ns - stay->slice_ns;
}

void stays_read_timehist(struct stays *stays, const char *name)
{
	char *text = results_text(name), *rest = text;

	assert_non_null(text);
	for (char *line; (line = strsep(&rest, "\n"));)
		take_timehist_line(stays, line);
	free(text);
	sort(stays);
}

static uint64_t ns_or_unknown(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_true(json_is_integer(value) || json_is_null(value));
	return json_is_null(value) ? STAY_NS_UNKNOWN : (uint64_t)json_integer_value(value);
}

static enum stay_end end_called(const char *how)
{
	static const struct {
		const char *how;
		enum stay_end end;
	} ends[] = {
		{"preempted", STAY_PREEMPTED}, {"yielded", STAY_YIELDED},
		{"blocked", STAY_BLOCKED},     {"exited", STAY_BLOCKED},
		{"unknown", STAY_END_UNKNOWN}, {"idle", STAY_BLOCKED},
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (strcmp(ends[i].how, how) == 0)
			return ends[i].end;
	fail_msg("\"how\" is \"%s\"", how);
	return STAY_END_UNKNOWN;
}

/*
 * Where a task is hidden from the records, as on some virtual machines, a slice ends of which
 * nobody knows whose it was, and the task that runs is told of once more: nobody came.
 */
static bool goes_on(const struct reading *reading, const json_t *left, const json_t *came, int cpu)
{
	const long index = reading->current[cpu];

	return json_is_null(left) && index >= 0 &&
	       reading->stays->list[index].pid == (int)results_integer(came, "pid");
}

static void take_switch(struct reading *reading, const json_t *line)
{
	const json_t *left = json_object_get(line, "out"), *came = json_object_get(line, "in");
	const uint64_t ns = (uint64_t)results_integer(line, "time_ns");
	const int cpu = (int)results_integer(line, "cpu");
	struct stay *stay;

	if (!json_is_null(left)) {
		stay = end(reading, (int)results_integer(left, "pid"), cpu, ns);
		stay->slice_ns = ns_or_unknown(line, "slice_ns");
		stay->end = end_called(json_string_value(json_object_get(line, "how")));
	}
	if (!json_is_null(came) && !goes_on(reading, left, came, cpu)) {
		stay = begin(reading, (int)results_integer(came, "pid"), cpu, ns);
		stay->off_ns = ns_or_unknown(came, "off_ns");
		stay->wait_ns = ns_or_unknown(line, "wait_ns");
	}
}

void stays_take_switches(struct stays *stays, const json_t *lines)
{
	struct reading reading;
	const json_t *line;
	size_t i;

	reading_init(&reading, stays);
	json_array_foreach (lines, i, line)
		take_switch(&reading, line);
	sort(stays);
}

const struct stay *stays_of(const struct stays *stays, int pid, size_t *count)
{
	size_t low = 0, high = stays->count;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (stays->list[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < stays->count && stays->list[low + *count].pid == pid;)
		++*count;
	return stays->list + low;
}

uint64_t stays_apart_ns(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

struct row {
	const struct stay *stays;
	size_t count, at;
};

/* By the nearer of both ends: one of them may be late. */
static uint64_t apart(const struct row *a, size_t i, const struct row *b, size_t k)
{
	if (i >= a->count || k >= b->count)
		return UINT64_MAX;
	const uint64_t in_ns = stays_apart_ns(a->stays[i].in_ns, b->stays[k].in_ns);
	const uint64_t out_ns = stays_apart_ns(a->stays[i].out_ns, b->stays[k].out_ns);

	return in_ns < out_ns ? in_ns : out_ns;
}

/* Which of the next two is alone: 1 the one, -1 the other; 0: they are the same stay. */
static int who_is_alone(const struct row *one, const struct row *other)
{
	const uint64_t ns = apart(one, one->at, other, other->at);

	if (one->at == one->count || other->at == other->count)
		return one->at < one->count ? 1 : -1;
	if (apart(one, one->at + 1, other, other->at) < ns)
		return 1;
	if (apart(one, one->at, other, other->at + 1) < ns)
		return -1;
	if (ns <= SAME_STAY_NS)
		return 0;
	return one->stays[one->at].out_ns < other->stays[other->at].out_ns ? 1 : -1;
}

/*
 * Where each side would have one that is alone at the same place, they are one stay: the machine
 * was stopped for longer than the next is away, between the times that the two took of a switch.
 */
static int who_is_left_over(const struct row *one, const struct row *other)
{
	const int alone = who_is_alone(one, other);
	struct row after_one = *one, after_other = *other;

	after_one.at += alone > 0;
	after_other.at += alone < 0;
	if (alone != 0 && apart(one, one->at, other, other->at) <= SAME_STAY_NS &&
	    who_is_alone(&after_one, &after_other) == -alone)
		return 0;
	return alone;
}

void stays_pair(const struct stays *these, const struct stays *others, int pid, stays_looker *look,
		void *context)
{
	struct row one = {0}, other = {0};

	one.stays = stays_of(these, pid, &one.count);
	other.stays = stays_of(others, pid, &other.count);
	while (one.at < one.count || other.at < other.count) {
		const int alone = who_is_left_over(&one, &other);

		look(alone >= 0 ? &one.stays[one.at] : NULL,
		     alone <= 0 ? &other.stays[other.at] : NULL, context);
		one.at += alone >= 0;
		other.at += alone <= 0;
	}
}
