/* Times as they are typed and shown, and the line with the slider. */

#include <locale.h>
#include <time.h>

#include "base/error.h"
#include "base/strbuf.h"

#include "playback/playback_parts.h"
#include "unit.h"

enum {
	NS_PER_S = 1000000000
};

/* From the 1000th second on for a quarter of an hour, on a day that began at 12:00:00. */
static struct playback_span span(void)
{
	return (struct playback_span){
		.first_ns = 1000ull * NS_PER_S,
		.last_ns = 1900ull * NS_PER_S,
		.now_ns = 1100ull * NS_PER_S,
		.wall_offset_ns = (INT64_C(1700049600) - 1000) * NS_PER_S,
	};
}

static double seconds_of(const char *text, const struct playback_span *given)
{
	const struct playback_span made = given != NULL ? *given : span();
	struct error error = {0};
	uint64_t time_ns;

	if (!playback_time_parse(text, &made, &time_ns, &error))
		fail_msg("%s: %s", text, error.text);
	return (double)time_ns / NS_PER_S - 1000;
}

static void assert_time(const char *text, double seconds)
{
	const double got = seconds_of(text, NULL);

	if (got < seconds - 1e-6 || got > seconds + 1e-6)
		fail_msg("%s: %f and not %f", text, got, seconds);
}

UNIT_TEST(parse_plain_is_since_the_beginning)
{
	assert_time("0", 0);
	assert_time("90", 90);
	assert_time("90s", 90);
	assert_time("1.5m", 90);
	assert_time("2 min", 120);
	assert_time("250ms", 0.25);
	assert_time("1:30", 90);
	assert_time("0:01.5", 1.5);
	assert_time("14:59", 899);
}

UNIT_TEST(parse_signed_is_from_here)
{
	assert_time("+90s", 190);
	assert_time("-10s", 90);
	assert_time("+1:30", 190);
	assert_time("-0:10", 90);
	assert_time("+10", 110);
}

UNIT_TEST(parse_percent_is_of_all)
{
	assert_time("0%", 0);
	assert_time("50%", 450);
	assert_time("100%", 900);
}

UNIT_TEST(parse_beyond_the_ends_is_the_end)
{
	assert_time("2h", 900);
	assert_time("-5m", 0);
	assert_time("+1h", 900);
}

UNIT_TEST(parse_time_of_the_day_is_of_the_wall_clock)
{
	assert_time("12:00:00", 0);
	assert_time("12:05:30", 330);
	assert_time("12:05:30.5", 330.5);
}

UNIT_TEST(parse_time_of_the_day_begun_already_is_the_beginning)
{
	struct playback_span given = span();

	given.wall_offset_ns += NS_PER_S / 2;
	assert_float_equal(seconds_of("12:00:00", &given), 0, 1e-9);
	assert_float_equal(seconds_of("12:00:01", &given), 0.5, 1e-6);
}

UNIT_TEST(parse_time_of_the_day_after_midnight_is_of_the_next)
{
	struct playback_span given = span();

	/* it begins at 23:50:00 */
	given.wall_offset_ns += (11 * 3600 + 50 * 60) * INT64_C(1000000000);
	assert_float_equal(seconds_of("00:01:00", &given), 660, 1e-6);
}

UNIT_TEST(parse_three_parts_of_a_long_recording_are_since_its_beginning)
{
	struct playback_span given = span();

	given.last_ns = given.first_ns + 3ull * 3600 * NS_PER_S;
	assert_float_equal(seconds_of("1:30:00", &given), 5400, 1e-6);
	assert_float_equal(seconds_of("12:30:00", &given), 1800, 1e-6);
}

static void assert_refused(const char *text, enum error_code code)
{
	const struct playback_span given = span();
	struct error error = {0};
	uint64_t time_ns = 7;

	if (playback_time_parse(text, &given, &time_ns, &error))
		fail_msg("%s is taken", text);
	assert_int_equal(error.code, code);
}

UNIT_TEST(parse_nonsense_is_refused)
{
	static const char *const nonsense[] = {
		"",        "x",   "1:",    ":30",      "1:60",
		"1:2:3:4", "1e3", "90x",   "%",        "101%",
		"-1%",     "+",   "-",     "+-5",      "--5",
		"nan",     "inf", "0x10",  "1:-5",     "1 2",
		"1:30s",   "..",  "1.2.3", "12:99:00", "99999999999999999999",
	};

	for (size_t i = 0; i < COUNT_OF(nonsense); i++)
		assert_refused(nonsense[i], ERROR_TIME_BAD);
}

UNIT_TEST(parse_time_of_another_hour_is_refused)
{
	assert_refused("11:00:00", ERROR_TIME_OUTSIDE);
	assert_refused("12:15:01", ERROR_TIME_OUTSIDE);
}

UNIT_TEST(parse_time_of_the_day_needs_a_known_wall_clock)
{
	struct playback_span given = span();
	struct error error = {0};
	uint64_t time_ns;

	given.wall_offset_ns = INT64_MIN / 2;
	assert_false(playback_time_parse("12:00:00", &given, &time_ns, &error));
	assert_int_equal(error.code, ERROR_TIME_OUTSIDE);
}

UNIT_TEST(write_times)
{
	char text[PLAYBACK_TIME_MAX];

	playback_time_write(7400000000, false, text);
	assert_string_equal(text, "0:07");
	playback_time_write(7490000000, true, text);
	assert_string_equal(text, "0:07.4");
	playback_time_write(750ull * NS_PER_S, false, text);
	assert_string_equal(text, "12:30");
	playback_time_write(3723ull * NS_PER_S, true, text);
	assert_string_equal(text, "1:02:03.0");
	playback_time_write(UINT64_MAX, true, text);
	assert_string_equal(text, "5124095:34:33.7");
}

UNIT_TEST(write_clocks)
{
	char text[PLAYBACK_TIME_MAX];

	playback_time_write_clock(INT64_C(1700049607) * NS_PER_S + 950000000, false, text);
	assert_string_equal(text, "12:00:07");
	playback_time_write_clock(INT64_C(1700049607) * NS_PER_S + 950000000, true, text);
	assert_string_equal(text, "12:00:07.9");
	playback_time_write_clock(-1, true, text);
	assert_string_equal(text, "");
}

static void assert_slider(const struct slider *slider, const char *expected, int mark)
{
	struct strbuf out = {0};
	const int got = slider_write(slider, &out).mark;

	assert_string_equal(strbuf_text(&out), expected);
	assert_int_equal(got, mark);
	strbuf_fini(&out);
}

/* clang-format off */
UNIT_TEST(slider_is_one_line)
{
	static const double many[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0.001}, two[] = {1, 2}, one[] = {1};
	static const struct {
		const char *name;
		struct slider slider; /* left, right, loads, load_count, place, width, ascii */
		const char *line;
		int mark;
	} cases[] = {
		{"blocks are as high as much happens", {"at", "end", many, 10, 0, 19, false}, "at  ┃▂▃▄▅▆▇██▁  end", 4},
		{"the mark is where we are", {"at", "end", many, 10, 0.95, 19, false}, "at   ▂▃▄▅▆▇██┃  end", 13},
		{"blocks in ASCII", {"at", "end", many, 10, 0, 19, true}, "at  |:-=+*%##.  end", 4},
		{"a strip wider than its parts repeats them", {"", "", two, 2, 0, 12, true}, "  |+++####  ", 2},
		{"a place before the beginning is there", {"", "", one, 1, -3, 12, true}, "  |#######  ", 2},
		{"a place behind the end is there", {"", "", one, 1, 7, 12, true}, "  #######|  ", 9},
		{"unknown loads are a line", {"", "", NULL, 0, 0.5, 12, false}, "  ────┃───  ", 6},
		{"unknown loads in ASCII", {"", "", NULL, 0, 0.5, 12, true}, "  ----|---  ", 6},
		{"narrow: without the right words", {"stopped", "12:03", NULL, 0, 0, 23, true}, "stopped  |-------------", 9},
		{"wide enough for them", {"stopped", "12:03", NULL, 0, 0, 24, true}, "stopped  |-------  12:03", 9},
		{"narrower: without the strip", {"stopped", "12:03", NULL, 0, 0, 16, false}, "stopped", -1},
		{"no room at all", {"stopped", "12:03", NULL, 0, 0, 0, false}, "stopped", -1},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		assert_slider(&cases[i].slider, cases[i].line, cases[i].mark);
	}
}
/* clang-format on */

UNIT_TEST(slider_burst_is_seen_in_a_long_recording)
{
	double loads[1000];

	for (size_t i = 0; i < 1000; i++)
		loads[i] = i == 555 ? 100 : 1;
	assert_slider(&(struct slider){"", "", loads, 1000, 0, 14, false}, "  ┃▁▁▁▁█▁▁▁▁  ", 2);
}

static int set_zone_and_locale(void **state)
{
	setlocale(LC_ALL, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	tzset();
	return 0;
}

int main(void)
{
	return unit_run_group(NULL, NULL, set_zone_and_locale, NULL);
}
