#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "check.h"
#include "options.h"

#include "print.h"

/*
 * Names of tasks are UTF-8 whatever the terminal can show, and JSON always is: in a locale that
 * is not, widths and classes of characters are still those of UTF-8, and the screen keeps to
 * ASCII. Returns whether the user's own locale is UTF-8.
 */
static bool set_locale(void)
{
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return true;
	setlocale(LC_CTYPE, "C.UTF-8");
	return false;
}

static void print_error(const struct error *error)
{
	fprintf(stderr, "perftop: %s\n", error->text);
	if (error->remedy[0] != '\0')
		fprintf(stderr, "%s\n", error->remedy);
}

static int print_help(void)
{
	struct strbuf text = {0};

	options_help(&text);
	fputs(strbuf_text(&text), stdout);
	strbuf_fini(&text);
	return 0;
}

static int run(const struct options *options, struct error *error)
{
	switch (options->action) {
	case OPTIONS_HELP:
		return print_help();
	case OPTIONS_VERSION:
		printf("perftop %s\n", PERFTOP_VERSION);
		return 0;
	case OPTIONS_CHECK:
		return check_run();
	case OPTIONS_RUN:
		break;
	}
	return options->batch ? print_run(options, error) : app_run(options, error);
}

int main(int argc, char **argv)
{
	struct options options;
	struct error error = {0};
	int status;

	bool is_utf8 = set_locale();

	if (!options_parse(&options, argc, argv, &error)) {
		print_error(&error);
		return error_exit_status(&error);
	}
	options.ascii = options.ascii || !is_utf8;
	status = run(&options, &error);
	if (error.code != ERROR_NONE)
		print_error(&error);
	options_fini(&options);
	if (fflush(stdout) != 0 && status == 0)
		status = EXIT_FAILURE;
	return status;
}
