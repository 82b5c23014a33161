#ifndef PERFTOP_TESTS_MADE_PERFDATA_H
#define PERFTOP_TESTS_MADE_PERFDATA_H

/*
 * perf.data as perf record writes it, out of events and records that are known: nothing of it is
 * written by the program that reads it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

struct made_perfdata {
	const struct perf_event_attr *attrs;
	size_t count;      /* several have the ids 1, 2, ... */
	uint64_t features; /* bits below 64; they have no bodies */
	void (*put_records)(FILE *out);
};

static inline void put_record(FILE *out, uint32_t type, const void *body, size_t size)
{
	const struct perf_event_header header = {
		.type = type,
		.misc = PERF_RECORD_MISC_USER,
		.size = (uint16_t)(sizeof(header) + size),
	};

	fwrite(&header, sizeof(header), 1, out);
	fwrite(body, size, 1, out);
}

static inline void put_comm(FILE *out, int32_t pid, int32_t tid, const char *name)
{
	struct {
		int32_t pid, tid;
		char name[16];
	} body = {.pid = pid, .tid = tid};

	memcpy(body.name, name, strlen(name));
	put_record(out, PERF_RECORD_COMM, &body, sizeof(body));
}

/* Those of all in turn, as long as there are any: put() says whether it has written one. */
static inline void put_in_turn(FILE *out, size_t count,
			       bool (*put)(FILE *out, size_t index, uint64_t turn, uint64_t number))
{
	uint64_t number = 0, before = UINT64_MAX;

	for (uint64_t turn = 0; number != before; turn++) {
		before = number;
		for (size_t i = 0; i < count; i++)
			number += put(out, i, turn, number);
	}
}

/* The attributes and the places of what follows. */
static inline void put_head(FILE *out, const struct made_perfdata *made, uint64_t data_bytes)
{
	const uint64_t head_bytes = 104, attr_bytes = sizeof(*made->attrs) + 16;
	const uint64_t id_bytes = made->count > 1 ? 8 : 0;
	const uint64_t attrs_at = head_bytes + made->count * id_bytes;
	const uint64_t magic = UINT64_C(0x32454c4946524550); /* PERFILE2 */
	const uint64_t head[] = {magic,
				 head_bytes,
				 attr_bytes,
				 attrs_at,
				 made->count * attr_bytes,
				 attrs_at + made->count * attr_bytes,
				 data_bytes,
				 0,
				 0,
				 made->features,
				 0,
				 0,
				 0};

	rewind(out);
	fwrite(head, sizeof(head), 1, out);
	for (uint64_t id = 1; id <= made->count && id_bytes > 0; id++)
		fwrite(&id, sizeof(id), 1, out);
	for (uint64_t i = 0; i < made->count; i++) {
		const uint64_t ids[] = {head_bytes + i * id_bytes, id_bytes};

		fwrite(&made->attrs[i], sizeof(*made->attrs), 1, out);
		fwrite(ids, sizeof(ids), 1, out);
	}
}

/* Returns main()'s result. */
static inline int make_perfdata(const char *path, const struct made_perfdata *made)
{
	FILE *out = fopen(path, "w+");
	long begin, end;

	if (!out)
		return EXIT_FAILURE;
	put_head(out, made, 0);
	begin = ftell(out);
	made->put_records(out);
	end = ftell(out);
	for (uint64_t left = made->features; left != 0; left &= left - 1)
		fwrite((const uint64_t[]){(uint64_t)end, 0}, 16, 1, out);
	put_head(out, made, (uint64_t)(end - begin));
	return fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
