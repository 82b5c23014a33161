/*
 * Any text is either a list of events, whose parts then are inside of it, or refused with a
 * position inside it and a sentence.
 */
#include "event/event.h"
#include "event/syntax.h"
#include "fuzz.h"

static void check_event(size_t length, const struct syntax_event *event)
{
	const size_t size = strlen(event->text);
	struct event_spec spec = {0};

	require(size > 0 && event->position + size <= length);
	require(event->name <= size && event->tail <= size && event->inside <= size);
	require(event->parts[size] == '\0' && strlen(event->outer_text) < SYNTAX_LETTERS_MAX);
	require(event->parts[event->name] != '\0' || event->form == SYNTAX_RAW ||
		event->form == SYNTAX_BREAKPOINT || event->tail == 1);
	require(event->modifiers.precise <= 3 && event->outer.precise <= 3);
	syntax_modifiers_apply(&event->modifiers, &event->outer, &spec);
	require(!spec.exclude_user || !spec.exclude_kernel || !spec.exclude_hv);
	require(!spec.exclude_host || !spec.exclude_guest);
}

/* Fuzzers find the first bytes of a form too seldom: each input is tried behind some of them. */
static const char *const BEGINNINGS[] = {"",         "mem:0x10/", "uprobe:/bin/x:", "kretprobe:",
					 "r1:",      "cpu/",      "a:b/",           "{cycles:u,",
					 "{a,b}:uk", "cycles:"};

static void parse(const char *text)
{
	struct syntax_list list;
	const char *message = NULL;
	size_t position = SIZE_MAX, length = strlen(text);

	if (!syntax_parse(text, &list, &position, &message)) {
		require(position <= length && message && *message && list.count == 0);
		return;
	}
	require(list.count > 0);
	for (size_t i = 0; i < list.count; i++)
		check_event(length, &list.events[i]);
	syntax_list_fini(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < COUNT_OF(BEGINNINGS); i++) {
		char *text = fuzz_text(BEGINNINGS[i], data, size);

		parse(text);
		free(text);
	}
	return 0;
}
