/*
 * A line is "START SIZE NAME", numbers in hexadecimal. Programs append to it as they go and use
 * addresses anew: the last line is right.
 */
#include "symbol/jit_map.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "kernel/proc.h"
#include "kernel/sys.h"

#include "symbol/open_file.h"

enum {
	JIT_BYTES_MAX = 64 << 20, /* what is in front of the last of them is not read */
	PAGE_BYTES = 4096,
	LONG_NS = 10000000, /* CPU time of a reading: there is none for so many times that */
	PAUSE = 20
};

void jit_map_fini(struct jit_map *map)
{
	table_fini(&map->table);
	*map = (struct jit_map){0};
}

static void parse_line(struct function_table *table, char *line)
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
	char *end = text + size;

	while (text < end) {
		char *line_end = memchr(text, '\n', (size_t)(end - text));

		if (!line_end) /* it is just being written */
			break;
		*line_end = '\0';
		parse_line(table, text);
		text = line_end + 1;
	}
	table_sort(table, true);
}

/* Programs append: the newest names are at the end. */
static off_t beginning(uint64_t size)
{
	return size > JIT_BYTES_MAX ? (off_t)(size - JIT_BYTES_MAX) : 0;
}

/* The rest of a line that was cut may look like a line. */
static char *skip_cut_line(char *text, size_t size)
{
	char *line_end = memchr(text, '\n', size);

	return line_end ? line_end + 1 : text + size;
}

static void read_map(struct jit_map *map, int fd)
{
	const off_t from = beginning(map->read_bytes);
	const uint64_t before_ns = proc_own_cpu_ns();
	uint64_t took_ns;
	size_t size;
	char *text = lseek(fd, from, SEEK_SET) == from ? read_text(fd, JIT_BYTES_MAX, &size) : NULL;

	if (text) {
		char *first = from > 0 ? skip_cut_line(text, size) : text;

		jit_map_parse(&map->table, first, size - (size_t)(first - text));
	}
	free(text);
	map->reason = from > 0 ? SYMBOL_REASON_JIT_LARGE : SYMBOL_REASON_NO_SYMBOL;
	took_ns = proc_own_cpu_ns() - before_ns;
	map->due_ns = took_ns > LONG_NS ? sys_now_ns() + PAUSE * took_ns : 0;
}

void jit_map_update(struct jit_map *map, int fd)
{
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0) {
		if (fd == OPEN_REFUSED)
			jit_map_fini(map);
		map->reason =
			fd == OPEN_REFUSED ? SYMBOL_REASON_JIT_REFUSED : SYMBOL_REASON_NO_JIT_MAP;
		return;
	}

	int64_t changed_ns = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;

	if ((changed_ns != map->read_ns || (uint64_t)status.st_size != map->read_bytes) &&
	    sys_now_ns() >= map->due_ns) {
		jit_map_fini(map);
		map->read_ns = changed_ns;
		map->read_bytes = (uint64_t)status.st_size;
		read_map(map, fd);
	}
	close(fd);
}

/* What no line covers now may get one soon: this holds for no more than a page. */
void jit_map_find(const struct jit_map *map, uint64_t address, struct answer *answer)
{
	uint64_t page = address & ~(uint64_t)(PAGE_BYTES - 1);
	const struct function *function;

	*answer = (struct answer){0};
	function = table_find(&map->table, address, &answer->start, &answer->end);
	if (function) {
		answer->name = table_text(&map->table, function->name);
		answer->function_start = function->start;
		answer->function_end = function->end;
		return;
	}
	answer->reason = map->reason;
	if (answer->start < page)
		answer->start = page;
	if (answer->end - page > PAGE_BYTES)
		answer->end = page + PAGE_BYTES;
}
