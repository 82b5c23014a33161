/*
 * Instructions come first, each with its line; then of each file the lines that were named, and of
 * what is between two of them as much as helps to read. A file of source is whatever the debug
 * information says (opener.h).
 */
#include "symbol/listing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"
#include "base/strbuf.h"

#include "symbol/disassemble.h"
#include "symbol/elf_file.h"
#include "symbol/store.h"
#include "symbol/text_symbols.h"

enum {
	CODE_BYTES_MAX = 1 << 16,
	SOURCE_BYTES_MAX = 1 << 24,
	FILES_MAX = 64,
	GAP_MAX = 8, /* lines without code that are shown between two with code */
	TAB = 8
};

struct source_line {
	uint32_t file; /* number */
	uint32_t line;
};

struct maker {
	struct stored *stored;
	uint64_t start, end;    /* offsets */
	uint64_t bias;          /* address less offset */
	char *files[FILES_MAX]; /* owned; by number - 1 */
	size_t file_count;
	struct source_line *lines; /* owned; of instructions */
	size_t line_count, line_capacity;
	struct strbuf text;
	void (*take)(const struct code_part *part, void *context);
	void *context;
};

/* The number of a source file; 0: there are too many. */
static uint32_t number_of_file(struct maker *maker, const char *name)
{
	for (size_t i = maker->file_count; i-- > 0;)
		if (strcmp(maker->files[i], name) == 0)
			return (uint32_t)i + 1;
	if (maker->file_count == FILES_MAX)
		return 0;
	maker->files[maker->file_count++] = xstrdup(name);
	return (uint32_t)maker->file_count;
}

static struct source_line note_source_line(struct maker *maker, uint64_t address)
{
	struct answer_line found;
	struct source_line line = {0};

	if (!maker->stored->dwfl || !dwarf_lines_find_one(&maker->stored->lines, address, &found) ||
	    found.line == 0)
		return line;
	line = (struct source_line){.file = number_of_file(maker, found.file), .line = found.line};
	if (line.file == 0)
		return (struct source_line){0};
	array_reserve(&maker->lines, &maker->line_capacity, maker->line_count + 1,
		      sizeof(*maker->lines));
	maker->lines[maker->line_count++] = line;
	return line;
}

static bool is_in_function(const struct maker *maker, uint64_t offset)
{
	return offset >= maker->start && offset < maker->end;
}

/* Adds the name of a called function. */
static void write_instruction_text(struct maker *maker, const struct instruction_text *instruction)
{
	const struct function_table *table = &maker->stored->table;
	const struct function_row *function;
	uint64_t start, end;

	strbuf_clear(&maker->text);
	strbuf_add(&maker->text, instruction->text);
	if (!instruction->leads || is_in_function(maker, instruction->target - maker->bias))
		return;
	function = table_find(table, instruction->target, &start, &end);
	if (function && function->start == instruction->target)
		strbuf_printf(&maker->text, " <%s>", table_text(table, function->name));
}

static void take_instruction(const struct instruction_text *instruction, void *context)
{
	struct maker *maker = context;
	const uint64_t offset = instruction->address - maker->bias;
	const uint64_t target = instruction->target - maker->bias;
	const struct source_line line = note_source_line(maker, instruction->address);

	write_instruction_text(maker, instruction);
	maker->take(
		&(struct code_part){
			.kind = CODE_INSTRUCTION,
			.at = offset,
			.address = instruction->address,
			.target = instruction->leads && is_in_function(maker, target) ? target : 0,
			.file = line.file,
			.line = line.line,
			.text = strbuf_text(&maker->text),
		},
		maker->context);
}

static enum symbol_reason make_instructions(struct maker *maker)
{
	const uint64_t wanted = maker->end - maker->start;
	uint8_t *code = xcalloc(1, CODE_BYTES_MAX);
	ssize_t size = -1;
	bool is_known;

	if (maker->start <= INT64_MAX)
		size = pread(maker->stored->fd, code,
			     wanted < CODE_BYTES_MAX ? (size_t)wanted : CODE_BYTES_MAX,
			     (off_t)maker->start);
	is_known = disassemble(&maker->stored->code.machine, code, size > 0 ? (size_t)size : 0,
			       maker->start + maker->bias, take_instruction, maker);
	free(code);
	if (!is_known)
		return SYMBOL_REASON_MACHINE;
	if (size <= 0)
		return SYMBOL_REASON_NOT_ELF;
	return (uint64_t)size < wanted ? SYMBOL_REASON_LONG : SYMBOL_REASON_NONE;
}

/* --- source */

static int compare_source_lines(const void *a, const void *b)
{
	const struct source_line *one = a, *other = b;

	if (one->file != other->file)
		return one->file < other->file ? -1 : 1;
	return one->line < other->line ? -1 : one->line > other->line;
}

/* Skips lines; NULL: the text ends before. */
static const char *skip_lines(const char *text, uint32_t count)
{
	while (text && count-- > 0) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text && *text != '\0' ? text : NULL;
}

static void expand_tabs(struct strbuf *out, const char *text)
{
	strbuf_clear(out);
	for (; *text != '\0' && *text != '\n' && *text != '\r'; text++)
		if (*text == '\t')
			strbuf_add_repeated(out, ' ', TAB - out->length % TAB);
		else
			strbuf_add_char(out, *text);
}

static void give_line(struct maker *maker, uint32_t file, uint32_t line, const char *text)
{
	expand_tabs(&maker->text, text ? text : "");
	maker->take(
		&(struct code_part){
			.kind = CODE_LINE,
			.file = file,
			.line = line,
			.text = strbuf_text(&maker->text),
		},
		maker->context);
}

/* NULL: it cannot be read. *is_newer: it was written after the program. */
static char *read_source(const struct maker *maker, const char *name, bool *is_newer)
{
	const int fd = stored_open_source(maker->stored, name);
	struct stat status = {0}, own = {0};
	char *text = NULL;
	size_t size;

	*is_newer = false;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 && status.st_size > 0 && status.st_size < SOURCE_BYTES_MAX)
		text = text_read_whole(fd, (size_t)status.st_size, &size);
	close(fd);
	*is_newer = text && fstat(maker->stored->fd, &own) == 0 && own.st_mtime < status.st_mtime;
	return text;
}

/* Gives the lines of one file: `lines` are those with code, sorted. */
static void give_file(struct maker *maker, const struct source_line *lines, size_t count)
{
	const char *name = maker->files[lines->file - 1];
	bool is_newer;
	char *text = read_source(maker, name, &is_newer);
	const char *at = text;
	uint32_t line = 1;

	maker->take(
		&(struct code_part){
			.kind = CODE_FILE,
			.file = lines->file,
			.source = !text      ? CODE_SOURCE_ABSENT
				  : is_newer ? CODE_SOURCE_NEWER
					     : CODE_SOURCE_READ,
			.text = name,
		},
		maker->context);
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && lines[i].line == lines[i - 1].line)
			continue;
		if (i == 0 || !text || lines[i].line - line > GAP_MAX) {
			at = skip_lines(at, lines[i].line - line);
			line = lines[i].line;
		}
		for (; line <= lines[i].line; line++) {
			give_line(maker, lines->file, line, at);
			at = skip_lines(at, 1);
		}
	}
	free(text);
}

static void make_source(struct maker *maker)
{
	size_t begin = 0;

	if (maker->line_count > 0)
		qsort(maker->lines, maker->line_count, sizeof(*maker->lines), compare_source_lines);
	for (size_t i = 1; i <= maker->line_count; i++) {
		if (i < maker->line_count && maker->lines[i].file == maker->lines[begin].file)
			continue;
		give_file(maker, maker->lines + begin, i - begin);
		begin = i;
	}
}

enum symbol_reason listing_make(struct stored *stored, uint64_t start, uint64_t end,
				void (*take)(const struct code_part *part, void *context),
				void *context)
{
	const struct elf_segment *segment = elf_code_at_offset(&stored->code, start);
	struct maker maker = {
		.stored = stored,
		.start = start,
		.end = end,
		.take = take,
		.context = context,
	};
	enum symbol_reason reason;

	if (stored->object.kind != SYMBOL_OBJECT_FILE && stored->object.kind != SYMBOL_OBJECT_VDSO)
		return SYMBOL_REASON_NO_CODE;
	if (stored->fd < 0)
		return stored->facts.reason;
	if (start >= end || !segment)
		return SYMBOL_REASON_NO_SYMBOL;
	maker.bias = segment->address - segment->offset;
	stored_has_lines(stored);
	reason = make_instructions(&maker);
	make_source(&maker);
	for (size_t i = 0; i < maker.file_count; i++)
		free(maker.files[i]);
	free(maker.lines);
	strbuf_fini(&maker.text);
	return reason;
}
