#ifndef PERFTOP_SESSION_OPTIONS_H
#define PERFTOP_SESSION_OPTIONS_H

/*
 * The command line. The options are in one table, from which --help is made.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/strbuf.h"
#include "view/settings.h"

struct batch_format;
struct error;
struct view_info;
struct view_list;

enum options_action {
	OPTIONS_RUN,
	OPTIONS_CHECK,  /* perftop check */
	OPTIONS_EVENTS, /* perftop events */
	OPTIONS_HELP,
	OPTIONS_VERSION
};

struct options {
	enum options_action action;
	struct strbuf pattern; /* words behind "events", as they were typed */
	int32_t *pids;         /* owned; -p: ids of processes or threads, those of names found */
	size_t pid_count, pid_capacity;
	struct strbuf pid_list;  /* -p as it was typed; several are joined */
	char *const *command;    /* behind --; NULL: none */
	const char *cgroup;      /* -G; NULL: none */
	struct number_list cpus; /* owned; -C */
	bool has_cpus;
	int64_t uid;                   /* -u; -1: none */
	const char *user;              /* the same as it was typed; NULL */
	const struct view_list *views; /* borrowed; that -V can name */
	const struct view_info *view;  /* -V */
	bool has_view;
	const char **event_lists; /* owned array; -e, each of them */
	size_t event_list_count, event_list_capacity;
	const char **metric_definitions; /* owned array; -m, each of them */
	size_t metric_count, metric_capacity;
	/* columns of events and metrics are known only when the engine is open */
	const char *column_list; /* -c; NULL: those of the view, of -e and -m */
	const char *sort_text;   /* -s; NULL: that of the view */
	const char *by;          /* --by; NULL: samples are taken by time */
	const char *filter;      /* -f; NULL: none */
	const char *config_path; /* --config; NULL: the usual one */
	bool no_config;          /* --no-config */
	double delay_s;          /* -d */
	bool has_delay;
	double budget_pct; /* --budget: what it may cost (budget.h); 0: anything */
	bool has_budget;
	uint64_t top; /* --top: tasks that have totals of their own; in other formats rows, 0: all
		       */
	const char *fail_if; /* --fail-if; NULL: none */
	const char *trigger; /* --trigger; NULL: none */
	uint64_t keep_s;     /* --keep; 0: nothing is kept of the past */
	uint64_t keep_files; /* so many are written by the trigger, at most */
	uint64_t iterations; /* -n; 0: without end */
	bool batch;          /* -b, or --format */
	const struct batch_format *format;
	const char *output;      /* -o; NULL: standard output */
	bool ascii;              /* --ascii */
	bool realtime;           /* --realtime */
	bool interrupt_isolated; /* --interrupt-isolated */
	const char *record;      /* -w; NULL: nothing is recorded */
	int compression;         /* -z; 0: none */
	const char **inputs;     /* owned array; -i, each of them */
	size_t input_count, input_capacity;
	const char *input;        /* the first of them, or that of one host; NULL: live */
	const char *against;      /* --against; NULL: rows are compared with nothing */
	char *const *arguments;   /* all of the command line, NULL-terminated */
	uint64_t past_mib;        /* --past: memory for intervals that were shown */
	uint64_t history;         /* --history: switches to be kept; 0: none */
	struct settings settings; /* SETTING_UNSET where not given */
};

enum option_type {
	OPTION_TEXT,
	OPTION_FLAG,
	OPTION_NUMBER, /* uint64_t */
	OPTION_SETTING,
	OPTION_CALL
};

struct option_info {
	char letter; /* 0: only the long name */
	const char *name;
	const char *argument; /* what it takes, in capitals; NULL: nothing; "[...]": it may be left
				 out, and otherwise follows at once */
	const char *help;
	enum option_type type;
	size_t offset;        /* of the member of struct options, unless it is a call */
	uint64_t least, most; /* of a number */
	const char *fault;    /* what is said of another one */
	const struct setting_info *setting;
	bool (*apply)(struct options *options, const char *argument, struct error *error);
};

/* All options there are, in the order in which --help has them. */
const struct option_info *options_table(size_t *count);

/* Whether the option may be given without its argument. */
bool option_may_be_alone(const struct option_info *info);

/* "--name ARGUMENT" */
void option_name(const struct option_info *info, char *name, size_t size);

/* Fills *options from the command line; views: all that can be shown. False: *options is empty,
 * error names the word at fault. */
bool options_parse(struct options *options, const struct view_list *views, int argc,
		   char *const *argv, struct error *error);
void options_fini(struct options *options);

/* Whether samples are printed beside the rows; of a recording those that are in it. */
bool options_print_samples(const struct options *options);

/* The text of --help. */
void options_help(struct strbuf *out);

enum {
	OPTIONS_NAME_BYTES = 64, /* of a process */
	OPTIONS_DELAY_S = 1,
	OPTIONS_TOP = 50,
	OPTIONS_TOP_MAX = 100000,
	OPTIONS_DELAY_MIN_MS = 50,
	OPTIONS_DELAY_MAX_S = 86400,
	OPTIONS_PAST_MIB = 32,
	OPTIONS_PAST_MIB_MAX = 65536,
	OPTIONS_HISTORY = 500000,
	OPTIONS_HISTORY_MAX = 100000000,
	OPTIONS_KEEP_S = 10,
	OPTIONS_KEEP_MAX_S = 3600,
	OPTIONS_KEEP_FILES = 3,
	OPTIONS_KEEP_FILES_MAX = 1000,
	OPTIONS_COMPRESSION = 1, /* as perf record -z has it */
	OPTIONS_COMPRESSION_MAX = 22
};

/* A delay as a user writes it, in seconds; used by -d and by the prompt. */
bool options_parse_delay(const char *text, double *delay_s, struct error *error);

#endif
