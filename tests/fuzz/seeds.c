/*
 * seeds FOLDER RECORDING...: small recordings for fuzzers to begin with: each of the given ones
 * with a few records of every type.
 */

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shape.h"

enum {
	RECORDING_MAX = 4 << 20,
	TYPES = 128,
	KEPT = 6 /* records of a type */
};

/* All but the first ones go, from the end on, so that the others stay where they are. */
static void shorten(struct shape *shape)
{
	static size_t met[SHAPE_PARTS_MAX];
	const struct shape_part *records = shape->parts[SHAPE_RECORD];
	const size_t count = shape->counts[SHAPE_RECORD];
	size_t types[TYPES] = {0};

	for (size_t i = 0; i < count; i++)
		met[i] = ++types[shape_u32(shape, records[i].at) % TYPES];
	for (size_t i = count; i-- > 0;) {
		if (met[i] <= KEPT)
			continue;

		const struct shape_part record = records[i];

		shape_splice(shape, record.at, record.size, NULL, 0);
		/* where the features lie has changed */
		for (size_t j = 0; j < shape->counts[SHAPE_PLACE]; j++)
			shape->parts[SHAPE_PLACE][j].at -= record.size;
	}
}

static void keep(const char *folder, const char *name, const uint8_t *bytes, size_t size)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
		perror(path);
		exit(1);
	}
}

static void make_seed(const char *folder, char *path)
{
	static uint8_t bytes[RECORDING_MAX];
	static struct shape shape;
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file) {
		perror(path);
		exit(1);
	}
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	if (!shape_find(&shape, bytes, size, sizeof(bytes))) {
		fprintf(stderr, "%s is no recording\n", path);
		exit(1);
	}
	/* more records than are seen at once */
	for (size_t before = 0; shape.size != before;) {
		before = shape.size;
		shorten(&shape);
		shape_find(&shape, bytes, shape.size, sizeof(bytes));
	}
	keep(folder, basename(path), bytes, shape.size);
	printf("%s: %zu bytes of %zu, %zu records\n", path, shape.size, size,
	       shape.counts[SHAPE_RECORD]);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: seeds FOLDER RECORDING...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++)
		make_seed(argv[1], argv[i]);
	return 0;
}
