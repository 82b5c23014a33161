#ifndef PERFTOP_VIEW_TREE_H
#define PERFTOP_VIEW_TREE_H

/*
 * Tasks under their parents, threads under their processes, and calls under calls. A row with a
 * parent that is not shown is under the nearest ancestor that is; one with unknown ancestors is at
 * the top.
 *
 * Numbers of processes are used again, so that parents may go round in a ring: it is opened at the
 * oldest of its tasks. Everything is done in a time that grows with the number of rows, however
 * deep they are.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct order_key;
struct row_branch;
struct tree; /* opaque; reused from refresh to refresh */
struct view_row;

#define TREE_NO_PARENT UINT32_MAX

enum tree_fate {
	TREE_LEFT_OUT,
	TREE_IF_NEEDED, /* shown if a shown row is under it */
	TREE_SHOWN
};

/*
 * Rows that are folded: what is under them is added to them. An empty one is {0}. When all are,
 * roots are not, or a machine would be two rows. Of calls `all` means those that are folded at
 * first; without it none are.
 */
struct folds {
	struct map ids; /* of rows that are not as `all` has them */
	uint64_t tag;   /* by which these differ from those that rows have in their own table */
	bool all;
};

/* Whether it is folded when all are: roots, process 1 and the kernel's thread daemon are not. */
bool tree_folds(const struct view_row *row);

void folds_toggle(struct folds *folds, uint64_t id);
void folds_fini(struct folds *folds);

struct tree *tree_create(void);
void tree_destroy(struct tree *tree); /* NULL is allowed */

/* Finds the parents of rows of tasks. */
void tree_link(struct tree *tree, const struct view_row *rows, size_t count);

/* Rows whose parents are known: an index below their own, or TREE_NO_PARENT. */
void tree_link_known(struct tree *tree, const uint32_t *parents, size_t count);

/* The row that it is under, or TREE_NO_PARENT. */
uint32_t tree_parent(const struct tree *tree, uint32_t row);

/* Those that are shown if needed, and are, become shown. fates: enum tree_fate of each row. */
void tree_need_ancestors(const struct tree *tree, uint8_t *fates);

/* Keeps only the rows that are TREE_SHOWN, in the same order. */
void tree_keep(struct tree *tree, const uint8_t *fates);

/* Marks all rows under marked ones. marks: one for each row. */
void tree_spread(const struct tree *tree, uint8_t *marks);

/*
 * Into which row each is to be added: itself, or the uppermost folded one that it is under.
 * The tree's, until the next call of any of these. False: into itself, all of them.
 */
bool tree_fold(struct tree *tree, const struct view_row *rows, const struct folds *folds,
	       const uint32_t **into);

/* What decides between brothers and sisters, in the order of the rows. */
enum tree_order {
	TREE_BY_ROW,   /* each one's own row */
	TREE_BY_BRANCH /* of all that are under each, itself included, the first row */
};

/*
 * Puts rows that are in the order of `keys` under their parents and sets their branches. Rows
 * behind the last one that was linked are at the top.
 */
void tree_arrange(struct tree *tree, struct view_row *rows, struct order_key *keys, size_t count,
		  enum tree_order order);

/* Writes what precedes the name: lines, and how many rows are folded into it. */
void tree_write_branch(char *text, size_t size, const struct row_branch *branch, bool ascii);

#endif
