/*
 * The distance of two names is the number of edits that make one of the other, without regard to
 * case. People leave out prefixes and endings, so what was typed may also be near to a part of a
 * name, for two edits more; a name that is contained in it is as near as two edits. What
 * needs more edits than two thirds of the letters has hardly anything in common. Only candidates
 * that can beat the worst one kept are computed to the end.
 */

#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
	PART_DISTANCE = 2, /* on top of the edits for a part */
	PART_MIN = 3,      /* letters: fewer are in every name */
	EDITS_MIN = 2      /* that are allowed however short the name is */
};

void nearest_init(struct nearest *nearest, const char *wanted)
{
	*nearest = (struct nearest){.wanted = wanted};
}

static bool is_same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * The edits between two names that are shorter than NEAREST_NAME_MAX, or between the first and the
 * part of the second that is nearest to it; above `limit`: more.
 */
static size_t count_edits(const char *a, const char *b, bool is_part, size_t limit)
{
	size_t rows[3][NEAREST_NAME_MAX];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];
	size_t length = strlen(b);

	for (size_t j = 0; j <= length; j++)
		above[j] = is_part ? 0 : j;
	for (size_t i = 1; a[i - 1] != '\0'; i++) {
		size_t best = row[0] = i;

		for (size_t j = 1; j <= length; j++) {
			size_t edits = above[j - 1] + !is_same_letter(a[i - 1], b[j - 1]);

			edits = least(edits, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
			    is_same_letter(a[i - 2], b[j - 1]))
				edits = least(edits, before[j - 2] + 1);
			row[j] = edits;
			best = least(best, edits);
		}
		if (best > limit)
			return best;

		size_t *free_row = before;

		before = above;
		above = row;
		row = free_row;
	}
	for (size_t j = 0; is_part && j < length; j++)
		above[length] = least(above[length], above[j]);
	return above[length];
}

static size_t difference(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* How far it is; above `limit`: too far. */
static size_t measure(const char *wanted, const char *name, size_t limit)
{
	size_t edits = limit + 1;

	if (difference(strlen(wanted), strlen(name)) <= limit)
		edits = count_edits(wanted, name, false, limit);
	if (edits <= PART_DISTANCE || limit < PART_DISTANCE)
		return edits;
	if (strlen(name) >= PART_MIN && text_contains(wanted, name))
		return PART_DISTANCE;
	if (strlen(wanted) < PART_MIN)
		return edits;
	limit = least(limit, edits) - PART_DISTANCE;
	return least(edits, count_edits(wanted, name, true, limit) + PART_DISTANCE);
}

static bool is_better(const struct nearest_name *a, const struct nearest_name *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	if (strlen(a->name) != strlen(b->name))
		return strlen(a->name) < strlen(b->name);
	return strcmp(a->name, b->name) < 0;
}

static bool is_kept(const struct nearest *nearest, const char *name)
{
	for (size_t i = 0; i < nearest->count; i++)
		if (strcmp(nearest->names[i].name, name) == 0)
			return true;
	return false;
}

/* The distance of the farthest name that may still be kept. */
static size_t farthest(const struct nearest *nearest)
{
	size_t length = strlen(nearest->wanted);
	size_t limit = length * 2 / 3 > EDITS_MIN ? length * 2 / 3 : EDITS_MIN;

	if (nearest->count == NEAREST_COUNT)
		return nearest->names[NEAREST_COUNT - 1].distance;
	return least(limit, length - 1);
}

void nearest_offer(struct nearest *nearest, const char *name)
{
	size_t length = strlen(nearest->wanted), limit;
	struct nearest_name offered;

	if (length == 0 || length >= NEAREST_NAME_MAX || strlen(name) >= NEAREST_NAME_MAX ||
	    *name == '\0')
		return;
	limit = farthest(nearest);
	offered.distance = measure(nearest->wanted, name, limit);
	if (offered.distance > limit || is_kept(nearest, name))
		return;
	strcpy(offered.name, name);

	size_t rank = nearest->count;

	while (rank > 0 && is_better(&offered, &nearest->names[rank - 1]))
		rank--;
	if (rank == NEAREST_COUNT)
		return;
	if (nearest->count < NEAREST_COUNT)
		nearest->count++;
	memmove(&nearest->names[rank + 1], &nearest->names[rank],
		(nearest->count - rank - 1) * sizeof(offered));
	nearest->names[rank] = offered;
}

void nearest_format(const struct nearest *nearest, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; i < nearest->count; i++) {
		const char *name = nearest->names[i].name;

		if (length + 2 + strlen(name) >= size)
			return;
		length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "",
					   name);
	}
}

void nearest_hint(const struct nearest *nearest, char *text, size_t size)
{
	const size_t length = (size_t)snprintf(text, size, "; the nearest: ");

	nearest_format(nearest, text + length, size - length);
	if (text[length] == '\0')
		*text = '\0';
}
