/*
 * loadtold FILE COMMAND: what perftop's batch output (JSON) in FILE says of a load whose tasks are
 * called COMMAND. Prints one line:
 *
 *	seen=S unattributed=U lost=L own_pct=P ns_per_switch=N
 *
 * S switches of these tasks, U switches of which it is not known whose they are, L records lost, P
 * perftop's own CPU time while they ran in percent of one CPU, and N the same for each switch of
 * the whole machine, in nanoseconds.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sums {
	long long seen, unattributed, all, lost, own_ns;
	double seconds; /* of the intervals with load */
};

static long long whole(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void add_interval(struct sums *sums, const json_t *interval, const char *command)
{
	long long seen = 0, all = 0;
	const json_t *task, *cpu;
	size_t i;

	json_array_foreach (json_object_get(interval, "tasks"), i, task) {
		const char *name = json_string_value(json_object_get(task, "command"));

		all += whole(task, "switches");
		if (name && strcmp(name, command) == 0)
			seen += whole(task, "switches");
	}
	json_array_foreach (json_object_get(interval, "cpus"), i, cpu)
		sums->unattributed += whole(json_object_get(cpu, "unattributed"), "switches");
	sums->lost += whole(json_object_get(interval, "lost"), "records");
	sums->seen += seen;
	if (seen == 0)
		return;
	sums->all += all;
	sums->own_ns += whole(json_object_get(interval, "own"), "cpu_ns");
	sums->seconds += json_number_value(json_object_get(interval, "interval_s"));
}

int main(int argc, char **argv)
{
	struct sums sums = {0};
	char *line = NULL;
	size_t size = 0;

	if (argc != 3) {
		fprintf(stderr, "usage: loadtold FILE COMMAND\n");
		return 2;
	}
	FILE *file = fopen(argv[1], "r");
	if (!file) {
		perror(argv[1]);
		return 1;
	}
	while (getline(&line, &size, file) > 0) {
		json_t *interval = json_loads(line, 0, NULL);

		if (!interval) {
			fprintf(stderr, "loadtold: a line is not JSON\n");
			return 1;
		}
		add_interval(&sums, interval, argv[2]);
		json_decref(interval);
	}
	free(line);
	fclose(file);
	printf("seen=%lld unattributed=%lld lost=%lld own_pct=%.1f ns_per_switch=%.0f\n", sums.seen,
	       sums.unattributed, sums.lost,
	       sums.seconds > 0 ? (double)sums.own_ns / sums.seconds / 1e7 : 0,
	       sums.all > 0 ? (double)sums.own_ns / (double)sums.all : 0);
	return 0;
}
