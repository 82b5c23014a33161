/* Record time is in nanoseconds; the day is that of the time zone in which perftop runs. */
#include "playback/time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/units.h"
#include "model/session.h"

enum {
	TENTH_NS = 100000000,
	S_PER_HOUR = 3600,
	PARTS_MAX = 3, /* hours, minutes, seconds */
	NUMBER_MAX = 32
};

static const double SECONDS_MAX = 1e9;

/* A plain decimal number: no sign, no exponent. */
static bool parse_time_number(const char *text, size_t length, double *value)
{
	char number[NUMBER_MAX];

	if (length == 0 || length >= sizeof(number) || strspn(text, "0123456789.") < length)
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)length, text);
	return units_parse_double(number, 0, SECONDS_MAX, value);
}

/* "1:30", "1:02:03.5"; *parts says how many there are. */
static bool parse_time_parts(const char *text, double *seconds, int *parts)
{
	*seconds = 0;
	for (*parts = 1; *parts <= PARTS_MAX; ++*parts) {
		const size_t length = strcspn(text, ":");
		double value;

		if (!parse_time_number(text, length, &value) || (*parts > 1 && value >= 60))
			return false;
		*seconds = *seconds * 60 + value;
		if (text[length] == '\0')
			return true;
		text += length + 1;
	}
	return false;
}

bool playback_time_parse_amount(const char *text, double *seconds)
{
	/* clang-format off */
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"min", 60}, {"h", S_PER_HOUR}};
	/* clang-format on */
	const size_t length = strspn(text, "0123456789.");
	const char *unit = text + length + strspn(text + length, " ");

	if (!parse_time_number(text, length, seconds))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(unit, units[i].name) == 0) {
			*seconds *= units[i].seconds;
			return *seconds <= SECONDS_MAX;
		}
	}
	return false;
}

static bool refuse_time(const char *text, struct error *error)
{
	return error_set(error, ERROR_TIME_BAD, text, NULL);
}

static uint64_t clamp_to_span(const struct playback_span *span, double ns)
{
	if (ns <= (double)span->first_ns)
		return span->first_ns;
	return ns >= (double)span->last_ns ? span->last_ns : (uint64_t)ns;
}

/* Since the beginning, which is exact where doubles of nanoseconds since the boot are not. */
static uint64_t since_first(const struct playback_span *span, double seconds)
{
	const double length_ns = (double)(span->last_ns - span->first_ns);
	const double ns = seconds * NS_PER_S;

	return ns >= length_ns ? span->last_ns : span->first_ns + (uint64_t)ns;
}

/* The first such time of the day that is not before the beginning. */
static bool find_clock(const struct playback_span *span, double seconds, uint64_t *time_ns)
{
	const int64_t first_wall_ns = session_wall_ns(span->wall_offset_ns, span->first_ns);
	const time_t first = (time_t)(first_wall_ns / NS_PER_S);
	const int whole = (int)seconds;
	int64_t ns;
	struct tm day;

	/* of some recordings it is unknown when they were made */
	if (first_wall_ns < 0 || !localtime_r(&first, &day))
		return false;
	day.tm_hour = whole / S_PER_HOUR;
	day.tm_min = whole / 60 % 60;
	day.tm_sec = whole % 60;
	day.tm_isdst = -1;
	for (int i = 0; i < 2; i++, day.tm_mday++) {
		ns = (int64_t)mktime(&day) * NS_PER_S + (int64_t)((seconds - whole) * NS_PER_S);
		/* a second that has begun already */
		if (ns < first_wall_ns && ns > first_wall_ns - NS_PER_S)
			ns = first_wall_ns;
		if (ns < first_wall_ns)
			continue;
		*time_ns = (uint64_t)(ns - span->wall_offset_ns);
		return *time_ns <= span->last_ns;
	}
	return false;
}

static bool parse_since(const char *text, const struct playback_span *span, uint64_t *time_ns,
			struct error *error)
{
	double seconds;
	int parts = 1;

	if (!playback_time_parse_amount(text, &seconds) &&
	    !parse_time_parts(text, &seconds, &parts))
		return refuse_time(text, error);
	if (parts == PARTS_MAX) {
		const double length_s = (double)(span->last_ns - span->first_ns) / NS_PER_S;

		if (find_clock(span, seconds, time_ns))
			return true;
		if (seconds > length_s)
			return error_set(error, ERROR_TIME_OUTSIDE, text, NULL);
	}
	*time_ns = since_first(span, seconds);
	return true;
}

bool playback_time_parse(const char *text, const struct playback_span *span, uint64_t *time_ns,
			 struct error *error)
{
	const size_t length = strlen(text);
	double value;
	int parts;

	if (text[0] == '+' || text[0] == '-') {
		if (!playback_time_parse_amount(text + 1, &value) &&
		    !parse_time_parts(text + 1, &value, &parts))
			return refuse_time(text, error);
		value *= text[0] == '-' ? -NS_PER_S : NS_PER_S;
		*time_ns = clamp_to_span(span, (double)span->now_ns + value);
		return true;
	}
	if (length > 1 && text[length - 1] == '%') {
		if (!parse_time_number(text, length - 1, &value) || value > 100)
			return refuse_time(text, error);
		*time_ns = since_first(
			span, value / 100 * ((double)(span->last_ns - span->first_ns) / NS_PER_S));
		return true;
	}
	return parse_since(text, span, time_ns, error);
}

void playback_time_write(uint64_t ns, bool has_tenths, char text[static PLAYBACK_TIME_MAX])
{
	const unsigned long long s = ns / NS_PER_S;
	char tenths[8] = "";

	if (has_tenths)
		snprintf(tenths, sizeof(tenths), ".%u", (unsigned)(ns % NS_PER_S / TENTH_NS));
	if (s < S_PER_HOUR)
		snprintf(text, PLAYBACK_TIME_MAX, "%llu:%02llu%s", s / 60, s % 60, tenths);
	else
		snprintf(text, PLAYBACK_TIME_MAX, "%llu:%02llu:%02llu%s", s / S_PER_HOUR,
			 s / 60 % 60, s % 60, tenths);
}

void playback_time_write_clock(int64_t wall_ns, bool has_tenths,
			       char text[static PLAYBACK_TIME_MAX])
{
	text[0] = '\0';
	if (wall_ns >= 0)
		units_format_clock(text, wall_ns, has_tenths);
}
