#include "mode/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/minmax.h"

#include "term/screen.h"
#include "widget/chooser.h"
#include "widget/paragraph.h"

enum {
	LINES_MOST = 8, /* of the list of words */
	NAME_MOST = 40, /* columns of a name that has its help beside those of the others */
	GAP = 2,
	MARGIN = 2 /* columns before a name */
};

void complete_clear(struct complete *complete)
{
	for (size_t i = 0; i < complete->count; i++) {
		free(complete->words[i].name);
		free(complete->words[i].help);
	}
	complete->count = 0;
	complete->left_out = 0;
	complete->prefix = "";
	complete->cursor = (struct cursor){0};
	complete->takes_more = false;
	complete->is_stepping = false;
	complete->is_put = false;
}

void complete_fini(struct complete *complete)
{
	complete_clear(complete);
	free(complete->words);
	*complete = (struct complete){0};
}

void complete_offer(struct complete *complete, const char *name, const char *help)
{
	for (size_t i = 0; i < complete->count; i++)
		if (strcmp(complete->words[i].name, name) == 0)
			return;
	complete_add(complete, name, help);
}

bool complete_wants(struct complete *complete, const char *name)
{
	if (strncasecmp(name, complete->prefix, strlen(complete->prefix)) != 0)
		return false;
	complete->left_out += complete->count == COMPLETE_MOST;
	return complete->count < COMPLETE_MOST;
}

void complete_add(struct complete *complete, const char *name, const char *help)
{
	if (!complete_wants(complete, name))
		return;
	array_reserve(&complete->words, &complete->capacity, complete->count + 1,
		      sizeof(*complete->words));
	complete->words[complete->count++] = (struct complete_word){
		.name = xstrdup(name),
		.help = xstrdup(help ? help : ""),
	};
}

size_t complete_common(const struct complete *complete)
{
	size_t common;

	if (complete->count == 0 || complete->left_out > 0)
		return 0;
	common = strlen(complete->words[0].name);
	for (size_t i = 1; i < complete->count; i++) {
		size_t same = 0;

		while (same < common &&
		       complete->words[i].name[same] == complete->words[0].name[same])
			same++;
		common = same;
	}
	/* never a part of a character */
	while (common > 0 && ((unsigned char)complete->words[0].name[common] & 0xc0) == 0x80)
		common--;
	return common;
}

int complete_lines(const struct complete *complete)
{
	return complete->count < LINES_MOST ? (int)complete->count : LINES_MOST;
}

/* The list as it is drawn. */
struct word_list {
	const struct complete *complete;
	int name_width;
};

static void draw_word(void *context, struct screen *screen, size_t index, int x, int y, int width)
{
	const struct word_list *list = context;
	const struct complete_word *word = &list->complete->words[index];
	const int end = x + width;
	int help_x = x + MARGIN + list->name_width;

	x = paragraph_draw_cut(screen, x + MARGIN, y, width - MARGIN, word->name, STYLE_DIM);
	help_x = larger(x, help_x) + GAP;
	if (help_x + GAP < end) /* a letter or two say nothing */
		paragraph_draw_cut(screen, help_x, y, end - help_x, word->help, STYLE_DIM);
}

void complete_draw(struct complete *complete, struct screen *screen, int y, int lines)
{
	struct word_list list = {.complete = complete};
	const struct chooser chooser = {
		.cursor = &complete->cursor,
		.count = complete->count,
		.draw_line = draw_word,
		.context = &list,
	};
	const bool has_more = complete->count > (size_t)lines && lines > 1;
	char text[48];
	size_t more;

	for (size_t i = 0; i < complete->count; i++) {
		const int own = paragraph_width(complete->words[i].name);

		list.name_width = own <= NAME_MOST ? larger(own, list.name_width) : list.name_width;
	}
	chooser_draw(&chooser, screen, 0, y, screen->width, lines - has_more, complete->is_put);
	if (!has_more)
		return;
	more = complete->count + complete->left_out - complete->cursor.top - (size_t)lines + 1;
	screen_fill(screen, 0, y + lines - 1, screen->width, " ", STYLE_NORMAL);
	if (more == 0)
		return;
	snprintf(text, sizeof(text), "and %zu more", more);
	paragraph_draw_cut(screen, MARGIN, y + lines - 1, screen->width - MARGIN, text, STYLE_DIM);
}
