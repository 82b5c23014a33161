/* A flame graph out of the rows of a tree: where frames are, and the way from one to another. */

#include "model/profile.h"
#include "view/flame.h"
#include "view/functions.h"
#include "view/names.h"

#include "scene_kit.h"
#include "unit.h"

enum {
	COLUMNS = 100,
	NODES_MOST = 16
};

static struct profile_node nodes[NODES_MOST];
static struct profile_entry entries[NODES_MOST];
static struct profile profile;
static struct flame flame;
static bool marks[NODES_MOST];

static int set_up(void **state)
{
	struct scene *scene = scene_open();

	profile = (struct profile){.nodes = nodes, .node_count = 1, .entries = entries};
	scene->world.snapshot.profile = &profile;
	memset(marks, 0, sizeof(marks));
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	flame_fini(&flame);
	scene_close(*state);
	return 0;
}

/* A call of the function with this number, in which so many samples were taken. */
static uint32_t call(uint32_t parent, uint32_t function, uint64_t weight)
{
	const uint32_t node = (uint32_t)profile.node_count++;

	nodes[node] = (struct profile_node){.parent = parent, .function = function};
	if (weight > 0)
		entries[profile.entry_count++] = (struct profile_entry){
			.pid = 7, .tid = 7, .node = node, .samples = 1, .weight = weight};
	return node;
}

/* main -> hot 60, warm 29 -> cool 10; and another root with 1. */
static void known_calls(void)
{
	const uint32_t root = call(0, 1, 0);

	call(root, 2, 60);
	call(call(root, 3, 29), 4, 10);
	call(0, 5, 1);
}

static void make(struct scene *scene, size_t zoom, int columns)
{
	scene->form = FUNCTIONS_FLAME;
	scene_build(scene, "functions");
	flame_make(&flame, scene->table, zoom, columns);
}

/* "1:0-99 2:0-60": the function of each frame and its columns, a line of frames each. */
static const char *frames(struct scene *scene)
{
	strbuf_clear(&scene->out);
	for (uint32_t depth = 0; depth < flame.depth; depth++) {
		strbuf_add(&scene->out, depth > 0 ? " |" : "");
		for (size_t i = 0; i < flame.count; i++) {
			const struct flame_frame *frame = &flame.frames[i];
			const struct view_row *row = view_table_row(scene->table, frame->row);

			if (frame->depth == depth)
				strbuf_printf(&scene->out, " %u:%d-%d", row->function->number,
					      frame->begin, frame->end);
		}
	}
	return strbuf_text(&scene->out);
}

UNIT_TEST_OF(frames_are_as_wide_as_their_shares, struct scene *scene)
{
	known_calls();
	make(scene, FLAME_ALL, COLUMNS);

	assert_string_equal(frames(scene), " 1:0-99 5:99-100 | 2:0-60 3:60-99 | 4:60-70");
}

UNIT_TEST_OF(frames_narrower_than_a_column_are_left_out, struct scene *scene)
{
	known_calls();
	make(scene, FLAME_ALL, 10);

	assert_string_equal(frames(scene), " 1:0-9 5:9-10 | 2:0-6 3:6-9 | 4:6-7");
	make(scene, FLAME_ALL, 2);
	assert_string_equal(frames(scene), " 1:0-1 5:1-2 | 2:0-1");
}

UNIT_TEST_OF(a_frame_that_is_zoomed_into_has_all_columns, struct scene *scene)
{
	known_calls();
	make(scene, 2, COLUMNS);

	assert_string_equal(frames(scene), " 3:0-100 | 4:0-25");
	assert_true(flame.weight == 39 && flame.all_weight == 100);
	assert_int_equal(flame.row_end, 4);
}

UNIT_TEST_OF(there_are_no_frames_without_samples, struct scene *scene)
{
	make(scene, FLAME_ALL, COLUMNS);

	assert_int_equal(flame.count, 0);
	assert_int_equal(flame_find(&flame, 0), 0);
	assert_int_equal(flame_step(&flame, 0, FLAME_DOWN), 0);
}

/* Sums that go over the end of a number are of no use, but do no harm. */
UNIT_TEST_OF(frames_of_senseless_weights_are_inside, struct scene *scene)
{
	const uint32_t root = call(0, 1, UINT64_MAX - 5);

	call(root, 2, UINT64_MAX / 2);
	call(root, 3, 100);
	make(scene, FLAME_ALL, COLUMNS);

	for (size_t i = 0; i < flame.count; i++)
		assert_true(flame.frames[i].begin >= 0 && flame.frames[i].end <= COLUMNS);
}

UNIT_TEST_OF(steps_go_to_the_frames_around, struct scene *scene)
{
	size_t frame;

	known_calls();
	make(scene, FLAME_ALL, COLUMNS);
	frame = flame_step(&flame, 0, FLAME_DOWN);
	assert_int_equal(flame.frames[frame].row, 1); /* hot, the widest */
	assert_int_equal(flame_step(&flame, frame, FLAME_LEFT), frame);
	frame = flame_step(&flame, frame, FLAME_RIGHT);
	assert_int_equal(flame.frames[frame].row, 2); /* warm */
	frame = flame_step(&flame, frame, FLAME_DOWN);
	assert_int_equal(flame.frames[frame].row, 3); /* cool */
	assert_int_equal(flame_step(&flame, frame, FLAME_DOWN), frame);
	frame = flame_step(&flame, flame_step(&flame, frame, FLAME_UP), FLAME_UP);
	assert_int_equal(frame, 0);
	assert_int_equal(flame_step(&flame, frame, FLAME_UP), frame);
	assert_int_equal(flame.frames[flame_step(&flame, frame, FLAME_RIGHT)].row, 4);
}

UNIT_TEST_OF(find_has_the_frame_of_a_row_or_the_one_before, struct scene *scene)
{
	known_calls();
	make(scene, FLAME_ALL, 2);

	assert_int_equal(flame.frames[flame_find(&flame, 1)].row, 1);
	assert_int_equal(flame.frames[flame_find(&flame, 3)].row, 1);
}

UNIT_TEST_OF(caller_is_the_row_above, struct scene *scene)
{
	known_calls();
	make(scene, FLAME_ALL, COLUMNS);

	assert_int_equal(flame_caller(scene->table, 3), 2);
	assert_int_equal(flame_caller(scene->table, 2), 0);
	assert_true(flame_caller(scene->table, 0) == FLAME_ALL);
}

UNIT_TEST_OF(marked_weight_counts_each_sample_once, struct scene *scene)
{
	known_calls();
	make(scene, FLAME_ALL, COLUMNS);
	assert_true(flame_marked_weight(scene->table, marks) == 0);
	marks[2] = marks[3] = true; /* warm, and cool in it */
	assert_true(flame_marked_weight(scene->table, marks) == 39);
	marks[4] = true;
	assert_true(flame_marked_weight(scene->table, marks) == 40);
}

UNIT_MAIN(set_up, tear_down)
