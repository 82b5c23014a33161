/*
 * shares: three functions that take 60, 30 and 10 % of its time, over two paths: main calls
 * path_one, that calls hot and warm, and path_two, that calls cool. It runs until it is killed.
 */
#include <stdint.h>

enum {
	TURNS = 1000
};

static volatile uint64_t number;

__attribute__((noinline)) void shares_hot(void);
__attribute__((noinline)) void shares_warm(void);
__attribute__((noinline)) void shares_cool(void);
__attribute__((noinline)) void shares_path_one(void);
__attribute__((noinline)) void shares_path_two(void);

void shares_hot(void)
{
	for (int i = 0; i < 60 * TURNS; i++)
		number = number * 31 + 7;
}

void shares_warm(void)
{
	for (int i = 0; i < 30 * TURNS; i++)
		number = number * 31 + 7;
}

void shares_cool(void)
{
	for (int i = 0; i < 10 * TURNS; i++)
		number = number * 31 + 7;
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
