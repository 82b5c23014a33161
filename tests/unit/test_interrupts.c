/* Interrupts of CPU 0, where task 7 runs at first, from 1000 to 2000. */
#include "switch_kit.h"
#include "unit.h"

static struct model *model;
static const struct snapshot *snapshot;

static void interrupts(enum interrupt_kind kind, int32_t number, const char *name, bool is_entry,
		       uint64_t time_ns)
{
	const struct record record = {
		.kind = RECORD_INTERRUPT,
		.pid = 7,
		.tid = 7,
		.time_ns = time_ns,
		.interrupt = {(uint8_t)kind, is_entry, number, name},
	};

	model_feed(model, &record);
}

static void soft_begins(uint64_t time_ns)
{
	interrupts(INTERRUPT_SOFT, 3, "NET_RX", true, time_ns);
}

static void soft_ends(uint64_t time_ns)
{
	interrupts(INTERRUPT_SOFT, 3, NULL, false, time_ns);
}

static void hard_begins(uint64_t time_ns)
{
	interrupts(INTERRUPT_HARD, 3, "eth0", true, time_ns);
}

static void hard_ends(uint64_t time_ns)
{
	interrupts(INTERRUPT_HARD, 3, NULL, false, time_ns);
}

static void comes(int32_t prev, int32_t next, uint64_t time_ns)
{
	const struct record record = {
		.kind = RECORD_SWITCH,
		.pid = prev,
		.tid = prev,
		.time_ns = time_ns,
		.ctx_switch = {.next_pid = next, .next_tid = next},
	};

	model_feed(model, &record);
}

static void begins(bool are_wanted)
{
	model = kit_model(1);
	comes(RECORD_TASK_UNKNOWN, 7, 900);
	model_divide_life(model, are_wanted);
	model_start(model, 1000);
}

static void closes(uint64_t time_ns)
{
	snapshot = model_close_interval(model, time_ns);
}

/* How often it came, and how long it took. */
static void has(const char *name, uint64_t count, uint64_t ns)
{
	for (size_t i = 0; i < snapshot->interrupt_count; i++) {
		const struct snapshot_interrupt *interrupt = &snapshot->interrupts[i];

		if (strcmp(interrupt->name, name) != 0)
			continue;
		assert_int_equal(interrupt->cpu, 0);
		assert_int_equal(interrupt->count, count);
		assert_int_equal(interrupt->ns, ns);
		return;
	}
	assert_int_equal(count, 0);
}

static uint64_t irq_of(int32_t tid)
{
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].tid == tid)
			return snapshot->tasks[i].interval[QUANTITY_IRQ_NS];
	return 0;
}

UNIT_TEST(interrupts_that_come_in_a_soft_one_have_their_own_time)
{
	begins(true);
	soft_begins(1100);
	hard_begins(1110);
	hard_ends(1115);
	interrupts(INTERRUPT_VECTOR, 3, "local_timer", true, 1120);
	interrupts(INTERRUPT_VECTOR, 3, NULL, false, 1130);
	soft_ends(1200);
	hard_begins(1300);
	hard_ends(1301);
	closes(2000);

	has("NET_RX", 1, 85);
	has("eth0", 2, 6);
	has("local_timer", 1, 10);
	assert_true(snapshot->has_interrupts);
	assert_int_equal(snapshot->unknown & 1u << QUANTITY_IRQ_NS, 0);
	closes(3000);
	assert_int_equal(snapshot->interrupt_count, 0);
	model_destroy(model);
}

/* It has its own time since then, and so have those in it. */
UNIT_TEST(interrupts_that_go_on_when_an_interval_ends_are_split_there)
{
	begins(true);
	soft_begins(1100);
	hard_begins(1200);
	hard_ends(1500);
	closes(2000);
	hard_begins(2010);
	hard_ends(2020);
	soft_ends(2100);
	closes(3000);

	has("eth0", 1, 10);
	has("NET_RX", 1, 90);
	model_destroy(model);
}

/* Their numbers are of their kind and CPU. */
UNIT_TEST(interrupts_of_another_cpu_are_others)
{
	struct record soft = {.kind = RECORD_INTERRUPT, .cpu = 0, .pid = 7, .tid = 7};
	struct record hard = soft;

	soft.interrupt = (struct record_interrupt){INTERRUPT_SOFT, true, 1, "TIMER"};
	hard.interrupt = (struct record_interrupt){INTERRUPT_HARD, true, 1, "keyboard"};
	hard.cpu = 1;
	model = kit_model(1);
	model_divide_life(model, true);
	model_start(model, 1000);
	for (uint64_t ns = 1100; ns < 1300; ns += 100) {
		soft.time_ns = hard.time_ns = ns;
		soft.interrupt.is_entry = hard.interrupt.is_entry = ns == 1100;
		model_feed(model, &soft);
		model_feed(model, &hard);
	}
	closes(2000);

	assert_int_equal(snapshot->interrupt_count, 2);
	assert_string_equal(snapshot->interrupts[0].name, "TIMER");
	assert_string_equal(snapshot->interrupts[1].name, "keyboard");
	assert_int_equal(snapshot->interrupts[1].cpu, 1);
	model_destroy(model);
}

/* Be it one that asked for them or not; of idle they are no time. */
UNIT_TEST(interrupts_are_of_the_task_that_runs)
{
	model = kit_model(1);
	feed(model, reading(.cpu = 0, .seq = 10, .ns = 1000));
	feed(model, switch_in(.cpu = 0, .tid = 7, .prev = 5, .time = 1000));
	model_divide_life(model, true);
	model_start(model, 1000);
	hard_begins(1100);
	hard_ends(1105);
	soft_begins(1300);
	soft_ends(1340);
	feed(model, reading(.cpu = 0, .seq = 10, .ns = 1400));
	comes(7, 0, 1400);
	soft_begins(1500);
	soft_ends(1590);
	closes(2000);

	has("NET_RX", 2, 130);
	assert_int_equal(irq_of(7), 45);
	model_destroy(model);
}

UNIT_TEST(interrupts_of_which_an_end_is_missing_are_not_counted)
{
	begins(true);
	soft_ends(1010); /* began before it was asked for */
	hard_begins(1020);
	hard_begins(1030);
	hard_ends(1031);
	soft_begins(1040); /* a hard one in a soft one does not outlast it */
	hard_begins(1050);
	soft_ends(1060);
	hard_ends(1070);
	hard_begins(1080); /* nor does a soft one begin in it */
	soft_begins(1090);
	soft_ends(1092);
	interrupts(INTERRUPT_HARD, 4, "other", true, 1100);
	hard_ends(1110);
	closes(2000);

	has("NET_RX", 1, 2);
	has("eth0", 1, 1);
	has("other", 0, 0);
	model_destroy(model);
}

UNIT_TEST(interrupts_around_a_loss_or_a_switch_are_not_counted)
{
	const struct record lost = {.kind = RECORD_LOST, .time_ns = 1150, .lost = 1};

	begins(true);
	soft_begins(1100);
	model_feed(model, &lost);
	soft_ends(1200);
	soft_begins(1300); /* as in a task of the kernel that can be pushed out of it */
	comes(12, 7, 1310);
	comes(7, 12, 1380);
	soft_ends(1390);
	closes(2000);

	has("NET_RX", 0, 0);
	model_destroy(model);
}

UNIT_TEST(interrupts_before_the_first_interval_are_in_none)
{
	model = kit_model(1);
	comes(RECORD_TASK_UNKNOWN, 7, 900);
	model_divide_life(model, true);
	soft_begins(910);
	soft_ends(920);
	hard_begins(990);
	model_start(model, 1000);
	hard_ends(1010);
	closes(2000);

	has("NET_RX", 0, 0);
	has("eth0", 1, 10);
	model_destroy(model);
}

static void pass_on(void *context, const struct record *record)
{
	model_feed(context, record);
}

/* A recording begins there, or not. */
UNIT_TEST(interrupts_over_the_end_of_an_interval_have_the_rest_in_the_next)
{
	for (int is_begun = 0; is_begun < 2; is_begun++) {
		struct model *before;

		begins(true);
		soft_begins(1900);
		hard_begins(1990);
		closes(2000);
		before = model;
		if (is_begun) {
			model = model_create(model_layout(before));
			model_divide_life(model, true);
			model_resync(before, pass_on, model);
			model_start(model, 2000);
			model_destroy(before);
		}
		hard_ends(2010);
		soft_ends(2030);
		closes(3000);

		has("NET_RX", 1, 20);
		has("eth0", 1, 10);
		model_destroy(model);
	}
}

/* The kernel has soft ones among the system's time: what is more than that is the program's. */
UNIT_TEST(interrupts_are_taken_out_of_the_run_time)
{
	static const uint64_t MS = 1000000, S = 1000 * 1000000;
	static const struct {
		uint64_t irq_ms, user_ms, system_ms;
	} cases[] = {{0, 750, 250}, {100, 750, 150}, {400, 600, 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record use = {
			.kind = RECORD_CPU_USE,
			.cpu = RECORD_CPU_NONE,
			.pid = 7,
			.tid = 7,
			.time_ns = 1000,
		};

		model = kit_model(1);
		feed(model, reading(.cpu = 0, .seq = 10, .ns = 1000));
		feed(model, switch_in(.cpu = 0, .tid = 7, .prev = 5, .time = 1000));
		model_divide_life(model, true);
		model_start(model, 1000);
		model_feed(model, &use);
		use.cpu_use = (struct record_cpu_use){300 * MS, 100 * MS};
		model_feed(model, &use);
		soft_begins(2000);
		soft_ends(2000 + cases[i].irq_ms * MS);
		feed(model, reading(.cpu = 0, .seq = 10, .ns = S + 1000));
		closes(S + 1000);

		for (size_t t = 0; t < snapshot->task_count; t++) {
			const uint64_t *counts = snapshot->tasks[t].interval;

			if (snapshot->tasks[t].tid != 7)
				continue;
			assert_int_equal(counts[QUANTITY_IRQ_NS], cases[i].irq_ms * MS);
			assert_int_equal(counts[QUANTITY_USER_NS], cases[i].user_ms * MS);
			assert_int_equal(counts[QUANTITY_SYSTEM_NS], cases[i].system_ms * MS);
		}
		model_destroy(model);
	}
}

UNIT_TEST(interrupts_are_not_known_unless_they_are_asked_for)
{
	begins(false);
	soft_begins(1100);
	soft_ends(1200);
	closes(2000);

	assert_false(snapshot->has_interrupts);
	assert_int_equal(snapshot->interrupt_count, 0);
	model_destroy(model);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
