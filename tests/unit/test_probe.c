/*
 * Functions of ELF files: one made by hand, this very program, and files that mean harm. Probes of
 * them and of the kernel.
 */

#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"

#include "event/event.h"
#include "event/probe.h"
#include "fake_root.h"
#include "made_elf.h"
#include "symbol/probe_place.h"
#include "unit.h"

int test_probed(int value);

__attribute__((noinline)) int test_probed(int value)
{
	__asm__ volatile("" : "+r"(value));
	return value + 1;
}

static struct made_elf elf;
static bool is_forced; /* of the next searches */

static int setup(void **state)
{
	made_elf_init(&elf);
	is_forced = true;
	return 0;
}

static bool find(const char *symbol, uint64_t *offset, struct error *error)
{
	const struct probe_request request = {.symbol = symbol, .is_forced = is_forced};

	*error = (struct error){0};
	*offset = 77;
	return made_elf_find(&request, elf.bytes, sizeof(elf.bytes), offset, error);
}

static void assert_found(const char *symbol, uint64_t in_code)
{
	struct error error;
	uint64_t offset;

	if (!find(symbol, &offset, &error))
		fail_msg("%s", error.text);
	assert_int_equal(offset, MADE_CODE_AT + in_code);
}

static void assert_refused(const char *symbol, enum error_code code, const char *word)
{
	struct error error;
	uint64_t offset;

	if (find(symbol, &offset, &error))
		fail_msg("%s was found", symbol);
	assert_int_equal(error.code, code);
	assert_int_equal(offset, 77);
	if (strstr(error.text, word) == NULL)
		fail_msg("\"%s\" is not in: %s", word, error.text);
}

static void assert_all_found(void)
{
	static const struct {
		const char *symbol;
		uint64_t in_code;
	} cases[] = {
		{"main", 0x10}, {"label", 0xf0},  {"shadow", 0xa0}, {"late", 0x140},
		{"old", 0xe0},  {"shown", 0x120}, {"0xa00", 0},     {"0xDFF", 0x3ff},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_found(cases[i].symbol, cases[i].in_code);
}

UNIT_TEST(probe_place_functions_of_another_byte_order_are_where_they_are_in_ours)
{
	made_elf_swap(&elf);
	assert_all_found();
}

UNIT_TEST(probe_place_functions_are_at_their_segments_offsets)
{
	assert_all_found();
	made_header(&elf)->e_machine =
		EM_ARM; /* the bit of the Thumb mode is none of the address */
	((Elf64_Sym *)(void *)(elf.bytes + MADE_SYMBOLS_AT))[1].st_value |= 1;
	assert_found("main", 0x10);
	is_forced = false;
	assert_found("0xa10", 0x10);
	assert_refused("0xa20", ERROR_EVENT_PROBE_SYMBOL, "no symbol says");
}

UNIT_TEST(probe_place_what_is_no_function_is_refused)
{
	static const char *const cases[][2] = {
		{"twice", "several"},
		{"shown@V2", "no such function"},
		{"main@V1", "no such function"},
		{"shadwo", "no such function"},
		{"", "no such function"},
		{"@", "no such function"},
		{"data", "no such function"},
		{"missing", "no such function"},
		{"outside", "no code"},
		{"picked", "variants"},
		{"0xe00", "no code"},
		{"0x9ff", "no code"},
		{"0xffffffffffffffff", "no code"},
		{"0x10000000000000000", "no such function"},
		{"0x", "no such function"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_refused(cases[i][0], ERROR_EVENT_PROBE_SYMBOL, cases[i][1]);
}

UNIT_TEST(probe_place_offset_is_inside_the_function_and_a_return_at_its_entry)
{
	static const struct {
		uint64_t offset;
		bool at_entry, is_found;
	} cases[] = {{0xf, false, true},
		     {0x10, false, false},
		     {UINT64_MAX, false, false},
		     {1, true, false},
		     {0, true, true}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct probe_request request = {.symbol = "main",
						      .offset = cases[i].offset,
						      .at_entry = cases[i].at_entry,
						      .is_forced = true};
		struct error error = {0};
		uint64_t offset = 0;

		assert_int_equal(
			made_elf_find(&request, elf.bytes, sizeof(elf.bytes), &offset, &error),
			cases[i].is_found);
		if (cases[i].is_found)
			assert_int_equal(offset, MADE_CODE_AT + 0x10 + cases[i].offset);
		else
			assert_int_equal(error.code, ERROR_EVENT_PROBE_SYMBOL);
	}
}

UNIT_TEST(probe_place_damaged_and_foreign_files_are_refused)
{
	Elf64_Shdr *names = made_section(&elf, MADE_STRTAB);

	/* stripped: searched by what it shows, then not at all */
	made_section(&elf, MADE_SYMTAB)->sh_type = SHT_NULL;
	assert_found("shown", 0x120);
	assert_refused("main", ERROR_EVENT_PROBE_SYMBOL, "no such function");
	made_section(&elf, MADE_DYNSYM)->sh_type = SHT_NULL;
	assert_refused("shown", ERROR_EVENT_PROBE_SYMBOL, "stripped");
	assert_found("0xa00", 0);

	made_elf_init(&elf); /* names without an end */
	elf.bytes[names->sh_offset + names->sh_size - 1] = 'x';
	made_section(&elf, MADE_DYNSYM)->sh_type = SHT_NULL;
	assert_refused("main", ERROR_EVENT_PROBE_SYMBOL, "stripped");

	made_elf_init(&elf); /* a segment beyond what the kernel takes */
	made_segment(&elf, 1)->p_offset = UINT64_C(1) << 63;
	assert_refused("main", ERROR_EVENT_PROBE_SYMBOL, "no code");

	made_elf_init(&elf); /* relocatable, foreign, an archive */
	made_header(&elf)->e_phnum = 0;
	assert_refused("main", ERROR_EVENT_PROBE_FILE, "neither a program nor a library");
	elf.bytes[0] = 'x';
	assert_refused("main", ERROR_EVENT_PROBE_FILE, "ELF");
	memcpy(elf.bytes, "!<arch>\n", 8);
	assert_refused("main", ERROR_EVENT_PROBE_FILE, "ELF");
}

/* Lies about sizes and places: refused, and nothing outside the image is read. */
UNIT_TEST(probe_place_hostile_tables_are_refused)
{
	static const uint64_t lies[] = {1, UINT32_MAX, INT64_MAX, UINT64_MAX, 0x1000000000};

	for (size_t i = 0; i < COUNT_OF(lies); i++) {
		struct error error;
		uint64_t offset;

		for (int number = 0; number < MADE_SECTIONS; number++) {
			made_elf_init(&elf);
			made_section(&elf, (enum made_section)number)->sh_size = lies[i];
			find("shown", &offset, &error);
			made_elf_init(&elf);
			made_section(&elf, (enum made_section)number)->sh_offset = lies[i];
			find("shown", &offset, &error);
			made_elf_init(&elf);
			made_section(&elf, (enum made_section)number)->sh_link = (uint32_t)lies[i];
			find("shown", &offset, &error);
			made_elf_init(&elf);
			made_section(&elf, (enum made_section)number)->sh_info = (uint32_t)lies[i];
			find("shown", &offset, &error);
		}
		made_elf_init(&elf);
		made_header(&elf)->e_shoff = lies[i];
		find("main", &offset, &error);
		made_elf_init(&elf);
		made_header(&elf)->e_phoff = lies[i];
		find("main", &offset, &error);
	}
}

/* --- files */

static bool find_in_file(const char *file, const char *symbol, uint64_t *offset,
			 struct error *error)
{
	const struct probe_request request = {.file = file, .symbol = symbol};

	*error = (struct error){0};
	return probe_place_find(&request, offset, error);
}

UNIT_TEST_WITH(probe_place_own_function_has_the_bytes_that_run, NULL, NULL)
{
	unsigned char bytes[8];
	uint64_t offset = 0;
	struct error error;
	FILE *file = fopen("/proc/self/exe", "rb");

	assert_int_equal(test_probed(1), 2);
	if (!find_in_file("/proc/self/exe", "test_probed", &offset, &error))
		fail_msg("%s", error.text);
	assert_non_null(file);
	assert_int_equal(fseek(file, (long)offset, SEEK_SET), 0);
	assert_int_equal(fread(bytes, 1, sizeof(bytes), file), sizeof(bytes));
	fclose(file);
	assert_memory_equal(bytes, (const void *)(uintptr_t)test_probed, sizeof(bytes));
}

/* How many of the eight places behind a function's beginning are inside an instruction. */
static size_t count_refused(struct probe_request request)
{
	size_t refused = 0;

	for (request.offset = 1; request.offset <= 8; request.offset++) {
		struct error error = {0};
		uint64_t offset;

		refused += !probe_place_find(&request, &offset, &error) &&
			   strstr(error.text, "inside an instruction");
	}
	return refused;
}

/* However it is compiled, a function that adds has no eight instructions of one byte. */
UNIT_TEST_WITH(probe_place_inside_an_instruction_is_refused_unless_forced, NULL, NULL)
{
	struct probe_request request = {.file = "/proc/self/exe", .symbol = "test_probed"};
	char place[32];
	uint64_t begin = 0, offset = 0;
	struct error error = {0};

	assert_true(probe_place_find(&request, &begin, &error));
	snprintf(place, sizeof(place), "0x%llx", (unsigned long long)begin);
	assert_in_range(count_refused(request), 2, 8);
	request.symbol = place;
	assert_true(probe_place_find(&request, &offset, &error));
	assert_int_equal(offset, begin);
	assert_in_range(count_refused(request), 2, 8);
	request.is_forced = true;
	assert_int_equal(count_refused(request), 0);
}

UNIT_TEST_WITH(probe_place_in_file_refuses_what_is_none, NULL, NULL)
{
	static const struct {
		const char *file, *word;
	} files[] = {
		{"/no/such/file", "No such file"},
		{"/proc", "directory"},
		{"/dev/null", "no regular file"},
		{"/proc/self/status", "ELF"},
		{"", "No such file"},
	};

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		struct error error;
		uint64_t offset;

		assert_false(find_in_file(files[i].file, "main", &offset, &error));
		assert_int_equal(error.code, ERROR_EVENT_PROBE_FILE);
		if (strstr(error.text, files[i].word) == NULL)
			fail_msg("%s", error.text);
	}
}

UNIT_TEST_WITH(probe_place_in_file_does_not_wait_for_a_fifo, NULL, NULL)
{
	char folder[] = "/tmp/perftop-symbol-XXXXXX", path[64];
	struct error error;
	uint64_t offset;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	alarm(10);

	assert_false(find_in_file(path, "main", &offset, &error));

	alarm(0);
	assert_int_equal(error.code, ERROR_EVENT_PROBE_FILE);
	unlink(path);
	rmdir(folder);
}

/* A terabyte of nothing behind a header that claims it all as symbols. */
UNIT_TEST(probe_place_in_file_huge_table_is_not_read)
{
	char path[] = "/tmp/perftop-symbol-XXXXXX";
	int fd = mkstemp(path);
	uint64_t offset;
	struct error error;
	bool has_room;

	assert_true(fd >= 0);
	made_section(&elf, MADE_SYMTAB)->sh_size = UINT64_C(1) << 40;
	made_section(&elf, MADE_DYNSYM)->sh_type = SHT_NULL;
	assert_int_equal(write(fd, elf.bytes, sizeof(elf.bytes)), sizeof(elf.bytes));
	has_room = ftruncate(fd, INT64_C(1) << 41) == 0;
	alarm(10);

	assert_false(find_in_file(path, "main", &offset, &error));

	alarm(0);
	close(fd);
	unlink(path);
	if (!has_room)
		skip();
	assert_int_equal(error.code, ERROR_EVENT_PROBE_SYMBOL);
}

/* --- probes, on machines that are folders */

static void put_pmu(const char *name, const char *type, const char *retprobe)
{
	char path[FAKE_NAME_BYTES];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	fake_root_file(path, type);
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/format/retprobe", name);
	if (retprobe != NULL)
		fake_root_file(path, retprobe);
}

static void put_kallsyms(void)
{
	fake_root_file("/proc/kallsyms", "0000000000000000 T vfs_read\n"
					 "0000000000000000 t do_thing\n"
					 "0000000000000000 D some_data\n"
					 "0000000000000000 t in_module\t[mod]\n"
					 "garbage\n");
}

/* "user FILE SYMBOL" or "kernel SYMBOL"; of a probe of its own process the offset is left out. */
struct probe {
	const char *file; /* NULL: of the kernel */
	const char *symbol;
	uint64_t offset;
	bool returns;
};

static bool find_probe(struct probe probe, struct event_spec *spec, struct error *error)
{
	*spec = (struct event_spec){.config = 77};
	*error = (struct error){0};
	const struct probe_request request = {.file = probe.file,
					      .symbol = probe.symbol,
					      .offset = probe.offset,
					      .at_entry = probe.returns};

	return probe.file ? probe_find_user(fake_root, &request, spec, error)
			  : probe_find_kernel(fake_root, probe.symbol, probe.offset, probe.returns,
					      spec, error);
}

UNIT_TEST_WITH(probe_find_fills_the_spec, fake_root_setup, fake_root_teardown)
{
	static const char self[] = "/proc/self/exe";
	static const struct {
		struct probe probe;
		const char *name, *pmu, *target; /* target NULL: the program itself */
		uint32_t type;
		uint64_t config, config2;
	} cases[] = {
		/* clang-format off */
		{{self, "test_probed", 0, false}, "uprobe:/proc/self/exe:test_probed", "uprobe", NULL, 9, 0, 0},
		{{self, "test_probed", 0, true}, "uretprobe:/proc/self/exe:test_probed", "uprobe", NULL, 9, 1 << 5, 0},
		{{NULL, "vfs_read", 4, false}, "kprobe:vfs_read+0x4", "kprobe", "vfs_read", 6, 0, 4},
		{{NULL, "in_module", 0, true}, "kretprobe:in_module", "kprobe", "in_module", 6, 1, 0},
		{{NULL, "0xffffffff81000000", 16, false}, "kprobe:0xffffffff81000000+0x10", "kprobe", "", 6, 0, 0xffffffff81000010},
		/* clang-format on */
	};
	char path[512] = "";

	assert_true(readlink(self, path, sizeof(path) - 1) > 0);
	put_pmu("uprobe", "9\n", "config:5\n");
	put_pmu("kprobe", "6\n", "config:0\n");
	put_kallsyms();
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct event_spec spec;
		struct error error;

		begin_case(cases[i].name);
		if (!find_probe(cases[i].probe, &spec, &error))
			fail_msg("%s", error.text);
		assert_string_equal(spec.name, cases[i].name);
		assert_string_equal(spec.pmu, cases[i].pmu);
		assert_string_equal(spec.target, cases[i].target ? cases[i].target : path);
		assert_int_equal(spec.type, cases[i].type);
		assert_int_equal(spec.class, EVENT_CLASS_SOFTWARE);
		assert_int_equal(spec.config, cases[i].config);
		assert_int_equal(spec.config1, 0);
		if (cases[i].target)
			assert_int_equal(spec.config2, cases[i].config2);
		else
			assert_true(spec.config2 > 0);
		assert_true(spec.scale == 1);
	}
}

UNIT_TEST_WITH(probe_find_failure_leaves_the_spec, fake_root_setup, fake_root_teardown)
{
	static const char self[] = "/proc/self/exe";
	static const struct {
		struct probe probe;
		enum error_code code;
		const char *word;
	} cases[] = {
		{{"/no/such/file", "main", 0, false}, ERROR_EVENT_PROBE_FILE, "No such file"},
		{{self, "test_porbed", 0, false}, ERROR_EVENT_PROBE_SYMBOL, "no such function"},
		{{NULL, "vfs_raed", 0, false}, ERROR_EVENT_PROBE_SYMBOL, "no such function"},
		{{NULL, "some_data", 0, false}, ERROR_EVENT_PROBE_SYMBOL, "no such function"},
		{{NULL, "", 0, false}, ERROR_EVENT_PROBE_SYMBOL, "not the name"},
		{{NULL, "vfs_read", 4, true}, ERROR_EVENT_PROBE_SYMBOL, "beginning"},
	};
	struct event_spec spec;
	struct error error;

	assert_false(find_probe((struct probe){self, "test_probed", 0, false}, &spec, &error));
	assert_int_equal(error.code, ERROR_EVENT_PMU_ABSENT);
	assert_non_null(strstr(error.text, "uprobe"));
	assert_false(find_probe((struct probe){NULL, "vfs_read", 0, false}, &spec, &error));
	assert_int_equal(error.code, ERROR_EVENT_PMU_ABSENT);
	assert_non_null(strstr(error.text, "kprobe"));
	put_pmu("uprobe", "9\n", "config:0\n");
	put_pmu("kprobe", "6\n", "config:0\n");
	/* without the kernel's list any name is let through */
	assert_true(find_probe((struct probe){NULL, "anything", 0, false}, &spec, &error));
	put_kallsyms();
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].probe.symbol);
		assert_false(find_probe(cases[i].probe, &spec, &error));
		assert_int_equal(error.code, cases[i].code);
		assert_non_null(strstr(error.text, cases[i].word));
		assert_int_equal(spec.config, 77);
	}
}

UNIT_TEST_WITH(probe_find_user_strange_format_is_refused, fake_root_setup, fake_root_teardown)
{
	static const char *const formats[] = {"", "config1:0\n", "config:64\n", "config:x\n"};
	const struct probe probe = {"/proc/self/exe", "test_probed", 0, true};
	struct event_spec spec;
	struct error error;

	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		put_pmu("uprobe", "9\n", formats[i]);
		assert_false(find_probe(probe, &spec, &error));
	}
	put_pmu("uprobe", "many\n", "config:0\n");
	assert_false(find_probe(probe, &spec, &error));
}

UNIT_MAIN(setup, NULL)
