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

static const struct manual_form *find(const char *name)
{
	size_t count;
	const struct manual_form *forms = manual_forms(&count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(forms[i].name, name) == 0)
			return &forms[i];
	return NULL;
}

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
	const struct manual_form *form = argc == 3 ? find(argv[1]) : NULL;
	struct strbuf text = {0};
	bool is_saved;

	if (!form) {
		fputs("usage: perftop-manual man|bash|zsh|fish FILE\n", stderr);
		return 2;
	}
	form->write(&text);
	is_saved = save(argv[2], &text);
	if (!is_saved)
		perror(argv[2]);
	strbuf_fini(&text);
	return is_saved ? 0 : 1;
}
