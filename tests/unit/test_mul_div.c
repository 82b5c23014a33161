/* A product divided, where it does not fit 64 bits. */

#include "base/mul_div.h"

#include "unit.h"

/* The same where a product fits 128 bits, by long multiplication: a * b, upper and lower half. */
struct product {
	uint64_t upper, lower;
};

static struct product multiply(uint64_t a, uint64_t b)
{
	const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
	const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	const uint64_t other = a0 * b1 + (middle & UINT32_MAX);

	return (struct product){a1 * b1 + (middle >> 32) + (other >> 32), a * b};
}

/* Whether quotient * divisor <= a * b < (quotient + 1) * divisor. */
static bool is_quotient(uint64_t quotient, uint64_t a, uint64_t b, uint64_t divisor)
{
	const struct product of_two = multiply(a, b), least = multiply(quotient, divisor);
	const uint64_t rest = of_two.lower - least.lower;

	return of_two.upper - least.upper - (of_two.lower < least.lower) == 0 && rest < divisor;
}

UNIT_TEST(mul_div_at_the_borders_is_exact)
{
	static const uint64_t most = UINT64_MAX, half = UINT64_C(1) << 63;
	/* clang-format off */
	const struct {
		const char *name;
		uint64_t a, b, divisor, expected;
	} cases[] = {
		{"nothing",                              0, most, 1, 0},
		{"of nothing",                           most, 0, most, 0},
		{"by one",                               most, 1, 1, most},
		{"cut",                                  7, 3, 4, 5},
		{"the last product of 64 bits",          UINT32_MAX, (UINT64_C(1) << 32) + 1, 3, most / 3},
		{"the first of 65",                      UINT64_C(1) << 32, UINT64_C(1) << 32, 1 << 16, UINT64_C(1) << 48},
		{"the whole",                            most, most, most, most},
		{"all but one of it",                    most - 1, most, most, most - 1},
		{"one less of the two",                  most - 1, most - 1, most, most - 2},
		{"halves",                               half, most, most, half},
		{"a divisor whose double does not fit",  half + 1, half + 1, half + 2, half},
		{"the divisor is a factor's half",       half, most - 1, half, most - 1},
		{"divisor above both",                   half, half, most, half / 2},
		{"4.3 s of nanoseconds, twice",          UINT64_C(4300000000), UINT64_C(4300000001), UINT64_C(4300000000), UINT64_C(4300000001)},
		{"lower bits of too much",               most, 3, 2, half - 2},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin_case(cases[i].name);
		assert_int_equal(mul_div(cases[i].a, cases[i].b, cases[i].divisor),
				 cases[i].expected);
		assert_int_equal(mul_div(cases[i].b, cases[i].a, cases[i].divisor),
				 cases[i].expected);
	}
}

UNIT_TEST(mul_div_of_any_part_is_its_quotient)
{
	uint64_t seed = 1;

	for (int i = 0; i < 10000; i++) {
		uint64_t numbers[3];

		for (size_t n = 0; n < 3; n++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			numbers[n] = (seed ^ seed >> 29) >> (seed >> 58);
		}

		const uint64_t divisor = numbers[0] > 0 ? numbers[0] : 1;
		const uint64_t part = numbers[1] % divisor;

		assert_true(
			is_quotient(mul_div(numbers[2], part, divisor), numbers[2], part, divisor));
	}
}

UNIT_MAIN(NULL, NULL)
