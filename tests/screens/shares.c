/*
 * shares: three functions that take 60, 30 and 10 % of its time, over two paths: main calls
 * path_one, that calls hot and warm, and path_two, that calls cool. Of hot one line takes three
 * quarters of the time, the next one the rest. With GROWN, which is more of hot, its share is
 * larger. It runs until it is killed.
 */
#include <stdint.h>

enum {
	TURNS = 50000 /* all together take many samples, which cannot keep step with them then */
};

static volatile uint64_t number;

/* All of it belongs to the line where this is written. */
#define WORK(share)                                                                                \
	for (int i = 0; i < (share)*TURNS; i++)                                                    \
	number = number * 31 + 7

__attribute__((noinline)) void shares_hot(void);
__attribute__((noinline)) void shares_warm(void);
__attribute__((noinline)) void shares_cool(void);
__attribute__((noinline)) void shares_path_one(void);
__attribute__((noinline)) void shares_path_two(void);

void shares_hot(void)
{
	WORK(45);
	WORK(15);
#ifdef GROWN
	WORK(GROWN);
#endif
}

void shares_warm(void)
{
	WORK(30);
}

void shares_cool(void)
{
	WORK(10);
}

void shares_path_one(void)
{
	shares_hot();
	shares_warm();
	number++;
}

void shares_path_two(void)
{
	shares_cool();
	number++;
}

int main(void)
{
	for (;;) {
		shares_path_one();
		shares_path_two();
	}
}
