#include <string.h>

#include "base/strbuf.h"

#include "manual/manual.h"
#include "manual/words.h"
#include "session/options.h"

/* Whatever follows -- is a command of its own. */
static const char head[] =
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

/* Between single quotes and in brackets, where a colon or a bracket would end the words. */
static void add_help(struct strbuf *out, const char *help)
{
	for (const char *c = help; *c != '\0'; c++)
		if (*c == '\'')
			strbuf_add(out, "'\\''");
		else if (*c == '[' || *c == ']' || *c == ':' || *c == '\\')
			strbuf_printf(out, "\\%c", *c);
		else
			strbuf_add_char(out, *c);
}

static void write_action(struct strbuf *out, const struct option_info *option)
{
	const char *list = words_are_list(option) ? "_sequence " : "";

	strbuf_printf(out, "%s:%s:", option_may_be_alone(option) ? ":" : "", option->name);
	switch (words_kind_of(option)) {
	case WORDS_FREE:
		break;
	case WORDS_FILES:
		strbuf_add(out, "_files");
		break;
	case WORDS_PIDS:
		strbuf_printf(out, "%s_pids", list);
		break;
	case WORDS_USERS:
		strbuf_printf(out, "%s_users", list);
		break;
	case WORDS_EVENTS:
		strbuf_printf(out, "%s_perftop_events", list);
		break;
	case WORDS_FIXED:
		strbuf_printf(out, "%scompadd - ", list);
		words_write(out, option);
		break;
	case WORDS_SIGNED:
		strbuf_add(out, "{compset -P \"*,\"; compset -P \"[-+]\"; compadd - ");
		words_write(out, option);
		strbuf_add_char(out, '}');
		break;
	}
}

static void write_spec(struct strbuf *out, const char *dashes, const char *name,
		       const struct option_info *option)
{
	strbuf_printf(out, "\t'*%s%s", dashes, name);
	if (option->argument && strcmp(dashes, "--") == 0)
		strbuf_add_char(out, '=');
	if (option->argument && option_may_be_alone(option))
		strbuf_add(out, "-");
	strbuf_add_char(out, '[');
	add_help(out, option->help);
	strbuf_add_char(out, ']');
	if (option->argument)
		write_action(out, option);
	strbuf_add(out, "' \\\n");
}

void manual_write_zsh(struct strbuf *out)
{
	size_t count;
	const struct option_info *options = options_table(&count);

	strbuf_add(out, head);
	for (size_t i = 0; i < count; i++) {
		const char letter[] = {options[i].letter, '\0'};

		if (letter[0] != '\0')
			write_spec(out, "-", letter, &options[i]);
		write_spec(out, "--", options[i].name, &options[i]);
	}
	strbuf_add(out, "\t'1: :(check events)'\n");
}
