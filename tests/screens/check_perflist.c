/*
 * check_perflist [-v] [PERF]: whether an event means the same here as in perf.
 *
 * Every event that `perf list` prints on this machine, and the strings of EXTRA, are given to perf
 * stat -vv, which shows the attributes it makes of them, and to the finder: the bits must be the
 * same, or the finder must refuse with a reason that it may have. Nothing is really opened: perf
 * runs with perf_event_open(2) taken away, so that no event can do harm and the answer does not
 * depend on what this machine can count.
 *
 * Exit: 0 all the same; 1 not; 77 there is no perf here, and nothing was checked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/error.h"

#include "event/event.h"

enum {
	NOT_RUN = 77,
	CHUNK = 50, /* events of one run of perf: it crashes on very many */
	DUMPS_MAX = CHUNK * EVENT_PMUS_MAX,
	NAME_BYTES = 256
};

/* What both must make of a text: everything in an attribute that an event's text decides. */
struct bits {
	uint64_t type, config, config1, config2, bp_type;
	uint64_t exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest,
		exclude_idle;
	uint64_t precise;
};

static const struct field {
	const char *perf; /* as perf prints it */
	size_t offset;
} FIELDS[] = {
	/* clang-format off */
	{"type",                 offsetof(struct bits, type)},
	{"config",               offsetof(struct bits, config)},
	{"{ bp_addr, config1 }", offsetof(struct bits, config1)},
	{"{ bp_len, config2 }",  offsetof(struct bits, config2)},
	{"bp_type",              offsetof(struct bits, bp_type)},
	{"exclude_user",         offsetof(struct bits, exclude_user)},
	{"exclude_kernel",       offsetof(struct bits, exclude_kernel)},
	{"exclude_hv",           offsetof(struct bits, exclude_hv)},
	{"exclude_host",         offsetof(struct bits, exclude_host)},
	{"exclude_guest",        offsetof(struct bits, exclude_guest)},
	{"exclude_idle",         offsetof(struct bits, exclude_idle)},
	{"precise_ip",           offsetof(struct bits, precise)},
	/* clang-format on */
};

enum {
	FIELD_COUNT = sizeof(FIELDS) / sizeof(FIELDS[0])
};

/* Spellings and modifiers that perf list does not show; both must take them. */
static const char EXTRA[] =
	"cycles instructions branches branch-misses cache-misses:u ref-cycles:k cycles:h "
	"cycles:uk cycles:kh cycles:ukh cycles:G cycles:H cycles:GH cycles:uG cycles:ukhH "
	"cycles:I cycles:p cycles:ppp cycles:ppu cycles:kpp cycles:Hp cycles:Iuk "
	"page-faults:u dummy:k cycles// cycles//u cycles/name=foo/ r01c2 rff:u "
	"r01c2/name=x/k r1234567890abcdef L1-dcache-loads L1-dcache-load-misses "
	"L1-dcache-loads-misses l1-d-stores l1d-store-miss L1-data-prefetches "
	"L1-icache-loads l1i-prefetch-misses l1-i-load-misses L1-instruction-load-refs LLC "
	"LLC-loads LLC-misses LLC-load-misses:u LLC-stores LLC-prefetch-misses "
	"LLC-misses-loads L2-Reference L2-read-ops dTLB-loads dTLB-store-misses "
	"dTLB-speculative-read-miss d-tlb-write-access Data-TLB-speculative-load iTLB-loads "
	"i-tlb-misses Instruction-TLB-load-misses branch branch-loads branch-load-misses "
	"branch-miss bpu-load-misses btb-misses bpc-read-refs node node-loads "
	"node-store-misses:k node-prefetches mem:0x1000 mem:4096:w mem:0x1000:r "
	"mem:0x1000:rw mem:0x1000:rwx mem:0x1000:x mem:0x1000/1:w mem:0x1000/8:x "
	"mem:0x1000/2 mem:0x1000:u mem:0x1000:w:k mem:0xffffffff81000000/8:rw:kH "
	"sched:sched_switch sched:sched_switch:u sched:sched_switch:k software/config=3/ "
	"software/config=3,config1=4,config2=5/u msr/tsc/ msr/tsc/u msr/tsc/GH msr/event=1/ "
	"msr/event=0x1f/ msr/event=010/ msr/event=tsc/ msr/tsc,event=3/ "
	"msr/config=7,event=8/ msr/tsc,name=abc/ tsc ";

struct name {
	char text[NAME_BYTES];
	bool is_vendors; /* from perf's own tables, not from the kernel or the syntax */
};

struct names {
	struct name *names;
	size_t count;
};

static struct {
	const char *perf;
	bool verbose;
	size_t same, refused, wrong, unknown_to_perf;
} run;

static void add_name(struct names *names, const char *text, size_t length, bool is_vendors)
{
	struct name *name;

	if (length == 0 || length >= NAME_BYTES)
		return;
	names->names = realloc(names->names, (names->count + 1) * sizeof(*names->names));
	if (names->names == NULL)
		exit(1);
	name = &names->names[names->count++];
	*name = (struct name){.is_vendors = is_vendors};
	memcpy(name->text, text, length);
}

/* Keeps whoever runs under it from opening any event: for perf all are "not supported". */
static bool take_perf_events_away(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOENT),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(code) / sizeof(code[0]), .filter = code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Starts perf; what it says on both channels is read from the stream. */
static FILE *start_perf(char *const *arguments, pid_t *child)
{
	int ends[2];

	if (pipe(ends) != 0 || (*child = fork()) < 0)
		return NULL;
	if (*child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		setenv("LC_ALL", "C", 1);
		setenv("PAGER", "cat", 1);
		if (take_perf_events_away())
			execvp(arguments[0], arguments);
		_exit(errno == ENOENT ? 127 : 126);
	}
	close(ends[1]);
	return fdopen(ends[0], "r");
}

static int end_perf(FILE *output, pid_t child)
{
	int status = 0;

	fclose(output);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* "  a OR b     [Kind of event]": the names of a line of perf list; headings and prose have none.
 */
static void take_line(struct names *names, const char *line)
{
	const char *kind = strstr(line, " [");
	size_t length;

	if (strncmp(line, "  ", 2) != 0 || line[2] == ' ' || line[2] == '\0')
		return;
	line += 2;
	length = strcspn(line, " ");
	/* forms to be filled in: rNNN, cpu/t1=v1[,t2=v2 ...]/modifier, mem:<addr>... */
	if (kind != NULL && (strstr(kind, "descriptor]") || strstr(kind, "[Hardware breakpoint]")))
		return;
	for (;;) {
		add_name(names, line, length, kind == NULL);
		line += length + strspn(line + length, " ");
		if (strncmp(line, "OR ", 3) != 0)
			return;
		line += 3;
		length = strcspn(line, " ");
	}
}

/* perf's exit status; 127: there is no perf. */
static int read_perf_list(struct names *names)
{
	/* what perf remembers of programs that it has seen is of this user, not of this machine */
	char cache[] = "--buildid-dir", none[] = "/nonexistent";
	char list[] = "list", plain[] = "--no-desc", *perf = strdup(run.perf);
	char *const arguments[] = {perf, cache, none, list, plain, NULL};
	pid_t child;
	FILE *output = start_perf(arguments, &child);
	char line[1024];
	bool is_events = true;

	while (output != NULL && fgets(line, sizeof(line), output) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		/* formulas of perf's own come last */
		if (strncmp(line, "Metric", strlen("Metric")) == 0)
			is_events = false;
		if (is_events)
			take_line(names, line);
	}
	free(perf);
	return output != NULL ? end_perf(output, child) : 126;
}

static void read_field(const char *line, struct bits *bits)
{
	line += strspn(line, " ");
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		size_t length = strlen(FIELDS[i].perf);

		if (strncmp(line, FIELDS[i].perf, length) == 0 && line[length] == ' ') {
			uint64_t value = strtoull(line + length, NULL, 0);

			memcpy((char *)bits + FIELDS[i].offset, &value, sizeof(value));
		}
	}
}

/* The attributes that perf makes of some events; how many, at most `max` kept. */
static size_t ask_perf(const struct name *names, size_t count, struct bits *dumps, size_t max)
{
	char *arguments[4 + 2 * CHUNK + 2];
	char stat[] = "stat", verbose[] = "-vv", event[] = "-e", program[] = "true";
	size_t length = 0, found = 0;
	bool inside = false;
	char line[1024], *perf = strdup(run.perf);
	pid_t child;

	arguments[length++] = perf;
	arguments[length++] = stat;
	arguments[length++] = verbose;
	for (size_t i = 0; i < count; i++) {
		arguments[length++] = event;
		arguments[length++] = strdup(names[i].text);
	}
	arguments[length++] = program;
	arguments[length] = NULL;

	FILE *output = start_perf(arguments, &child);

	while (output != NULL && fgets(line, sizeof(line), output) != NULL) {
		if (strncmp(line, "perf_event_attr:", strlen("perf_event_attr:")) == 0) {
			inside = found < max;
			if (inside)
				dumps[found] = (struct bits){0};
			found++;
		} else if (line[0] == '-') {
			inside = false;
		} else if (inside) {
			read_field(line, &dumps[found - 1]);
		}
	}
	if (output != NULL)
		end_perf(output, child);
	for (size_t i = 0; i < count; i++)
		free(arguments[4 + 2 * i]);
	free(perf);
	return found;
}

static struct bits bits_of(const struct event_spec *spec)
{
	return (struct bits){
		.type = spec->type,
		.config = spec->config,
		.config1 = spec->config1,
		.config2 = spec->config2,
		.bp_type = spec->bp_type,
		.exclude_user = spec->exclude_user,
		.exclude_kernel = spec->exclude_kernel,
		.exclude_hv = spec->exclude_hv,
		.exclude_host = spec->exclude_host,
		.exclude_guest = spec->exclude_guest,
		.exclude_idle = spec->exclude_idle,
		.precise = spec->precise,
	};
}

static void print_bits(const char *whose, const struct bits *bits)
{
	printf("\t%s:", whose);
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		uint64_t value;

		memcpy(&value, (const char *)bits + FIELDS[i].offset, sizeof(value));
		if (value != 0)
			printf(" %s=%#" PRIx64, FIELDS[i].perf, value);
	}
	printf("\n");
}

static void compare(const struct name *name, const struct evsel *evsel, const struct bits *dumps,
		    size_t count)
{
	bool same = evsel->spec_count == count;

	for (size_t i = 0; same && i < count; i++) {
		struct bits ours = bits_of(&evsel->specs[i]);

		same = memcmp(&ours, &dumps[i], sizeof(ours)) == 0;
	}
	run.same += same;
	run.wrong += !same;
	if (same)
		return;
	printf("%s: not the same\n", name->text);
	for (size_t i = 0; i < evsel->spec_count; i++) {
		struct bits ours = bits_of(&evsel->specs[i]);

		print_bits("perftop", &ours);
	}
	for (size_t i = 0; i < count; i++)
		print_bits("perf   ", &dumps[i]);
}

/* What the kernel or the syntax offers may be refused for these reasons only. */
static void judge_refusal(const struct name *name, const struct error *error)
{
	bool may = name->is_vendors || error->code == ERROR_EVENT_TOOL ||
		   error->code == ERROR_EVENT_SDT || error->code == ERROR_EVENT_SHARED ||
		   error->code == ERROR_EVENT_TRACE;

	may = may && *error->text != '\0';
	run.refused += may;
	run.wrong += !may;
	if (!may || run.verbose)
		printf("%s%s\n", error->text, may ? "" : ": refused, and perf takes it");
}

static size_t find_chunk(struct event_finder *finder, const struct name *names, size_t count,
			 struct event_set *set, const struct name **found)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct error error = {0};

		if (event_find(finder, names[i].text, set, NULL, &error))
			found[kept++] = &names[i];
		else
			judge_refusal(&names[i], &error);
	}
	return kept;
}

/* One by one, where perf does not take all of a chunk. */
static void check_singly(const struct name *const *found, const struct event_set *set)
{
	struct bits dumps[EVENT_PMUS_MAX];

	for (size_t i = 0; i < set->count; i++) {
		size_t count = ask_perf(found[i], 1, dumps, EVENT_PMUS_MAX);

		if (count == 0) {
			printf("%s: perf does not take it\n", found[i]->text);
			run.unknown_to_perf++;
		} else {
			compare(found[i], &set->evsels[i], dumps,
				count < EVENT_PMUS_MAX ? count : EVENT_PMUS_MAX);
		}
	}
}

static void check_chunk(struct event_finder *finder, const struct name *names, size_t count)
{
	struct event_set set = {0};
	const struct name *found[CHUNK];
	struct name asked[CHUNK];
	struct bits dumps[DUMPS_MAX];
	size_t kept = find_chunk(finder, names, count, &set, found);
	size_t specs = 0;

	for (size_t i = 0; i < kept; i++) {
		asked[i] = *found[i];
		specs += set.evsels[i].spec_count;
	}
	if (kept > 0 && ask_perf(asked, kept, dumps, DUMPS_MAX) == specs) {
		const struct bits *next = dumps;

		for (size_t i = 0; i < kept; i++) {
			compare(found[i], &set.evsels[i], next, set.evsels[i].spec_count);
			next += set.evsels[i].spec_count;
		}
	} else {
		check_singly(found, &set);
	}
	event_set_fini(&set);
}

int main(int argc, char **argv)
{
	struct names names = {0};
	struct event_finder *finder = event_finder_create("");
	size_t listed;
	int status;

	run.perf = "perf";
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "-v") == 0)
			run.verbose = true;
		else
			run.perf = argv[i];
	status = read_perf_list(&names);
	if (status != 0 || names.count == 0) {
		printf("%s list: exit status %d, %zu events: nothing was checked\n", run.perf,
		       status, names.count);
		return status == 127 ? NOT_RUN : 1;
	}
	listed = names.count;
	for (const char *word = EXTRA; *word != '\0'; word += strcspn(word, " ") + 1)
		add_name(&names, word, strcspn(word, " "), false);
	for (size_t i = 0; i < names.count; i += CHUNK) {
		size_t rest = names.count - i;

		check_chunk(finder, &names.names[i], rest < CHUNK ? rest : CHUNK);
	}
	printf("%zu of perf list and %zu more: %zu the same, %zu refused with a reason, %zu wrong, "
	       "%zu that perf does not take\n",
	       listed, names.count - listed, run.same, run.refused, run.wrong, run.unknown_to_perf);
	free(names.names);
	event_finder_destroy(finder);
	return run.wrong > 0 || run.same == 0;
}
