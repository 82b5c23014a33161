/* The list that rows are made into, below all that makes them. */
#include <stdlib.h>

#include "base/memory.h"
#include "model/layout.h"
#include "model/snapshot.h"
#include "view/row_sums.h"
#include "view/rows.h"
#include "view/tree.h"

void rows_fini(struct rows *rows)
{
	free(rows->rows);
	strbuf_fini(&rows->exited_words);
	strbuf_fini(&rows->unattributed_words);
	vectors_fini(&rows->vectors);
	row_sums_fini(rows);
	free(rows->fates);
	tree_destroy(rows->tree);
	map_fini(&rows->processes);
	free(rows->exited);
	if (rows->pairs)
		rows->destroy_pairs(rows->pairs);
	if (rows->groups)
		rows->destroy_groups(rows->groups);
	free(rows->lengths);
	if (rows->length_sums)
		rows->destroy_length_sums(rows->length_sums);
	if (rows->log)
		rows->destroy_log(rows->log);
	*rows = (struct rows){0};
}

void rows_reset(struct rows *rows, const struct rows_input *input)
{
	rows->count = 0;
	rows->exited_count = 0;
	rows->exited_others = 0;
	rows->timing_count = 0;
	rows->is_tree = false;
	strbuf_clear(&rows->exited_words);
	strbuf_clear(&rows->unattributed_words);
	vectors_reset(&rows->vectors, layout_width(input->snapshot->layout));
}

struct view_row *rows_append(struct rows *rows)
{
	array_reserve(&rows->rows, &rows->capacity, rows->count + 1, sizeof(*rows->rows));
	return &rows->rows[rows->count++];
}
