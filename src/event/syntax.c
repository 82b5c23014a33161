/*
 * The parser of event lists: a cursor that goes forward once over the text.
 *
 * An event ends at a comma or a brace that is not between slashes; between slashes, at none that is
 * in quotes. In probes and breakpoints a slash is a character like any other. What went wrong is in
 * the cursor: its position and its sentence.
 */
#include "event/syntax.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

#include "event/event.h"
#include "event/terms.h"

/* In a part of the event. */
static bool fail_in(struct text_cursor *cursor, const struct syntax_event *event, const char *at,
		    const char *message)
{
	return cursor_fail(cursor, cursor->text + event->position + (at - event->parts), message);
}

/* ---- modifiers: letters, with the meaning that perf gives them */

/* In the order of their MODIFIER_ bits. */
static const char LETTERS[] = "ukhHGIP";

/* What is wrong with a letter that is none of these; perf has some more. */
static const char *why_no_modifier(char c)
{
	switch (c) {
	case 'D':
		return "D (pinned) is not possible: events are members of groups, and only the "
		       "leader of one can be pinned";
	case 'e':
		return "e (exclusive) is not possible: perftop's own groups count beside it";
	case 'S':
		return "S has no use here: all counters are read together at each context switch";
	case 'W':
		return "W (weak) is not possible: what is in braces is counted together or not at "
		       "all; without braces events take turns";
	case 'b':
		return "b is not possible: perftop has no BPF programs that count";
	case 'R':
		return "R (latency of retirement) is measured by perf stat itself";
	default:
		return "modifiers are letters of u, k, h, H, G, I, p and P";
	}
}

static bool add_letter(char c, struct syntax_modifiers *modifiers, const char **message)
{
	const char *letter = strchr(LETTERS, c);
	unsigned int bit = letter ? 1u << (letter - LETTERS) : 0;

	if (c == 'p') {
		*message = "there are at most three p (:ppp)";
		return ++modifiers->precise <= 3;
	}
	if (bit == 0) {
		*message = why_no_modifier(c);
		return false;
	}
	*message = "a modifier is given twice";
	if (modifiers->letters & bit)
		return false;
	modifiers->letters |= bit;
	return true;
}

bool syntax_modifiers_parse(const char *letters, struct syntax_modifiers *modifiers,
			    const char **message)
{
	struct syntax_modifiers read = {0};

	*message = "modifiers are missing";
	if (*letters == '\0')
		return false;
	for (; *letters != '\0'; letters++)
		if (!add_letter(*letters, &read, message))
			return false;
	*modifiers = read;
	return true;
}

static bool has_guest_letters(const struct syntax_modifiers *modifiers)
{
	return (modifiers->letters & (MODIFIER_HOST | MODIFIER_GUEST)) != 0;
}

static void apply_modes(unsigned int letters, struct event_spec *spec)
{
	if ((letters & (MODIFIER_USER | MODIFIER_KERNEL | MODIFIER_HYPERVISOR)) == 0)
		return;
	if (!spec->exclude_user && !spec->exclude_kernel && !spec->exclude_hv)
		spec->exclude_user = spec->exclude_kernel = spec->exclude_hv = true;
	spec->exclude_user = spec->exclude_user && !(letters & MODIFIER_USER);
	spec->exclude_kernel = spec->exclude_kernel && !(letters & MODIFIER_KERNEL);
	spec->exclude_hv = spec->exclude_hv && !(letters & MODIFIER_HYPERVISOR);
}

/* is_decided: modifiers or libpfm4 attributes have said already whether guests count. */
static void apply_guests(const struct syntax_modifiers *modifiers, bool is_decided,
			 struct event_spec *spec)
{
	if (has_guest_letters(modifiers)) {
		if (!is_decided)
			spec->exclude_host = spec->exclude_guest = true;
		spec->exclude_host = spec->exclude_host && !(modifiers->letters & MODIFIER_HOST);
		spec->exclude_guest = spec->exclude_guest && !(modifiers->letters & MODIFIER_GUEST);
	} else if (!is_decided &&
		   ((modifiers->letters & (MODIFIER_USER | MODIFIER_MOST_PRECISE)) != 0 ||
		    modifiers->precise > 0)) {
		spec->exclude_guest = true;
	}
}

static void apply_one(const struct syntax_modifiers *modifiers, bool is_decided,
		      struct event_spec *spec)
{
	apply_modes(modifiers->letters, spec);
	apply_guests(modifiers, is_decided, spec);
	spec->exclude_idle = spec->exclude_idle || (modifiers->letters & MODIFIER_IDLE) != 0;
	spec->precise = (uint8_t)(spec->precise + modifiers->precise);
	spec->is_most_precise =
		spec->is_most_precise || (modifiers->letters & MODIFIER_MOST_PRECISE) != 0;
}

void syntax_modifiers_apply(const struct syntax_modifiers *own,
			    const struct syntax_modifiers *outer, struct event_spec *spec)
{
	bool is_decided = spec->exclude_host || spec->exclude_guest;

	if (!is_decided && own->letters == 0 && own->precise == 0)
		spec->exclude_guest = true;
	apply_one(own, is_decided, spec);
	is_decided = is_decided || has_guest_letters(own);
	apply_one(outer, is_decided, spec);
	is_decided = is_decided || has_guest_letters(outer);
	spec->guest_is_default = spec->exclude_guest && !is_decided;
}

/* ---- forms */

/* The event's modifiers; none are a fault. */
static bool take_event_modifiers(struct text_cursor *cursor, struct syntax_event *event,
				 const char *letters)
{
	const char *message;

	return syntax_modifiers_parse(letters, &event->modifiers, &message) ||
	       fail_in(cursor, event, letters, message);
}

/* A number up to the first byte that is none of its digits. */
static bool take_event_number(struct text_cursor *cursor, const struct syntax_event *event,
			      const char **at, uint64_t *number)
{
	char digits[24];
	size_t length = 0;
	const char *start = *at;

	while (length < sizeof(digits) - 1 && isalnum((unsigned char)**at))
		digits[length++] = *(*at)++;
	digits[length] = '\0';
	return units_parse_number(digits, number) ||
	       fail_in(cursor, event, start,
		       "a number is expected here (decimal, or 0x and hexadecimal)");
}

/* Whether the letters are some of r, w, x, each at most once. */
static bool read_access(const char *letters, unsigned int *access)
{
	static const char accesses[] = "rwx"; /* in the order of their ACCESS_ bits */
	unsigned int read = 0;

	for (const char *c = letters; *c != '\0'; c++) {
		const char *found = strchr(accesses, *c);

		if (!found || (read & 1u << (found - accesses)))
			return false;
		read |= 1u << (found - accesses);
	}
	*access = read;
	return *letters != '\0';
}

/* ":ACCESS", ":MODIFIERS" or both behind the address. */
static bool take_breakpoint_tail(struct text_cursor *cursor, struct syntax_event *event, char *at)
{
	char *colon = strchr(at, ':');
	const char *message;

	if (colon)
		*colon = '\0';
	if (read_access(at, &event->access))
		return !colon || take_event_modifiers(cursor, event, colon + 1);
	return (!colon && syntax_modifiers_parse(at, &event->modifiers, &message)) ||
	       fail_in(cursor, event, at,
		       "an access is of the letters r, w, x; modifiers follow it");
}

static bool take_breakpoint(struct text_cursor *cursor, struct syntax_event *event)
{
	const char *at = event->parts + strlen("mem:");

	event->form = SYNTAX_BREAKPOINT;
	if (!take_event_number(cursor, event, &at, &event->number))
		return false;
	if (*at == '/') {
		const char *length = ++at;

		if (!take_event_number(cursor, event, &at, &event->length))
			return false;
		if (event->length != 1 && event->length != 2 && event->length != 4 &&
		    event->length != 8)
			return fail_in(cursor, event, length,
				       "a breakpoint is 1, 2, 4 or 8 bytes long");
	}
	if (*at == '\0')
		return true;
	return *at == ':'
		       ? take_breakpoint_tail(cursor, event, event->parts + (at + 1 - event->parts))
		       : fail_in(cursor, event, at, "a colon is expected here");
}

/* Takes ":MODIFIERS" off the end of the text when the word behind its last colon is that. */
static void strip_modifiers(char *text, struct syntax_modifiers *modifiers)
{
	char *colon = strrchr(text, ':');
	const char *message;

	if (colon && syntax_modifiers_parse(colon + 1, modifiers, &message))
		*colon = '\0';
}

static bool take_function(struct text_cursor *cursor, struct syntax_event *event, char *name)
{
	char *plus = strrchr(name, '+');
	const char *at = plus ? plus + 1 : NULL;

	event->name = (size_t)(name - event->parts);
	if (*name == '\0' || plus == name)
		return fail_in(cursor, event, name, "the function's name is missing");
	if (!plus)
		return true;
	if (event->returns)
		return fail_in(cursor, event, plus, "a return probe has no offset");
	*plus = '\0';
	if (!take_event_number(cursor, event, &at, &event->number))
		return false;
	return *at == '\0' || fail_in(cursor, event, at, "this is not part of a number");
}

static bool take_kprobe(struct text_cursor *cursor, struct syntax_event *event)
{
	char *name = strchr(event->parts, ':') + 1, *colon;

	event->form = SYNTAX_KPROBE;
	event->returns = text_begins(event->parts, "kret");
	strip_modifiers(name, &event->modifiers);
	colon = strchr(name, ':');
	return !colon ? take_function(cursor, event, name)
		      : fail_in(cursor, event, colon, "a function's name has no colon");
}

/* Takes ":force" off the end, if a file and a function are before it. */
static bool strip_force(char *text)
{
	char *colon = strrchr(text, ':');

	if (!colon || strcmp(colon, ":force") != 0 || strchr(text, ':') == colon)
		return false;
	*colon = '\0';
	return true;
}

/* The file is all up to the last colon: its name may have colons too. */
static bool take_uprobe(struct text_cursor *cursor, struct syntax_event *event)
{
	char *file = strchr(event->parts, ':') + 1, *colon;

	event->form = SYNTAX_UPROBE;
	event->returns = text_begins(event->parts, "uret");
	if (strchr(file, ':') != strrchr(file, ':'))
		strip_modifiers(file, &event->modifiers);
	event->is_forced = strip_force(file);
	colon = strrchr(file, ':');
	if (!colon || colon == file)
		return fail_in(cursor, event, file, "a probe is written uprobe:FILE:FUNCTION");
	*colon = '\0';
	event->inside = (size_t)(file - event->parts);
	return take_function(cursor, event, colon + 1);
}

bool syntax_raw_parse(const char *name, uint64_t *config)
{
	const char *digits = name + (text_begins(name, "r0x") ? 3 : 1);
	char number[2 + 16 + 1];

	if (name[0] != 'r' || *digits == '\0' || strlen(digits) > 16)
		return false;
	snprintf(number, sizeof(number), "0x%.16s", digits);
	return units_parse_number(number, config);
}

/* A name ends at its first colon. */
static void split_event_name(struct syntax_event *event)
{
	char *colon = strchr(event->parts, ':');

	if (!colon)
		return;
	*colon = '\0';
	event->tail = (size_t)(colon + 1 - event->parts);
}

static bool take_slashes(struct text_cursor *cursor, struct syntax_event *event, size_t close)
{
	char *open = strchr(event->parts, '/'), *tail = event->parts + close + 1;

	event->form = SYNTAX_SLASHES;
	event->inside = (size_t)(open + 1 - event->parts);
	*open = event->parts[close] = '\0';
	split_event_name(event);
	if (open == event->parts)
		return fail_in(cursor, event, open, "the name of a PMU or of an event is missing");
	return *tail == '\0' || take_event_modifiers(cursor, event, tail + (*tail == ':'));
}

static bool begins_breakpoint(const char *text)
{
	return text_begins(text, "mem:");
}

static bool begins_kprobe(const char *text)
{
	return text_begins(text, "kprobe:") || text_begins(text, "kretprobe:");
}

static bool begins_uprobe(const char *text)
{
	return text_begins(text, "uprobe:") || text_begins(text, "uretprobe:");
}

/* close: offset of the last slash; 0: there is none. */
static bool take_form(struct text_cursor *cursor, struct syntax_event *event, size_t close)
{
	if (begins_breakpoint(event->text))
		return take_breakpoint(cursor, event);
	if (begins_kprobe(event->text))
		return take_kprobe(cursor, event);
	if (begins_uprobe(event->text))
		return take_uprobe(cursor, event);
	if (close > 0)
		return take_slashes(cursor, event, close);
	split_event_name(event);
	if (!syntax_raw_parse(event->parts, &event->number))
		return true; /* a name */
	event->form = SYNTAX_RAW;
	return event->tail == 0 || take_event_modifiers(cursor, event, event->parts + event->tail);
}

/*
 * Takes "/period=N/" or "/freq=N/" off the end of what has no other terms: probes, breakpoints and
 * tracepoints, which have a filter between their slashes; no filter has a single "=". True: it did.
 */
static bool strip_rate(struct syntax_event *event)
{
	const size_t length = strlen(event->parts);
	char *colon = strchr(event->parts, ':'), *open;
	uint64_t number;

	if (!colon || event->parts[length - 1] != '/')
		return false;
	event->parts[length - 1] = '\0';
	open = strrchr(colon, '/');
	if (open && text_begins(open, "/period=") &&
	    units_parse_number(open + strlen("/period="), &number) && number > 0)
		event->period = number;
	else if (open && text_begins(open, "/freq=") &&
		 units_parse_number(open + strlen("/freq="), &number) && number > 0)
		event->freq = number;
	if (event->period > 0 || event->freq > 0)
		*open = '\0';
	else
		event->parts[length - 1] = '/';
	return event->period > 0 || event->freq > 0;
}

/* ---- lists */

/* From an opening slash to the one that closes it; NULL: none does. */
static const char *find_closing_slash(const char *open)
{
	char quote = '\0';

	for (const char *at = open + 1; *at != '\0'; at++)
		if (quote != '\0')
			quote = *at == quote ? '\0' : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (*at == '/')
			return at;
	return NULL;
}

/* Moves to the end of an event; *close its closing slash, NULL without. */
static bool find_event_end(struct text_cursor *cursor, const char **close)
{
	const char *rest = cursor_here(cursor);
	bool is_plain = begins_breakpoint(rest) || begins_kprobe(rest) || begins_uprobe(rest);

	*close = NULL;
	while (!strchr(",{}", *cursor_here(cursor))) {
		if (*cursor_here(cursor) == '/' && !is_plain) {
			if (*close)
				return cursor_fail(cursor, cursor_here(cursor),
						   "there is a slash too many");
			*close = find_closing_slash(cursor_here(cursor));
			if (!*close)
				return cursor_fail(cursor, cursor_here(cursor),
						   "this slash is not closed");
			cursor->at = (size_t)(*close - cursor->text);
		}
		cursor->at++;
	}
	return true;
}

static bool take_event(struct text_cursor *cursor, int brace, struct syntax_list *list)
{
	struct syntax_event event = {.brace = brace};
	const char *close, *start;
	size_t length;

	cursor_skip_blanks(cursor);
	start = cursor_here(cursor);
	event.position = cursor->at;
	if (!find_event_end(cursor, &close))
		return false;
	length = cursor->at - event.position;
	while (length > 0 && cursor_is_blank(start[length - 1]))
		length--;
	if (length == 0) {
		return cursor_fail(cursor, start,
				   *start == '{' ? "braces cannot be nested"
						 : "an event is missing here");
	}
	if (length >= EVENT_SPEC_NAME_MAX)
		return cursor_fail(cursor, start, "an event has at most 255 characters");
	memcpy(event.text, start, length);
	memcpy(event.parts, start, length);
	if (strip_rate(&event))
		close = NULL;
	if (!take_form(cursor, &event, close ? (size_t)(close - start) : 0))
		return false;
	array_reserve(&list->events, &list->capacity, list->count + 1, sizeof(*list->events));
	list->events[list->count++] = event;
	return true;
}

/* ":MODIFIERS" behind braces: they hold for all events since `first`. */
static bool take_outer_modifiers(struct text_cursor *cursor, struct syntax_list *list, size_t first)
{
	struct syntax_modifiers modifiers;
	char letters[SYNTAX_LETTERS_MAX];
	const char *start, *message;

	if (*cursor_here(cursor) != ':')
		return true;
	start = cursor_here(cursor) + 1;
	cursor->at += 1 + strcspn(start, ",{} \t\n");
	snprintf(letters, sizeof(letters), "%.*s", (int)(cursor_here(cursor) - start), start);
	if (!syntax_modifiers_parse(letters, &modifiers, &message))
		return cursor_fail(cursor, start, message);
	for (size_t i = first; i < list->count; i++) {
		list->events[i].outer = modifiers;
		memcpy(list->events[i].outer_text, letters, sizeof(letters));
	}
	return true;
}

static bool take_braces(struct text_cursor *cursor, int brace, struct syntax_list *list)
{
	const char *open = cursor_here(cursor);
	size_t first = list->count;

	do {
		cursor->at++; /* the brace or a comma */
		if (!take_event(cursor, brace, list))
			return false;
	} while (*cursor_here(cursor) == ',');
	if (*cursor_here(cursor) == '\0')
		return cursor_fail(cursor, open, "this brace is not closed");
	if (*cursor_here(cursor) == '{')
		return cursor_fail(cursor, cursor_here(cursor),
				   "a comma is missing before this brace");
	cursor->at++;
	return take_outer_modifiers(cursor, list, first);
}

static bool take_list(struct text_cursor *cursor, struct syntax_list *list)
{
	int braces = 0;

	for (;; cursor->at++) {
		cursor_skip_blanks(cursor);

		bool is_brace = *cursor_here(cursor) == '{';

		if (is_brace ? !take_braces(cursor, braces++, list) : !take_event(cursor, -1, list))
			return false;
		cursor_skip_blanks(cursor);
		if (*cursor_here(cursor) == '\0')
			return true;
		if (*cursor_here(cursor) == '}')
			return cursor_fail(cursor, cursor_here(cursor),
					   "this brace was never opened");
		if (*cursor_here(cursor) != ',')
			return cursor_fail(cursor, cursor_here(cursor), "a comma is missing here");
	}
}

bool syntax_parse(const char *text, struct syntax_list *list, size_t *position,
		  const char **message)
{
	struct text_cursor cursor = {.text = text};

	*list = (struct syntax_list){0};
	for (const char *at = text; *at != '\0' && !cursor.message; at++)
		if (iscntrl((unsigned char)*at) && !cursor_is_blank(*at))
			cursor_fail(&cursor, at, "a control character is no part of an event");
	if (!cursor.message && take_list(&cursor, list))
		return true;
	syntax_list_fini(list);
	*position = cursor.position;
	*message = cursor.message;
	return false;
}

void syntax_list_fini(struct syntax_list *list)
{
	free(list->events);
	*list = (struct syntax_list){0};
}
