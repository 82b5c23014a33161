#include "view/listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "view/function_addresses.h"
#include "view/text_marks.h"

enum {
	SHARE_WIDTH = 7,
	SAMPLES_WIDTH = 9,
	LINE_WIDTH = 7,
	ADDRESS_WIDTH = 12
};

/* What was sampled at a line of source or an instruction. */
struct sample_sum {
	uint64_t samples, weight;
};

/* One line of source that instructions were made of. */
struct line_sum {
	uint32_t file, line;
	struct sample_sum sum;
};

struct listing_writer {
	const struct listing_input *input;
	struct strbuf *out;
	struct strbuf line;     /* that is being written */
	size_t count;           /* of lines */
	size_t hottest;         /* of them */
	struct sample_sum most; /* what it has */
	size_t found;           /* the line of source that was asked for; 0: none */
	bool is_its_file;       /* what is being written */
	struct line_sum *lines; /* owned; by file and line */
	size_t line_count, line_capacity;
	uint64_t *targets; /* owned; of jumps, ascending */
	size_t target_count;
	uint32_t file, source_line; /* that were written last; 0: none */
};

bool listing_has_source(const struct listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		if (listing->parts[i].kind == CODE_FILE)
			return true;
	return false;
}

/* The samples of an instruction: at addresses from its own up to the next one's. */
static struct sample_sum sum_addresses(const struct function_addresses *addresses, size_t *next,
				       uint64_t end)
{
	struct sample_sum sum = {0};

	for (; *next < addresses->count && addresses->items[*next].at < end; (*next)++) {
		sum.samples += addresses->items[*next].samples;
		sum.weight += addresses->items[*next].weight;
	}
	return sum;
}

/* Calls for each instruction, in the order of addresses, with what was sampled there. */
static void walk_instructions(struct listing_writer *writer,
			      void (*visit)(struct listing_writer *writer,
					    const struct code_part *part,
					    const struct sample_sum *sum))
{
	const struct listing *listing = writer->input->listing;
	size_t next = 0;

	for (size_t i = 0; listing->parts && i < listing->count; i++) {
		const struct code_part *part = &listing->parts[i];
		const struct code_part *after = i + 1 < listing->count ? part + 1 : NULL;
		const bool is_last = !after || after->kind != CODE_INSTRUCTION;
		struct sample_sum sum;

		if (part->kind != CODE_INSTRUCTION)
			continue;
		sum = sum_addresses(writer->input->addresses, &next,
				    is_last ? UINT64_MAX : after->at);
		visit(writer, part, &sum);
	}
}

static void end_line(struct listing_writer *writer)
{
	size_t columns, bytes;
	const char *text = strbuf_text(&writer->line);
	const char *mark = writer->input->ascii ? "..." : "…";
	const size_t room = writer->input->width > 0 ? (size_t)writer->input->width : 0;

	bytes = text_fit(text, room, &columns);
	if (bytes < writer->line.length && room > text_width(mark)) {
		bytes = text_fit(text, room - text_width(mark), &columns);
		strbuf_add_bytes(writer->out, text, bytes);
		strbuf_add(writer->out, mark);
	} else {
		while (bytes > 0 && text[bytes - 1] == ' ')
			bytes--;
		strbuf_add_bytes(writer->out, text, bytes);
	}
	strbuf_add_char(writer->out, '\n');
	strbuf_clear(&writer->line);
	writer->count++;
}

/* Share and samples; blanks where there are none. */
static void add_sum(struct listing_writer *writer, const struct sample_sum *sum)
{
	const struct function_addresses *addresses = writer->input->addresses;
	const double pct =
		addresses->weight > 0 ? 100.0 * (double)sum->weight / (double)addresses->weight : 0;

	if (sum->samples == 0) {
		strbuf_add_repeated(&writer->line, ' ', SHARE_WIDTH + SAMPLES_WIDTH);
		return;
	}
	strbuf_printf(&writer->line, "%*.1f%*" PRIu64, SHARE_WIDTH, pct, SAMPLES_WIDTH,
		      sum->samples);
	if (pct >= 5)
		text_marks_add(writer->input->marks, &(struct text_mark){
							     .line = writer->count,
							     .columns = SHARE_WIDTH,
							     .goodness = pct >= 20 ? 0 : 1,
						     });
	if (sum->weight > writer->most.weight) {
		writer->most = *sum;
		writer->hottest = writer->count;
	}
}

static void append_text(struct listing_writer *writer, const char *text)
{
	strbuf_add(&writer->line, "  ");
	text_append_safe(&writer->line, text, strlen(text), writer->input->ascii);
}

/* --- source */

static int compare_line_sums(const void *a, const void *b)
{
	const struct line_sum *one = a, *other = b;

	if (one->file != other->file)
		return one->file < other->file ? -1 : 1;
	return one->line < other->line ? -1 : one->line > other->line;
}

static void note_line(struct listing_writer *writer, const struct code_part *part,
		      const struct sample_sum *sum)
{
	if (part->file == 0 || sum->samples == 0)
		return;
	array_reserve(&writer->lines, &writer->line_capacity, writer->line_count + 1,
		      sizeof(*writer->lines));
	writer->lines[writer->line_count++] =
		(struct line_sum){.file = part->file, .line = part->line, .sum = *sum};
}

/* Instructions of one line need not follow each other. */
static void join_lines(struct listing_writer *writer)
{
	size_t count = 0;

	if (writer->line_count > 0)
		qsort(writer->lines, writer->line_count, sizeof(*writer->lines), compare_line_sums);
	for (size_t i = 0; i < writer->line_count; i++) {
		struct line_sum *last = count > 0 ? &writer->lines[count - 1] : NULL;

		if (last && compare_line_sums(last, &writer->lines[i]) == 0) {
			last->sum.samples += writer->lines[i].sum.samples;
			last->sum.weight += writer->lines[i].sum.weight;
		} else {
			writer->lines[count++] = writer->lines[i];
		}
	}
	writer->line_count = count;
}

static struct sample_sum sum_of_line(const struct listing_writer *writer,
				     const struct code_part *part)
{
	const struct line_sum wanted = {.file = part->file, .line = part->line};
	const struct line_sum *found = writer->line_count > 0
					       ? bsearch(&wanted, writer->lines, writer->line_count,
							 sizeof(*writer->lines), compare_line_sums)
					       : NULL;

	return found ? found->sum : (struct sample_sum){0};
}

static void write_file(struct listing_writer *writer, const struct code_part *part)
{
	writer->is_its_file = writer->input->file && strcmp(part->text, writer->input->file) == 0;
	strbuf_add(&writer->line, "# ");
	text_append_safe(&writer->line, part->text, strlen(part->text), writer->input->ascii);
	if (part->source == CODE_SOURCE_ABSENT)
		strbuf_add(&writer->line, " (cannot be read)");
	if (part->source == CODE_SOURCE_NEWER)
		strbuf_add(&writer->line, " (newer than the program)");
	end_line(writer);
}

/* Writes a mark where lines are left out. */
static void write_source_line(struct listing_writer *writer, const struct code_part *part)
{
	const struct sample_sum sum = sum_of_line(writer, part);

	if (writer->file == part->file && writer->source_line + 1 < part->line) {
		strbuf_printf(&writer->line, "%*s", SHARE_WIDTH + SAMPLES_WIDTH + LINE_WIDTH,
			      "...");
		end_line(writer);
	}
	if (writer->is_its_file && part->line == writer->input->line)
		writer->found = writer->count;
	add_sum(writer, &sum);
	strbuf_printf(&writer->line, "%*" PRIu32, LINE_WIDTH, part->line);
	append_text(writer, part->text);
	end_line(writer);
	writer->file = part->file;
	writer->source_line = part->line;
}

static void write_source_lines(struct listing_writer *writer)
{
	const struct listing *listing = writer->input->listing;

	walk_instructions(writer, note_line);
	join_lines(writer);
	strbuf_printf(&writer->line, "%*s%*s%*s  %s", SHARE_WIDTH, "SHARE %", SAMPLES_WIDTH,
		      "SAMPLES", LINE_WIDTH, "LINE", "SOURCE");
	end_line(writer);
	for (size_t i = 0; i < listing->count; i++)
		if (listing->parts[i].kind == CODE_FILE)
			write_file(writer, &listing->parts[i]);
		else if (listing->parts[i].kind == CODE_LINE)
			write_source_line(writer, &listing->parts[i]);
}

/* --- assembler */

static int compare_targets(const void *a, const void *b)
{
	const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return one < other ? -1 : one > other;
}

/* Where the jumps of the function lead, ascending. The caller frees it. */
static uint64_t *list_targets(const struct listing *listing, size_t *count)
{
	uint64_t *targets = xcalloc(listing->count + 1, sizeof(*targets));

	*count = 0;
	for (size_t i = 0; i < listing->count; i++)
		if (listing->parts[i].target != 0)
			targets[(*count)++] = listing->parts[i].target;
	qsort(targets, *count, sizeof(*targets), compare_targets);
	return targets;
}

static int compare_parts(const void *a, const void *b)
{
	const struct code_part *one = a, *other = b;

	if (one->file != other->file)
		return one->file < other->file ? -1 : 1;
	return one->line < other->line ? -1 : one->line > other->line;
}

/* The line that an instruction was made of; NULL: it is not known. Lines are the last parts, by
 * file and line. */
static const struct code_part *line_of_instruction(const struct listing *listing,
						   const struct code_part *instruction)
{
	size_t first = 0;

	while (first < listing->count && listing->parts[first].kind == CODE_INSTRUCTION)
		first++;
	return instruction->file != 0 && first < listing->count
		       ? bsearch(instruction, listing->parts + first, listing->count - first,
				 sizeof(*listing->parts), compare_parts)
		       : NULL;
}

static void write_source_of(struct listing_writer *writer, const struct code_part *part)
{
	const struct code_part *line = line_of_instruction(writer->input->listing, part);

	if (!line || (part->file == writer->file && part->line == writer->source_line))
		return;
	writer->file = part->file;
	writer->source_line = part->line;
	strbuf_printf(&writer->line, "%*" PRIu32, SHARE_WIDTH + SAMPLES_WIDTH + LINE_WIDTH,
		      part->line);
	append_text(writer, line->text);
	end_line(writer);
}

static void write_instruction(struct listing_writer *writer, const struct code_part *part,
			      const struct sample_sum *sum)
{
	const bool is_target = bsearch(&part->at, writer->targets, writer->target_count,
				       sizeof(*writer->targets), compare_targets);

	write_source_of(writer, part);
	add_sum(writer, sum);
	strbuf_printf(&writer->line, "%*" PRIx64 "%s", ADDRESS_WIDTH, part->address,
		      is_target ? " >" : "  ");
	append_text(writer, part->text);
	end_line(writer);
}

static void write_assembler(struct listing_writer *writer)
{
	writer->targets = list_targets(writer->input->listing, &writer->target_count);
	strbuf_printf(&writer->line, "%*s%*s%*s    %s", SHARE_WIDTH, "SHARE %", SAMPLES_WIDTH,
		      "SAMPLES", ADDRESS_WIDTH, "ADDRESS", "INSTRUCTION (>: a jump leads here)");
	end_line(writer);
	walk_instructions(writer, write_instruction);
	free(writer->targets);
}

/* --- where no code can be read */

static void write_addresses(struct listing_writer *writer)
{
	const struct function_addresses *addresses = writer->input->addresses;

	strbuf_printf(&writer->line, "%*s%*s%*s", SHARE_WIDTH, "SHARE %", SAMPLES_WIDTH, "SAMPLES",
		      ADDRESS_WIDTH, "ADDRESS");
	end_line(writer);
	for (size_t i = 0; i < addresses->count; i++) {
		add_sum(writer, &(struct sample_sum){addresses->items[i].samples,
						     addresses->items[i].weight});
		strbuf_printf(&writer->line, "  %*" PRIx64, ADDRESS_WIDTH - 2,
			      addresses->items[i].at);
		end_line(writer);
	}
}

/* --- what is said of it as a whole */

static void write_head(struct listing_writer *writer)
{
	const struct function_addresses *addresses = writer->input->addresses;
	const struct listing *listing = writer->input->listing;
	const double pct = addresses->all_weight > 0 ? 100.0 * (double)addresses->weight /
							       (double)addresses->all_weight
						     : 0;
	uint64_t located = 0;

	for (size_t i = 0; i < addresses->count; i++)
		located += addresses->items[i].samples;
	strbuf_printf(&writer->line, "self %.1f %%, %" PRIu64 " sample%s", pct, addresses->samples,
		      units_plural(addresses->samples));
	if (located < addresses->samples)
		strbuf_printf(&writer->line,
			      ", %" PRIu64 " of them at addresses that are not known",
			      addresses->samples - located);
	end_line(writer);
	if (listing->is_pending)
		strbuf_add(&writer->line, "the code is being read");
	else if (listing->why[0] != '\0')
		strbuf_add(&writer->line, listing->why);
	else if (!listing_has_source(listing))
		strbuf_add(&writer->line, "no lines of source: the file has no debug information, "
					  "and none was found");
	if (writer->line.length > 0)
		end_line(writer);
}

static void write_body(struct listing_writer *writer)
{
	if (writer->input->listing->count == 0)
		write_addresses(writer);
	else if (writer->input->is_assembler)
		write_assembler(writer);
	else
		write_source_lines(writer);
}

size_t listing_write(struct strbuf *out, const struct listing_input *input)
{
	struct listing_writer writer = {.input = input, .out = out};

	text_marks_clear(input->marks);
	write_head(&writer);
	if (!input->listing->is_pending)
		write_body(&writer);
	free(writer.lines);
	strbuf_fini(&writer.line);
	return writer.found > 0 ? writer.found : writer.hottest;
}
