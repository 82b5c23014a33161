/*
 * A name means a column, or a party: whoever a row is about. A task's row has one, that of a
 * switch two, and a comparison holds when it holds for any of them. So each comparison gathers
 * what the row has to be compared, a few texts and numbers, and asks whether one of them fits.
 *
 * != and !~ are the contrary of = and ~: where nothing is known they hold.
 */

#include "view/filter_term.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"
#include "model/layout.h"
#include "model/snapshot.h"
#include "model/switches.h"
#include "view/cell.h"
#include "view/filter_number.h"
#include "view/filter_pattern.h"
#include "view/groups.h"
#include "view/pairs.h"
#include "view/users.h"

enum subject {
	SUBJECT_COLUMN, /* only what the column shows */
	SUBJECT_TASK,   /* name, or number */
	SUBJECT_COMMAND,
	SUBJECT_PID,
	SUBJECT_TID,
	SUBJECT_LEFT,
	SUBJECT_CAME,
	SUBJECT_VICTIM,
	SUBJECT_TAKER,
	SUBJECT_WORD,
	SUBJECT_TAGGED
};

/* What a name means that does not just mean the column of that name. */
struct meaning {
	const char *name;
	const char *column;
	const char *of_switch; /* column in rows of switches, where it is another one */
	enum subject subject;
};

/* clang-format off */
static const struct meaning meanings[] = {
	{"task",    "command", NULL,  SUBJECT_TASK},
	{"command", "command", NULL,  SUBJECT_COMMAND},
	{"name",    "command", NULL,  SUBJECT_COMMAND},
	{"pid",     "pid",     NULL,  SUBJECT_PID},
	{"tid",     "tid",     NULL,  SUBJECT_TID},
	{"left",    "left",    NULL,  SUBJECT_LEFT},
	{"came",    "came",    NULL,  SUBJECT_CAME},
	{"victim",  "victim",  NULL,  SUBJECT_VICTIM},
	{"taker",   "taker",   NULL,  SUBJECT_TAKER},
	{"slice",   "slice",   "ran", SUBJECT_COLUMN},
	{"kind",    "how",     NULL,  SUBJECT_COLUMN},
};
/* clang-format on */

enum {
	MEANINGS = sizeof(meanings) / sizeof(meanings[0]),
	NAMES_MAX = 1024,
	FOUND_MAX = 4,
	PARTY_MAX = 64
};

struct operand {
	struct cell_column column;
	double number; /* in the column's unit; NaN: the value is no number */
};

struct filter_term {
	enum subject subject;
	enum filter_sign compares; /* of =, < and ~ and their like */
	bool is_negated;
	struct operand whole, of_switch;
	char *name;                     /* owned; as it was written; NULL: of a word */
	char *text;                     /* owned; the value or the word */
	struct filter_pattern *pattern; /* owned; of ~ */
	size_t position;                /* of the name */
};

/* What a row has to be compared. */
struct found {
	const char *texts[FOUND_MAX];
	double numbers[FOUND_MAX];
	size_t text_count, number_count;
	char names[2][PARTY_MAX]; /* made from those of the row */
};

void filter_term_destroy(struct filter_term *term)
{
	if (!term)
		return;
	filter_pattern_destroy(term->pattern);
	free(term->name);
	free(term->text);
	free(term);
}

static const struct meaning *find_meaning(const char *name)
{
	for (size_t i = 0; i < MEANINGS; i++) {
		if (strcasecmp(meanings[i].name, name) == 0)
			return &meanings[i];
	}
	return NULL;
}

static bool refuse_name(const char *name, struct columns *columns, struct error *error)
{
	const size_t count = columns_count(columns);
	char names[NAMES_MAX], hint[NAMES_MAX + 32];
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (size_t i = 0; i < count; i++)
		nearest_offer(&nearest, columns_get(columns, i)->name);
	for (size_t i = 0; i < MEANINGS; i++) {
		if (columns_find(columns, meanings[i].column))
			nearest_offer(&nearest, meanings[i].name);
	}
	nearest_format(&nearest, names, sizeof(names));
	if (names[0] == '\0')
		column_names(names, sizeof(names));
	snprintf(hint, sizeof(hint), "%s: %s", nearest.count > 0 ? "the nearest" : "columns are",
		 names);
	return error_set(error, ERROR_FILTER_NAME, name, hint);
}

static bool find_columns(struct filter_term *term, const char *name, struct columns *columns,
			 struct error *error)
{
	const struct meaning *meaning = find_meaning(name);
	struct cell_column *whole = &term->whole.column;
	struct cell_column *of_switch = &term->of_switch.column;

	whole->column = columns_find(columns, meaning ? meaning->column : name);
	if (!whole->column)
		return refuse_name(name, columns, error);
	if (meaning) {
		term->subject = meaning->subject;
		if (meaning->of_switch)
			of_switch->column = columns_find(columns, meaning->of_switch);
	}
	if (!of_switch->column)
		of_switch->column = whole->column;
	return true;
}

/* Whether it compares names, or the number that stands for one. */
static bool is_about_text(const struct filter_term *term)
{
	return term->whole.column.column->words != NULL;
}

/* = and its like from what was typed. */
static void take_sign(struct filter_term *term, enum filter_sign sign)
{
	term->is_negated = sign == FILTER_SIGN_UNEQUAL || sign == FILTER_SIGN_NO_MATCH;
	if (sign == FILTER_SIGN_UNEQUAL)
		sign = FILTER_SIGN_EQUAL;
	else if (sign == FILTER_SIGN_NO_MATCH)
		sign = FILTER_SIGN_MATCH;
	term->compares = sign;
}

static bool text_fits(const struct filter_term *term, const char *text)
{
	if (term->pattern)
		return filter_pattern_matches(term->pattern, text);
	return strcasecmp(text, term->text) == 0;
}

/* A word that the column never has, or a pattern that none of its words fits, is a slip. */
static bool check_word(const struct filter_term *term, struct error *error)
{
	const struct column *column = term->whole.column.column;
	char words[NAMES_MAX];
	size_t length;

	if (!column->word)
		return true;
	length = (size_t)snprintf(words, sizeof(words), "%.*s is one of", COLUMN_NAME_MAX,
				  term->name);
	for (size_t i = 0; column->word(i); i++) {
		if (text_fits(term, column->word(i)))
			return true;
		if (length < sizeof(words))
			length += (size_t)snprintf(words + length, sizeof(words) - length, "%s %s",
						   i > 0 ? "," : "", column->word(i));
	}
	return error_set(error, ERROR_FILTER_WORD, term->text[0] != '\0' ? term->text : "\"\"",
			 words);
}

/* A text, or the number of a task. */
static bool take_text(struct filter_term *term, struct error *error)
{
	uint64_t number;

	if (term->compares == FILTER_SIGN_MATCH) {
		term->pattern = filter_pattern_create(term->text, error);
		return term->pattern && check_word(term, error);
	}
	if (term->subject != SUBJECT_COLUMN && term->subject != SUBJECT_COMMAND &&
	    units_parse_u64(term->text, 0, INT32_MAX, &number))
		term->whole.number = (double)number;
	return check_word(term, error);
}

static bool take_number(struct filter_term *term, struct error *error)
{
	return filter_number_parse(term->text, term->whole.column.column, &term->whole.number,
				   error) &&
	       filter_number_parse(term->text, term->of_switch.column.column,
				   &term->of_switch.number, error);
}

/* Whether the comparison is one that its column has. */
static bool check_sign(const struct filter_term *term, const char *sign, struct error *error)
{
	const bool is_of_texts = term->compares == FILTER_SIGN_MATCH;
	const bool is_of_numbers = !is_of_texts && term->compares != FILTER_SIGN_EQUAL;

	if (is_about_text(term) && is_of_numbers)
		return error_set(error, ERROR_FILTER_TEXT, term->name, sign);
	if (!is_about_text(term) && is_of_texts)
		return error_set(error, ERROR_FILTER_NO_TEXT, term->name, sign);
	return true;
}

static bool take_comparison(struct filter_term *term, const struct filter_comparison *typed,
			    struct columns *columns, size_t *position, struct error *error)
{
	char *sign = filter_piece_copy(&typed->sign);
	bool good;

	take_sign(term, typed->compares);
	*position = typed->name.position;
	good = find_columns(term, term->name, columns, error);
	if (good) {
		*position = typed->sign.position;
		good = check_sign(term, sign, error);
	}
	if (good) {
		*position = typed->value.position;
		good = is_about_text(term) ? take_text(term, error) : take_number(term, error);
	}
	free(sign);
	return good;
}

struct filter_term *filter_term_create(const struct filter_comparison *typed,
				       struct columns *columns, size_t *position,
				       struct error *error)
{
	struct filter_term *term = xcalloc(1, sizeof(*term));

	term->subject = SUBJECT_COLUMN;
	term->whole.number = term->of_switch.number = NAN;
	term->name = filter_piece_copy(&typed->name);
	term->text = filter_piece_copy(&typed->value);
	term->position = typed->name.position;
	if (take_comparison(term, typed, columns, position, error))
		return term;
	filter_term_destroy(term);
	return NULL;
}

struct filter_term *filter_term_create_word(const char *word)
{
	struct filter_term *term = xcalloc(1, sizeof(*term));

	term->subject = SUBJECT_WORD;
	term->text = xstrdup(word);
	return term;
}

struct filter_term *filter_term_create_tagged(void)
{
	struct filter_term *term = xcalloc(1, sizeof(*term));

	term->subject = SUBJECT_TAGGED;
	return term;
}

const struct column *filter_term_column(const struct filter_term *term)
{
	return term->whole.column.column;
}

const struct column *filter_term_column_of_switch(const struct filter_term *term)
{
	return term->of_switch.column.column;
}

const char *filter_term_misfit(const struct filter_term *term, enum row_kind kind)
{
	if (term->subject == SUBJECT_TAGGED)
		return kind == ROW_TASK ? NULL : FILTER_TAGGED;
	const struct column *column =
		kind == ROW_SWITCH ? term->of_switch.column.column : term->whole.column.column;

	return column && !column_is_of(column, kind) ? term->name : NULL;
}

static bool bind(struct operand *operand, const struct metrics *metrics,
		 const struct layout *layout, struct error *error)
{
	const struct column *column = operand->column.column;
	const int event = column->event ? layout_find_event(layout, column->event) : -1;

	if (column->event && (event < 0 || layout->events[event].is_removed))
		return error_set(error, ERROR_FILTER_NOT_COUNTED, column->event, NULL);
	operand->column = cell_column_bind(column, metrics, layout);
	return true;
}

bool filter_term_bind(struct filter_term *term, const struct metrics *metrics,
		      const struct layout *layout, size_t *position, struct error *error)
{
	*position = term->position;
	if (term->subject == SUBJECT_WORD || term->subject == SUBJECT_TAGGED)
		return true;
	return bind(&term->whole, metrics, layout, error) &&
	       bind(&term->of_switch, metrics, layout, error);
}

static void find_text(struct found *found, const char *text)
{
	if (text && text[0] != '\0')
		found->texts[found->text_count++] = text;
}

static void find_number(struct found *found, double number)
{
	if (isfinite(number))
		found->numbers[found->number_count++] = number;
}

static void find_id(struct found *found, int32_t id)
{
	if (id >= 0)
		found->numbers[found->number_count++] = id;
}

/* What the row's cell holds. */
static void find_cell(struct found *found, const struct operand *operand,
		      const struct cell_source *source, const struct view_row *row)
{
	const struct column *column = operand->column.column;

	if (column->words) {
		const struct fact_words words = column->words(&source->facts, row);

		find_text(found, words.text);
		find_text(found, words.untold);
	} else {
		find_number(found, cell_number(source, &operand->column, row).value);
	}
}

/* Its name, its numbers, and both as they are shown where that may be meant: "nginx 4711". */
static void find_actor(struct found *found, const struct filter_term *term,
		       const struct actor *actor, char words[static PARTY_MAX])
{
	const enum subject subject = term->subject;

	if (!actor)
		return;
	if (subject != SUBJECT_PID && subject != SUBJECT_TID)
		find_text(found, actor->name);
	if (subject != SUBJECT_PID && subject != SUBJECT_TID && strchr(term->text, ' ')) {
		snprintf(words, PARTY_MAX, "%s %" PRId32, actor->name, actor->tid);
		find_text(found, words);
	}
	if (subject != SUBJECT_TID)
		find_id(found, actor->pid);
	if (subject != SUBJECT_PID)
		find_id(found, actor->tid);
}

static void find_in_switch(struct found *found, const struct filter_term *term,
			   const struct cell_source *source, const struct view_row *row)
{
	switch (term->subject) {
	case SUBJECT_TASK:
	case SUBJECT_COMMAND:
	case SUBJECT_PID:
	case SUBJECT_TID:
		find_actor(found, term, row->left, found->names[0]);
		find_actor(found, term, row->came, found->names[1]);
		break;
	case SUBJECT_LEFT:
		find_actor(found, term, row->left, found->names[0]);
		break;
	case SUBJECT_CAME:
		find_actor(found, term, row->came, found->names[0]);
		break;
	case SUBJECT_COLUMN:
		find_cell(found, &term->of_switch, source, row);
		break;
	case SUBJECT_VICTIM:
	case SUBJECT_TAKER:
	case SUBJECT_WORD:
	case SUBJECT_TAGGED:
		break;
	}
}

/* "nginx 4711": as a whole, and its name and its number. */
static void find_party(struct found *found, enum subject subject, const char *words,
		       char name[static PARTY_MAX])
{
	const char *blank = strrchr(words, ' ');
	uint64_t number;

	if (subject != SUBJECT_PID && subject != SUBJECT_TID)
		find_text(found, words);
	if (!blank || !units_parse_u64(blank + 1, 0, INT32_MAX, &number))
		return;
	find_number(found, (double)number);
	snprintf(name, PARTY_MAX, "%.*s", (int)(blank - words), words);
	if (subject != SUBJECT_PID && subject != SUBJECT_TID)
		find_text(found, name);
}

static void find_in_pair(struct found *found, const struct filter_term *term,
			 const struct cell_source *source, const struct view_row *row)
{
	switch (term->subject) {
	case SUBJECT_TASK:
	case SUBJECT_COMMAND:
	case SUBJECT_PID:
	case SUBJECT_TID:
		find_party(found, term->subject, row->pair->victim_words, found->names[0]);
		find_party(found, term->subject, row->pair->taker_words, found->names[1]);
		break;
	case SUBJECT_VICTIM:
		find_party(found, term->subject, row->pair->victim_words, found->names[0]);
		break;
	case SUBJECT_TAKER:
		find_party(found, term->subject, row->pair->taker_words, found->names[1]);
		break;
	case SUBJECT_COLUMN:
		find_cell(found, &term->whole, source, row);
		break;
	case SUBJECT_LEFT:
	case SUBJECT_CAME:
	case SUBJECT_WORD:
	case SUBJECT_TAGGED:
		break;
	}
}

/* A task goes by its name and by its command line, whichever of them is shown. */
static void find_in_task(struct found *found, const struct filter_term *term,
			 const struct cell_source *source, const struct view_row *row)
{
	if (term->subject != SUBJECT_TASK && term->subject != SUBJECT_COMMAND) {
		find_cell(found, &term->whole, source, row);
		return;
	}
	find_text(found, row->task->name);
	find_text(found, row->task->command_line);
	if (term->subject == SUBJECT_TASK) {
		find_id(found, row->pid);
		find_id(found, row->tid);
	}
}

static bool number_fits(enum filter_sign compares, double found, double wanted)
{
	switch (compares) {
	case FILTER_SIGN_EQUAL:
		return found >= wanted && found <= wanted;
	case FILTER_SIGN_LESS:
		return found < wanted;
	case FILTER_SIGN_LESS_OR_EQUAL:
		return found <= wanted;
	case FILTER_SIGN_GREATER:
		return found > wanted;
	case FILTER_SIGN_GREATER_OR_EQUAL:
		return found >= wanted;
	case FILTER_SIGN_NONE:
	case FILTER_SIGN_END:
	case FILTER_SIGN_OPEN:
	case FILTER_SIGN_CLOSE:
	case FILTER_SIGN_NOT:
	case FILTER_SIGN_AND:
	case FILTER_SIGN_OR:
	case FILTER_SIGN_UNEQUAL:
	case FILTER_SIGN_MATCH:
	case FILTER_SIGN_NO_MATCH:
		break;
	}
	return false;
}

static bool any_fits(const struct filter_term *term, const struct found *found, double wanted)
{
	for (size_t i = 0; i < found->text_count; i++) {
		if (text_fits(term, found->texts[i]))
			return true;
	}
	for (size_t i = 0; i < found->number_count; i++) {
		if (number_fits(term->compares, found->numbers[i], wanted))
			return true;
	}
	return false;
}

static bool id_contains(int32_t id, const char *word)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%" PRId32, id);
	return id >= 0 && text_contains(digits, word);
}

static bool task_has_word(const struct view_row *row, struct users *users, const char *word)
{
	const struct snapshot_task *task = row->task;

	return text_contains(task->name, word) ||
	       (task->command_line && text_contains(task->command_line, word)) ||
	       id_contains(row->pid, word) || id_contains(row->tid, word) ||
	       text_contains(users_name(users, task->uid), word);
}

static bool actor_has_word(const struct actor *actor, const char *word)
{
	return actor && (text_contains(actor->name, word) || id_contains(actor->pid, word) ||
			 id_contains(actor->tid, word));
}

static bool row_has_word(const struct view_row *row, const struct facts *facts, const char *word)
{
	switch (row->kind) {
	case ROW_TASK:
		return task_has_word(row, facts->users, word);
	case ROW_EXITED:
	case ROW_UNATTRIBUTED:
		return text_contains(fact_command(facts, row).text, word);
	case ROW_GROUP:
	case ROW_IDLE:
		return text_contains(fact_group(facts, row).text, word);
	case ROW_CPU:
		return id_contains(row->cpu->cpu, word);
	case ROW_SWITCH:
		return actor_has_word(row->left, word) || actor_has_word(row->came, word);
	case ROW_PAIR:
		return text_contains(row->pair->victim_words, word) ||
		       text_contains(row->pair->taker_words, word);
	case ROW_LENGTH:
		break;
	}
	return false;
}

bool filter_term_passes(const struct filter_term *term, const struct cell_source *source,
			const struct view_row *row)
{
	const struct operand *operand = &term->whole;
	struct found found;

	if (term->subject == SUBJECT_WORD)
		return row_has_word(row, &source->facts, term->text);
	if (term->subject == SUBJECT_TAGGED)
		return row->is_tagged;
	found.text_count = found.number_count = 0;
	switch (row->kind) {
	case ROW_SWITCH:
		find_in_switch(&found, term, source, row);
		operand = term->subject == SUBJECT_COLUMN ? &term->of_switch : operand;
		break;
	case ROW_PAIR:
		find_in_pair(&found, term, source, row);
		break;
	case ROW_TASK:
		find_in_task(&found, term, source, row);
		break;
	case ROW_EXITED:
	case ROW_UNATTRIBUTED:
	case ROW_CPU:
	case ROW_LENGTH:
	case ROW_GROUP:
	case ROW_IDLE:
		find_cell(&found, operand, source, row);
		break;
	}
	return any_fits(term, &found, operand->number) != term->is_negated;
}
