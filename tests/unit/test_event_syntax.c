/* Event lists taken apart: forms, ends of events, modifiers, and where a fault is said to be. */

#include "event/event.h"
#include "event/syntax.h"
#include "unit.h"

/* A part of an event. */
#define assert_part(event, part, expected)                                                         \
	assert_string_equal((event).parts + (event).part, expected)

static struct syntax_list parse(const char *text)
{
	struct syntax_list list;
	size_t position;
	const char *message = "";

	if (!syntax_parse(text, &list, &position, &message))
		fail_msg("%s: at %zu: %s", text, position, message);
	return list;
}

/* The only event of a text. */
static struct syntax_event parse_one(const char *text)
{
	struct syntax_list list = parse(text);
	struct syntax_event event = list.events[0];

	assert_int_equal(list.count, 1);
	syntax_list_fini(&list);
	return event;
}

UNIT_TEST(syntax_parse_names_keep_their_colons)
{
	static const char *const names[] = {
		"cycles",
		"cycles:u",
		"skl::INST_RETIRED:ANY:u=1",
		"sched:sched_switch",
		"real",
		"rz1",
		"r",
		"memory",
		"L1-dcache-loads",
	};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct syntax_event event = parse_one(names[i]);

		assert_int_equal(event.form, SYNTAX_NAME);
		assert_string_equal(event.text, names[i]);
		assert_int_equal(event.modifiers.letters, 0);
		assert_int_equal(event.brace, -1);
	}
}

UNIT_TEST(syntax_parse_list_is_split_at_commas_outside_of_slashes)
{
	struct syntax_list list =
		parse("cycles, cpu/event=1,umask=2/u ,g:n/a == \"x,/y\" && b/,r1\t,mem:0x10/4:w");

	assert_int_equal(list.count, 5);
	assert_string_equal(list.events[0].text, "cycles");
	assert_string_equal(list.events[1].text, "cpu/event=1,umask=2/u");
	assert_part(list.events[1], name, "cpu");
	assert_part(list.events[1], inside, "event=1,umask=2");
	assert_int_equal(list.events[1].modifiers.letters, MODIFIER_USER);
	assert_part(list.events[2], name, "g");
	assert_part(list.events[2], tail, "n");
	assert_part(list.events[2], inside, "a == \"x,/y\" && b");
	assert_string_equal(list.events[3].text, "r1");
	assert_string_equal(list.events[4].text, "mem:0x10/4:w");
	syntax_list_fini(&list);
}

UNIT_TEST(syntax_parse_modifiers_behind_a_slash_may_have_a_colon)
{
	assert_int_equal(parse_one("msr/tsc/:kp").modifiers.letters, MODIFIER_KERNEL);
	assert_int_equal(parse_one("msr/tsc/kp").modifiers.precise, 1);
	assert_part(parse_one("msr//"), inside, "");
}

UNIT_TEST(syntax_parse_braces_number_their_events)
{
	struct syntax_list list = parse("a,{b,c/x,y/}:uk,d,{ e }");

	assert_int_equal(list.count, 5);
	assert_int_equal(list.events[0].brace, -1);
	assert_int_equal(list.events[1].brace, 0);
	assert_int_equal(list.events[2].brace, 0);
	assert_int_equal(list.events[3].brace, -1);
	assert_int_equal(list.events[4].brace, 1);
	assert_int_equal(list.events[1].outer.letters, MODIFIER_USER | MODIFIER_KERNEL);
	assert_int_equal(list.events[2].outer.letters, MODIFIER_USER | MODIFIER_KERNEL);
	assert_string_equal(list.events[2].outer_text, "uk");
	assert_int_equal(list.events[0].outer.letters, 0);
	assert_int_equal(list.events[3].outer.letters, 0);
	assert_int_equal(list.events[4].outer.letters, 0);
	assert_string_equal(list.events[4].text, "e");
	syntax_list_fini(&list);
}

UNIT_TEST(syntax_parse_raw_breakpoints_and_probes_have_their_parts)
{
	static const struct {
		const char *text;
		enum syntax_form form;
		uint64_t number, length;
		unsigned int access, letters;
		const char *name, *inside; /* of a probe */
		bool returns;
	} cases[] = {
		{"r01C2:uH", SYNTAX_RAW, 0x1c2, 0, 0, MODIFIER_USER | MODIFIER_HOST, NULL, NULL, 0},
		{"rffffffffffffffff", SYNTAX_RAW, UINT64_MAX, 0, 0, 0, NULL, NULL, 0},
		{"r0x1c2", SYNTAX_RAW, 0x1c2, 0, 0, 0, NULL, NULL, 0},
		{"r0x", SYNTAX_NAME, 0, 0, 0, 0, NULL, NULL, 0},
		{"r10000000000000000", SYNTAX_NAME, 0, 0, 0, 0, NULL, NULL, 0},
		{"mem:0xffffffff81000000/8:rw:kH", SYNTAX_BREAKPOINT, 0xffffffff81000000, 8,
		 ACCESS_READ | ACCESS_WRITE, MODIFIER_KERNEL | MODIFIER_HOST, NULL, NULL, 0},
		{"mem:4096", SYNTAX_BREAKPOINT, 4096, 0, 0, 0, NULL, NULL, 0},
		{"mem:1:x", SYNTAX_BREAKPOINT, 1, 0, ACCESS_EXECUTE, 0, NULL, NULL, 0},
		{"mem:1:u", SYNTAX_BREAKPOINT, 1, 0, 0, MODIFIER_USER, NULL, NULL, 0},
		{"uprobe:/usr/lib/lib c.so.6:malloc+0x10", SYNTAX_UPROBE, 0x10, 0, 0, 0, "malloc",
		 "/usr/lib/lib c.so.6", false},
		{"uretprobe:/a:b/c:main:u", SYNTAX_UPROBE, 0, 0, 0, MODIFIER_USER, "main", "/a:b/c",
		 true},
		{"uprobe:/bin/x:u", SYNTAX_UPROBE, 0, 0, 0, 0, "u", "/bin/x", false},
		{"uprobe:./x:0x1234", SYNTAX_UPROBE, 0, 0, 0, 0, "0x1234", "./x", false},
		{"uprobe:./x:f+1:force:u", SYNTAX_UPROBE, 1, 0, 0, MODIFIER_USER, "f", "./x",
		 false},
		{"uprobe:./x:force", SYNTAX_UPROBE, 0, 0, 0, 0, "force", "./x", false},
		{"kprobe:do_exit+16:k", SYNTAX_KPROBE, 16, 0, 0, MODIFIER_KERNEL, "do_exit", NULL,
		 false},
		{"kretprobe:do_exit", SYNTAX_KPROBE, 0, 0, 0, 0, "do_exit", NULL, true},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct syntax_event event = parse_one(cases[i].text);

		begin_case(cases[i].text);
		assert_int_equal(event.form, cases[i].form);
		assert_int_equal(event.number, cases[i].number);
		assert_int_equal(event.length, cases[i].length);
		assert_int_equal(event.access, cases[i].access);
		assert_int_equal(event.modifiers.letters, cases[i].letters);
		assert_int_equal(event.returns, cases[i].returns);
		if (cases[i].name)
			assert_part(event, name, cases[i].name);
		if (cases[i].inside)
			assert_part(event, inside, cases[i].inside);
	}
}

/* Of what has no other terms it is the end. */
UNIT_TEST(syntax_parse_rate_of_probes_breakpoints_and_tracepoints)
{
	static const struct {
		const char *text;
		enum syntax_form form;
		uint64_t period, freq;
	} cases[] = {
		{"mem:4096/8:rw/period=3/", SYNTAX_BREAKPOINT, 3, 0},
		{"mem:4096:w/freq=0x10/", SYNTAX_BREAKPOINT, 0, 16},
		{"uprobe:/bin/x:main/period=1/", SYNTAX_UPROBE, 1, 0},
		{"kprobe:do_exit+16/period=2/", SYNTAX_KPROBE, 2, 0},
		{"sched:sched_switch/period=10/", SYNTAX_NAME, 10, 0},
		{"sched:sched_switch/period==10/", SYNTAX_SLASHES, 0, 0},
		{"sched:sched_switch/period=0/", SYNTAX_SLASHES, 0, 0},
		{"cycles/period=10/", SYNTAX_SLASHES, 0, 0}, /* terms like others */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct syntax_event event = parse_one(cases[i].text);

		begin_case(cases[i].text);
		assert_int_equal(event.form, cases[i].form);
		assert_int_equal(event.period, cases[i].period);
		assert_int_equal(event.freq, cases[i].freq);
		assert_string_equal(event.text, cases[i].text);
	}
}

UNIT_TEST(syntax_parse_fault_has_position_and_sentence)
{
	static const struct {
		const char *text;
		size_t position;
		const char *contains;
	} faults[] = {
		{"", 0, "missing"},
		{"  ", 2, "missing"},
		{"a,", 2, "missing"},
		{"a,,b", 2, "missing"},
		{"{}", 1, "missing"},
		{"{a", 0, "not closed"},
		{"x,{a,b", 2, "not closed"},
		{"{a,{b}}", 3, "cannot be nested"},
		{"{a{b}}", 2, "comma"},
		{"a}", 1, "never opened"},
		{"{a}b", 3, "comma"},
		{"a{b}", 1, "comma"},
		{"{a}:", 4, "modifiers are missing"},
		{"{a}:uz", 4, "letters of"},
		{"cpu/event=1", 3, "not closed"},
		{"cpu/name='a/", 3, "not closed"},
		{"/a/", 0, "name"},
		{"cpu/a/b/c/", 7, "slash too many"},
		{"cpu/a/z", 6, "letters of"},
		{"cpu/a/:", 7, "missing"},
		{"a,r1:uu", 5, "twice"},
		{"r1:pppp", 3, "three p"},
		{"r1:", 3, "missing"},
		{"mem:", 4, "number"},
		{"mem:0x", 4, "number"},
		{"mem:zz", 4, "number"},
		{"mem:0x10000000000000000", 4, "number"},
		{"mem:1/3", 6, "1, 2, 4 or 8"},
		{"mem:1/", 6, "number"},
		{"mem:1/4x", 6, "number"},
		{"mem:1+", 5, "colon"},
		{"mem:1:ww", 6, "r, w, x"},
		{"mem:1:", 6, "r, w, x"},
		{"mem:1:w:z", 8, "letters of"},
		{"uprobe:/bin/x", 7, "uprobe:FILE:FUNCTION"},
		{"uprobe::main", 7, "uprobe:FILE:FUNCTION"},
		{"uprobe:/bin/x:", 14, "function"},
		{"uprobe:/bin/x:+4", 14, "function"},
		{"uprobe:/bin/x:f+", 16, "number"},
		{"uprobe:/bin/x:f+0x1-", 19, "not part of a number"},
		{"uretprobe:/bin/x:f+4", 18, "return probe"},
		{"kprobe:", 7, "function"},
		{"kprobe:a:b", 8, "no colon"},
		{"a,b\001", 3, "control"},
	};

	for (size_t i = 0; i < COUNT_OF(faults); i++) {
		struct syntax_list list;
		size_t position = 999;
		const char *message = "";

		if (syntax_parse(faults[i].text, &list, &position, &message))
			fail_msg("%s: accepted", faults[i].text);
		if (position != faults[i].position || strstr(message, faults[i].contains) == NULL)
			fail_msg("%s: at %zu: %s", faults[i].text, position, message);
		assert_int_equal(list.count, 0);
		assert_null(list.events);
	}
}

UNIT_TEST(syntax_parse_event_of_256_bytes_is_too_long)
{
	char text[300];
	struct syntax_list list;
	size_t position;
	const char *message;

	memset(text, 'a', sizeof(text));
	text[255] = '\0';
	assert_int_equal(strlen(parse_one(text).text), 255);

	text[255] = 'a';
	text[256] = '\0';
	assert_false(syntax_parse(text, &list, &position, &message));
	assert_int_equal(position, 0);
}

static void apply(const char *own, const char *outer, struct event_spec *spec)
{
	struct syntax_modifiers a = {0}, b = {0};
	const char *message;

	assert_true(*own == '\0' || syntax_modifiers_parse(own, &a, &message));
	assert_true(*outer == '\0' || syntax_modifiers_parse(outer, &b, &message));
	*spec = (struct event_spec){0};
	syntax_modifiers_apply(&a, &b, spec);
}

/* What perf 6.1 does with the same letters. */
UNIT_TEST(syntax_modifiers_apply_is_as_in_perf)
{
	static const struct {
		const char *own, *outer;
		const char *excluded; /* of u k h H G I */
		bool guest_is_default;
	} cases[] = {
		{"", "", "G", true},      {"u", "", "khG", true},   {"k", "", "uh", false},
		{"h", "", "uk", false},   {"uk", "", "hG", true},   {"kh", "", "u", false},
		{"ukh", "", "G", true},   {"H", "", "G", false},    {"G", "", "H", false},
		{"GH", "", "", false},    {"uG", "", "khH", false}, {"uH", "", "khG", false},
		{"ukhG", "", "H", false}, {"I", "", "I", false},    {"Ip", "", "GI", true},
		{"p", "", "G", true},     {"Gp", "", "H", false},   {"u", "k", "hG", true},
		{"", "k", "uhG", true},   {"", "u", "khG", true},   {"k", "u", "hG", true},
		{"G", "u", "khH", false}, {"u", "G", "khH", false}, {"G", "H", "", false},
		{"", "GI", "HI", false},  {"P", "", "G", true},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct event_spec spec;
		char excluded[8];

		apply(cases[i].own, cases[i].outer, &spec);

		snprintf(excluded, sizeof(excluded), "%s%s%s%s%s%s", spec.exclude_user ? "u" : "",
			 spec.exclude_kernel ? "k" : "", spec.exclude_hv ? "h" : "",
			 spec.exclude_host ? "H" : "", spec.exclude_guest ? "G" : "",
			 spec.exclude_idle ? "I" : "");
		if (strcmp(excluded, cases[i].excluded) != 0 ||
		    spec.guest_is_default != cases[i].guest_is_default) {
			fail_msg("own \"%s\", outer \"%s\": excluded \"%s\", default %d",
				 cases[i].own, cases[i].outer, excluded, spec.guest_is_default);
		}
	}
}

UNIT_TEST(syntax_modifiers_precise_is_kept)
{
	struct event_spec spec;

	apply("pp", "p", &spec);
	assert_int_equal(spec.precise, 3);
	assert_false(spec.is_most_precise);
	apply("uP", "", &spec);
	assert_int_equal(spec.precise, 0);
	assert_true(spec.is_most_precise);
	apply("u", "P", &spec);
	assert_true(spec.is_most_precise);
}

/* Each with its own sentence; of a letter that perf does not have either it says which there are.
 */
UNIT_TEST(syntax_modifiers_that_only_perf_has_are_refused)
{
	static const struct {
		const char *letters, *contains;
	} refused[] = {
		{"uD", "D (pinned)"},   {"e", "e (exclusive)"}, {"Su", "S has no use here"},
		{"kW", "W (weak)"},     {"b", "BPF"},           {"R", "perf stat itself"},
		{"z", "letters of u,"}, {"PP", "twice"},
	};

	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		struct syntax_modifiers modifiers;
		const char *message;

		assert_false(syntax_modifiers_parse(refused[i].letters, &modifiers, &message));
		if (strstr(message, refused[i].contains) == NULL)
			fail_msg("%s: %s", refused[i].letters, message);
	}
}

UNIT_TEST(syntax_modifiers_apply_what_a_name_has_decided_stays)
{
	static const struct syntax_modifiers none = {0};
	static const struct syntax_modifiers user = {.letters = MODIFIER_USER};
	struct event_spec host = {.exclude_host = true}, guest = {.exclude_guest = true};

	syntax_modifiers_apply(&none, &none, &host);
	assert_false(host.exclude_guest);
	syntax_modifiers_apply(&user, &none, &host);
	assert_false(host.exclude_guest);
	syntax_modifiers_apply(&none, &none, &guest);
	assert_true(guest.exclude_guest);
	assert_false(guest.guest_is_default);
}

UNIT_MAIN(NULL, NULL)
