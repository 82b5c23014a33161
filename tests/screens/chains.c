/*
 * A program without frame pointers, in which leaf() has nearly all of the time: three quarters of
 * it are called by thrice(), the rest by once().
 */
#include <stdint.h>

enum {
	STEPS = 100000
};

static volatile uint64_t sink;

/* So much is in registers that the frame pointer's is needed, too. */
static __attribute__((noinline)) void leaf(uint64_t steps)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;

	for (uint64_t i = 0; i < steps; i++) {
		a += b ^ i;
		b *= c + i;
		c ^= d;
		d += e * 3;
		e ^= f + i;
		f += a;
	}
	sink += a + b + c + d + e + f;
}

static __attribute__((noinline)) void once(void)
{
	leaf(STEPS);
	sink++;
}

static __attribute__((noinline)) void thrice(void)
{
	leaf(3 * STEPS);
	sink++;
}

int main(void)
{
	for (;;) {
		once();
		thrice();
	}
}
