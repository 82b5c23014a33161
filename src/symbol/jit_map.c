/*
 * A line is "START SIZE NAME", numbers in hexadecimal. Programs append to it as they go and use
 * addresses anew: the last line is right. A process in a pid namespace of its own writes the number
 * it has there, and to the /tmp it has.
 */
#include "symbol/jit_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "kernel/file.h"
#include "kernel/proc.h"

#include "symbol/open_file.h"
#include "symbol/read_text.h"

enum {
	JIT_BYTES_MAX = 64 << 20, /* what is behind that is not read */
	PAGE_BYTES = 4096
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
		size_t length = strcspn(text, "\n");
		bool is_whole = text[length] == '\n'; /* else it is just being written */

		text[length] = '\0';
		if (is_whole)
			parse_line(table, text);
		text += length + 1;
	}
	table_sort(table, true);
}

/* The number a process has for itself; its own here where the kernel does not tell. */
static int32_t inner_pid(int32_t pid)
{
	char status[4096];
	const char *numbers;
	int32_t inner = pid;

	if (file_readf(status, sizeof(status), "/proc/%" PRId32 "/status", pid) <= 0)
		return pid;
	numbers = file_find_key(status, "NSpid");
	while (numbers && *numbers != '\0' && *numbers != '\n') {
		char *rest;
		long number = strtol(numbers, &rest, 10);

		if (rest == numbers)
			break;
		inner = (int32_t)number;
		numbers = rest;
	}
	return inner;
}

static bool is_trusted(const struct stat *status, int32_t pid)
{
	int64_t owner = proc_owner(pid);

	return status->st_uid == 0 || (owner >= 0 && status->st_uid == (uint64_t)owner);
}

void jit_map_update(struct jit_map *map, int32_t pid)
{
	struct stat status;
	char path[64];
	size_t size;
	char *text;
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%" PRId32 ".map", inner_pid(pid));
	fd = open_in_process(pid, path, OPEN_NO_LINK, &status);
	if (fd < 0) {
		map->reason =
			fd == OPEN_REFUSED ? SYMBOL_REASON_JIT_REFUSED : SYMBOL_REASON_NO_JIT_MAP;
		return;
	}

	int64_t changed_ns = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;

	if (!is_trusted(&status, pid)) {
		jit_map_fini(map);
		map->reason = SYMBOL_REASON_JIT_REFUSED;
	} else if (changed_ns != map->read_ns || (uint64_t)status.st_size != map->read_bytes) {
		jit_map_fini(map);
		map->read_ns = changed_ns;
		map->read_bytes = (uint64_t)status.st_size;
		text = read_text(fd, JIT_BYTES_MAX, &size);
		if (text)
			jit_map_parse(&map->table, text, size);
		free(text);
		map->reason = SYMBOL_REASON_NO_SYMBOL;
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
