#include "base/strbuf.h"

#include "manual/manual.h"
#include "manual/words.h"
#include "session/options.h"

/*
 * Of a list with commas only what is behind the last one is completed; the words so far stay in
 * front. The = of --option=word is a word of its own. Names of events have colons, at which bash
 * breaks words unless bash-completion's functions are there to mend it. Whatever follows -- is a
 * command of its own.
 */
static const char head[] =
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

static void write_names(struct strbuf *out, const struct option_info *option)
{
	if (option->letter != 0)
		strbuf_printf(out, "\t-%c|--%s) ", option->letter, option->name);
	else
		strbuf_printf(out, "\t--%s) ", option->name);
}

/* What is between the words is a shell word of one kind or another. */
static void write_words(struct strbuf *out, const struct option_info *option)
{
	switch (words_kind_of(option)) {
	case WORDS_PIDS:
		strbuf_add(out, "\"$(_perftop_pids)\"");
		break;
	case WORDS_EVENTS:
		strbuf_add(out, "\"$(_perftop_events)\"");
		break;
	case WORDS_USERS:
		strbuf_add(out, "\"$(compgen -u)\"");
		break;
	case WORDS_FIXED:
	case WORDS_SIGNED:
		strbuf_add_char(out, '\'');
		words_write(out, option);
		strbuf_add_char(out, '\'');
		break;
	case WORDS_FILES:
	case WORDS_FREE:
		break;
	}
}

static void write_case(struct strbuf *out, const struct option_info *option)
{
	write_names(out, option);
	switch (words_kind_of(option)) {
	case WORDS_FREE:
		break;
	case WORDS_FILES:
		strbuf_add(out, "compopt -o default 2>/dev/null; ");
		break;
	case WORDS_PIDS:
	case WORDS_EVENTS:
	case WORDS_USERS:
	case WORDS_FIXED:
	case WORDS_SIGNED:
		if (words_are_list(option)) {
			strbuf_add(out, "_perftop_list \"$cur\" ");
			write_words(out, option);
			strbuf_add(out, words_kind_of(option) == WORDS_SIGNED ? " signed; " : "; ");
		} else {
			strbuf_add(out, "mapfile -t COMPREPLY < <(compgen -W ");
			write_words(out, option);
			strbuf_add(out, " -- \"$cur\"); ");
		}
		break;
	}
	strbuf_add(out, "return ;;\n");
}

void manual_write_bash(struct strbuf *out)
{
	size_t count;
	const struct option_info *options = options_table(&count);

	strbuf_add(out, head);
	for (size_t i = 0; i < count; i++)
		if (options[i].argument && !option_may_be_alone(&options[i]))
			write_case(out, &options[i]);
	strbuf_add(out, "\tesac\n\tmapfile -t COMPREPLY < <(compgen -W '");
	for (size_t i = 0; i < count; i++)
		strbuf_printf(out, "%s--%s", i > 0 ? " " : "", options[i].name);
	strbuf_add(out, " check events' -- \"$cur\")\n}\ncomplete -F _perftop perftop\n");
}
