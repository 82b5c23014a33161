/*
 * A comparison holds when it holds for any party of the row. So each one gathers what the row has
 * to be compared, a few texts and numbers, and asks whether one of them fits.
 *
 * != and !~ are the contrary of = and ~: where nothing is known they hold.
 */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "model/snapshot.h"
#include "model/switches.h"
#include "view/cell.h"
#include "view/filter_term.h"
#include "view/filter_term_parts.h"
#include "view/pairs.h"
#include "view/users.h"

enum {
	FOUND_MAX = 4,
	PARTY_MAX = 64
};

/* What a row has to be compared. */
struct found {
	const char *texts[FOUND_MAX];
	double numbers[FOUND_MAX];
	size_t text_count, number_count;
	char names[2][PARTY_MAX]; /* made from those of the row */
};

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
static void find_cell(struct found *found, const struct filter_operand *operand,
		      const struct cell_source *source, const struct view_row *row)
{
	const struct column *column = operand->column.column;

	if (column->words) {
		const struct getter_text words = column->words(&source->getter_input, row);

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
	const enum filter_subject subject = term->subject;

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

/* "nginx 4711": as a whole, and its name and its number. */
static void find_party(struct found *found, enum filter_subject subject, const char *words,
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

/* Whether it is about either party of a row, and not only one of them. */
static bool is_of_both(enum filter_subject subject)
{
	return subject == SUBJECT_TASK || subject == SUBJECT_COMMAND || subject == SUBJECT_PID ||
	       subject == SUBJECT_TID;
}

static void find_in_switch(struct found *found, const struct filter_term *term,
			   const struct cell_source *source, const struct view_row *row)
{
	const enum filter_subject subject = term->subject;

	if (subject == SUBJECT_COLUMN)
		find_cell(found, &term->of_switch, source, row);
	if (is_of_both(subject) || subject == SUBJECT_PREV)
		find_actor(found, term, row->prev, found->names[0]);
	if (is_of_both(subject) || subject == SUBJECT_NEXT)
		find_actor(found, term, row->next, found->names[1]);
}

static void find_in_pair(struct found *found, const struct filter_term *term,
			 const struct cell_source *source, const struct view_row *row)
{
	const enum filter_subject subject = term->subject;

	if (subject == SUBJECT_COLUMN)
		find_cell(found, &term->whole, source, row);
	if (is_of_both(subject) || subject == SUBJECT_VICTIM)
		find_party(found, subject, row->pair->victim_words, found->names[0]);
	if (is_of_both(subject) || subject == SUBJECT_TAKER)
		find_party(found, subject, row->pair->taker_words, found->names[1]);
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
	for (size_t i = 0; i < found->text_count; i++)
		if (filter_term_fits(term, found->texts[i]))
			return true;
	for (size_t i = 0; i < found->number_count; i++)
		if (number_fits(term->compares, found->numbers[i], wanted))
			return true;
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

static bool row_has_word(const struct view_row *row, const struct getter_input *in,
			 const char *word)
{
	switch (row->kind) {
	case ROW_TASK:
		return task_has_word(row, in->users, word);
	case ROW_EXITED:
	case ROW_UNATTRIBUTED:
		return text_contains(get_command(in, row).text, word);
	case ROW_GROUP:
	case ROW_IDLE:
		return text_contains(get_group(in, row).text, word);
	case ROW_CPU:
		return id_contains(row->cpu->cpu, word);
	case ROW_SWITCH:
		return actor_has_word(row->prev, word) || actor_has_word(row->next, word);
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
	const struct filter_operand *operand = &term->whole;
	struct found found;

	if (term->subject == SUBJECT_WORD)
		return row_has_word(row, &source->getter_input, term->text);
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
