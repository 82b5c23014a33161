/* Runs one of the tests of a room: its argument is the name. */
#include <stdio.h>
#include <string.h>

#define UNIT(name) int test_##name(void);
#include UNITS
#undef UNIT

#define UNIT(name) {#name, test_##name},
static const struct unit {
	const char *name;
	int (*run)(void);
} units[] = {
#include UNITS
};
#undef UNIT

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(units[i].name, argv[1]) == 0)
			return units[i].run();
	fprintf(stderr, "usage: %s TEST\n", argv[0]);
	return 2;
}
