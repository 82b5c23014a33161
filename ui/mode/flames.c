/*
 * The flame graph, a form of the view of functions: which frame is zoomed into. The selected frame
 * is that of the row under the cursor, so that what selects rows selects frames. Row indexes are
 * those of the table as it was built last. Frames are placed anew whenever they are needed: that is
 * one walk along the rows.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "model/metric.h"
#include "view/flame.h"
#include "view/functions.h"
#include "view/names.h"

#include "mode/app.h"
#include "mode/drawing.h"
#include "mode/find.h"
#include "widget/flame_graph.h"

enum {
	FLAMES_ZOOMS = 32,  /* one inside the other */
	PAGE = 8,           /* lines that a page is */
	FLAMES_WORDS = 512, /* bytes */
	OBJECTS_MOST = 7    /* with a colour of their own; all others have one together */
};

struct flames {
	struct flame flame;
	uint64_t zooms[FLAMES_ZOOMS]; /* ids of rows */
	size_t zoom_count;
	int top;                          /* first visible line */
	struct flame_graph_frame *frames; /* owned */
	size_t capacity;
	bool *marks; /* owned; of each row whether it is searched for */
	size_t mark_capacity;
};

/* What is drawn points into it. */
struct flames_words {
	struct flame_graph_content content;
	struct flame_graph_legend legend[FLAME_GRAPH_LEGENDS];
	char path[FLAMES_WORDS], matches[64], detail[FLAMES_WORDS];
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

static void fini_flames(void *state)
{
	struct flames *flames = state;

	flame_fini(&flames->flame);
	free(flames->frames);
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
	list_select(&app_current(app)->list, app->table, row);
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
	struct list *list = &app_current(app)->list;

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

	if (!row || !has_calls(app) || app_current(app)->list.cursor.at == zoomed_row(app))
		return;
	if (flames->zoom_count == FLAMES_ZOOMS)
		memmove(flames->zooms, flames->zooms + 1,
			--flames->zoom_count * sizeof(*flames->zooms));
	flames->zooms[flames->zoom_count++] = row->id;
	select_flame(app, app_current(app)->list.cursor.at);
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

	return search->words.length > 0 && search->kind == ROW_FUNCTION;
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
		if (is_inside_root(&flames->flame, app_current(app)->list.cursor.at))
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

/* Which rows are searched for, and how much of all they are. */
static void mark_rows(struct app *app, struct flames_words *words)
{
	struct flames *flames = flames_of(app);
	const size_t count = view_table_row_count(app->table);

	array_reserve(&flames->marks, &flames->mark_capacity, count, sizeof(*flames->marks));
	memset(flames->marks, 0, count * sizeof(*flames->marks));
	if (!has_search(app))
		return;
	for (size_t i = 0; i < count; i++)
		flames->marks[i] = is_searched(app, i);
	snprintf(words->matches, sizeof(words->matches), "* matches: %.1f %%",
		 pct_of_flame(flame_marked_weight(app->table, flames->marks),
			      flames->flame.all_weight));
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

static void colour_by_object(const struct app *app, const struct objects *objects,
			     struct flame_graph_frame *frame)
{
	char name[sizeof(objects->all->name)];
	size_t found = 0;

	write_flame_object(app, frame->row, name, sizeof(name));
	while (found < OBJECTS_MOST && found < objects->count &&
	       strcmp(objects->all[found].name, name) != 0)
		found++;
	frame->style = (enum style)(STYLE_TASK_0 + found);
	snprintf(frame->tag, sizeof(frame->tag), "%c",
		 found < OBJECTS_MOST ? (char)('a' + found) : '#');
}

static void colour_by_self(const struct app *app, struct flame_graph_frame *frame)
{
	const struct flame *flame = &flames_of(app)->flame;
	const struct function *function = view_table_row(app->table, frame->row)->function;
	const double pct = pct_of_flame(function->self_weight, flame->weight);
	size_t step = 0;

	while (step < STEP_COUNT && pct >= steps[step])
		step++;
	frame->style = (enum style)(STYLE_FRAME_0 + step);
	if (function->self_weight > 0)
		snprintf(frame->tag, sizeof(frame->tag), "%.1f",
			 pct_of_flame(function->self_weight, function->all_weight));
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

static void colour_by_ipc(struct app *app, struct flame_graph_frame *frame)
{
	int goodness;
	const double ipc = ipc_of(app, frame->row, &goodness);

	frame->style = style_of_ipc(goodness);
	if (isfinite(ipc))
		snprintf(frame->tag, sizeof(frame->tag), "%.2f", ipc);
}

static void write_object_legend(const struct objects *objects, struct flames_words *words)
{
	size_t count = objects->count < OBJECTS_MOST ? objects->count : OBJECTS_MOST;

	for (size_t i = 0; i < count; i++) {
		struct flame_graph_legend *legend = &words->legend[i];

		snprintf(legend->words, sizeof(legend->words), " %c %s ", (char)('a' + i),
			 objects->all[i].name);
		legend->style = (enum style)(STYLE_TASK_0 + i);
	}
	if (objects->count > OBJECTS_MOST) {
		snprintf(words->legend[count].words, sizeof(words->legend[count].words),
			 " # others ");
		words->legend[count++].style = STYLE_TASK_7;
	}
	words->content.legend_count = count;
}

static void write_self_legend(struct flames_words *words)
{
	for (size_t i = 0; i <= STEP_COUNT; i++) {
		struct flame_graph_legend *legend = &words->legend[i];

		snprintf(legend->words, sizeof(legend->words),
			 i == 0 ? " self below %g %% " : " from %g %% ", steps[i > 0 ? i - 1 : 0]);
		legend->style = (enum style)(STYLE_FRAME_0 + i);
	}
	words->content.legend_count = STEP_COUNT + 1;
}

static void write_ipc_legend(struct app *app, struct flames_words *words)
{
	const struct metrics *metrics = app_metrics(app);
	const int ipc = metrics_find(metrics, "ipc");
	struct flame_graph_legend *legend = words->legend;

	*legend++ = (struct flame_graph_legend){" IPC unknown ", style_of_ipc(-1)};
	for (int i = 0; ipc >= 0 && i < METRIC_STEPS - 1; i++) {
		const double *borders = metrics_info(metrics, (size_t)ipc)->steps;

		snprintf(legend->words, sizeof(legend->words), i == 0 ? " below %g " : " from %g ",
			 borders[i > 0 ? i - 1 : 0]);
		(legend++)->style = style_of_ipc(i);
	}
	words->content.legend_count = (size_t)(legend - words->legend);
}

static void fill_frames(struct app *app, struct flames_words *words, size_t selected)
{
	struct flames *flames = flames_of(app);
	const struct flame *flame = &flames->flame;
	const enum colour colour = (enum colour)app->settings.flame_colour;
	struct objects objects = {0};

	array_reserve(&flames->frames, &flames->capacity, flame->count, sizeof(*flames->frames));
	if (colour == BY_OBJECT)
		list_objects(app, &objects);
	for (size_t i = 0; i < flame->count; i++) {
		const struct flame_frame *placed = &flame->frames[i];
		struct flame_graph_frame *frame = &flames->frames[i];

		*frame = (struct flame_graph_frame){
			.line = (int)placed->depth,
			.begin = placed->begin,
			.end = placed->end,
			.row = placed->row,
			.is_selected = i == selected,
			.is_match = flames->marks[placed->row],
		};
		write_flame_name(app, placed->row, frame->name, sizeof(frame->name));
		if (colour == BY_OBJECT)
			colour_by_object(app, &objects, frame);
		else if (colour == BY_IPC)
			colour_by_ipc(app, frame);
		else
			colour_by_self(app, frame);
		if (frame->is_match)
			frame->style = STYLE_FRAME_MATCH;
	}
	if (colour == BY_OBJECT)
		write_object_legend(&objects, words);
	else if (colour == BY_IPC)
		write_ipc_legend(app, words);
	else
		write_self_legend(words);
	free(objects.all);
}

/* "shares_hot (89.0 % of all), called by main, start" */
static void write_path(const struct app *app, struct flames_words *words)
{
	const struct flame *flame = &flames_of(app)->flame;
	struct strbuf out = {0};
	char name[FLAME_GRAPH_NAME];
	size_t row = flame->zoom;

	if (row == FLAME_ALL) {
		snprintf(words->path, sizeof(words->path), "all samples");
		return;
	}
	write_flame_name(app, row, name, sizeof(name));
	strbuf_printf(&out, "%s (%.1f %% of all)", name,
		      pct_of_flame(flame->weight, flame->all_weight));
	for (size_t i = 0; (row = flame_caller(app->table, row)) != FLAME_ALL; i++) {
		write_flame_name(app, row, name, sizeof(name));
		strbuf_printf(&out, "%s%s", i == 0 ? ", called by " : ", ", name);
	}
	snprintf(words->path, sizeof(words->path), "%s", strbuf_text(&out));
	strbuf_fini(&out);
}

/* "quick (functions): total 62.8 %, self 62.7 %, IPC 2.49, 596 samples" */
static void write_flame_detail(struct app *app, struct flames_words *words, size_t row)
{
	const struct flame *flame = &flames_of(app)->flame;
	const struct function *function = view_table_row(app->table, row)->function;
	char name[FLAMES_WORDS / 2], object[64], ipc_words[32] = "", of_zoomed[64] = "";
	int goodness;
	const double ipc = ipc_of(app, row, &goodness);

	write_flame_name(app, row, name, sizeof(name));
	write_flame_object(app, row, object, sizeof(object));
	if (isfinite(ipc))
		snprintf(ipc_words, sizeof(ipc_words), ", IPC %.2f", ipc);
	if (flame->zoom != FLAME_ALL)
		snprintf(of_zoomed, sizeof(of_zoomed), ", %.1f %% of what is shown",
			 pct_of_flame(function->total_weight, flame->weight));
	snprintf(words->detail, sizeof(words->detail),
		 "%s (%s): total %.1f %%, self %.1f %%%s, %" PRIu64 " samples%s", name, object,
		 pct_of_flame(function->total_weight, flame->all_weight),
		 pct_of_flame(function->self_weight, flame->all_weight), ipc_words,
		 function->total_samples, of_zoomed);
}

static void fill_flames(struct app *app, struct flames_words *words)
{
	struct flames *flames = flames_of(app);
	const size_t selected = flame_place(app);

	*words = (struct flames_words){
		.content =
			{
				.count = flames->flame.count,
				.lines = (int)flames->flame.depth,
				.top = &flames->top,
				.nothing = "",
				.path = words->path,
				.matches = words->matches,
				.detail = words->detail,
				.legend = words->legend,
			},
	};
	if (selected >= flames->flame.count)
		return;
	mark_rows(app, words);
	fill_frames(app, words, selected);
	words->content.frames = flames->frames;
	words->content.selected_line = flames->frames[selected].line;
	write_path(app, words);
	write_flame_detail(app, words, flames->frames[selected].row);
}

static void draw_flames(void *context, const struct frame *frame, struct screen *screen, int y,
			int lines)
{
	struct flames_words words;

	fill_flames(context, &words);
	flame_graph_draw(screen, &words.content, y, lines);
	frame_draw_nothing(screen, frame, y, lines);
}

/* On the selected frame: into it. */
static void click_flames(struct app *app, struct hit hit)
{
	if (hit.kind != HIT_ROW || hit.index >= view_table_row_count(app->table))
		return;
	if (hit.index == app_current(app)->list.cursor.at)
		zoom_in(app);
	select_flame(app, hit.index);
}

static size_t visible_flame(const struct app *app, size_t index)
{
	const struct flame *flame = &flames_of(app)->flame;

	return index < flame->count ? flame->frames[index].row : SIZE_MAX;
}

const struct drawing drawing_flames = {
	.name = "flames",
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

const struct app_part part_flames = {.bytes = sizeof(struct flames), .fini = fini_flames};
