/*
 * The parser of event lists: a cursor that goes forward once over the text.
 *
 * An event ends at a comma or a brace that is not between slashes; between slashes, at none that is
 * in quotes. In probes and breakpoints a slash is a character like any other. What went wrong first
 * stays in the cursor: its position and its sentence.
 */
#include "event/syntax.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#include "event/event.h"
#include "event/terms.h"

struct cursor {
	const char *text;
	size_t at;
	size_t position; /* of the fault */
	const char *message;
};

static bool fail_at(struct cursor *cursor, const char *at, const char *message)
{
	cursor->position = (size_t)(at - cursor->text);
	cursor->message = message;
	return false;
}

static const char *here(const struct cursor *cursor)
{
	return cursor->text + cursor->at;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static void skip_blanks(struct cursor *cursor)
{
	while (is_blank(*here(cursor)))
		cursor->at++;
}

static struct syntax_piece piece_of(const char *start, const char *end)
{
	return (struct syntax_piece){.text = start, .length = (size_t)(end - start)};
}

static const char *end_of(struct syntax_piece piece)
{
	return piece.text + piece.length;
}

static const char *find_in(struct syntax_piece piece, char c)
{
	return piece.length > 0 ? memchr(piece.text, c, piece.length) : NULL;
}

static const char *find_last_in(struct syntax_piece piece, char c)
{
	return piece.length > 0 ? memrchr(piece.text, c, piece.length) : NULL;
}

static bool begins_with(struct syntax_piece piece, const char *prefix)
{
	size_t length = strlen(prefix);

	return piece.length >= length && memcmp(piece.text, prefix, length) == 0;
}

/* ---- modifiers: letters, and what they mean for what is counted: what they mean to perf */

static const struct letter {
	char letter;
	unsigned int bit;
} LETTERS[] = {
	/* clang-format off */
	{'u', MODIFIER_USER},
	{'k', MODIFIER_KERNEL},
	{'h', MODIFIER_HYPERVISOR},
	{'H', MODIFIER_HOST},
	{'G', MODIFIER_GUEST},
	{'I', MODIFIER_IDLE},
	/* clang-format on */
};

static unsigned int find_letter(char c)
{
	for (size_t i = 0; i < sizeof(LETTERS) / sizeof(LETTERS[0]); i++)
		if (LETTERS[i].letter == c)
			return LETTERS[i].bit;
	return 0;
}

static bool add_letter(char c, struct syntax_modifiers *modifiers, const char **message)
{
	unsigned int bit = find_letter(c);

	if (c == 'p') {
		*message = "there are at most three p (:ppp)";
		return ++modifiers->precise <= 3;
	}
	if (bit == 0) {
		*message = c == 'D' ? "D (pinned) is not possible: events are members of groups, "
				      "and only the leader of one can be pinned"
				    : "modifiers are letters of u, k, h, H, G, I and p";
		return false;
	}
	if (modifiers->letters & bit) {
		*message = "a modifier is given twice";
		return false;
	}
	modifiers->letters |= bit;
	return true;
}

bool syntax_modifiers_parse(struct syntax_piece letters, struct syntax_modifiers *modifiers,
			    const char **message)
{
	struct syntax_modifiers read = {0};

	*message = "modifiers are missing";
	if (letters.length == 0)
		return false;
	for (size_t i = 0; i < letters.length; i++)
		if (!add_letter(letters.text[i], &read, message))
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
		   ((modifiers->letters & MODIFIER_USER) != 0 || modifiers->precise > 0)) {
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

/* Modifiers that an event's text ends in; an empty piece is none. */
static bool take_modifiers(struct cursor *cursor, struct syntax_piece letters,
			   struct syntax_modifiers *modifiers)
{
	const char *message;

	return syntax_modifiers_parse(letters, modifiers, &message) ||
	       fail_at(cursor, letters.text, message);
}

/* A number up to `end`, or up to the first byte that is none of its digits. */
static bool take_number(struct cursor *cursor, const char **at, const char *end, uint64_t *number)
{
	char digits[24];
	size_t length = 0;
	const char *start = *at;

	while (*at < end && length < sizeof(digits) - 1 && isalnum((unsigned char)**at))
		digits[length++] = *(*at)++;
	digits[length] = '\0';
	return terms_number(digits, number) ||
	       fail_at(cursor, start, "a number is expected here (decimal, or 0x and hexadecimal)");
}

static unsigned int find_access(char c)
{
	return c == 'r' ? ACCESS_READ : c == 'w' ? ACCESS_WRITE : c == 'x' ? ACCESS_EXECUTE : 0;
}

/* Whether the letters are some of r, w, x, each at most once. */
static bool read_access(struct syntax_piece letters, unsigned int *access)
{
	unsigned int read = 0;

	for (size_t i = 0; i < letters.length; i++) {
		unsigned int bit = find_access(letters.text[i]);

		if (bit == 0 || (read & bit))
			return false;
		read |= bit;
	}
	*access = read;
	return letters.length > 0;
}

/* ":ACCESS", ":MODIFIERS" or both behind the address. */
static bool take_breakpoint_tail(struct cursor *cursor, const char *at, const char *end,
				 struct syntax_event *event)
{
	const char *colon = memchr(at, ':', (size_t)(end - at));
	struct syntax_piece word = piece_of(at, colon ? colon : end);

	if (read_access(word, &event->access)) {
		return !colon ||
		       take_modifiers(cursor, piece_of(colon + 1, end), &event->modifiers);
	}

	const char *message;

	return syntax_modifiers_parse(piece_of(at, end), &event->modifiers, &message) ||
	       fail_at(cursor, at, "an access is of the letters r, w, x; modifiers follow it");
}

static bool take_breakpoint(struct cursor *cursor, struct syntax_event *event)
{
	const char *at = event->text.text + strlen("mem:"), *end = end_of(event->text);

	event->form = SYNTAX_BREAKPOINT;
	if (!take_number(cursor, &at, end, &event->number))
		return false;
	if (at < end && *at == '/') {
		const char *length = ++at;

		if (!take_number(cursor, &at, end, &event->length))
			return false;
		if (event->length != 1 && event->length != 2 && event->length != 4 &&
		    event->length != 8)
			return fail_at(cursor, length, "a breakpoint is 1, 2, 4 or 8 bytes long");
	}
	if (at == end)
		return true;
	return *at == ':' ? take_breakpoint_tail(cursor, at + 1, end, event)
			  : fail_at(cursor, at, "a colon is expected here");
}

/* Takes ":MODIFIERS" off the end of *rest when the word behind its last colon is that. */
static void strip_modifiers(struct syntax_piece *rest, struct syntax_modifiers *modifiers)
{
	const char *colon = find_last_in(*rest, ':');
	const char *message;

	if (colon &&
	    syntax_modifiers_parse(piece_of(colon + 1, end_of(*rest)), modifiers, &message))
		*rest = piece_of(rest->text, colon);
}

static bool take_function(struct cursor *cursor, struct syntax_piece rest,
			  struct syntax_event *event)
{
	const char *plus = find_last_in(rest, '+'), *at = plus ? plus + 1 : NULL;

	event->name = piece_of(rest.text, plus ? plus : end_of(rest));
	if (event->name.length == 0)
		return fail_at(cursor, rest.text, "the function's name is missing");
	if (!plus)
		return true;
	if (event->returns)
		return fail_at(cursor, plus, "a return probe has no offset");
	if (!take_number(cursor, &at, end_of(rest), &event->number))
		return false;
	return at == end_of(rest) || fail_at(cursor, at, "this is not part of a number");
}

static bool take_kprobe(struct cursor *cursor, struct syntax_event *event)
{
	const char *colon = find_in(event->text, ':');
	struct syntax_piece rest = piece_of(colon + 1, end_of(event->text));

	event->form = SYNTAX_KPROBE;
	event->returns = begins_with(event->text, "kret");
	if (find_in(rest, ':'))
		strip_modifiers(&rest, &event->modifiers);
	colon = find_in(rest, ':');
	return !colon ? take_function(cursor, rest, event)
		      : fail_at(cursor, colon, "a function's name has no colon");
}

/* The file is all up to the last colon: its name may have colons too. */
static bool take_uprobe(struct cursor *cursor, struct syntax_event *event)
{
	const char *colon = find_in(event->text, ':');
	struct syntax_piece rest = piece_of(colon + 1, end_of(event->text));

	event->form = SYNTAX_UPROBE;
	event->returns = begins_with(event->text, "uret");
	if (find_in(rest, ':') != find_last_in(rest, ':'))
		strip_modifiers(&rest, &event->modifiers);
	colon = find_last_in(rest, ':');
	if (!colon || colon == rest.text)
		return fail_at(cursor, rest.text, "a probe is written uprobe:FILE:FUNCTION");
	event->inside = piece_of(rest.text, colon);
	return take_function(cursor, piece_of(colon + 1, end_of(rest)), event);
}

bool syntax_raw_parse(struct syntax_piece name, uint64_t *config)
{
	char number[2 + 16 + 1] = "0x";

	if (name.length < 2 || name.length > 17 || name.text[0] != 'r')
		return false;
	memcpy(number + 2, name.text + 1, name.length - 1);
	return terms_number(number, config);
}

static bool take_raw(struct cursor *cursor, struct syntax_event *event)
{
	const char *colon = find_in(event->text, ':');

	event->form = SYNTAX_RAW;
	return !colon ||
	       take_modifiers(cursor, piece_of(colon + 1, end_of(event->text)), &event->modifiers);
}

static bool take_slashes(struct cursor *cursor, const char *close, struct syntax_event *event)
{
	const char *open = find_in(event->text, '/');
	const char *tail = close + 1, *end = end_of(event->text);

	event->form = SYNTAX_SLASHES;
	event->name = piece_of(event->text.text, open);
	event->inside = piece_of(open + 1, close);
	if (event->name.length == 0)
		return fail_at(cursor, open, "the name of a PMU or of an event is missing");
	if (tail == end)
		return true;
	return take_modifiers(cursor, piece_of(*tail == ':' ? tail + 1 : tail, end),
			      &event->modifiers);
}

static bool is_breakpoint(struct syntax_piece text)
{
	return begins_with(text, "mem:");
}

static bool is_kprobe(struct syntax_piece text)
{
	return begins_with(text, "kprobe:") || begins_with(text, "kretprobe:");
}

static bool is_uprobe(struct syntax_piece text)
{
	return begins_with(text, "uprobe:") || begins_with(text, "uretprobe:");
}

static struct syntax_piece up_to_colon(struct syntax_piece text)
{
	const char *colon = find_in(text, ':');

	return piece_of(text.text, colon ? colon : end_of(text));
}

static bool take_form(struct cursor *cursor, const char *close, struct syntax_event *event)
{
	if (is_breakpoint(event->text))
		return take_breakpoint(cursor, event);
	if (is_kprobe(event->text))
		return take_kprobe(cursor, event);
	if (is_uprobe(event->text))
		return take_uprobe(cursor, event);
	if (close)
		return take_slashes(cursor, close, event);
	if (syntax_raw_parse(up_to_colon(event->text), &event->number))
		return take_raw(cursor, event);
	event->form = SYNTAX_NAME;
	event->name = event->text;
	return true;
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
static bool find_end(struct cursor *cursor, const char **close)
{
	struct syntax_piece rest = {here(cursor), strlen(here(cursor))};
	bool is_plain = is_breakpoint(rest) || is_kprobe(rest) || is_uprobe(rest);

	*close = NULL;
	while (!strchr(",{}", *here(cursor))) {
		if (*here(cursor) == '/' && !is_plain) {
			if (*close)
				return fail_at(cursor, here(cursor), "there is a slash too many");
			*close = find_closing_slash(here(cursor));
			if (!*close)
				return fail_at(cursor, here(cursor), "this slash is not closed");
			cursor->at = (size_t)(*close - cursor->text);
		}
		cursor->at++;
	}
	return true;
}

static bool take_event(struct cursor *cursor, int brace, struct syntax_list *list)
{
	struct syntax_event event = {.brace = brace};
	const char *close, *start, *end;

	skip_blanks(cursor);
	start = here(cursor);
	if (!find_end(cursor, &close))
		return false;
	end = here(cursor);
	while (end > start && is_blank(end[-1]))
		end--;
	event.text = piece_of(start, end);
	if (event.text.length == 0) {
		return fail_at(cursor, start,
			       *start == '{' ? "braces cannot be nested"
					     : "an event is missing here");
	}
	if (event.text.length >= EVENT_SPEC_NAME_MAX)
		return fail_at(cursor, start, "an event has at most 255 characters");
	if (!take_form(cursor, close, &event))
		return false;
	array_reserve(&list->events, &list->capacity, list->count + 1, sizeof(*list->events));
	list->events[list->count++] = event;
	return true;
}

/* ":MODIFIERS" behind braces: they hold for all events since `first`. */
static bool take_outer_modifiers(struct cursor *cursor, struct syntax_list *list, size_t first)
{
	struct syntax_modifiers modifiers;
	const char *start;

	if (*here(cursor) != ':')
		return true;
	cursor->at++;
	start = here(cursor);
	cursor->at += strcspn(start, ",{} \t\n");
	if (!take_modifiers(cursor, piece_of(start, here(cursor)), &modifiers))
		return false;
	for (size_t i = first; i < list->count; i++) {
		list->events[i].outer = modifiers;
		list->events[i].outer_text = piece_of(start, here(cursor));
	}
	return true;
}

static bool take_braces(struct cursor *cursor, int brace, struct syntax_list *list)
{
	const char *open = here(cursor);
	size_t first = list->count;

	do {
		cursor->at++; /* the brace or a comma */
		if (!take_event(cursor, brace, list))
			return false;
	} while (*here(cursor) == ',');
	if (*here(cursor) == '\0')
		return fail_at(cursor, open, "this brace is not closed");
	if (*here(cursor) == '{')
		return fail_at(cursor, here(cursor), "a comma is missing before this brace");
	cursor->at++;
	return take_outer_modifiers(cursor, list, first);
}

static bool take_list(struct cursor *cursor, struct syntax_list *list)
{
	int braces = 0;

	for (;; cursor->at++) {
		skip_blanks(cursor);

		bool is_brace = *here(cursor) == '{';

		if (is_brace ? !take_braces(cursor, braces++, list) : !take_event(cursor, -1, list))
			return false;
		skip_blanks(cursor);
		if (*here(cursor) == '\0')
			return true;
		if (*here(cursor) == '}')
			return fail_at(cursor, here(cursor), "this brace was never opened");
		if (*here(cursor) != ',')
			return fail_at(cursor, here(cursor), "a comma is missing here");
	}
}

static bool check_characters(struct cursor *cursor)
{
	for (const char *at = cursor->text; *at != '\0'; at++)
		if (iscntrl((unsigned char)*at) && !is_blank(*at))
			return fail_at(cursor, at, "a control character is no part of an event");
	return true;
}

bool syntax_parse(const char *text, struct syntax_list *list, size_t *position,
		  const char **message)
{
	struct cursor cursor = {.text = text};

	*list = (struct syntax_list){0};
	if (check_characters(&cursor) && take_list(&cursor, list))
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
