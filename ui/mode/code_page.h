#ifndef PERFTOP_CODE_PAGE_H
#define PERFTOP_CODE_PAGE_H

/*
 * The page about one function over the view of functions: its lines of source, or its instructions,
 * with the shares of its samples; written anew at each refresh.
 */

#include <stdbool.h>

struct app;
struct error;

/* Of the function under the cursor. False: there is none. */
bool code_page_open(struct app *app, struct error *error);

/* What is shown has changed. */
void code_page_refresh(struct app *app);

#endif
