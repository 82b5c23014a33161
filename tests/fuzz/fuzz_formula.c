/*
 * Any text is either a formula, which then has a value, or refused with a position inside
 * the text and a sentence; and so is it as the definition of a metric, bound to a layout in which
 * some of its events are counted.
 *
 * The bytes of the input are a text as they are, and then choose pieces of formulas, so that many
 * of these are well-formed.
 */
#include "model/formula.h"
#include "model/metric.h"

#include "fuzz.h"

/* clang-format off */
static const char *const pieces[] = {
	"\na = b", "\nb = a", "\nc = ipc / a", "\nname = ", "a", "b", "ipc", "cycles", "instructions:u", "\"x y;\"", "run_ns", "interval_s", "cache-misses",
	"1", "2.5k", "0", "1e308", "+", " - ", "*", "/", "<", "<=", "==", "!=", ">", ">=",
	"(", ")", "(", ")", ",", ", ", "min(", "max(", "if(", "-", " ", "=", " = ", ";",
	"; unit s", "; width 7", "; help why", "; good low 1 2 3 4", "; good high",
	"\xc3\x97", "\xc3\xb7", "\xe2\x88\x92",
};
/* clang-format on */

enum {
	PIECES = COUNT_OF(pieces),
	PIECE_MAX = 24
};

static void evaluate(const struct formula *formula, size_t size)
{
	double *values = calloc(size + 1, sizeof(*values));
	size_t names = 0;

	while (formula_name(formula, names)) {
		values[names] = (double)names - 2;
		names++;
	}
	require(names <= size);

	double value = formula_eval(formula, values);
	require(value - value == 0 || value != value); /* finite or NaN */
	free(values);
}

static void try_formula(const char *text)
{
	char message[FORMULA_ERROR_MAX] = "";
	size_t position = SIZE_MAX;
	struct formula *formula = formula_create(text, &position, message);

	if (formula)
		evaluate(formula, strlen(text));
	else
		require(position <= strlen(text) && message[0] != '\0');
	formula_destroy(formula);
}

static void add(struct metric_set *set, const char *definition)
{
	const size_t count = metric_set_count(set);
	const struct metric_info *info = NULL;
	char message[FORMULA_ERROR_MAX] = "";
	size_t position = SIZE_MAX;

	if (metric_set_add(set, definition, &info, &position, message)) {
		require(info && metric_set_find(set, info->name) >= 0);
		return;
	}
	require(position <= strlen(definition) && message[0] != '\0');
	require(metric_set_count(set) == count);
}

static void count_visit(const char *event, void *context)
{
	size_t *count = context;

	require(event[0] != '\0');
	++*count;
}

static void eval_all(const struct layout *layout, const struct metric_set *set)
{
	struct metrics *metrics = metrics_create(layout, set);
	uint64_t *counts = calloc(layout_width(layout), sizeof(*counts));

	for (size_t i = 0; i < layout_width(layout); i++)
		counts[i] = 1000000 + i;
	for (size_t i = 0; i < metrics_count(metrics); i++) {
		const double value = metrics_eval(metrics, i, counts, 0, 1000000).value;
		size_t events = 0;

		require(value - value == 0 || value != value);
		metric_set_events(set, i, count_visit, &events);
		require(events <= METRIC_NEEDS_MAX);
	}
	free(counts);
	metrics_destroy(metrics);
}

/* Each line of the text as a definition; the last one is taken back. */
static void try_definitions(char *text)
{
	struct metric_set *set = metric_set_create();
	struct layout layout = {0};
	size_t builtin_count;

	layout_init(&layout);
	layout_add_counter(&layout, 0, layout_add_event(&layout, "cycles"));
	layout_add_counter(&layout, layout_add_group(&layout, 0, 1),
			   layout_add_event(&layout, "a"));
	layout.events[0].state = layout.events[1].state = EVENT_COUNTING;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		add(set, line);
	metric_table(&builtin_count);
	if (metric_set_count(set) > builtin_count) {
		eval_all(&layout, set);
		metric_set_take_back(set, metric_set_count(set) - 1);
	}
	layout_fini(&layout);
	metric_set_destroy(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, PIECE_MAX);
	size_t length = 0;

	if (size)
		memcpy(text, data, size);
	try_formula(text);

	for (size_t i = 0; i < size; i++)
		if (data[i] < 128)
			length += strlen(strcpy(text + length, pieces[data[i] % PIECES]));
		else
			text[length++] = (char)(data[i] & 127);
	text[length] = '\0';
	try_formula(text);
	try_definitions(text);
	free(text);
	return 0;
}
