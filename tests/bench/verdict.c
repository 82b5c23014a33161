/*
 * perftop with a clock around what finds out what is wrong (the line over the table). At each
 * refresh prints to the file that the environment variable PERFTOP_VERDICT names, from its start:
 *
 *	TIMES           how often it was found out
 *	US              CPU time of that, in microseconds
 *	OF_US           CPU time of the whole program since the first time
 */
#include "view/verdict.h"

#include "bench.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */
void __real_verdict_take(struct verdict *verdict, const struct rule_input *input);
void __wrap_verdict_take(struct verdict *verdict, const struct rule_input *input);

void __wrap_verdict_take(struct verdict *verdict, const struct rule_input *input)
{
	static double first_ms, spent_ms;
	static int times;
	const char *path = getenv("PERFTOP_VERDICT");
	const double before_ms = cpu_ms();
	FILE *file;

	__real_verdict_take(verdict, input);
	spent_ms += cpu_ms() - before_ms;
	if (times++ == 0)
		first_ms = before_ms;
	file = path ? fopen(path, "w") : NULL;
	if (!file)
		return;
	fprintf(file, "%d %.0f %.0f\n", times, 1e3 * spent_ms, 1e3 * (cpu_ms() - first_ms));
	fclose(file);
}
/* NOLINTEND(bugprone-reserved-identifier) */
