#ifndef PERFTOP_CODE_PAGE_H
#define PERFTOP_CODE_PAGE_H

/*
 * The page about one function over the view of functions: its lines of source, or its instructions,
 * with the shares of its samples; written anew at each refresh.
 */

#include <stdbool.h>
#include <stdint.h>

struct app;
struct error;

struct code_page {
	bool is_open;
	uint64_t row;     /* id of that of the function */
	uint32_t number;  /* of the function */
	uint64_t time_ns; /* of an interval in which it has that number */
	bool has_source;
	bool wants_assembler; /* in place of the source */
	bool is_placed;       /* the line of the row, or with most samples, has been shown */
	char title[160];
};

/* Of the function under the cursor. False: there is none. */
bool code_page_open(struct app *app, struct error *error);
void code_page_close(struct app *app);

/* Between source and assembler. */
void code_page_switch(struct app *app);

/* What is shown has changed. */
void code_page_refresh(struct app *app);

#endif
