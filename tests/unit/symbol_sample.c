/*
 * Code whose names and lines are known to the tests of symbols. Its names of C++ and Rust are what
 * their compilers would have made: neither is needed.
 */
#include <sched.h>

/* Where the statement behind it is, in memory and in this file, is left in two variables. */
#define MARK(name)          MARK_LINE(name, __LINE__)
#define MARK_LINE(name, at) MARK_AS(name, at)
#define MARK_AS(name, at)                                                                          \
	__asm__ volatile("1:\n.pushsection .data.rel.local,\"aw\"\n.globl " #name "_address\n"     \
			 ".balign 8\n" #name "_address: .dc.a 1b\n.popsection\n"                   \
			 ".pushsection .data.rel.local\n.globl " #name "_line\n.balign 4\n" #name  \
			 "_line: .4byte " #at " + 1\n.popsection")

volatile int sample_sink;

void sample_work(int rounds);
void sample_call(void);
void sample_basket(int number) __asm__("_ZN4shop6Basket3addERKiPKc");
void sample_crate(int number) __asm__("_RNvCs15kBYyAo9fc_7mycrate7example");
void sample_write(int number) __asm__("_ZN4core3fmt5Write9write_str17h0123456789abcdefE");

static inline __attribute__((always_inline)) void sample_inner(int rounds)
{
	sample_sink += rounds;
	MARK(sample_inner);
	sample_sink ^= rounds;
}

static inline __attribute__((always_inline)) void sample_outer(int rounds)
{
	sample_sink++;
	sample_inner(rounds);
}

static __attribute__((noinline)) void sample_hidden(int rounds)
{
	MARK(sample_hidden);
	sample_sink += rounds;
	sample_sink *= 2;
}

void sample_work(int rounds)
{
	sample_outer(rounds);
	sample_hidden(rounds);
	sample_sink--;
}

/* Goes over a jump that the linker makes. */
void sample_call(void)
{
	sched_yield();
}

void sample_basket(int number)
{
	sample_sink += number;
}

void sample_crate(int number)
{
	sample_sink -= number;
}

void sample_write(int number)
{
	sample_sink ^= number;
}
