#ifndef PERFTOP_SESSION_CONFIG_H
#define PERFTOP_SESSION_CONFIG_H

/*
 * The configuration file: lines in the language of the commands.
 *
 *	# a comment
 *	metric stall = 100 * stalled-cycles-backend / cycles; unit %
 *	event sched:sched_migrate_task
 *	sort ipc
 */

#include <stdbool.h>
#include <stddef.h>

struct error;
struct options;
struct strbuf;

struct config_line {
	size_t number; /* in the file, from 1 */
	char *text;    /* owned; without blanks around it; never empty or a comment */
};

/* An empty one is {0}. */
struct config {
	char *path;     /* owned; NULL: there is no file */
	bool is_absent; /* where it is looked for there is none: perhaps the first start */
	struct config_line *lines; /* owned */
	size_t count, capacity;
};

/* Where it is: --config FILE, or perftop/perftop.conf under XDG_CONFIG_HOME or ~/.config. The
 * caller frees it. NULL: nowhere. */
char *config_path(const struct options *options);

/* Appends the whole file. False: it cannot be read, or is no text. */
bool config_read_text(const char *path, struct strbuf *text, struct error *error);

/*
 * Reads it; it need not be there unless it was asked for. False: it is there and cannot be read.
 */
bool config_read(struct config *config, const struct options *options, struct error *error);
void config_fini(struct config *config);

/* The same from a text; what is after a NUL byte in a line is not seen. */
void config_parse(struct config *config, const char *text);

/* What follows the command `name` in a line; NULL: it is another command. */
const char *config_argument(const char *line, const char *name);

/* False: the line is wrong, error says why. */
typedef bool config_line_handler(void *context, const char *line, struct error *error);

/*
 * Reads the file of the options and hands out its lines. A wrong one is reported and the others
 * hold: *remark is the first of them, or says why the usual file cannot be read. *is_absent: where
 * it is looked for there is none. False: this file was asked for and cannot be read.
 */
bool config_apply(const struct options *options, config_line_handler *apply, void *context,
		  bool *is_absent, struct error *remark, struct error *error);

#endif
