/*
 * Fuzz target: texts and packets from which symbols are read. Any /proc/kallsyms and any
 * /tmp/perf-PID.map give a table in which each address has one answer; any name means something of
 * bounded length; a packet of the helper is read to its end or to its first fault.
 */
#include "base/strbuf.h"

#include "fuzz.h"
#include "symbol/demangle.h"
#include "symbol/table.h"
#include "symbol/text_symbols.h"
#include "symbol/wire.h"

enum {
	NAME_MAX_BYTES = 1 << 17
};

static void check_address(const struct function_table *table, uint64_t address)
{
	uint64_t start, end;
	const struct function_row *function = table_find(table, address, &start, &end);

	require(start <= address && address < end);
	if (!function)
		return;
	require(function->start <= start && end <= function->end);
	require(strlen(table_text(table, function->name)) <= TABLE_NAME_BYTES);
	require(strlen(table_text(table, function->module)) < SIZE_MAX);
}

static void check_table(struct function_table *table)
{
	check_address(table, 0);
	check_address(table, UINT64_MAX - 1);
	for (size_t i = 0; i < table->count; i++) {
		require(i == 0 || table->functions[i - 1].start < table->functions[i].start);
		require(table->functions[i].start < table->functions[i].end);
		check_address(table, table->functions[i].start);
		check_address(table, table->functions[i].end - 1);
		if (table->functions[i].end < UINT64_MAX)
			check_address(table, table->functions[i].end);
	}
	table_fini(table);
}

static void check_texts(const uint8_t *data, size_t size)
{
	struct function_table table = {0};
	char *text = fuzz_text("ffffffff81000000 T a\n", data, size);
	char *other = fuzz_text("1000 10 a\n", data, size);
	uint64_t address;

	kallsyms_parse(&table, text, strlen(text), "a", &address);
	check_table(&table);
	jit_map_parse(&table, other, 10 + size);
	check_table(&table);
	free(text);
	free(other);
}

static void check_name(const char *beginning, const uint8_t *data, size_t size)
{
	struct strbuf name = {0};
	char *text = fuzz_text(beginning, data, size);

	demangle(&name, text);
	require(strlen(strbuf_text(&name)) == name.length && name.length < NAME_MAX_BYTES);
	strbuf_fini(&name);
	free(text);
}

static void check_packet(const uint8_t *data, size_t size)
{
	char *packet = fuzz_copy(data, size);
	struct codec reader = codec_of(packet, size);
	struct wire_head head = {0};

	wire_head(&reader, &head);
	require(head.facts.reason < SYMBOL_REASON_COUNT);
	while (reader.at < reader.end && !reader.has_failed) {
		struct address_answer answer = {0};

		wire_answer(&reader, &answer);
		require(answer.line_count <= ANSWER_LINES_MAX);
		for (size_t i = 0; i < answer.line_count; i++)
			require(strlen(answer.lines[i].file) <= WIRE_TEXT_BYTES);
	}
	require(reader.at <= reader.end);
	free(packet);
}

/* What a reader that was taken over asks to be opened. */
static void check_request(const uint8_t *data, size_t size)
{
	char *packet = fuzz_copy(data, size);
	struct codec reader = codec_of(packet, size);
	struct wire_object object = {0};
	struct symbol_stack stack = {0};

	wire_object(&reader, &object);
	require(object.kind <= SYMBOL_OBJECT_UNKNOWN && object.build_id_size <= 20);
	require(strlen(object.name) <= WIRE_TEXT_BYTES);
	wire_stack(&reader, &stack);
	require(reader.has_failed ||
		(stack.size <= WIRE_PACKET_BYTES && stack.register_count <= WIRE_REGISTERS_MAX));
	require(reader.at <= reader.end);
	free(packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_texts(data, size);
	check_name("_Z", data, size);
	check_name("_R", data, size);
	check_packet(data, size);
	check_request(data, size);
	return 0;
}
