#ifndef PERFTOP_PROMPTS_H
#define PERFTOP_PROMPTS_H

/* The prompts there are: each asks for the argument of one command. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct error;

struct prompt_info {
	const char *name;
	const char *label;
	const char *command; /* that gets the text; NULL: the text is a command itself */
	bool is_live;        /* the command also runs at every change */
};

const struct prompt_info *prompts_table(size_t *count);

/* Opens the prompt of this name. False: error says why not. */
bool prompts_open(struct app *app, const char *name, struct error *error);

/* A key for the prompt that is open. */
void prompts_key(struct app *app, uint32_t key);

#endif
