/*
 * Events mostly differ at the end of their names: a title that is too long loses its beginning, at
 * a word border if there is one. A modifier (":u") always stays. Titles are ASCII, which every
 * terminal shows.
 */

#include "view/title.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
	WORDS_LEAST = 5 /* columns; less than that left of a name says too little */
};

static const char separators[] = "-_:./,+ ";

/* Capitals; what is not printable ASCII becomes '?'. */
static void copy_capitals(char *title, size_t size, const char *text, size_t length)
{
	size_t used = 0;

	for (size_t i = 0; i < length && used + 1 < size; i++) {
		const unsigned char c = (unsigned char)text[i];

		title[used++] = c > 0x20 && c < 0x7f ? (char)toupper(c) : '?';
	}
	title[used] = '\0';
}

/* Leaves out "term=" before values: "cpu/event=0x3c,umask=0/" becomes "cpu/0x3c,0". */
static void leave_out_terms(char *text)
{
	char *to = text;
	char *word = text; /* where in the result the current word begins */

	for (const char *from = text; *from != '\0'; from++) {
		if (*from == '=') {
			to = word;
			continue;
		}
		*to++ = *from;
		if (*from == '/' || *from == ',')
			word = to;
	}
	*to = '\0';
}

/*
 * The kernel's cache events are recognised by both ends of their names, with short words for each.
 */
static const struct {
	const char *name, *title;
} caches[] =
	{
		{"L1-dcache-", "L1D"}, {"L1-icache-", "L1I"}, {"LLC-", "LLC"},   {"dTLB-", "DTLB"},
		{"iTLB-", "ITLB"},     {"branch-", "BPU"},    {"node-", "NODE"},
},
  accesses[] = {
	  {"loads", "LOAD"},           {"load-misses", "MISS"}, {"stores", "STORE"},
	  {"store-misses", "ST-MISS"}, {"prefetches", "PREF"},  {"prefetch-misses", "PF-MISS"},
};

/* "L1-dcache-load-misses:u" becomes "L1D-MISS:u"; what is none of these stays. */
static void shorten_cache(char *stem, size_t size)
{
	const size_t name_length = strcspn(stem, ":");
	char modifier[16];

	snprintf(modifier, sizeof(modifier), "%s", stem + name_length);
	for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++) {
		const size_t length = strlen(caches[i].name);

		if (!text_begins(stem, caches[i].name))
			continue;
		for (size_t j = 0; j < sizeof(accesses) / sizeof(accesses[0]); j++) {
			if (strlen(accesses[j].name) != name_length - length ||
			    !text_begins(stem + length, accesses[j].name))
				continue;
			snprintf(stem, size, "%s-%s%s", caches[i].title, accesses[j].title,
				 modifier);
			return;
		}
	}
}

/*
 * The part of the name that says what is counted, without filters of tracepoints and trailing
 * slashes.
 */
static void copy_stem(char *stem, size_t size, const char *event)
{
	const char *colon = strchr(event, ':');
	const char *slash = strchr(event, '/');
	size_t length;

	snprintf(stem, size, "%s", event);
	if (text_begins(event, "uprobe:") || text_begins(event, "uretprobe:") ||
	    text_begins(event, "mem:"))
		return;
	if (colon && slash && colon < slash) {
		if ((size_t)(slash - event) < size)
			stem[slash - event] = '\0';
		return;
	}
	if (!slash)
		return;
	leave_out_terms(stem);
	length = strlen(stem);
	if (length > 0 && stem[length - 1] == '/')
		stem[length - 1] = '\0';
}

/* Length of the modifiers at the end, with their sign. */
static size_t modifier_length(const char *text)
{
	const char *colon = strrchr(text, ':');

	if (!colon || colon[1] == '\0' || strspn(colon + 1, "ukhHGIpD") != strlen(colon + 1))
		return 0;
	return strlen(colon);
}

/* The end of a name of `length` bytes that is at most `columns` long. */
static const char *distinctive_end(const char *text, size_t length, size_t columns)
{
	const char *end = text + length;
	const char *begin = end - columns;

	for (const char *word = begin; word + WORDS_LEAST <= end; word++)
		if (strchr(separators, word[-1]))
			return word;
	return begin;
}

/* A single word with a modifier keeps its beginning, everything else its end. */
static void shorten_stem(char title[static TITLE_BYTES_MAX], const char *stem, size_t columns)
{
	const size_t modifier = modifier_length(stem);
	const size_t length = strlen(stem) - modifier;
	const size_t room = columns > modifier ? columns - modifier : 0;
	const bool is_word = modifier > 0 && strcspn(stem, separators) >= length;
	const char *begin = stem;
	size_t kept = length;
	char name[TITLE_BYTES_MAX];

	if (length > room) {
		begin = is_word ? stem : distinctive_end(stem, length, room);
		kept = is_word ? room : (size_t)(stem + length - begin);
	}
	copy_capitals(name, sizeof(name), begin, kept);
	snprintf(title, TITLE_BYTES_MAX, "%.40s%.20s", name, stem + length);
}

void title_of_event(char title[static TITLE_BYTES_MAX], const char *event, size_t columns)
{
	char stem[1024];

	copy_stem(stem, sizeof(stem), event);
	shorten_cache(stem, sizeof(stem));
	shorten_stem(title, stem, columns - strlen("/s"));
	strncat(title, "/s", TITLE_BYTES_MAX - strlen(title) - 1);
}

/* Puts an addition before the "/s", or at the end. */
static void add_to_name(char title[static TITLE_BYTES_MAX], char sign, const char *addition)
{
	static const char rate[] = "/s";
	const size_t length = strlen(title);
	const bool is_rate = length > strlen(rate) && strcmp(title + length - 2, rate) == 0;
	char name[TITLE_BYTES_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)(is_rate ? length - 2 : length), title);
	snprintf(title, TITLE_BYTES_MAX, "%.58s%c%.15s%s", name, sign, addition,
		 is_rate ? rate : "");
}

void title_add_kind(char title[static TITLE_BYTES_MAX], const char *kind)
{
	static const char family[] = "cpu_";
	char shown[16];

	kind += text_begins(kind, family) ? strlen(family) : 0;
	copy_capitals(shown, sizeof(shown), kind, strlen(kind));
	add_to_name(title, '@', shown);
}

void title_add_number(char title[static TITLE_BYTES_MAX], size_t number)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%zu", number);
	add_to_name(title, '#', digits);
}
