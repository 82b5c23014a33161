#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "model/session.h"

#include "perfdata/reader.h"
#include "perfdata/replaying.h"

enum {
	WORD_MAX = 64
};

const char *replay_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (strcmp(path, "-") == 0)
		return "standard input";
	return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* "-a", "-ag": letters of perf record that take nothing, one of them a. */
static bool is_all(const char *word)
{
	return strcmp(word, "--all-cpus") == 0 ||
	       (word[0] == '-' && word[1] != '-' && strchr(word, 'a') &&
		word[1 + strspn(word + 1, "agdnvqAsTWBNibSPR")] == '\0');
}

static int scope_of(const char *word)
{
	if (is_all(word) || strncmp(word, "-C", 2) == 0 || strncmp(word, "--cpu", 5) == 0)
		return 1;
	if (strncmp(word, "-p", 2) == 0 || strncmp(word, "-t", 2) == 0 ||
	    strncmp(word, "--pid", 5) == 0 || strncmp(word, "--tid", 5) == 0 ||
	    strcmp(word, "--per-thread") == 0)
		return -1;
	return 0;
}

int replay_scope(const char *command)
{
	char word[WORD_MAX];
	int scope = 0;

	while (*command != '\0' && scope == 0) {
		const size_t length = strcspn(command, " ");

		snprintf(word, sizeof(word), "%.*s", (int)length, command);
		if (strcmp(word, "--") == 0)
			break;
		scope = scope_of(word);
		command += length;
		command += strspn(command, " ");
	}
	return scope;
}

static bool has_estimates(const struct layout *layout)
{
	for (size_t i = 0; i < layout->event_count; i++)
		if (layout->events[i].is_estimate)
			return true;
	return layout->estimated != 0;
}

static uint32_t bit(enum quantity quantity)
{
	return UINT32_C(1) << quantity;
}

static uint32_t unknown_of(const struct replay_events *events)
{
	const uint32_t absences = bit(QUANTITY_PREEMPTED_NS) | bit(QUANTITY_OFF_NS);
	const uint32_t waits =
		bit(QUANTITY_QUEUED_NS) | bit(QUANTITY_WAKEUP_NS) | bit(QUANTITY_WAKEUPS);
	uint32_t unknown = events->reports_waking ? 0 : waits;

	if (events->reports_switches || events->traces_switches)
		return unknown;
	unknown |= waits | absences | bit(QUANTITY_PREEMPTIONS);
	if (events->reads_switches && events->is_system)
		return unknown;
	unknown |= bit(QUANTITY_SWITCHES) | bit(QUANTITY_MIGRATIONS);
	return replay_events_know_run(events) ? unknown : unknown | bit(QUANTITY_RUN_NS);
}

static const char *run_words(const struct replay_events *events)
{
	if (events->run_event >= 0)
		return "run times are estimates from samples of a clock, no switches were recorded";
	if (!replay_events_know_run(events))
		return "run times are not known, no switches were recorded (perf record "
		       "--switch-events)";
	if (!events->reports_switches && !events->traces_switches)
		return "run times are those between readings at switches";
	return "run times are those between the switches that were recorded";
}

static void describe(struct session *session, const struct perfdata_info *info,
		     const struct replay_events *events)
{
	const bool is_marked = session->is_estimated;

	snprintf(session->scope_reason, sizeof(session->scope_reason),
		 "recorded by perf%s%.60s%s%.80s%s%.80s: %s; %s%s",
		 info->version[0] != '\0' ? " " : "", info->version,
		 info->host[0] != '\0' ? " on " : "", info->host,
		 info->release[0] != '\0' ? ", Linux " : "", info->release,
		 events->is_system ? "whole machine" : "some tasks only", run_words(events),
		 is_marked ? "; ~ marks estimates from samples" : "");
}

void replay_describe(struct session *session, const char *path, const struct perfdata_info *info,
		     const struct replay_events *events)
{
	session->scope = events->is_system ? SCOPE_SYSTEM : SCOPE_TASKS;
	session->is_live = false;
	session->is_estimated = has_estimates(events->layout);
	session->has_pmu = events->has_hardware;
	session->wall_offset_ns = info->has_wall ? info->wall_offset_ns : REPLAY_WALL_UNKNOWN;
	session->cpu_count = info->cpus_online < INT32_MAX ? (int)info->cpus_online : 0;
	session->queue = events->reports_waking ? QUEUE_WAKEUPS : QUEUE_UNKNOWN;
	session->has_yields = events->reports_yields;
	session->unknown = unknown_of(events);
	snprintf(session->scope_words, sizeof(session->scope_words), "replay of %s",
		 replay_name(path));
	snprintf(session->queue_words, sizeof(session->queue_words), "%s",
		 events->reports_waking
			 ? "run-queue waits from the recorded wake-ups"
			 : "run-queue waits are not known: no wake-ups were recorded");
	describe(session, info, events);
}

void replay_add_remark(struct strbuf *remarks, uint64_t count, const char *what, const char *how)
{
	if (count == 0)
		return;
	strbuf_printf(remarks, "%s%llu %s%s %s", remarks->length > 0 ? "; " : "",
		      (unsigned long long)count, what, units_plural(count), how);
}
