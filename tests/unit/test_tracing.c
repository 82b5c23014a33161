/* Formats of tracepoints from a tracefs of the test's own. */

#include <unistd.h>

#include "base/strbuf.h"

#include "fake_root.h"
#include "perfdata/tracing.h"
#include "unit.h"

static char tracefs[FAKE_PATH_BYTES];
static struct strbuf buffer; /* what is appended to */

static int setup(void **state)
{
	if (fake_root_setup(state) != 0)
		return -1;
	fake_root_path(tracefs, "/tracing");
	return 0;
}

static int tear_down(void **state)
{
	strbuf_fini(&buffer);
	return fake_root_teardown(state);
}

static void make_tracefs(void)
{
	fake_root_file("/tracing/events/header_page", "PAGE");
	fake_root_file("/tracing/events/header_event", "EVENT");
	fake_root_file("/tracing/events/enable", "0");
	fake_root_file("/tracing/events/sched/enable", "0");
	fake_root_file("/tracing/events/sched/sched_switch/id", "300\n");
	fake_root_file("/tracing/events/sched/sched_switch/format", "FORMAT OF SWITCH");
	fake_root_file("/tracing/events/sched/sched_wakeup/id", "301\n");
	fake_root_file("/tracing/events/sched/sched_wakeup/format", "FORMAT OF WAKEUP");
	fake_root_file("/tracing/events/irq/entry/id", "30\n");
	fake_root_file("/tracing/events/irq/entry/format", "FORMAT OF IRQ");
}

static bool has(const void *bytes, size_t size)
{
	return memmem(buffer.text, buffer.length, bytes, size) != NULL;
}

static bool has_text(const char *text)
{
	return has(text, strlen(text));
}

static void add_u32(struct strbuf *out, uint32_t number)
{
	strbuf_add_bytes(out, (const char *)&number, sizeof(number));
}

/* With its length. */
static void add_text(struct strbuf *out, const char *text)
{
	const uint64_t length = strlen(text);

	strbuf_add_bytes(out, (const char *)&length, sizeof(length));
	strbuf_add(out, text);
}

UNIT_TEST(tracing_append_has_every_part_in_its_order)
{
	struct tracing_query queries[] = {{.id = 301, .name = "sched:sched_wakeup"}};
	struct strbuf wanted = {0};

	make_tracefs();
	tracing_append(tracefs, queries, 1, &buffer);

	assert_true(queries[0].is_met);
	strbuf_add_bytes(&wanted, "\x17\x08\x44tracing0.6\0", 14);
	strbuf_add_char(&wanted, (char)(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	strbuf_add_char(&wanted, sizeof(long));
	add_u32(&wanted, (uint32_t)sysconf(_SC_PAGESIZE));
	strbuf_add_bytes(&wanted, "header_page", 12);
	add_text(&wanted, "PAGE");
	strbuf_add_bytes(&wanted, "header_event", 13);
	add_text(&wanted, "EVENT");
	add_u32(&wanted, 0); /* of ftrace */
	add_u32(&wanted, 1); /* groups */
	strbuf_add_bytes(&wanted, "sched", 6);
	add_u32(&wanted, 1); /* of the group */
	add_text(&wanted, "FORMAT OF WAKEUP");
	add_u32(&wanted, 0);   /* symbols */
	add_u32(&wanted, 0);   /* printk */
	add_text(&wanted, ""); /* names of tasks */
	assert_int_equal(buffer.length, wanted.length);
	assert_memory_equal(buffer.text, wanted.text, wanted.length);
	strbuf_fini(&wanted);
}

UNIT_TEST(tracing_append_has_groups_and_tracepoints_once)
{
	struct tracing_query queries[] = {
		{.id = 301, .name = "sched:sched_wakeup"},
		{.id = 30, .name = "irq:entry:u"},
		{.id = 300, .name = "sched:sched_switch/prev_prio < 9/"},
		{.id = 301, .name = "sched:sched_wakeup"},
	};
	const char sched[] = "sched\0\2\0\0", irq[] = "\2\0\0\0irq\0\1\0\0";

	make_tracefs();
	tracing_append(tracefs, queries, 4, &buffer);

	for (size_t i = 0; i < 4; i++)
		assert_true(queries[i].is_met);
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
		assert_true(has(sched, sizeof(sched)));
		assert_true(has(irq, sizeof(irq)));
	}
	assert_true(has_text("FORMAT OF SWITCH"));
	assert_true(has_text("FORMAT OF IRQ"));
	char *first = memmem(buffer.text, buffer.length, "OF WAKEUP", 9);
	assert_non_null(first);
	assert_null(memmem(first + 1, buffer.length - (size_t)(first + 1 - buffer.text),
			   "OF WAKEUP", 9));
}

UNIT_TEST(tracing_append_what_has_another_name_has_no_format)
{
	struct tracing_query queries[] = {
		{.id = 301, .name = "mine"},
		{.id = 300, .name = "sched:sched_wakeup"}, /* the name is wrong */
		{.id = 30, .name = ":"},
		{.id = 999, .name = "sched:gone"},
		{.id = 30, .name = "irq:entry"},
	};

	make_tracefs();
	tracing_append(tracefs, queries, 5, &buffer);

	for (size_t i = 0; i < 4; i++)
		assert_false(queries[i].is_met);
	assert_true(queries[4].is_met);
	assert_false(has_text("FORMAT OF WAKEUP"));
	assert_false(has_text("FORMAT OF SWITCH"));
	assert_true(has_text("FORMAT OF IRQ"));
}

UNIT_TEST(tracing_append_what_cannot_be_read_gives_nothing)
{
	struct tracing_query queries[] = {{.id = 300, .name = "sched:sched_switch"}};
	char page[FAKE_PATH_BYTES];

	tracing_append("", queries, 1, &buffer);
	assert_false(queries[0].is_met);
	tracing_append(tracefs, queries, 1, &buffer);
	assert_false(queries[0].is_met);
	make_tracefs();
	fake_root_path(page, "/tracing/events/header_page");
	assert_int_equal(remove(page), 0);
	tracing_append(tracefs, queries, 1, &buffer);
	assert_false(queries[0].is_met);
	assert_int_equal(buffer.length, 0);
}

UNIT_MAIN(setup, tear_down)
