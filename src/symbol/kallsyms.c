/* A line is "ADDRESS TYPE NAME", of a module "ADDRESS TYPE NAME\t[MODULE]". Code is T, t, W, w. */
#include "symbol/kallsyms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/open_file.h"
#include "symbol/table.h"

enum {
	KALLSYMS_BYTES_MAX = 128 << 20 /* some 10 MB are usual */
};

static enum function_rank rank_of(char type)
{
	if (type == 'T')
		return FUNCTION_GLOBAL;
	return type == 't' ? FUNCTION_LOCAL : FUNCTION_WEAK;
}

/* Adds what a line says. True: it is a symbol, whatever its address. */
static bool parse_line(struct function_table *table, char *line)
{
	struct table_function function = {0};
	char *rest;

	function.start = strtoull(line, &rest, 16);
	if (rest == line || rest[0] != ' ' || rest[1] == '\0' || rest[2] != ' ')
		return false;
	if (!strchr("TtWw", rest[1]))
		return true;
	function.rank = rank_of(rest[1]);
	function.name = rest + 3;
	function.name_length = strcspn(function.name, "\t");
	if (function.name[function.name_length] == '\t') {
		function.module = function.name + function.name_length + 1;
		function.module_length = strlen(function.module);
	}
	table_add(table, &function);
	return true;
}

enum symbol_reason kallsyms_parse(struct function_table *table, char *text, size_t size)
{
	bool has_symbols = false;
	char *end = text + size;

	while (text < end) {
		size_t length = strcspn(text, "\n");

		text[length] = '\0';
		has_symbols |= parse_line(table, text);
		text += length + 1;
	}
	table_sort(table, false);
	if (table->count > 0)
		return SYMBOL_REASON_NONE;
	return has_symbols ? SYMBOL_REASON_KPTR_RESTRICT : SYMBOL_REASON_NO_KALLSYMS;
}

enum symbol_reason kallsyms_read(struct function_table *table, int fd)
{
	enum symbol_reason reason;
	size_t size;
	char *text;

	if (fd < 0)
		return SYMBOL_REASON_NO_KALLSYMS;
	text = read_text(fd, KALLSYMS_BYTES_MAX, &size);
	close(fd);
	if (!text)
		return SYMBOL_REASON_NO_KALLSYMS;
	reason = kallsyms_parse(table, text, size);
	free(text);
	return reason;
}

uint64_t kallsyms_find(const char *name, int fd)
{
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	uint64_t address = 0;
	char read[64];

	if (!file)
		return 0;
	while (fscanf(file, "%" SCNx64 " %*c %63s%*[^\n]", &address, read) == 2 &&
	       strcmp(read, name) != 0)
		address = 0;
	fclose(file);
	return address;
}
