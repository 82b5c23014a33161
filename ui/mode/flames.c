/*
 * The flame graph, a form of the view of functions: which frame is zoomed into. The selected frame
 * is that of the row under the cursor, so that what selects rows selects frames. Row indexes are
 * those of the table as it was built last. Frames are placed anew whenever they are needed: that is
 * one walk along the rows.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/metric.h"
#include "view/flame.h"
#include "view/functions.h"
#include "view/names.h"

#include "mode/app.h"
#include "mode/drawing.h"
#include "mode/find.h"
#include "term/key.h"
#include "term/screen.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

enum {
	FLAMES_ZOOMS = 32, /* one inside the other */
	PAGE = 8,          /* lines that a page is */
	FRAME_NAME = 64,
	OBJECTS_MOST = 7, /* with a colour of their own; all others have one together */
	DETAIL_LEAST = 3, /* least lines for the sentence, */
	PATH_LEAST = 4,   /* the path and */
	LEGEND_LEAST = 7, /* the legend */
	GAP = 2
};

struct flames {
	struct flame flame;
	uint64_t zooms[FLAMES_ZOOMS]; /* ids of rows */
	size_t zoom_count;
	int top;     /* first visible line */
	bool *marks; /* owned; of each row whether it is searched for */
	size_t mark_capacity;
};

/* The words of the setting flame-colour. */
enum colour {
	BY_SELF,
	BY_OBJECT,
	BY_IPC
};

/* From such a share of what is shown on, in percent, a frame's own time has the next colour. */
static const double steps[] = {0.5, 2, 5, 15};

enum {
	STEP_COUNT = sizeof(steps) / sizeof(*steps)
};

/* The same for its change since a mark, in points: red is more, blue is less. */
static const double growth_steps[] = {0.5, 2};

static void fini_flames(void *state)
{
	struct flames *flames = state;

	flame_fini(&flames->flame);
	free(flames->marks);
}

static double pct_of_flame(uint64_t weight, uint64_t all)
{
	return all > 0 ? 100.0 * (double)weight / (double)all : 0;
}

static struct function_name flame_name(const struct app *app, size_t row)
{
	const struct function *function = view_table_row(app->table, row)->function;

	return function_names_find(view_table_function_names(app->table), function->number,
				   function->time_ns);
}

static void write_flame_name(const struct app *app, size_t row, char *text, size_t size)
{
	const struct function_name name = flame_name(app, row);
	const size_t length = text_safe(text, size, name.function, app->screen.is_ascii);

	if (name.is_inlined)
		snprintf(text + length, size - length, "%s", name.mark);
}

static struct flames *flames_of(const struct app *app)
{
	return app->parts[PART_flames];
}

/* The row that is zoomed into; of those that have gone nothing is left. */
static size_t zoomed_row(struct app *app)
{
	struct flames *flames = flames_of(app);

	while (flames->zoom_count > 0) {
		const uint64_t id = flames->zooms[flames->zoom_count - 1];
		const int row = view_table_index_of(app->table, id);

		if (row >= 0)
			return (size_t)row;
		flames->zoom_count--;
	}
	return FLAME_ALL;
}

static bool is_inside_root(const struct flame *flame, size_t row)
{
	return flame->zoom == FLAME_ALL || (row >= flame->zoom && row < flame->row_end);
}

static void select_flame(struct app *app, size_t row)
{
	list_select(&app->lists[app->view], app->table, row);
	app->needs_drawing = true;
}

/* Before they are made of another view there may be rows of this one. */
static bool has_calls(const struct app *app)
{
	return view_table_row_count(app->table) > 0 && view_table_row(app->table, 0)->function;
}

/* Places the frames; returns the selected one, or their count. */
static size_t flame_place(struct app *app)
{
	struct flame *flame = &flames_of(app)->flame;
	struct list *list = &app->lists[app->view];

	if (!has_calls(app)) {
		flame->count = 0;
		return 0;
	}
	flame_make(flame, app->table, zoomed_row(app), app->screen.width);
	if (!is_inside_root(flame, list->cursor.at))
		list_select(list, app->table, flame->zoom);
	return flame_find(flame, list->cursor.at);
}

static void move_flame(struct app *app, enum cursor_motion motion)
{
	const bool is_up = motion == CURSOR_UP || motion == CURSOR_PAGE_UP || motion == CURSOR_HOME;
	const bool is_one = motion == CURSOR_UP || motion == CURSOR_DOWN;
	const bool is_page = motion == CURSOR_PAGE_UP || motion == CURSOR_PAGE_DOWN;
	struct flame *flame = &flames_of(app)->flame;
	size_t frame = flame_place(app);
	uint32_t left = is_one ? 1 : is_page ? PAGE : flame->depth;

	while (left-- > 0)
		frame = flame_step(flame, frame, is_up ? FLAME_UP : FLAME_DOWN);
	if (frame < flame->count)
		select_flame(app, flame->frames[frame].row);
}

static void step_flames(struct app *app, int by)
{
	struct flame *flame = &flames_of(app)->flame;
	const size_t frame = flame_step(flame, flame_place(app), by < 0 ? FLAME_LEFT : FLAME_RIGHT);

	if (frame < flame->count)
		select_flame(app, flame->frames[frame].row);
}

static void zoom_in(struct app *app)
{
	struct flames *flames = flames_of(app);
	const struct view_row *row = app_row(app);

	if (!row || !has_calls(app) || app->lists[app->view].cursor.at == zoomed_row(app))
		return;
	if (flames->zoom_count == FLAMES_ZOOMS)
		memmove(flames->zooms, flames->zooms + 1,
			--flames->zoom_count * sizeof(*flames->zooms));
	flames->zooms[flames->zoom_count++] = row->id;
	select_flame(app, app->lists[app->view].cursor.at);
	flames->top = 0;
}

static bool zoom_out(struct app *app)
{
	if (zoomed_row(app) == FLAME_ALL)
		return false;
	flames_of(app)->zoom_count--;
	app->needs_drawing = true;
	return true;
}

/* What was looked for among other rows marks nothing here. */
static bool has_search(const struct app *app)
{
	const struct search *search = app->parts[PART_search];

	return search->words.length > 0 && search->view == app->view;
}

static bool unmark(struct app *app)
{
	struct search *search = app->parts[PART_search];

	if (!has_search(app))
		return false;
	strbuf_clear(&search->words);
	app->needs_drawing = true;
	return true;
}

static void reveal(struct app *app)
{
	struct flames *flames = flames_of(app);

	if (!has_calls(app))
		return;
	for (;;) {
		flame_make(&flames->flame, app->table, zoomed_row(app), app->screen.width);
		if (is_inside_root(&flames->flame, app->lists[app->view].cursor.at))
			return;
		flames->zoom_count--;
	}
}

static bool is_searched(const struct app *app, size_t row)
{
	const struct search *search = app->parts[PART_search];
	const char *words = strbuf_text(&search->words);

	return text_contains(flame_name(app, row).function, words) ||
	       text_contains(flame_name(app, row).object, words);
}

/* Which rows are searched for. */
static void mark_rows(struct app *app)
{
	struct flames *flames = flames_of(app);
	const size_t count = view_table_row_count(app->table);

	array_reserve(&flames->marks, &flames->mark_capacity, count, sizeof(*flames->marks));
	memset(flames->marks, 0, count * sizeof(*flames->marks));
	for (size_t i = 0; i < count && has_search(app); i++)
		flames->marks[i] = is_searched(app, i);
}

/* Objects by their own time, the largest first. */
struct object {
	char name[24];
	uint64_t weight;
};

struct objects {
	struct object *all; /* owned */
	size_t count, capacity;
	struct map by_name; /* hash to index + 1, until they are in order */
};

static void write_flame_object(const struct app *app, size_t row, char *text, size_t size)
{
	const char *object = flame_name(app, row).object;

	text_safe(text, size, object[0] != '\0' ? object : "unknown", app->screen.is_ascii);
}

static struct object *add_object(struct objects *objects, const struct object *object)
{
	const uint64_t hash = hash_text(1, object->name);
	size_t place = (size_t)(uintptr_t)map_get(&objects->by_name, hash);

	if (place == 0) {
		array_reserve(&objects->all, &objects->capacity, objects->count + 1,
			      sizeof(*objects->all));
		objects->all[objects->count++] = *object;
		place = objects->count;
		map_put(&objects->by_name, hash, (void *)(uintptr_t)place);
	}
	return &objects->all[place - 1];
}

static int compare_objects(const void *left, const void *right)
{
	const struct object *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void list_objects(const struct app *app, struct objects *objects)
{
	struct object object = {0};

	for (size_t i = 0; i < view_table_row_count(app->table); i++) {
		write_flame_object(app, i, object.name, sizeof(object.name));
		add_object(objects, &object)->weight +=
			view_table_row(app->table, i)->function->self_weight;
	}
	map_fini(&objects->by_name);
	qsort(objects->all, objects->count, sizeof(*objects->all), compare_objects);
}

/*
 * What is drawn, from top to bottom: the way to what is zoomed into, frames that hang from it, what
 * their colours mean, a sentence about the selected one. At least one line of frames is always
 * there; the sentence comes in first, then the path, then the legend. A frame begins with a line,
 * the selected one is in brackets, and one that is searched for has a '*' before its name; what its
 * colour says is at its end where there is room.
 */

/* What a frame's colour is, and what that says. */
struct flame_look {
	enum style style;
	char tag[8]; /* "": nothing */
};

static struct flame_look colour_by_object(const struct app *app, const struct objects *objects,
					  size_t row)
{
	char name[sizeof(objects->all->name)];
	size_t found = 0;

	write_flame_object(app, row, name, sizeof(name));
	while (found < OBJECTS_MOST && found < objects->count &&
	       strcmp(objects->all[found].name, name) != 0)
		found++;
	return (struct flame_look){(enum style)(STYLE_TASK_0 + found),
				   {found < OBJECTS_MOST ? (char)('a' + found) : '#'}};
}

static struct flame_look colour_by_self(const struct app *app, size_t row)
{
	const struct flame *flame = &flames_of(app)->flame;
	const struct function *function = view_table_row(app->table, row)->function;
	const double pct = pct_of_flame(function->self_weight, flame->weight);
	struct flame_look look = {STYLE_FRAME_0, ""};

	for (size_t step = 0; step < STEP_COUNT && pct >= steps[step]; step++)
		look.style++;
	if (function->self_weight > 0)
		snprintf(look.tag, sizeof(look.tag), "%.1f",
			 pct_of_flame(function->self_weight, function->all_weight));
	return look;
}

/* By how many points a function's share of all has grown since the mark, by itself. */
static double growth_of(const struct app *app, size_t row)
{
	const struct function *now = view_table_row(app->table, row)->function;
	const struct view_row *before = view_table_row_before(app->table, row);

	return pct_of_flame(now->self_weight, now->all_weight) -
	       (before ? pct_of_flame(before->function->self_weight, before->function->all_weight)
		       : 0);
}

static enum style style_of_growth(double points)
{
	if (fabs(points) < growth_steps[0])
		return STYLE_FRAME_0;
	if (points > 0)
		return points < growth_steps[1] ? (enum style)(STYLE_TASK_0 + 6) : STYLE_FRAME_4;
	return points > -growth_steps[1] ? STYLE_TASK_0 : (enum style)(STYLE_TASK_0 + 5);
}

/* It is not 0 as it is shown. */
static bool is_growth(double points)
{
	return fabs(points) >= 0.05;
}

static struct flame_look colour_by_growth(const struct app *app, size_t row)
{
	const double points = growth_of(app, row);
	struct flame_look look = {style_of_growth(points), ""};

	if (is_growth(points))
		snprintf(look.tag, sizeof(look.tag), "%+.1f", points);
	return look;
}

/* Of the function by itself. */
static double ipc_of(struct app *app, size_t row, int *goodness)
{
	const struct metrics *metrics = app_metrics(app);
	const struct view_row *call = view_table_row(app->table, row);
	const int ipc = metrics_find(metrics, "ipc");
	double value = NAN;

	if (ipc >= 0 && call->interval)
		value = metrics_eval(metrics, (size_t)ipc, call->interval, call->unknown,
				     call->interval_ns)
				.value;
	*goodness = ipc >= 0 ? metric_goodness(metrics_info(metrics, (size_t)ipc), value) : -1;
	return value;
}

/* The worse, the hotter. goodness: a step from the worst to the best; -1: unknown. */
static enum style style_of_ipc(int goodness)
{
	static const int frames[METRIC_STEPS] = {4, 3, 2, 1, 1};

	return (enum style)(STYLE_FRAME_0 + (goodness < 0 ? 0 : frames[goodness]));
}

static struct flame_look colour_by_ipc(struct app *app, size_t row)
{
	int goodness;
	const double ipc = ipc_of(app, row, &goodness);
	struct flame_look look = {style_of_ipc(goodness), ""};

	if (isfinite(ipc))
		snprintf(look.tag, sizeof(look.tag), "%.2f", ipc);
	return look;
}

/* What its colour means has no room where the name is cut. */
static void draw_frame(struct app *app, const struct flame_frame *frame, struct flame_look look,
		       bool is_selected, int y)
{
	struct screen *screen = &app->screen;
	const bool is_match = flames_of(app)->marks[frame->row];
	const enum style style = is_match ? STYLE_FRAME_MATCH : look.style;
	const int width = frame->end - frame->begin;
	const int first = frame->begin + 1, end = frame->end - is_selected;
	const int tag = paragraph_width(look.tag);
	char name[FRAME_NAME];
	int x = first;

	write_flame_name(app, frame->row, name, sizeof(name));
	screen_fill(screen, frame->begin, y, width, " ", style);
	if (is_match && x < end)
		x = screen_text(screen, x, y, 1, "*", style);
	paragraph_draw_cut(screen, x, y, larger(end - x, 0), name, style);
	if (first + is_match + paragraph_width(name) + 1 + tag <= end)
		screen_text_right(screen, end - tag, y, tag, look.tag, style);
	screen_text(screen, frame->begin, y, 1, is_selected ? "[" : "│", style);
	if (is_selected && width > 1)
		screen_text(screen, frame->end - 1, y, 1, "]", style);
	for (int i = frame->begin; i < frame->end && is_selected; i++)
		screen_select_cell(screen, i, y);
	screen_mark(screen, frame->begin, y, width, 1, HIT_ROW, frame->row);
}

/* The line of the selected one is among those that are visible. */
static void draw_frames(struct app *app, const struct objects *objects, size_t selected, int y,
			int lines)
{
	struct flames *flames = flames_of(app);
	const struct flame *flame = &flames->flame;
	const int line = (int)flame->frames[selected].depth;

	flames->top = smaller(flames->top, line);
	flames->top = larger(flames->top, line - lines + 1);
	flames->top = larger(smaller(flames->top, (int)flame->depth - lines), 0);
	for (size_t i = 0; i < flame->count; i++) {
		const struct flame_frame *frame = &flame->frames[i];
		const int at = (int)frame->depth - flames->top;

		if (at < 0 || at >= lines)
			continue;
		draw_frame(app, frame,
			   app->request.settings.flame_colour == BY_OBJECT
				   ? colour_by_object(app, objects, frame->row)
			   : app->request.settings.flame_colour == BY_IPC
				   ? colour_by_ipc(app, frame->row)
			   : view_table_is_compared(app->table) ? colour_by_growth(app, frame->row)
								: colour_by_self(app, frame->row),
			   i == selected, y + at);
	}
}

/* Words of the legend, as long as they have room; returns the column after them. */
static int draw_meaning(struct screen *screen, int x, int y, enum style style, const char *format,
			...) __attribute__((format(printf, 5, 6)));

static int draw_meaning(struct screen *screen, int x, int y, enum style style, const char *format,
			...)
{
	va_list arguments;
	char words[32];

	va_start(arguments, format);
	vsnprintf(words, sizeof(words), format, arguments);
	va_end(arguments);
	if (x + paragraph_width(words) > screen->width)
		return screen->width;
	return screen_text(screen, x, y, screen->width - x, words, style) + 1;
}

static void draw_growth_legend(struct screen *screen, int y)
{
	const double least = growth_steps[0], much = growth_steps[1];
	int x = draw_meaning(screen, 0, y, style_of_growth(much), " self +%g points ", much);

	x = draw_meaning(screen, x, y, style_of_growth(least), " +%g ", least);
	x = draw_meaning(screen, x, y, style_of_growth(0), " as before ");
	x = draw_meaning(screen, x, y, style_of_growth(-least), " -%g ", least);
	draw_meaning(screen, x, y, style_of_growth(-much), " -%g points ", much);
}

static void draw_flame_legend(struct app *app, const struct objects *objects, int y)
{
	struct screen *screen = &app->screen;
	const struct metrics *metrics = app_metrics(app);
	const int ipc = metrics_find(metrics, "ipc");
	int x = 0;

	switch ((enum colour)app->request.settings.flame_colour) {
	case BY_OBJECT:
		for (size_t i = 0; i < objects->count && i < OBJECTS_MOST; i++)
			x = draw_meaning(screen, x, y, (enum style)(STYLE_TASK_0 + i), " %c %s ",
					 (char)('a' + i), objects->all[i].name);
		if (objects->count > OBJECTS_MOST)
			draw_meaning(screen, x, y, STYLE_TASK_7, " # others ");
		return;
	case BY_IPC:
		x = draw_meaning(screen, x, y, style_of_ipc(-1), " IPC unknown ");
		for (int i = 0; ipc >= 0 && i < METRIC_STEPS - 1; i++)
			x = draw_meaning(
				screen, x, y, style_of_ipc(i), i == 0 ? " below %g " : " from %g ",
				metrics_info(metrics, (size_t)ipc)->steps[i > 0 ? i - 1 : 0]);
		return;
	case BY_SELF:
		if (view_table_is_compared(app->table)) {
			draw_growth_legend(screen, y);
			return;
		}
		for (size_t i = 0; i <= STEP_COUNT; i++)
			x = draw_meaning(screen, x, y, (enum style)(STYLE_FRAME_0 + i),
					 i == 0 ? " self below %g %% " : " from %g %% ",
					 steps[i > 0 ? i - 1 : 0]);
		return;
	}
}

/* "shares_hot (89.0 % of all), called by main, start", and how much of all is searched for. */
static void draw_path(struct app *app, int y)
{
	const struct flames *flames = flames_of(app);
	struct screen *screen = &app->screen;
	struct strbuf path = {0};
	char name[FRAME_NAME], matches[64] = "";
	size_t row = flames->flame.zoom;
	int width;

	if (row == FLAME_ALL) {
		strbuf_add(&path, "all samples");
	} else {
		write_flame_name(app, row, name, sizeof(name));
		strbuf_printf(&path, "%s (%.1f %% of all)", name,
			      pct_of_flame(flames->flame.weight, flames->flame.all_weight));
	}
	for (size_t i = 0; row != FLAME_ALL && (row = flame_caller(app->table, row)) != FLAME_ALL;
	     i++) {
		write_flame_name(app, row, name, sizeof(name));
		strbuf_printf(&path, "%s%s", i == 0 ? ", called by " : ", ", name);
	}
	if (has_search(app))
		snprintf(matches, sizeof(matches), "* matches: %.1f %%",
			 pct_of_flame(flame_marked_weight(app->table, flames->marks),
				      flames->flame.all_weight));
	width = smaller(paragraph_width(matches), screen->width / 2);
	paragraph_draw_cut(screen, 0, y, screen->width - width - (width > 0 ? GAP : 0),
			   strbuf_text(&path), STYLE_TITLE);
	paragraph_draw_cut(screen, screen->width - width, y, width, matches, STYLE_FRAME_MATCH);
	screen_mark(screen, 0, y, screen->width - width, 1, HIT_KEY, KEY_CODE_BACKSPACE);
	strbuf_fini(&path);
}

/* "quick (functions): total 62.8 %, self 62.7 % (+2.1 points), IPC 2.49, 596 samples" */
static void draw_flame_detail(struct app *app, size_t row, int y)
{
	const struct flame *flame = &flames_of(app)->flame;
	const struct function *function = view_table_row(app->table, row)->function;
	char name[256], object[64];
	struct strbuf text = {0};
	int goodness;
	const double ipc = ipc_of(app, row, &goodness);

	write_flame_name(app, row, name, sizeof(name));
	write_flame_object(app, row, object, sizeof(object));
	strbuf_printf(&text, "%s (%s): total %.1f %%, self %.1f %%", name, object,
		      pct_of_flame(function->total_weight, flame->all_weight),
		      pct_of_flame(function->self_weight, flame->all_weight));
	if (view_table_is_compared(app->table) && is_growth(growth_of(app, row)))
		strbuf_printf(&text, " (%+.1f points)", growth_of(app, row));
	if (isfinite(ipc))
		strbuf_printf(&text, ", IPC %.2f", ipc);
	strbuf_printf(&text, ", %" PRIu64 " sample%s", function->total_samples,
		      units_plural(function->total_samples));
	if (flame->zoom != FLAME_ALL)
		strbuf_printf(&text, ", %.1f %% of what is shown",
			      pct_of_flame(function->total_weight, flame->weight));
	paragraph_draw_cut(&app->screen, 0, y, app->screen.width, strbuf_text(&text),
			   STYLE_MESSAGE);
	strbuf_fini(&text);
}

static void draw_flames(void *context, const struct frame *frame, struct screen *screen, int y,
			int lines)
{
	struct app *app = context;
	const struct flame *flame = &flames_of(app)->flame;
	const size_t selected = flame_place(app);
	const int detail = lines >= DETAIL_LEAST, path = lines >= PATH_LEAST;
	const int legend = lines >= LEGEND_LEAST;
	struct objects objects = {0};

	frame_draw_nothing(screen, frame, y, lines);
	if (lines < 1 || selected >= flame->count)
		return;
	mark_rows(app);
	if (app->request.settings.flame_colour == BY_OBJECT)
		list_objects(app, &objects);
	if (path > 0)
		draw_path(app, y);
	draw_frames(app, &objects, selected, y + path, lines - path - legend - detail);
	if (legend > 0)
		draw_flame_legend(app, &objects, y + lines - detail - 1);
	if (detail > 0)
		draw_flame_detail(app, flame->frames[selected].row, y + lines - 1);
	free(objects.all);
}

/* On the selected frame: into it. */
static void click_flames(struct app *app, struct hit hit)
{
	if (hit.kind != HIT_ROW || hit.index >= view_table_row_count(app->table))
		return;
	if (hit.index == app->lists[app->view].cursor.at)
		zoom_in(app);
	select_flame(app, hit.index);
}

static size_t visible_flame(const struct app *app, size_t index)
{
	const struct flame *flame = &flames_of(app)->flame;

	return index < flame->count ? flame->frames[index].row : SIZE_MAX;
}

const struct drawing drawing_flames = {
	.part = {.bytes = sizeof(struct flames), .fini = fini_flames},
	.draw = draw_flames,
	.move = move_flame,
	.step = step_flames,
	.click = click_flames,
	.open = zoom_in,
	.back = zoom_out,
	.unmark = unmark,
	.reveal = reveal,
	.row = visible_flame,
};
