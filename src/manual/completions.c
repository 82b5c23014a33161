/*
 * What may follow an option, and the completions of the three shells, which are made of it. Around
 * the words of a kind each shell has a text of its own.
 */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "batch/batch.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/table.h"

#include "manual/manual.h"
#include "session/options.h"

enum kind {
	KIND_NONE, /* it takes no argument, or may be without */
	KIND_FREE, /* nothing can be proposed */
	KIND_FILES,
	KIND_PIDS,
	KIND_USERS,
	KIND_EVENTS, /* asked of perftop events while one types */
	KIND_FIXED,  /* a list that perftop has in a table */
	KIND_SIGNED, /* the same, with - or + before each */
	KINDS
};

static void column_names_all(char *names, size_t size)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set);
	size_t length = 0;

	for (size_t i = 0; i < columns_count(columns) && length < size; i++)
		length += (size_t)snprintf(names + length, size - length, "%s%s", i > 0 ? " " : "",
					   columns_get(columns, i)->name);
	columns_destroy(columns);
	metric_set_destroy(set);
}

static void column_names_and_sets(char *names, size_t size)
{
	size_t length;

	column_set_names(names, size);
	length = strlen(names);
	length += (size_t)snprintf(names + length, size - length, " default ");
	column_names_all(names + length, size - length);
}

/* clang-format off */
static const struct proposal {
	const char *option;
	enum kind kind;
	bool is_list; /* several may follow, with commas between them */
	void (*names)(char *names, size_t size); /* with blanks or commas between them */
} PROPOSALS[] = {
	{"pid",      KIND_PIDS,   true,  NULL},
	{"user",     KIND_USERS,  false, NULL},
	{"event",    KIND_EVENTS, true,  NULL},
	{"columns",  KIND_FIXED,  true,  column_names_and_sets},
	{"sort",     KIND_SIGNED, true,  column_names_all},
	{"view",     KIND_FIXED,  false, view_names},
	{"format",   KIND_FIXED,  false, batch_names},
	{"output",   KIND_FILES,  false, NULL},
	{"input",    KIND_FILES,  false, NULL},
	{"record",   KIND_FILES,  false, NULL},
	{"config",   KIND_FILES,  false, NULL},
};
/* clang-format on */

/* What may follow one option. */
struct argument {
	enum kind kind;
	bool is_list;
	char words[4096]; /* with blanks between them */
};

static void find_argument(const struct option_info *option, struct argument *argument)
{
	char *to = argument->words;

	*argument = (struct argument){.kind = option->argument ? KIND_FREE : KIND_NONE};
	for (size_t i = 0; i < sizeof(PROPOSALS) / sizeof(*PROPOSALS); i++) {
		const struct proposal *proposal = &PROPOSALS[i];

		if (strcmp(proposal->option, option->name) != 0)
			continue;
		argument->kind = proposal->kind;
		argument->is_list = proposal->is_list;
		if (proposal->names)
			proposal->names(argument->words, sizeof(argument->words));
	}
	if (option->setting && option->argument) {
		argument->kind = KIND_FIXED;
		snprintf(argument->words, sizeof(argument->words), "%s", option->setting->words);
		for (char *bar = argument->words; (bar = strchr(bar, '|'));)
			*bar = ' ';
	}
	for (const char *from = argument->words; *from != '\0'; from++)
		if (*from != ',')
			*to++ = *from;
	*to = '\0';
}

/* Text with a backslash before each of some characters. */
static void add_escaped(struct strbuf *out, const char *text, const char *special)
{
	for (const char *c = text; *c != '\0'; c++) {
		if (strchr(special, *c))
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, *c);
	}
}

/* --- bash */

/*
 * Of a list with commas only what is behind the last one is completed; the words so far stay in
 * front. The = of --option=word is a word of its own. Names of events have colons, at which bash
 * breaks words unless bash-completion's functions are there to mend it. Whatever follows -- is a
 * command of its own.
 */
static const char bash_head[] =
	"# Completion of perftop for bash.\n"
	"_perftop_list() {\n"
	"\tlocal before= word=${1##*,}\n"
	"\t[[ $1 == *,* ]] && before=${1%,*},\n"
	"\tif [[ $3 == signed && $word == [-+]* ]]; then before+=${word:0:1} word=${word:1}; fi\n"
	"\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$2\" -- \"$word\")\n"
	"\tcompopt -o nospace 2>/dev/null\n"
	"\tdeclare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions \"$1\"\n"
	"}\n"
	"_perftop_pids() { ps -e -o pid= 2>/dev/null; }\n"
	"_perftop_events() { perftop events 2>/dev/null | sed -n 's/^  \\([^ ]*\\)  .*/\\1/p'; }\n"
	"_perftop() {\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} i\n"
	"\tdeclare -F _get_comp_words_by_ref >/dev/null && _get_comp_words_by_ref -n : cur prev\n"
	"\t[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\t[[ $cur == = ]] && cur=\n"
	"\tCOMPREPLY=()\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\t[[ ${COMP_WORDS[i]} == -- ]] || continue\n"
	"\t\tif declare -F _command_offset >/dev/null; then _command_offset $((i + 1)); else\n"
	"\t\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$cur\"); fi\n"
	"\t\treturn\n"
	"\tdone\n"
	"\tcase $prev in\n";

static const struct {
	const char *before, *after; /* the words: a shell word of one kind or another */
} BASH[KINDS] = {
	/* clang-format off */
	[KIND_PIDS]   = {"\"$(_perftop_pids)", "\""},
	[KIND_USERS]  = {"\"$(compgen -u)", "\""},
	[KIND_EVENTS] = {"\"$(_perftop_events)", "\""},
	[KIND_FIXED]  = {"'", "'"},
	[KIND_SIGNED] = {"'", "' signed"},
	/* clang-format on */
};

static void write_bash_case(struct strbuf *out, const struct option_info *option)
{
	struct argument argument;

	find_argument(option, &argument);
	if (!option->argument || option_may_be_alone(option))
		return;
	strbuf_add_char(out, '\t');
	if (option->letter != 0)
		strbuf_printf(out, "-%c|", option->letter);
	strbuf_printf(out, "--%s) ", option->name);
	if (argument.kind == KIND_FILES)
		strbuf_add(out, "compopt -o default 2>/dev/null; ");
	else if (BASH[argument.kind].before)
		strbuf_printf(out, "%s%s%s%s%s; ",
			      argument.is_list ? "_perftop_list \"$cur\" "
					       : "mapfile -t COMPREPLY < <(compgen -W ",
			      BASH[argument.kind].before, argument.words, BASH[argument.kind].after,
			      argument.is_list ? "" : " -- \"$cur\")");
	strbuf_add(out, "return ;;\n");
}

void manual_write_bash(struct strbuf *out)
{
	size_t count;
	const struct option_info *options = options_table(&count);

	strbuf_add(out, bash_head);
	for (size_t i = 0; i < count; i++)
		write_bash_case(out, &options[i]);
	strbuf_add(out, "\tesac\n\tmapfile -t COMPREPLY < <(compgen -W '");
	for (size_t i = 0; i < count; i++)
		strbuf_printf(out, "%s--%s", i > 0 ? " " : "", options[i].name);
	strbuf_add(out, " check events' -- \"$cur\")\n}\ncomplete -F _perftop perftop\n");
}

/* --- zsh */

/* Whatever follows -- is a command of its own. */
static const char zsh_head[] =
	"#compdef perftop\n"
	"# Completion of perftop for zsh.\n"
	"_perftop_events() {\n"
	"\tlocal -a events\n"
	"\tevents=(${(f)\"$(perftop events 2>/dev/null | sed -n 's/^  \\([^ ]*\\)  .*/\\1/p')\"})\n"
	"\tcompadd -a \"$@\" events\n"
	"}\n"
	"local dashes=${words[(i)--]}\n"
	"if ((CURRENT > dashes)); then\n"
	"\tshift $dashes words\n"
	"\t((CURRENT -= dashes))\n"
	"\t_normal\n"
	"\treturn\n"
	"fi\n"
	"_arguments -s -S \\\n";

static const struct {
	const char *before, *after; /* the words */
} ZSH[KINDS] = {
	/* clang-format off */
	[KIND_FREE]   = {"", ""},
	[KIND_FILES]  = {"_files", ""},
	[KIND_PIDS]   = {"_pids", ""},
	[KIND_USERS]  = {"_users", ""},
	[KIND_EVENTS] = {"_perftop_events", ""},
	[KIND_FIXED]  = {"compadd - ", ""},
	[KIND_SIGNED] = {"{compset -P \"*,\"; compset -P \"[-+]\"; compadd - ", "}"},
	/* clang-format on */
};

/* name: with its dashes, and with = where a value may follow so. */
static void write_zsh_option(struct strbuf *out, const char *name, const struct option_info *option,
			     const struct argument *argument)
{
	const bool may_be_alone = option_may_be_alone(option);

	strbuf_printf(out, "\t'*%s%s[", name, may_be_alone ? "-" : "");
	for (const char *c = option->help; *c != '\0'; c++)
		if (*c == '\'')
			strbuf_add(out, "'\\''");
		else
			add_escaped(out, (const char[]){*c, '\0'}, "[]:\\");
	strbuf_add_char(out, ']');
	if (option->argument)
		strbuf_printf(
			out, "%s:%s:%s%s%s%s", may_be_alone ? ":" : "", option->name,
			argument->is_list && argument->kind != KIND_SIGNED ? "_sequence " : "",
			ZSH[argument->kind].before, argument->words, ZSH[argument->kind].after);
	strbuf_add(out, "' \\\n");
}

void manual_write_zsh(struct strbuf *out)
{
	size_t count;
	const struct option_info *options = options_table(&count);

	strbuf_add(out, zsh_head);
	for (size_t i = 0; i < count; i++) {
		struct argument argument;
		char name[64];

		find_argument(&options[i], &argument);
		snprintf(name, sizeof(name), "-%c", options[i].letter);
		if (options[i].letter != 0)
			write_zsh_option(out, name, &options[i], &argument);
		snprintf(name, sizeof(name), "--%s%s", options[i].name,
			 options[i].argument ? "=" : "");
		write_zsh_option(out, name, &options[i], &argument);
	}
	strbuf_add(out, "\t'1: :(check events)'\n");
}

/* --- fish */

static const char fish_head[] =
	"# Completion of perftop for fish.\n"
	"function __perftop_events\n"
	"\tperftop events 2>/dev/null | string replace -rf '^  (\\S+)  +\\S+ +(.*)$' '$1\\t$2'\n"
	"end\n"
	"function __perftop_signed\n"
	"\tfor word in $argv\n"
	"\t\tprintf '%s\\n-%s\\n+%s\\n' $word $word $word\n"
	"\tend\n"
	"end\n"
	"function __perftop_dashed\n"
	"\tstring match -q -- '-*' (commandline -ct)\n"
	"\tand contains -- (commandline -opc)[-1] $argv\n"
	"end\n"
	"complete -c perftop -f\n"
	"complete -c perftop -n __fish_is_first_arg -a check -d 'what works here'\n"
	"complete -c perftop -n __fish_is_first_arg -a events -d 'what can be counted here'\n"
	"complete -c perftop -n '__fish_seen_argument -s - -l -' -a "
	"'(__fish_complete_subcommand)'\n";

static const struct {
	const char *before, *list, *after; /* list: before the words, where several may follow */
} FISH[KINDS] = {
	/* clang-format off */
	[KIND_FREE]   = {" -x", "", ""},
	[KIND_FILES]  = {" -rF", "", ""},
	[KIND_PIDS]   = {" -x -a '(", "__fish_complete_list , ", "__fish_complete_pids)'"},
	[KIND_USERS]  = {" -x -a '(", "", "__fish_complete_users)'"},
	[KIND_EVENTS] = {" -x -a '(", "__fish_complete_list , ", "__perftop_events)'"},
	[KIND_FIXED]  = {" -x -a '", "(__fish_append , ", "'"},
	[KIND_SIGNED] = {" -x -a '(__perftop_", "", ")'"},
	/* clang-format on */
};

static void add_forms(struct strbuf *out, const struct option_info *option)
{
	if (option->letter != 0)
		strbuf_printf(out, " -%c", option->letter);
	strbuf_printf(out, " --%s", option->name);
}

/*
 * A word that begins with - is an option for fish, wherever it is. After an option with a value
 * that may begin so it is completed as a word of its own, and no option is offered.
 */
static void write_signed(struct strbuf *out, const struct option_info *option, const char *words)
{
	strbuf_printf(out,
		      "function __perftop_%s\n\t__fish_append , (__perftop_signed %s)\nend\n"
		      "complete -c perftop -n '__perftop_dashed",
		      option->name, words);
	add_forms(out, option);
	strbuf_printf(out, "' -a '(__perftop_%s)'\n", option->name);
}

static void write_fish_option(struct strbuf *out, const struct option_info *option,
			      const char *condition)
{
	struct argument argument;

	find_argument(option, &argument);
	strbuf_printf(out, "complete -c perftop -n '%s'", condition);
	if (option->letter != 0)
		strbuf_printf(out, " -s %c", option->letter);
	strbuf_printf(out, " -l %s", option->name);
	if (option->argument && !option_may_be_alone(option))
		strbuf_printf(out, "%s%s%s%s%s", FISH[argument.kind].before,
			      argument.is_list ? FISH[argument.kind].list : "",
			      argument.kind == KIND_SIGNED ? option->name : argument.words,
			      argument.is_list && argument.kind == KIND_FIXED ? ")" : "",
			      FISH[argument.kind].after);
	strbuf_add(out, " -d '");
	add_escaped(out, option->help, "'\\");
	strbuf_add(out, "'\n");
}

void manual_write_fish(struct strbuf *out)
{
	size_t count;
	const struct option_info *options = options_table(&count);
	struct strbuf condition = {0};
	struct argument argument;

	strbuf_add(out, fish_head);
	strbuf_add(&condition, "not __perftop_dashed");
	for (size_t i = 0; i < count; i++) {
		find_argument(&options[i], &argument);
		if (argument.kind != KIND_SIGNED)
			continue;
		write_signed(out, &options[i], argument.words);
		add_forms(&condition, &options[i]);
	}
	for (size_t i = 0; i < count; i++)
		write_fish_option(out, &options[i], strbuf_text(&condition));
	strbuf_fini(&condition);
}
