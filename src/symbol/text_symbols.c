/*
 * A line of kallsyms is "ADDRESS TYPE NAME", of a module "ADDRESS TYPE NAME\t[MODULE]"; code is T,
 * t, W, w. One of a perf map is "START SIZE NAME". Numbers are hexadecimal. Programs append to
 * their map as they go, and use addresses anew: the last line is right, and the newest names are at
 * the end.
 */
#include "symbol/text_symbols.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "kernel/sys.h"

#include "symbol/table.h"

enum {
	KALLSYMS_BYTES_MAX = 128 << 20, /* some 10 MB are usual */
	JIT_BYTES_MAX = 64 << 20,       /* what is in front of the last of them is not read */
	READ_BYTES = 1 << 16            /* at a time */
};

char *text_read_whole(int fd, size_t limit, size_t *size)
{
	char *text = NULL;
	size_t capacity = 0;

	*size = 0;
	for (;;) {
		size_t want = limit - *size < READ_BYTES ? limit - *size : READ_BYTES;
		ssize_t count;

		array_reserve(&text, &capacity, *size + want + 1, 1);
		count = sys_read(fd, text + *size, want);
		if (count < 0) {
			free(text);
			return NULL;
		}
		*size += (size_t)count;
		text[*size] = '\0';
		if (count == 0)
			return text;
	}
}

static bool is_named(const struct table_function *function, const char *name)
{
	return strncmp(function->name, name, function->name_length) == 0 &&
	       name[function->name_length] == '\0' && function->name_length > 0;
}

/* Parses a line of kallsyms. False: it is no symbol. */
static bool parse_kernel_line(char *line, struct table_function *function, char *type)
{
	char *rest;

	*function = (struct table_function){.start = strtoull(line, &rest, 16)};
	if (rest == line || rest[0] != ' ' || rest[1] == '\0' || rest[2] != ' ')
		return false;
	*type = rest[1];
	function->rank = *type == 'T'   ? FUNCTION_GLOBAL
			 : *type == 't' ? FUNCTION_LOCAL
					: FUNCTION_WEAK;
	function->name = rest + 3;
	function->name_length = strcspn(function->name, "\t");
	if (function->name[function->name_length] == '\t') {
		function->module = function->name + function->name_length + 1;
		function->module_length = strlen(function->module);
	}
	return true;
}

enum symbol_reason kallsyms_parse(struct function_table *table, char *text, size_t size,
				  const char *name, uint64_t *address)
{
	bool has_symbols = false;

	*address = 0;
	for (char *end = text + size; text < end; text += strlen(text) + 1) {
		struct table_function function;
		char type;

		text[strcspn(text, "\n")] = '\0';
		if (!parse_kernel_line(text, &function, &type))
			continue;
		has_symbols = true;
		if (*address == 0 && is_named(&function, name))
			*address = function.start;
		if (strchr("TtWw", type))
			table_add(table, &function);
	}
	table_sort(table, false);
	if (table->count > 0)
		return SYMBOL_REASON_NONE;
	return has_symbols ? SYMBOL_REASON_KPTR_RESTRICT : SYMBOL_REASON_NO_KALLSYMS;
}

enum symbol_reason kallsyms_read(struct function_table *table, int fd, const char *name,
				 uint64_t *address)
{
	enum symbol_reason reason = SYMBOL_REASON_NO_KALLSYMS;
	char *text = NULL;
	size_t size;

	*address = 0;
	if (fd >= 0) {
		text = text_read_whole(fd, KALLSYMS_BYTES_MAX, &size);
		close(fd);
	}
	if (text)
		reason = kallsyms_parse(table, text, size, name, address);
	free(text);
	return reason;
}

static void parse_map_line(struct function_table *table, char *line)
{
	struct table_function function = {.rank = FUNCTION_GLOBAL};
	char *rest;

	function.start = strtoull(line, &rest, 16);
	if (rest == line || *rest != ' ')
		return;
	line = rest;
	function.size = strtoull(line, &rest, 16);
	if (rest == line || *rest != ' ' || function.size == 0)
		return;
	function.name = rest + 1;
	function.name_length = strlen(function.name);
	table_add(table, &function);
}

void jit_map_parse(struct function_table *table, char *text, size_t size)
{
	char *end = text + size, *line_end;

	/* a last line without an end is just being written */
	for (; text < end && (line_end = memchr(text, '\n', (size_t)(end - text)));
	     text = line_end + 1) {
		*line_end = '\0';
		parse_map_line(table, text);
	}
	table_sort(table, true);
}

enum symbol_reason jit_map_read(struct function_table *table, int fd, uint64_t size)
{
	const bool is_cut = size > JIT_BYTES_MAX;
	size_t length = 0;
	char *text = NULL, *first;

	if (!is_cut || lseek(fd, (off_t)(size - JIT_BYTES_MAX), SEEK_SET) > 0)
		text = text_read_whole(fd, JIT_BYTES_MAX, &length);
	/* the rest of a cut line may look like a line */
	first = is_cut && text ? memchr(text, '\n', length) : text;
	if (first)
		jit_map_parse(table, first, length - (size_t)(first - text));
	free(text);
	return is_cut ? SYMBOL_REASON_JIT_LARGE : SYMBOL_REASON_NO_SYMBOL;
}
