/*
 * Takes CPU time and does nothing else. Where instructions are the clock, an emulator is through
 * with those that do nothing in a hundredth of the time that it takes for a loop.
 */
#ifndef PERFTOP_TESTS_GUEST_BUSY_H
#define PERFTOP_TESTS_GUEST_BUSY_H

__attribute__((always_inline)) static inline void be_busy(void)
{
	__asm__ volatile(".rept 500\n\tnop\n\t.endr");
}

#endif
