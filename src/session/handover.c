#include "session/handover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "model/layout.h"

#include "event/event.h"

enum {
	PATH_BYTES = 4096
};

static bool is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_,./:=-+@%";

	return text[0] != '\0' && text[strspn(text, plain)] == '\0';
}

/* A word as a shell takes it for itself. */
static void add_quoted(struct strbuf *out, const char *text)
{
	if (is_plain(text)) {
		strbuf_add(out, text);
		return;
	}
	strbuf_add(out, "'");
	for (; *text != '\0'; text++)
		if (*text == '\'')
			strbuf_add(out, "'\\''");
		else
			strbuf_add_bytes(out, text, 1);
	strbuf_add(out, "'");
}

/* The events of the command as they come together. */
struct perf_events {
	struct strbuf plain;    /* owned; all that need no filter, with commas */
	struct strbuf filtered; /* owned; -e and --filter of the others */
	struct strbuf *left_out;
	bool has_time; /* one of them samples while the task runs */
	bool has_switches;
};

static void leave_out(struct perf_events *perf_events, const char *name, const char *reason)
{
	strbuf_printf(perf_events->left_out, "%s%s: %s",
		      perf_events->left_out->length > 0 ? "; " : "", name, reason);
}

static void add_spec(struct perf_events *perf_events, const struct event_spec *spec)
{
	struct strbuf words = {0};
	const char *reason;

	if (!event_perf_words(spec, &words, &reason)) {
		leave_out(perf_events, spec->name, reason);
	} else if (spec->filter[0] != '\0') {
		strbuf_add(&perf_events->filtered, " -e ");
		add_quoted(&perf_events->filtered, strbuf_text(&words));
		strbuf_add(&perf_events->filtered, " --filter ");
		add_quoted(&perf_events->filtered, spec->filter);
	} else {
		strbuf_printf(&perf_events->plain, "%s%s", perf_events->plain.length > 0 ? "," : "",
			      strbuf_text(&words));
	}
	perf_events->has_time =
		perf_events->has_time || spec->class == EVENT_CLASS_HARDWARE || spec->is_clock;
	perf_events->has_switches =
		perf_events->has_switches || strcmp(strbuf_text(&words), "sched:sched_switch") == 0;
	strbuf_fini(&words);
}

static void add_events(const struct handover_input *input, struct perf_events *perf_events)
{
	const struct layout *layout = input->layout;

	for (size_t i = 0; i < input->events->count; i++) {
		const struct evsel *evsel = &input->events->evsels[i];
		const int index = layout_find_event(layout, evsel->name);

		if (index < 0 || layout->events[index].is_removed ||
		    !event_is_counted(&layout->events[index]))
			continue;
		for (size_t j = 0; j < evsel->spec_count; j++)
			add_spec(perf_events, &evsel->specs[j]);
	}
	/* a profile without one says nothing of where the time goes */
	if (!perf_events->has_time)
		strbuf_add(&perf_events->plain,
			   perf_events->plain.length > 0 ? ",cpu-clock" : "cpu-clock");
}

static void add_off_cpu(const struct handover_input *input, struct perf_events *perf_events)
{
	if (input->may_trace && !perf_events->has_switches)
		strbuf_add(&perf_events->plain, ",sched:sched_switch");
	else if (!perf_events->has_switches)
		leave_out(perf_events, "sched:sched_switch", "tracepoints cannot be read");
}

void handover_write(const struct handover_input *input, struct strbuf *command,
		    struct strbuf *left_out)
{
	struct perf_events perf_events = {.left_out = left_out};

	add_events(input, &perf_events);
	if (input->is_off_cpu)
		add_off_cpu(input, &perf_events);
	strbuf_printf(command, "perf record -g %s %d", input->tid != input->pid ? "-t" : "-p",
		      input->tid);
	if (input->is_off_cpu)
		strbuf_add(command, " --switch-events");
	strbuf_add(command, " -e ");
	add_quoted(command, strbuf_text(&perf_events.plain));
	strbuf_add(command, strbuf_text(&perf_events.filtered));
	strbuf_fini(&perf_events.plain);
	strbuf_fini(&perf_events.filtered);
}

/* "[ perf record: Captured and wrote 0.02 MB perf.data (5 samples) ]" without the brackets. */
static void add_line(struct strbuf *out, const char *line, size_t length)
{
	while (length > 0 && strchr("[ \t\r", line[0])) {
		line++;
		length--;
	}
	while (length > 0 && strchr("] \t\r", line[length - 1]))
		length--;
	strbuf_clear(out);
	strbuf_add_bytes(out, line, length);
}

static bool is_of_no_reason(const char *line)
{
	return line[0] == '\0' || strcmp(line, "Error:") == 0 ||
	       strncmp(line, "Warning:", 8) == 0 ||
	       strncmp(line, "perf record: Woken up", 21) == 0 || strcmp(line, "^C") == 0 ||
	       strncmp(line, "^C[ perf record: Woken up", 25) == 0;
}

void handover_outcome(const char *words, struct strbuf *out)
{
	struct strbuf line = {0};

	strbuf_clear(out);
	while (*words != '\0') {
		const size_t length = strcspn(words, "\n");

		add_line(&line, words, length);
		words += length + (words[length] == '\n');
		if (strstr(strbuf_text(&line), "and wrote")) {
			strbuf_clear(out);
			strbuf_add(out, strbuf_text(&line));
		} else if (out->length == 0 && !is_of_no_reason(strbuf_text(&line))) {
			strbuf_add(out, strbuf_text(&line));
		}
	}
	strbuf_fini(&line);
}

static bool is_in_path(const char *name)
{
	const char *path = getenv("PATH");

	for (; path && *path != '\0'; path += *path == ':') {
		const size_t length = strcspn(path, ":");
		char file[PATH_BYTES];

		snprintf(file, sizeof(file), "%.*s/%s", (int)length, path, name);
		if (length > 0 && access(file, X_OK) == 0)
			return true;
		path += length;
	}
	return false;
}

bool handover_has_program(const char *command, char *name, size_t size)
{
	const char *begin = command + strspn(command, " \t");

	snprintf(name, size, "%.*s", (int)strcspn(begin, " \t"), begin);
	if (strchr(name, '/'))
		return access(name, X_OK) == 0;
	return name[0] != '\0' && is_in_path(name);
}
