#ifndef PERFTOP_TERMINAL_HANDOFF_H
#define PERFTOP_TERMINAL_HANDOFF_H

/* The terminal is lent to perf record (handover.h, job.h): perftop counts on, without a picture. */

#include <stdbool.h>

struct app;
struct error;
struct strbuf;

/* The command for the task that is meant, and in the lines over the prompt what is to be said of
 * it. False: there is no such task, or it is not one of now. */
bool terminal_handoff_propose(struct app *app, struct strbuf *command, struct error *error);

/* Runs a command. */
bool terminal_handoff_start(struct app *app, const char *command, struct error *error);

/* Whether the terminal is another process's now. */
bool terminal_handoff_is_on(const struct app *app);

/* After SIGCHLD: takes the terminal back if the command has ended, and says what became of it. */
void terminal_handoff_collect(struct app *app);

/* The program ends: the command too. */
void terminal_handoff_end(struct app *app);

#endif
