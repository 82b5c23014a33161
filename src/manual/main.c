/*
 * Writes the manual page while perftop is built:
 *
 *	perftop-manual TEMPLATE FILE
 */

#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"

#include "manual/manual.h"

static bool load(const char *path, struct strbuf *text)
{
	FILE *file = fopen(path, "r");
	char bytes[4096];
	size_t size;
	bool is_read;

	if (!file)
		return false;
	while ((size = fread(bytes, 1, sizeof(bytes), file)) > 0)
		strbuf_add_bytes(text, bytes, size);
	is_read = !ferror(file);
	fclose(file);
	return is_read;
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
	struct strbuf template = {0}, page = {0};
	const char *failed = NULL;

	if (argc != 3) {
		fputs("usage: perftop-manual TEMPLATE FILE\n", stderr);
		return 2;
	}
	if (load(argv[1], &template)) {
		manual_write_page(&page, strbuf_text(&template));
		failed = save(argv[2], &page) ? NULL : argv[2];
	} else {
		failed = argv[1];
	}
	if (failed)
		perror(failed);
	strbuf_fini(&template);
	strbuf_fini(&page);
	return failed ? 1 : 0;
}
