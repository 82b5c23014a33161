/*
 * A recording as our reader sees it and as perf sees it:
 *
 *	check_perfdata FILE DUMP [TYPE...]
 *
 * FILE is a perf.data file, or - for a pipe; DUMP what `perf script -D -F event -i FILE` says of
 * it. Of every record of the kernel both must tell the same bytes, type, time, CPU, tasks and
 * values, and of a sample the same event. Perf delivers by time and we by place, so both are
 * sorted. Of each TYPE (SAMPLE, SWITCH...) there must be one at least. Status 1: something differs.
 */

#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"

#include "perfdata/reader.h"
#include "perfdata_words.h"

enum {
	LINE = 8192,
	SHOWN = 5, /* differences that are printed */
	RECORD = 65536
};

/* What one side tells: a line for each record. */
struct told {
	char **lines;
	size_t count, capacity;
};

static void told_add(struct told *told, const char *line)
{
	array_reserve(&told->lines, &told->capacity, told->count + 1, sizeof(*told->lines));
	told->lines[told->count++] = xstrdup(line);
}

static void told_fini(struct told *told)
{
	for (size_t i = 0; i < told->count; i++)
		free(told->lines[i]);
	free(told->lines);
}

/* Runs of blanks become one; none at the ends. */
static void add_squeezed(struct strbuf *out, const char *text)
{
	bool is_gap = false, is_first = true;

	for (; *text; text++) {
		if (*text == ' ' || *text == '\t' || *text == '\n') {
			is_gap = true;
			continue;
		}
		if (is_gap && !is_first)
			strbuf_add_char(out, ' ');
		strbuf_add_char(out, *text);
		is_gap = false;
		is_first = false;
	}
}

static uint64_t hash_bytes(const unsigned char *bytes, size_t size)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* ---- perf's side: a block for each record, its bytes first */

struct block {
	unsigned char bytes[RECORD];
	size_t size, told_size; /* of the bytes: there, and as perf says */
	char head[LINE];        /* "0 123 0x40 [0x28]: PERF_RECORD_..." */
	char event[256];        /* of a sample */
	struct strbuf more;     /* lines with values */
};

/* ".  0010:  00 00 ..", at most 16 of them. */
static void take_bytes(struct block *block, const char *line)
{
	unsigned offset, value;
	int used = 0;

	if (sscanf(line, ". ... raw event: size %zu", &block->told_size) == 1)
		return;
	if (sscanf(line, ". %x: %n", &offset, &used) != 1 || used == 0)
		return;
	line += used;
	/* What stands behind the last byte are the same bytes as letters. */
	for (int i = 0; i < 16 && block->size < block->told_size && block->size < RECORD;
	     i++, line += 3) {
		if (sscanf(line, "%2x ", &value) != 1)
			break;
		block->bytes[block->size++] = (unsigned char)value;
	}
}

/* Lines of a sample that tell values, and not what perf makes of them. */
static void take_value(struct block *block, const char *line)
{
	static const char *const kept[] = {
		"... FP chain:", "..... ",         "... sample_read:", "...... time",
		".... group nr", "... user regs:", "... intr regs:",   "... ustack:",
		"... weight:",   " . data_src:",   " .. phys_addr:"};

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		if (strncmp(line, kept[i], strlen(kept[i])) == 0) {
			strbuf_add_char(&block->more, ' ');
			add_squeezed(&block->more, line);
			return;
		}
	}
	/* A register by its name, which needs the architecture. */
	const char *value = strstr(line, " 0x");

	if (strncmp(line, ".... ", 5) == 0 && value) {
		strbuf_add(&block->more, " reg");
		add_squeezed(&block->more, " ");
		strbuf_printf(&block->more, " %#" PRIx64, (uint64_t)strtoull(value, NULL, 0));
	}
}

/* The first line behind the values, "cpu-clock: ". */
static void take_event(struct block *block, const char *line)
{
	size_t length = strlen(line);

	while (*line == ' ') {
		line++;
		length--;
	}
	while (length > 0 && strchr(" \n", line[length - 1]))
		length--;
	if (block->event[0] == '\0' && length > 1 && line[length - 1] == ':')
		snprintf(block->event, sizeof(block->event), "%.*s", (int)(length - 1), line);
}

static void finish(struct block *block, struct told *told)
{
	struct perf_event_header header;
	struct strbuf line = {0};
	const char *place = strstr(block->head, "0x"), *text = strstr(block->head, "PERF_RECORD_");

	if (block->size < sizeof(header) || !place || !text)
		return;
	memcpy(&header, block->bytes, sizeof(header));
	if (header.type >= 64)
		return; /* perf's own */
	strbuf_printf(&line, "%zu %016" PRIx64 " %.*s", block->size,
		      hash_bytes(block->bytes, block->size), (int)(place - block->head),
		      block->head);
	if (name_of_unread(header.type))
		strbuf_printf(&line, "PERF_RECORD_%s", name_of_unread(header.type));
	else
		add_squeezed(&line, text);
	strbuf_add(&line, strbuf_text(&block->more));
	if (header.type == PERF_RECORD_SAMPLE)
		strbuf_printf(&line, " event %s", block->event);
	told_add(told, line.text);
	strbuf_fini(&line);
}

static void begin(struct block *block)
{
	block->size = 0;
	block->told_size = 0;
	block->head[0] = '\0';
	block->event[0] = '\0';
	strbuf_clear(&block->more);
}

static bool read_dump(struct told *told, const char *path)
{
	static struct block block;
	static char line[RECORD];
	FILE *file = fopen(path, "r");

	if (!file) {
		perror(path);
		return false;
	}
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "0x", 2) == 0 && strstr(line, "]: event: ")) {
			finish(&block, told);
			begin(&block);
		} else if (strstr(line, "]: PERF_RECORD_") && block.head[0] == '\0') {
			snprintf(block.head, sizeof(block.head), "%.*s", LINE - 1, line);
		} else if (block.head[0] == '\0') {
			take_bytes(&block, line);
		} else if (block.event[0] == '\0') {
			take_value(&block, line);
			if (line[0] != '.')
				take_event(&block, line);
		}
	}
	finish(&block, told);
	strbuf_fini(&block.more);
	fclose(file);
	return true;
}

/* ---- our side, in perf's words */

static uint64_t combined_type(const struct perfdata *file)
{
	size_t count;
	const struct perfdata_event *events = perfdata_events(file, &count);
	uint64_t type = 0;

	for (size_t i = 0; i < count; i++)
		type |= events[i].format.sample_type;
	return type;
}

static void say(struct told *told, const struct perfdata *file,
		const struct perfdata_record *record)
{
	size_t count;
	const struct perfdata_event *event = &perfdata_events(file, &count)[record->event];
	const struct decoded *decoded = record->decoded;
	struct strbuf line = {0}, body = {0};
	uint64_t type = combined_type(file);
	char *line_end;

	strbuf_printf(&line, "%zu %016" PRIx64 " ", record->size,
		      hash_bytes(record->bytes, record->size));
	if (type & PERF_SAMPLE_CPU) {
		strbuf_printf(&line, "%" PRIu32 " ",
			      decoded->id.has & PERF_SAMPLE_CPU ? decoded->id.cpu : UINT32_MAX);
	}
	if (type & PERF_SAMPLE_TIME) {
		strbuf_printf(&line, "%" PRIu64 " ",
			      decoded->id.has & PERF_SAMPLE_TIME ? record->time_ns : UINT64_MAX);
	}
	words_of_record(&body, decoded, event, record->bytes);
	/* perf prints names as they are: one with a line end has its line cut there. */
	line_end = strchr(body.text, '\n');
	if (line_end)
		*line_end = '\0';
	strbuf_add(&line, "PERF_RECORD_");
	add_squeezed(&line, body.text);
	told_add(told, line.text);
	strbuf_fini(&body);
	strbuf_fini(&line);
}

static void await(const struct perfdata *file)
{
	struct pollfd fd = {.fd = perfdata_fd(file), .events = POLLIN};

	poll(&fd, 1, 10000);
}

static bool read_file(struct told *told, const char *path, uint64_t *types)
{
	struct error error = {0};
	struct perfdata *file = perfdata_open(path, &error);
	struct perfdata_record record;
	enum perfdata_result result;

	if (!file) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	while ((result = perfdata_next(file, &record)) != PERFDATA_END) {
		if (result == PERFDATA_WAIT)
			await(file);
		if (result == PERFDATA_RECORD) {
			say(told, file, &record);
			types[record.decoded->type]++;
		}
	}

	const struct perfdata_counts *counts = perfdata_counts(file);
	bool is_good = counts->unknown == 0 && counts->broken == 0 && !counts->is_truncated;

	if (!is_good) {
		fprintf(stderr, "%s: %" PRIu64 " unknown, %" PRIu64 " broken; %s\n", path,
			counts->unknown, counts->broken, counts->why);
	}
	perfdata_close(file);
	return is_good;
}

/* ---- both */

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void told_sort(struct told *told)
{
	if (told->count > 0)
		qsort(told->lines, told->count, sizeof(*told->lines), compare_lines);
}

static bool same(struct told *ours, struct told *perfs)
{
	size_t i = 0, j = 0, differences = 0;

	told_sort(ours);
	told_sort(perfs);
	while (i < ours->count || j < perfs->count) {
		int order = i == ours->count    ? 1
			    : j == perfs->count ? -1
						: strcmp(ours->lines[i], perfs->lines[j]);

		if (order == 0) {
			i++;
			j++;
			continue;
		}
		if (differences++ < SHOWN) {
			printf("only %s: %s\n", order < 0 ? "perftop" : "perf   ",
			       order < 0 ? ours->lines[i] : perfs->lines[j]);
		}
		i += order < 0;
		j += order > 0;
	}
	if (differences > 0) {
		printf("%zu differences; %zu records here, %zu there\n", differences, ours->count,
		       perfs->count);
	}
	return differences == 0;
}

static bool has_type(const struct told *ours, const char *type)
{
	char word[64];

	snprintf(word, sizeof(word), "PERF_RECORD_%s", type);
	for (size_t i = 0; i < ours->count; i++)
		if (strstr(ours->lines[i], word))
			return true;
	printf("no record of type %s\n", type);
	return false;
}

int main(int argc, char **argv)
{
	struct told ours = {0}, perfs = {0};
	uint64_t types[64] = {0};

	if (argc < 3) {
		fputs("check_perfdata FILE DUMP [TYPE...]\n", stderr);
		return 2;
	}

	bool is_good = read_file(&ours, argv[1], types);

	is_good = read_dump(&perfs, argv[2]) && same(&ours, &perfs) && is_good && ours.count > 0;
	for (int i = 3; i < argc; i++)
		is_good = has_type(&ours, argv[i]) && is_good;
	printf("%zu records, %" PRIu64 " of them samples\n", ours.count, types[PERF_RECORD_SAMPLE]);
	told_fini(&ours);
	told_fini(&perfs);
	return is_good ? 0 : 1;
}
