#include "view/text_marks.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"

void text_marks_fini(struct text_marks *marks)
{
	free(marks->marks);
	*marks = (struct text_marks){0};
}

void text_marks_clear(struct text_marks *marks)
{
	marks->count = 0;
}

static bool continues(const struct text_mark *last, const struct text_mark *mark)
{
	return last->line == mark->line && last->goodness == mark->goodness &&
	       last->column + last->columns == mark->column;
}

void text_marks_add(struct text_marks *marks, const struct text_mark *mark)
{
	struct text_mark *last = marks->count > 0 ? &marks->marks[marks->count - 1] : NULL;

	if (last && continues(last, mark)) {
		last->columns += mark->columns;
		return;
	}
	array_reserve(&marks->marks, &marks->capacity, marks->count + 1, sizeof(*marks->marks));
	marks->marks[marks->count++] = *mark;
}

void text_marks_add_end(struct text_marks *marks, const struct strbuf *text, size_t begin,
			int goodness)
{
	const char *all = strbuf_text(text);
	struct text_mark mark = {.goodness = goodness};
	size_t line = 0;

	for (size_t i = 0; i < begin; i++) {
		if (all[i] != '\n')
			continue;
		mark.line++;
		line = i + 1;
	}
	mark.column = (int)text_width_part(all + line, begin - line);
	mark.columns = (int)text_width(all + begin);
	text_marks_add(marks, &mark);
}
