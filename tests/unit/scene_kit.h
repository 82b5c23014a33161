#ifndef PERFTOP_TESTS_SCENE_KIT_H
#define PERFTOP_TESTS_SCENE_KIT_H

/*
 * What tests of views and writers have in common: a small world (snapshot_builder.h), perhaps with
 * switches (switch_builder.h), and a table over it. The users are those of users_fake.c.
 *
 *	static int set_up(void **state)
 *	{
 *		struct scene *scene = scene_open();
 *
 *		scene_tell(scene, HISTORY_BLOCK);
 *		*state = scene;
 *		return 0;
 *	}
 */

#include <locale.h>
#include <math.h>
#include <time.h>

#include "base/strbuf.h"
#include "view/functions.h"
#include "view/pairs.h"
#include "view/table.h"

#include "lists.h"
#include "switch_builder.h"
#include "unit.h"

struct scene {
	struct world world;
	struct told_switches told; /* by scene_tell() */
	struct view_request request;
	int form; /* of the view of functions */
	struct view_table *table;
	struct column_list columns; /* by scene_choose() */
	struct strbuf out;
	uint64_t sh, nginx; /* actors, where a test has told of them */
};

/* There is one at a time. */
static inline struct scene *scene_open(void)
{
	static struct scene scene;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		fail_msg("there is no locale C.UTF-8");
	setenv("TZ", "UTC", 1);
	tzset();
	scene = (struct scene){0};
	view_request_init(&scene.request, NULL);
	world_init(&scene.world);
	scene.table = view_table_create(scene.world.columns);
	return &scene;
}

/* From now on there are switches, `capacity` at most. */
static inline void scene_tell(struct scene *scene, size_t capacity)
{
	told_init(&scene->told, capacity);
	scene->request.history = scene->told.history;
}

/* The actors sh (7/7) and nginx (20/21) among them. */
static inline void scene_tell_two(struct scene *scene, size_t capacity)
{
	scene_tell(scene, capacity);
	scene->sh = told_actor(&scene->told, 7, 7, "sh");
	scene->nginx = told_actor(&scene->told, 20, 21, "nginx");
}

static inline void scene_close(struct scene *scene)
{
	strbuf_fini(&scene->out);
	view_table_destroy(scene->table);
	column_list_fini(&scene->columns);
	told_fini(&scene->told);
	world_fini(&scene->world);
}

static inline void scene_choose(struct scene *scene, const char *columns)
{
	world_choose(&scene->world, columns, &scene->columns);
	scene->request.state.columns = scene->columns;
}

static inline void scene_build(struct scene *scene, const char *view)
{
	scene->request.state.info = view_in_form(find_list(view), scene->form);
	view_table_build(scene->table, &scene->request, &scene->world.snapshot,
			 &scene->world.session, scene->world.metrics);
}

/* Columns of the screen that the table's columns take, up to and with the blank behind `name`. */
static inline int scene_width_up_to(const struct scene *scene, const char *name)
{
	int width = 0;

	for (size_t i = 0; i < view_table_column_count(scene->table); i++) {
		const struct column *column = view_table_column(scene->table, i);

		width += column->width + 1;
		if (strcmp(column->name, name) == 0)
			return width;
	}
	return -1;
}

/* A cell of a view with this column alone. */
static inline struct cell scene_cell(struct scene *scene, const char *view, const char *column,
				     size_t row)
{
	struct cell cell;

	scene_choose(scene, column);
	scene_build(scene, view);
	view_table_cell(scene->table, row, 0, &cell);
	return cell;
}

/* All rows in their order: "CELL CELL, CELL CELL". */
static inline void assert_scene(struct scene *scene, const char *view, const char *columns,
				const char *expected)
{
	struct strbuf text = {0};

	scene_choose(scene, columns);
	scene_build(scene, view);
	for (size_t row = 0; row < view_table_row_count(scene->table); row++) {
		for (size_t i = 0; i < view_table_column_count(scene->table); i++) {
			struct cell cell;

			view_table_cell(scene->table, row, i, &cell);
			strbuf_printf(&text, "%s%s", i > 0 ? " " : row > 0 ? ", " : "", cell.text);
			assert_int_equal(cell.is_unknown, strcmp(cell.text, "-") == 0);
		}
	}
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_fini(&text);
}

#endif
