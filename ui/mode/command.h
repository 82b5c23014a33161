#ifndef PERFTOP_COMMAND_H
#define PERFTOP_COMMAND_H

/*
 * Commands: the one language of keys, prompt, configuration file and tests. Those there are come as
 * a table (commands.c), which says which are settings, and how each is written as a line of a
 * configuration file where it differs from the default.
 */

#include <stdbool.h>
#include <stddef.h>

#include "view/settings.h"

struct app;
struct error;
struct strbuf;
struct view_info;

/* What a command needs to do something, in bits. */
enum command_need {
	COMMAND_NEEDS_PRESENT = 1 << 0,  /* what runs now: no replay */
	COMMAND_NEEDS_REPLAY = 1 << 1,   /* a recording that is played */
	COMMAND_NEEDS_COUNTERS = 1 << 2, /* hardware events */
	COMMAND_NEEDS_VIEW = 1 << 3,     /* a view that lists it among its keys */
	COMMAND_NEEDS_BARS = 1 << 4,     /* bars of CPUs over the table */
	COMMAND_NEEDS_SETS = 1 << 5,     /* a view with sets of columns */
	COMMAND_NEEDS_ORDER = 1 << 6,    /* rows that can be sorted */
	COMMAND_NEEDS_TREE = 1 << 7,     /* rows that are a tree */
	COMMAND_NEEDS_ROWS = 1 << 8,     /* rows of tasks */
	COMMAND_NEEDS_TASK = 1 << 9,     /* the selected row, or tags, mean tasks */
	COMMAND_NEEDS_IDLE = 1 << 10,    /* rows that are left out while they are idle */
	COMMAND_NEEDS_SUBJECT = 1 << 11  /* what runs now, or functions */
};

/* The chapters of the help, in its order. */
enum command_topic {
	TOPIC_HELP,
	TOPIC_VIEWS,
	TOPIC_MOVING,
	TOPIC_ORDER,
	TOPIC_FINDING,
	TOPIC_TREE,
	TOPIC_ACTING,
	TOPIC_COUNTING,
	TOPIC_TIME,
	TOPIC_RECORDING,
	TOPICS
};

/* A row has one of run, act, step or setting. */
struct command_info {
	enum command_topic topic;
	const char *name;
	const char *argument; /* what may follow, for the help and completion (complete.c); ""
				 nothing */
	const char *help;
	bool (*run)(struct app *app, const char *argument, struct error *error);
	void (*act)(struct app *app);          /* nothing follows, nothing can go wrong */
	void (*step)(struct app *app, int by); /* the same with a number of the row */
	int by;
	unsigned int needs; /* bits of enum command_need */
	bool is_setting;    /* may be in a configuration file */
	bool is_counting;   /* about what is counted: of a batch run's configuration this holds, too
			     */
	bool takes_command; /* behind a word of its own: that one says whether it is a setting */
	/* one of a few words; act is called behind the change, and may be NULL */
	const struct setting_info *setting;
	int (*usual)(const struct app *app); /* its value while it is SETTING_UNSET */
	/* called before the change; false: error says why it is not made. NULL: it always is */
	bool (*change)(struct app *app, int value, struct error *error);
	const char *prompt; /* label of the prompt for what follows; NULL: there is none */
	/* of a setting that is not one of a few words: appends its lines for a configuration file;
	 * nothing when it is the default */
	void (*write)(const struct app *app, struct strbuf *out);
};

/* The functions of the rows. */
#define RUN(topic_, run_, ...)                                                                     \
	bool run_(struct app *app, const char *argument, struct error *error);
#define ACT(topic_, act_, ...)   void act_(struct app *app);
#define STEP(topic_, step_, ...) void step_(struct app *app, int by);
#include "mode/command.def"

struct command_table {
	const struct command_info *rows;
	size_t count;
	/* called behind a change of a setting that is one of a few words; NULL: nothing to do */
	void (*changed)(struct app *app, enum setting setting);
};

extern const struct command_table command_table; /* commands.c */

/*
 * The command that the text begins with, and what follows it. NULL: error says that there is none.
 */
const struct command_info *command_find(const struct command_table *table, const char *text,
					const char **argument, struct error *error);

/* What a key with this text runs, or what the prompt that it opens asks for. NULL: nothing. */
const struct command_info *command_of_key(const struct command_table *table, const char *text);

/* The row behind this one by name; NULL: the first, and behind the last. */
const struct command_info *command_next(const struct command_table *table,
					const struct command_info *row);

/*
 * What of its needs is missing here: 0 where the text, which may be `ask NAME`, does something. To
 * sort by a column needs the column.
 */
unsigned int command_lacks(const struct app *app, const char *text);

/* Whether the command changes something of the view, whatever its form is now. */
bool command_is_of_view(const struct view_info *view, const char *text);

/* Takes the first word off the text, as much of it as there is room for. */
void command_take_word(const char **text, char *word, size_t size);

/* False: error says why it cannot be, which is known before what it needs is asked for. */
bool command_may_run(const struct app *app, const struct command_info *info, struct error *error);

/* Runs "NAME ARGUMENT", or as much of NAME as no other begins with. False: error says why, nothing
 * has changed. */
bool command_run(struct app *app, const char *text, struct error *error);

/* The same for what is done without a prompt: what is refused is said in the message line. */
bool command_do(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a line of a configuration file, where not all commands make sense. */
bool command_configure(struct app *app, const char *text, struct error *error);

/* Whether it is a line that could be in a configuration file; error says why not. */
bool command_is_setting(const struct command_table *table, const char *text, struct error *error);

/* Lines of all settings but those of views. Each ends in '\n'. */
void settings_write(const struct app *app, struct strbuf *out);

/* All that are one of a few words are as at first, but what may not be changed now. */
void settings_reset(struct app *app);

/* Value of a setting that has no key but its command: "dark" for theme; nothing where it is
 * as it is by default and has no word for that. */
void settings_value(const struct app *app, const struct command_info *info, struct strbuf *out);

#endif
