#ifndef PERFTOP_BASE_UNITS_H
#define PERFTOP_BASE_UNITS_H

/*
 * Numbers as people read and write them. All functions are pure and independent
 * of the locale: the decimal sign is a point.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	UNITS_TEXT_MAX = 16 /* no text made here needs more bytes, NUL included */
};

/*
 * A quantity in three significant digits and at most 5 columns:
 * 0  0.31  9.10  61.2  340  1.20k  18.2k  123k  4.56M  7.89G  1.20T. Exactly 0 is "0";
 * what would round to 0.00 is "<.01"; what would round to more than 999T is ">999T".
 * A larger value never looks smaller: 999.6 is 1.00k. Negative values have a minus in
 * front (6 columns). NaN is not a quantity: callers show their own sign for unknown.
 */
void units_format_si(char text[static UNITS_TEXT_MAX], double value);

/*
 * `decimals` (0 to 9) digits behind the point, no suffix: 61.2, 0.31. What needs more
 * than 12 digits is written like units_format_si().
 */
void units_format_fixed(char text[static UNITS_TEXT_MAX], double value, int decimals);

/*
 * A time span in three significant digits with its unit:
 * 412ns 15.0us 3.98ms 1.02s 2.50m 3.10h 4.20d; days in whole numbers from 1000 on.
 */
void units_format_duration(char text[static UNITS_TEXT_MAX], uint64_t ns);

/* The same in a sentence, from a minute to 99 hours in whole ones: 10.0s, 1 min 31 s, 2 h 5 min.
 */
void units_format_span(char text[static UNITS_TEXT_MAX], uint64_t ns);

/*
 * CPU time as top writes it: M:SS.hh, from 100 minutes on HhMM, from 100 hours on DdHH,
 * from 10000 days on Dd; at most 8 columns. Cut, not rounded.
 */
void units_format_cpu_time(char text[static UNITS_TEXT_MAX], uint64_t ns);

/* Bytes with binary prefixes: 512, 4.0K, 18.2K, 123K, 1023K, 8.0M, 1.5G; at most 5 columns. */
void units_format_bytes(char text[static UNITS_TEXT_MAX], uint64_t bytes);

/* Local time of day with 0 to 6 decimals: 12:03:44.120, cut; "-": negative, which is unknown. */
void units_format_clock(char text[static UNITS_TEXT_MAX], int64_t wall_ns, int decimals);

enum {
	NS_PER_US = 1000,
	NS_PER_MS = 1000000,
	NS_PER_S = 1000000000
};

/* A part in percent; of nothing NaN. */
double units_pct(uint64_t part, uint64_t whole);

/* "s", or "" behind one: "%zu interval%s". */
const char *units_plural(uint64_t count);

/*
 * Reads a whole number in base 10; nothing may follow. False when the text is empty, has
 * other characters, a sign, or the value is outside [min, max].
 */
bool units_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* "123" or "0x7b"; false: something else, or more than 64 bits. */
bool units_parse_number(const char *text, uint64_t *number);

/*
 * Reads a finite decimal number (2, -0.5, .5, 1e-3; no nan, inf, hex; no locale); nothing
 * may precede or follow.
 * False when it is none or outside [min, max].
 */
bool units_parse_double(const char *text, double min, double max, double *value);

#endif
