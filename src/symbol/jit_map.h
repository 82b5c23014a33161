#ifndef PERFTOP_SYMBOL_JIT_MAP_H
#define PERFTOP_SYMBOL_JIT_MAP_H

/*
 * Code that a process made at run time, as it lists it in /tmp/perf-PID.map for perf. Anybody may
 * write into /tmp, so the file counts only if it is a plain file, no link, and belongs to the user
 * of the process or to root.
 */

#include <stddef.h>
#include <stdint.h>

#include "symbol/answer.h"
#include "symbol/table.h"

struct jit_map {
	struct function_table table;
	enum symbol_reason reason; /* why it is empty */
	int64_t read_ns;           /* modification time and size of the file that was read */
	uint64_t read_bytes;
	uint64_t due_ns; /* it is not read again before */
};

void jit_map_fini(struct jit_map *map);

/*
 * Reads the file of a process, if it is another one than was read before; a large one that grows
 * now and then. fd is what open_jit_map() has returned, and consumed.
 */
void jit_map_update(struct jit_map *map, int fd);

void jit_map_find(const struct jit_map *map, uint64_t address, struct answer *answer);

/* Fills an empty table from such a text (size bytes, with a NUL behind it), which is changed. */
void jit_map_parse(struct function_table *table, char *text, size_t size);

#endif
