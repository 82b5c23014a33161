/*
 * Writes what is installed beside perftop, while it is built:
 *
 *	perftop-manual man|bash|zsh|fish FILE
 */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

#include "manual/manual.h"

static const struct {
	const char *name;
	void (*write)(struct strbuf *out);
} FORMS[] = {
	{"man", manual_write_page},
	{"bash", manual_write_bash},
	{"zsh", manual_write_zsh},
	{"fish", manual_write_fish},
};

static bool save(const char *path, const struct strbuf *text)
{
	FILE *file = fopen(path, "w");
	bool is_written;

	if (!file)
		return false;
	is_written = fwrite(strbuf_text(text), 1, text->length, file) == text->length;
	return fclose(file) == 0 && is_written;
}

int main(int argc, char **argv)
{
	struct strbuf text = {0};
	bool is_saved;

	for (size_t i = 0; argc == 3 && i < sizeof(FORMS) / sizeof(*FORMS); i++)
		if (strcmp(FORMS[i].name, argv[1]) == 0)
			FORMS[i].write(&text);
	if (text.length == 0) {
		fputs("usage: perftop-manual man|bash|zsh|fish FILE\n", stderr);
		return 2;
	}
	is_saved = save(argv[2], &text);
	if (!is_saved)
		perror(argv[2]);
	strbuf_fini(&text);
	return is_saved ? 0 : 1;
}
