/*
 * Any text is a filter, which then looks at rows of every kind, or is refused with a sentence and a
 * position inside it. What is no expression is always a filter.
 *
 * The bytes of the input are a text as they are; then they choose pieces of expressions; then they
 * make one, so that many are well-formed.
 */
#include <stdio.h>

#include "base/error.h"
#include "model/history.h"
#include "model/metric.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/column.h"
#include "view/filter.h"
#include "view/names.h"
#include "view/pairs.h"
#include "view/row_kind.h"

#include "fuzz.h"

/* clang-format off */
static const char *const pieces[] = {
	"ipc", "pid", "task", "user", "command", "slice", "kind", "prev", "cycles", "a-b", "cpu/event=0x3c,umask=0/", "sched:x/a == \"b\"/", "gone",
	" < ", "<=", ">", ">=", "=", " = ", "!=", "~", " ~ ", "!~", "==", "=~", "&&", "||", " && ", " || ", " and ", " or ", "not ", "!",
	"(", ")", "(", ")", " ", "\"", "'", "\\", "\"a b\"", "'x'", "nginx", "4711", "0.5", "1e3", "-", "5ms", "10k", "3%", "1", "root",
	"\"^(a|b){1,9}\"", "[a-z]*", "\"(x\"", "{", "}", "{3}", "@", "\xc2\xb5s", "preempted",
};

static const char *const numbers[] = {"ipc", "pid", "slice", "cycles", "a-b", "cpu/event=0x3c,umask=0/", "sched:x/a == \"b\"/", "miss%", "time", "MPKI"};
static const char *const texts[] = {"task", "user", "command", "kind", "prev", "next", "name"};
static const char *const number_signs[] = {"=", "!=", " < ", "<=", ">", " >= "};
static const char *const text_signs[] = {"=", "!=", " ~ ", "!~"};
static const char *const number_values[] = {"0.5", "1e3", "-1", "10k", "4711", "'7'", "5"};
static const char *const text_values[] = {"nginx", "4711", "\"a b\"", "^n", "\"(a|b){1,9}$\"", "''", "x{3}", "preempted"};
static const char *const joints[] = {"&&", "||", " and ", " or ", " && ", "||"};
/* clang-format on */

#define PICK(array, number) ((array)[(number) % (sizeof(array) / sizeof((array)[0]))])

enum {
	PIECES = COUNT_OF(pieces),
	PIECE_MAX = 96,
	COUNTS_MAX = 64,
	ROWS = ROW_KINDS
};

/* All that a row can be made of. */
struct world {
	struct metric_set *set;
	struct columns *columns;
	struct layout layout;
	struct metrics *metrics;
	struct users *users;
	struct cell_source source;
	uint64_t counts[COUNTS_MAX];
	struct snapshot_task task;
	struct snapshot_cpu cpu;
	struct actor left, came;
	struct switch_entry entry;
	struct pair pair;
	struct view_row rows[ROWS];
};

static void init_rows(struct world *world)
{
	world->task = (struct snapshot_task){
		.pid = 4711, .tid = 4711, .uid = -1, .name = "nginx", .command_line = "nginx: a b"};
	world->cpu = (struct snapshot_cpu){.cpu = 1,
					   .counter = world->counts,
					   .idle = world->counts,
					   .unattributed = world->counts};
	world->left = (struct actor){.pid = 7, .tid = 8, .name = "sh"};
	world->came = (struct actor){.pid = -1, .tid = -1};
	world->entry = (struct switch_entry){
		.slice_ns = 5000000, .off_ns = SWITCH_NS_UNKNOWN, .how = SWITCH_PREEMPTED};
	world->pair = (struct pair){.victim_words = "sh 7", .taker_words = "nginx"};
	for (int i = 0; i < ROWS; i++)
		world->rows[i] = (struct view_row){
			.kind = (enum row_kind)i,
			.pid = -1,
			.tid = -1,
			.interval = world->counts,
			.total = world->counts,
			.interval_ns = 1000000000,
		};
	world->rows[ROW_TASK].task = &world->task;
	world->rows[ROW_TASK].pid = world->rows[ROW_TASK].tid = 4711;
	world->rows[ROW_CPU].cpu = &world->cpu;
	world->rows[ROW_SWITCH].entry = &world->entry;
	world->rows[ROW_SWITCH].prev = &world->left;
	world->rows[ROW_SWITCH].next = &world->came;
	world->rows[ROW_PAIR].pair = &world->pair;
}

static void world_init(struct world *world)
{
	static const char *const events[] = {"cycles", "instructions", "a-b",
					     "cpu/event=0x3c,umask=0/", "sched:x/a == \"b\"/"};

	*world = (struct world){.set = metric_set_create(), .users = users_create()};
	world->columns = columns_create(world->set, row_kinds);
	columns_add_event(world->columns, "gone", "");
	layout_init(&world->layout);
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		layout_add_counter(&world->layout, 0, layout_add_event(&world->layout, events[i]));
		world->layout.events[i].state = EVENT_COUNTING;
		columns_add_event(world->columns, events[i], "");
	}
	require(layout_width(&world->layout) <= COUNTS_MAX);
	for (size_t i = 0; i < COUNTS_MAX; i++)
		world->counts[i] = 1000000 + i;
	world->metrics = metrics_create(&world->layout, world->set);
	world->source = (struct cell_source){
		.kinds = row_kinds,
		.getter_input = {.users = world->users,
				 .unattributed_words = "",
				 .exited_words = "2"},
		.metrics = world->metrics,
		.layout = &world->layout,
	};
	init_rows(world);
}

static void world_fini(struct world *world)
{
	users_destroy(world->users);
	metrics_destroy(world->metrics);
	layout_fini(&world->layout);
	columns_destroy(world->columns);
	metric_set_destroy(world->set);
}

static void look_at_rows(struct world *world, const struct filter *filter)
{
	for (size_t i = 0; filter_column(filter, i, ROW_TASK); i++)
		require(filter_column(filter, i, ROW_SWITCH) != NULL);
	for (size_t i = 0; i < ROWS; i++)
		filter_passes(filter, &world->source, &world->rows[i]);
}

static void try_filter(struct world *world, const char *text)
{
	struct error error = {0};
	size_t position = SIZE_MAX;
	struct filter *filter = filter_create(text, world->columns, &position, &error);
	char name[16];

	if (error.code != ERROR_NONE) {
		require(position <= strlen(text) && error.text[0] != '\0');
		if (error.code == ERROR_FILTER_NAME)
			filter_name_at(text, position, name, sizeof(name));
	}
	if (filter_bind(filter, world->metrics, &world->layout, &position, &error))
		look_at_rows(world, filter);
	else
		require(position < strlen(text) && strstr(text, "gone"));
	filter_destroy(filter);
}

static void make_pieces(char *text, const uint8_t *data, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; i < size; i++)
		if (data[i] < 192)
			length += strlen(strcpy(text + length, pieces[data[i] % PIECES]));
		else
			text[length++] = (char)(data[i] & 127);
	text[length] = '\0';
}

static size_t make_comparison(char *text, unsigned int choice)
{
	if (choice % 8 == 0)
		return strlen(strcpy(text, PICK(text_values, choice / 8)));
	if (choice % 8 < 4)
		return (size_t)sprintf(text, "%s%s%s", PICK(texts, choice / 8),
				       PICK(text_signs, choice / 64),
				       PICK(text_values, choice / 256));
	return (size_t)sprintf(text, "%s%s%s", PICK(numbers, choice / 8),
			       PICK(number_signs, choice / 64), PICK(number_values, choice / 512));
}

/* Two bytes a comparison; some open brackets, and all that are open are closed in the end. */
static void make_expression(char *text, const uint8_t *data, size_t size)
{
	size_t length = 0, open = 0;

	for (size_t i = 0; i + 1 < size; i += 2) {
		const unsigned int choice = data[i] | (unsigned int)data[i + 1] << 8;

		if (i > 0)
			length += strlen(strcpy(text + length, PICK(joints, choice / 7)));
		if (choice % 11 < 3)
			length += strlen(strcpy(text + length, choice % 11 == 0 ? "!" : " ("));
		open += choice % 11 == 1 || choice % 11 == 2;
		length += make_comparison(text + length, choice);
		if (choice % 13 == 0 && open > 0) {
			text[length++] = ')';
			open--;
		}
	}
	for (; open > 0; open--)
		text[length++] = ')';
	text[length] = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, PIECE_MAX);
	struct world world;

	world_init(&world);
	if (size)
		memcpy(text, data, size);
	try_filter(&world, text);
	make_pieces(text, data, size);
	try_filter(&world, text);
	make_expression(text, data, size);
	try_filter(&world, text);
	free(text);
	world_fini(&world);
	return 0;
}
