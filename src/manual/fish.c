#include "base/strbuf.h"

#include "manual/manual.h"
#include "manual/words.h"
#include "session/options.h"

static const char head[] =
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

static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_add_char(out, '\'');
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '\'' || *c == '\\')
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, *c);
	}
	strbuf_add_char(out, '\'');
}

static void write_argument(struct strbuf *out, const struct option_info *option)
{
	const char *list = words_are_list(option) ? "__fish_complete_list , " : "";

	switch (words_kind_of(option)) {
	case WORDS_FREE:
		strbuf_add(out, " -x");
		break;
	case WORDS_FILES:
		strbuf_add(out, " -rF");
		break;
	case WORDS_PIDS:
		strbuf_printf(out, " -x -a '(%s__fish_complete_pids)'", list);
		break;
	case WORDS_USERS:
		strbuf_printf(out, " -x -a '(%s__fish_complete_users)'", list);
		break;
	case WORDS_EVENTS:
		strbuf_printf(out, " -x -a '(%s__perftop_events)'", list);
		break;
	case WORDS_FIXED:
		strbuf_printf(out, " -x -a '%s", list[0] != '\0' ? "(__fish_append , " : "");
		words_write(out, option);
		strbuf_add(out, list[0] != '\0' ? ")'" : "'");
		break;
	case WORDS_SIGNED:
		strbuf_printf(out, " -x -a '(__perftop_%s)'", option->name);
		break;
	}
}

static void write_forms(struct strbuf *out, const struct option_info *option)
{
	if (option->letter != 0)
		strbuf_printf(out, " -%c", option->letter);
	strbuf_printf(out, " --%s", option->name);
}

/*
 * A word that begins with - is an option for fish, wherever it is. After an option with a value
 * that may begin so it is completed as a word of its own, and no option is offered.
 */
static void write_signed(struct strbuf *out, const struct option_info *option)
{
	strbuf_printf(out, "function __perftop_%s\n\t__fish_append , (__perftop_signed ",
		      option->name);
	words_write(out, option);
	strbuf_add(out, ")\nend\ncomplete -c perftop -n '__perftop_dashed");
	write_forms(out, option);
	strbuf_printf(out, "' -a '(__perftop_%s)'\n", option->name);
}

static void write_options(struct strbuf *out, const struct option_info *options, size_t count,
			  const char *condition)
{
	for (size_t i = 0; i < count; i++) {
		strbuf_printf(out, "complete -c perftop -n '%s'", condition);
		if (options[i].letter != 0)
			strbuf_printf(out, " -s %c", options[i].letter);
		strbuf_printf(out, " -l %s", options[i].name);
		if (options[i].argument && !option_may_be_alone(&options[i]))
			write_argument(out, &options[i]);
		strbuf_add(out, " -d ");
		add_quoted(out, options[i].help);
		strbuf_add_char(out, '\n');
	}
}

void manual_write_fish(struct strbuf *out)
{
	size_t count;
	const struct option_info *options = options_table(&count);
	struct strbuf condition = {0};

	strbuf_add(out, head);
	strbuf_add(&condition, "not __perftop_dashed");
	for (size_t i = 0; i < count; i++) {
		if (words_kind_of(&options[i]) != WORDS_SIGNED)
			continue;
		write_signed(out, &options[i]);
		write_forms(&condition, &options[i]);
	}
	write_options(out, options, count, strbuf_text(&condition));
	strbuf_fini(&condition);
}
