/*
 * A name means a column, or a party: a task that a row is about. A task's row has one party, that
 * of a switch or of a pair two. What is typed after the sign is read by what the name's column
 * holds: a text, one of its words, or a number in its unit.
 *
 * A comparison holds when it holds for any party of the row. != and !~ are the contrary of = and ~:
 * where nothing is known they hold.
 */

#include "view/filter_term.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/snapshot.h"
#include "view/column_table.h"
#include "view/names.h"
#include "view/row_kind.h"

/* Which parties a term is about, and what of them. */
enum {
	ABOUT_FIRST = 1 << 0, /* the outgoing task, the victim */
	ABOUT_SECOND = 1 << 1,
	ABOUT_NAME = 1 << 2,
	ABOUT_PID = 1 << 3,
	ABOUT_TID = 1 << 4,
	ABOUT_BOTH = ABOUT_FIRST | ABOUT_SECOND,
	ABOUT_TASK = ABOUT_NAME | ABOUT_PID | ABOUT_TID
};

/* Names that do not simply mean the column of that name. */
struct meaning {
	const char *name;
	const char *column;
	const char *of_switch; /* column in rows of switches, where it is another one */
	unsigned int about;
};

/* clang-format off */
static const struct meaning meanings[] = {
	{"task",    "command", NULL,  ABOUT_BOTH | ABOUT_TASK},
	{"command", "command", NULL,  ABOUT_BOTH | ABOUT_NAME},
	{"name",    "command", NULL,  ABOUT_BOTH | ABOUT_NAME},
	{"pid",     "pid",     NULL,  ABOUT_BOTH | ABOUT_PID},
	{"tid",     "tid",     NULL,  ABOUT_BOTH | ABOUT_TID},
	{"prev",    "prev",    NULL,  ABOUT_FIRST | ABOUT_TASK},
	{"next",    "next",    NULL,  ABOUT_SECOND | ABOUT_TASK},
	{"victim",  "victim",  NULL,  ABOUT_FIRST | ABOUT_TASK},
	{"taker",   "taker",   NULL,  ABOUT_SECOND | ABOUT_TASK},
	{"wakee",   "wakee",   NULL,  ABOUT_FIRST | ABOUT_TASK},
	{"waker",   "waker",   NULL,  ABOUT_SECOND | ABOUT_TASK},
	{"slice",   "slice",   "ran", 0},
	{"kind",    "how",     NULL,  0},
};
/* clang-format on */

enum {
	MEANINGS = sizeof(meanings) / sizeof(meanings[0]),
	WORDS_BYTES = 1024,
	PARTY_MAX = 64
};

char *filter_piece_copy(const struct filter_piece *piece)
{
	char *copy = xstrndup(piece->text, piece->length);
	size_t length = 0;

	if (piece->quote != '"')
		return copy;
	for (size_t i = 0; copy[i] != '\0'; i++) {
		/* all other backslashes are left to regular expressions */
		if (copy[i] == '\\' && (copy[i + 1] == '"' || copy[i + 1] == '\\'))
			i++;
		copy[length++] = copy[i];
	}
	copy[length] = '\0';
	return copy;
}

static const struct meaning *find_meaning(const char *name)
{
	return named_find(meanings, MEANINGS, sizeof(meanings[0]), name);
}

static bool find_operands(struct filter_term *term, struct columns *columns, struct error *error)
{
	const struct meaning *meaning = find_meaning(term->name);
	const struct column *column = columns_find(columns, meaning ? meaning->column : term->name);

	if (!column)
		return error_set(error, ERROR_FILTER_NAME, term->name, NULL);
	term->operands[0].column.column = term->operands[1].column.column = column;
	if (meaning && meaning->of_switch)
		term->operands[1].column.column = columns_find(columns, meaning->of_switch);
	term->about = meaning ? meaning->about : 0;
	return true;
}

/* Whether it compares names, or the number that represents one. */
static bool is_about_text(const struct filter_term *term)
{
	return term->operands[0].column.column->words;
}

static bool text_fits(const struct filter_term *term, const char *text)
{
	if (!text || text[0] == '\0')
		return false;
	if (term->pattern)
		return filter_pattern_matches(term->pattern, text);
	return strcasecmp(text, term->text) == 0;
}

/* A word that the column never has, or a pattern that none of its words matches, is a mistake. */
static bool check_word(const struct filter_term *term, struct error *error)
{
	const struct column *column = term->operands[0].column.column;
	char words[WORDS_BYTES];
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
	return error_set(error, ERROR_FILTER_WORD, term->text, words);
}

/* A text, or the number of a task. */
static bool take_term_text(struct filter_term *term, struct error *error)
{
	uint64_t number;

	if (term->compares & COMPARE_MATCH) {
		term->pattern = filter_pattern_create(term->text, error);
		return term->pattern && check_word(term, error);
	}
	if (term->about & (ABOUT_PID | ABOUT_TID) &&
	    units_parse_u64(term->text, 0, INT32_MAX, &number))
		term->operands[0].number = term->operands[1].number = (double)number;
	return check_word(term, error);
}

static bool take_term_number(struct filter_term *term, struct error *error)
{
	for (int i = 0; i < 2; i++) {
		struct filter_operand *operand = &term->operands[i];

		if (!filter_number_parse(term->text, operand->column.column, &operand->number,
					 error))
			return false;
	}
	return true;
}

/* Whether the column has this comparison. */
static bool check_sign(const struct filter_term *term, const struct filter_piece *typed,
		       struct error *error)
{
	const bool orders = term->compares & COMPARE_ORDERS;
	char sign[8];

	snprintf(sign, sizeof(sign), "%.*s", (int)typed->length, typed->text);
	if (is_about_text(term) && orders)
		return error_set(error, ERROR_FILTER_TEXT, term->name, sign);
	if (!is_about_text(term) && term->compares & COMPARE_MATCH)
		return error_set(error, ERROR_FILTER_NO_TEXT, term->name, sign);
	/* a CPU compared with a number means how busy it is */
	if (orders && strcmp(term->operands[0].column.column->name, "cpu") == 0)
		return error_set(error, ERROR_FILTER_CPU, sign, "cpu%");
	return true;
}

static bool take_comparison(struct filter_term *term, const struct filter_comparison *typed,
			    struct columns *columns, size_t *position, struct error *error)
{
	*position = typed->name.position;
	if (!find_operands(term, columns, error))
		return false;
	*position = typed->sign.position;
	if (!check_sign(term, &typed->sign, error))
		return false;
	*position = typed->value.position;
	return is_about_text(term) ? take_term_text(term, error) : take_term_number(term, error);
}

bool filter_term_init(struct filter_term *term, const struct filter_comparison *typed,
		      struct columns *columns, size_t *position, struct error *error)
{
	*term = (struct filter_term){
		.kind = TERM_COMPARES,
		.compares = typed->compares,
		.operands = {{.number = NAN}, {.number = NAN}},
		.name = filter_piece_copy(&typed->name),
		.text = filter_piece_copy(&typed->value),
		.position = typed->name.position,
	};
	if (take_comparison(term, typed, columns, position, error))
		return true;
	filter_term_fini(term);
	return false;
}

void filter_term_fini(struct filter_term *term)
{
	filter_pattern_destroy(term->pattern);
	free(term->name);
	free(term->text);
	*term = (struct filter_term){0};
}

/* What identifies a task selects samples, not the rows made from them. */
static bool is_compared(const struct column *column, enum row_kind kind)
{
	const bool is_of_task = column->rows & 1u << ROW_TASK;
	const bool is_sampled = kind == ROW_FUNCTION || kind == ROW_ACCESS;

	return column_is_of(column, kind) && !(is_sampled && is_of_task);
}

const char *filter_term_unsupported(const struct filter_term *term, enum row_kind kind)
{
	const struct column *column = term->operands[kind == ROW_SWITCH].column.column;

	if (term->kind == TERM_TAGGED)
		return kind == ROW_TASK ? NULL : FILTER_TAGGED;
	return column && !is_compared(column, kind) ? term->name : NULL;
}

bool filter_term_bind(struct filter_term *term, const struct metrics *metrics,
		      const struct layout *layout, size_t *position, struct error *error)
{
	bool is_counted = true;

	for (int i = 0; i < 2 && term->kind == TERM_COMPARES; i++) {
		const struct column *column = term->operands[i].column.column;
		const int event = column->event ? layout_find_event(layout, column->event) : -1;

		term->operands[i].column = cell_column_bind(column, metrics, layout);
		if (!is_counted || !column->event ||
		    (event >= 0 && !layout->events[event].is_removed))
			continue;
		*position = term->position;
		is_counted = error_set(error, ERROR_FILTER_NOT_COUNTED, column->event, NULL);
	}
	return is_counted;
}

static bool number_fits(const struct filter_term *term, double found, double wanted)
{
	if (!isfinite(found) || isnan(wanted))
		return false;
	if (found < wanted)
		return term->compares & COMPARE_LESS;
	return term->compares & (found > wanted ? COMPARE_GREATER : COMPARE_EQUAL);
}

static bool id_fits(const struct filter_term *term, int32_t id)
{
	return id >= 0 && number_fits(term, id, term->operands[0].number);
}

/* What the row's cell holds. */
static bool cell_fits(const struct filter_term *term, const struct cell_source *source,
		      const struct view_row *row)
{
	const struct filter_operand *operand = &term->operands[row->kind == ROW_SWITCH];
	const struct column *column = operand->column.column;

	if (column->words) {
		const struct getter_text words = column->words(&source->getter_input, row);

		return text_fits(term, words.text) || text_fits(term, words.hidden);
	}
	return number_fits(term, cell_number(source, &operand->column, row).value, operand->number);
}

/* Its name, its numbers, and both as they are shown where that may be meant: "nginx 4711". */
bool filter_actor_fits(const struct filter_term *term, const struct actor *actor)
{
	char words[PARTY_MAX];

	if (!actor)
		return false;
	if (term->about & ABOUT_NAME && text_fits(term, actor->name))
		return true;
	if (term->about & ABOUT_NAME && strchr(term->text, ' ')) {
		snprintf(words, sizeof(words), "%s %" PRId32, actor->name, actor->tid);
		if (text_fits(term, words))
			return true;
	}
	return (term->about & ABOUT_PID && id_fits(term, actor->pid)) ||
	       (term->about & ABOUT_TID && id_fits(term, actor->tid));
}

/* "nginx 4711": as a whole, and its name and its number. */
bool filter_party_fits(const struct filter_term *term, const char *words)
{
	const char *blank = strrchr(words, ' ');
	const bool has_name = term->about & ABOUT_NAME;
	char name[PARTY_MAX];
	uint64_t number;

	if (has_name && text_fits(term, words))
		return true;
	if (!blank || !units_parse_u64(blank + 1, 0, INT32_MAX, &number))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)(blank - words), words);
	return id_fits(term, (int32_t)number) || (has_name && text_fits(term, name));
}

/* A task is known by its name and by its command line, whichever of them is shown. */
bool filter_task_fits(const struct filter_term *term, const struct view_row *row)
{
	if (term->about & ABOUT_NAME &&
	    (text_fits(term, row->task->name) || text_fits(term, row->task->command_line)))
		return true;
	return (term->about & ABOUT_PID && id_fits(term, row->pid)) ||
	       (term->about & ABOUT_TID && id_fits(term, row->tid));
}

static bool row_fits(const struct filter_term *term, const struct cell_source *source,
		     const struct view_row *row)
{
	const bool first = term->about & ABOUT_FIRST, second = term->about & ABOUT_SECOND;
	const struct row_kind_info *kind = source->kinds[row->kind];

	if (term->about && kind->task_fits)
		return (first && kind->task_fits(term, row, false)) ||
		       (second && kind->task_fits(term, row, true));
	return cell_fits(term, source, row);
}

bool filter_id_has_word(int32_t id, const char *word)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%" PRId32, id);
	return id >= 0 && text_contains(digits, word);
}

bool filter_task_has_word(const struct getter_input *in, const struct view_row *row,
			  const char *word)
{
	const struct snapshot_task *task = row->task;

	return text_contains(task->name, word) ||
	       (task->command_line && text_contains(task->command_line, word)) ||
	       filter_id_has_word(row->pid, word) || filter_id_has_word(row->tid, word) ||
	       text_contains(users_name(in->users, task->uid), word);
}

bool filter_actor_has_word(const struct actor *actor, const char *word)
{
	return actor && (text_contains(actor->name, word) || filter_id_has_word(actor->pid, word) ||
			 filter_id_has_word(actor->tid, word));
}

static bool row_has_word(const struct cell_source *source, const struct view_row *row,
			 const char *word)
{
	const struct row_kind_info *kind = source->kinds[row->kind];

	return kind->has_word && kind->has_word(&source->getter_input, row, word);
}

bool filter_term_passes(const struct filter_term *term, const struct cell_source *source,
			const struct view_row *row)
{
	if (term->kind == TERM_WORD)
		return row_has_word(source, row, term->text);
	if (term->kind == TERM_TAGGED)
		return row->is_tagged;
	return row_fits(term, source, row) != ((term->compares & COMPARE_NEGATED) != 0);
}
