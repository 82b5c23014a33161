/* What the view of CPUs says of interrupts. */
#include <math.h>

#include "base/strbuf.h"
#include "model/snapshot.h"
#include "view/footer.h"
#include "view/interrupts.h"
#include "view/request.h"

#include "unit.h"

static const struct snapshot_interrupt interrupts[] = {
	{.cpu = 0, .kind = INTERRUPT_SOFT, .name = "NET_RX", .count = 40, .ns = 200},
	{.cpu = 0, .kind = INTERRUPT_HARD, .name = "eth0", .count = 20, .ns = 100},
	{.cpu = 0, .kind = INTERRUPT_SOFT, .name = "TIMER", .count = 1, .ns = 50},
	{.cpu = 2, .kind = INTERRUPT_VECTOR, .name = "local_timer", .count = 2, .ns = 10},
};

UNIT_TEST(cpu_interrupts_are_summed_by_cpu_and_kind)
{
	const struct snapshot snapshot = {
		.interval_ns = 1000,
		.interrupts = interrupts,
		.interrupt_count = 4,
		.has_interrupts = true,
	};

	assert_int_equal(cpu_interrupts_pct(&snapshot, 0, true), 25);
	assert_int_equal(cpu_interrupts_pct(&snapshot, 0, false), 10);
	assert_int_equal(cpu_interrupts_rate(&snapshot, 0, true), 41000000);
	assert_int_equal(cpu_interrupts_rate(&snapshot, 2, false), 2000000);
	assert_int_equal(cpu_interrupts_pct(&snapshot, 1, true), 0);
	assert_string_equal(cpu_top_interrupt(&snapshot, 0), "NET_RX");
	assert_null(cpu_top_interrupt(&snapshot, 1));
	assert_string_equal(cpu_top_interrupt(&snapshot, 2), "local_timer");
	assert_null(cpu_top_interrupt(&snapshot, 3));
}

UNIT_TEST(cpu_interrupts_that_were_not_asked_for_are_unknown)
{
	const struct snapshot snapshot = {.interval_ns = 1000};

	assert_true(isnan(cpu_interrupts_pct(&snapshot, 0, true)));
	assert_true(isnan(cpu_interrupts_rate(&snapshot, 0, false)));
	assert_null(cpu_top_interrupt(&snapshot, 0));
}

UNIT_TEST(cpu_interrupts_of_all_are_below_as_many_as_have_room)
{
	static const struct snapshot_interrupt all[] = {
		{.cpu = 0,
		 .kind = INTERRUPT_SOFT,
		 .number = 3,
		 .name = "NET_RX",
		 .count = 40,
		 .ns = 200},
		{.cpu = 0,
		 .kind = INTERRUPT_HARD,
		 .number = 3,
		 .name = "eth\x1b",
		 .count = 20,
		 .ns = 400},
		{.cpu = 2,
		 .kind = INTERRUPT_SOFT,
		 .number = 3,
		 .name = "NET_RX",
		 .count = 2,
		 .ns = 300},
	};
	const struct snapshot snapshot =
				      {
					      .interval_ns = 1000000000,
					      .interrupts = all,
					      .interrupt_count = 3,
					      .has_interrupts = true,
				      },
			      unknown = {.interval_ns = 1000000000};
	const struct view_request request = {.ascii = true};
	struct footer_input input = {.request = &request, .snapshot = &snapshot, .width = 80};
	struct strbuf out = {0};

	interrupts_footer_write(&out, &input);
	assert_string_equal(strbuf_text(&out),
			    "interrupts: NET_RX 0.00 % 42.0/s, eth\\x1B 0.00 % 20.0/s");
	input.width = (int)out.length - 1;
	strbuf_clear(&out);
	interrupts_footer_write(&out, &input);
	assert_string_equal(strbuf_text(&out), "interrupts: NET_RX 0.00 % 42.0/s");
	input.snapshot = &unknown;
	strbuf_clear(&out);
	interrupts_footer_write(&out, &input);
	assert_string_equal(strbuf_text(&out), "");
	strbuf_fini(&out);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
