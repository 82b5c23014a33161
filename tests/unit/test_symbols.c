/*
 * Addresses of this very process, whose library symbol_sample.c is known: from the first question
 * to the name, through a helper that is really there.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "kernel/build_id.h"
#include "kernel/decode.h"
#include "kernel/file.h"
#include "kernel/maps.h"
#include "kernel/sys.h"

#include "fake_root.h"
#include "symbol/inside.h"
#include "unit.h"

enum {
	A_PID = 4242 /* of a recording */
};

static struct symbols *symbols;
static uint64_t found_at; /* of the address asked for last */
static void *library;
static char folder[] = "/tmp/perftop-symbols-XXXXXX";

static void begin(const struct symbols_options *options)
{
	symbols_destroy(symbols);
	symbols = symbols_create(options);
}

static int set_up(void **state)
{
	begin(&(struct symbols_options){.is_live = true});
	return 0;
}

static int tear_down(void **state)
{
	symbols_destroy(symbols);
	symbols = NULL;
	if (library)
		dlclose(library);
	library = NULL;
	return 0;
}

static void load(const char *path)
{
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		fail_msg("%s", dlerror());
}

static uint64_t address_of(const char *name)
{
	void *address = dlsym(library, name);

	assert_non_null(address);
	return (uint64_t)(uintptr_t)address;
}

/* What MARK() in symbol_sample.c left. */
static uint64_t marked_address(const char *name)
{
	return (uint64_t) * (const uintptr_t *)(uintptr_t)address_of(name);
}

static uint32_t marked_line(const char *name)
{
	return *(const uint32_t *)(uintptr_t)address_of(name);
}

static uint32_t ask(uint64_t address)
{
	return symbols_find(symbols, &(struct symbol_address){.pid = getpid(), .address = address},
			    &found_at);
}

/* With the answer. */
static struct symbol find(const struct symbol_address *address)
{
	uint32_t id = symbols_find(symbols, address, &found_at);

	symbols_finish(symbols);
	assert_int_equal(symbols_pending(symbols), 0);
	return symbol_get(symbols, id);
}

static struct symbol find_here(uint64_t address)
{
	return find(&(struct symbol_address){.pid = getpid(), .address = address});
}

static uint64_t sample_address;
static struct decoded_mmap sample_mapping;
static char sample_name[1024];

static void note_mapping(const struct decoded_mmap *mapping, void *context)
{
	if (sample_address - mapping->address >= mapping->length)
		return;
	sample_mapping = *mapping;
	snprintf(sample_name, sizeof(sample_name), "%s", mapping->file);
	sample_mapping.file = sample_name;
}

static void expect_unknown(const struct symbol *symbol, enum symbol_reason reason)
{
	assert_int_equal(symbol->state, SYMBOL_UNKNOWN);
	assert_string_equal(symbol_reason_text(symbol->reason), symbol_reason_text(reason));
	assert_string_equal(symbol->name, "[unknown]");
}

/* --- names */

UNIT_TEST(find_gives_an_id_at_once_and_its_name_later)
{
	uint64_t address;
	uint32_t id, found;
	char text[32];

	load(SAMPLE);
	address = address_of("sample_work");
	id = ask(address);
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
	assert_int_equal(symbol_get(symbols, id).state, SYMBOL_PENDING);
	assert_string_equal(symbol_get(symbols, id).name, text);
	assert_int_equal(symbol_get(symbols, id).same_as, id);
	assert_int_equal(ask(address), id);
	assert_int_equal(symbols_pending(symbols), 1);

	symbols_finish(symbols);
	assert_true(symbols_work(symbols));
	assert_false(symbols_work(symbols));
	found = symbol_get(symbols, id).same_as;
	assert_int_not_equal(found, id);
	assert_string_equal(symbol_get(symbols, found).name, "sample_work");
	assert_int_equal(ask(address), found);
	assert_int_equal(ask(address + 1), found); /* nobody is asked for the rest of it */
}

/* Short-lived tasks have addresses all the time that nothing shows. */
UNIT_TEST(work_says_what_was_asked_for_while_it_was_pending)
{
	uint32_t id;

	load(SAMPLE);
	ask(address_of("sample_work"));
	symbols_finish(symbols);
	assert_false(symbols_work(symbols));
	id = ask(marked_address("sample_hidden_address"));
	assert_int_equal(symbol_get(symbols, id).state, SYMBOL_PENDING);
	symbols_finish(symbols);
	assert_true(symbols_work(symbols));
}

UNIT_TEST(find_knows_the_object)
{
	struct symbol symbol;
	struct symbol_object object;

	load(SAMPLE);
	symbol = find_here(address_of("sample_work"));
	object = symbol_object(symbols, symbol.object);

	assert_string_equal(object.name, SAMPLE);
	assert_string_equal(object.short_name, strrchr(SAMPLE, '/') + 1);
	assert_int_equal(object.kind, SYMBOL_OBJECT_FILE);
	assert_false(object.is_deleted);
	assert_true(symbol.start < symbol.end);
}

UNIT_TEST(find_knows_functions_that_are_not_exported)
{
	load(SAMPLE);
	assert_string_equal(find_here(marked_address("sample_hidden_address")).name,
			    "sample_hidden");
}

UNIT_TEST(find_writes_names_as_programmers_do)
{
	load(SAMPLE);
	assert_string_equal(find_here(address_of("_ZN4shop6Basket3addERKiPKc")).name,
			    "shop::Basket::add(int const&, char const*)");
	assert_string_equal(find_here(address_of("_RNvCs15kBYyAo9fc_7mycrate7example")).name,
			    "mycrate::example");
	assert_string_equal(
		find_here(address_of("_ZN4core3fmt5Write9write_str17h0123456789abcdefE")).name,
		"core::fmt::Write::write_str");
}

UNIT_TEST(find_takes_names_from_the_debug_file_of_a_stripped_one)
{
	load(SAMPLE_STRIPPED);
	assert_string_equal(find_here(marked_address("sample_hidden_address")).name,
			    "sample_hidden");
}

UNIT_TEST(find_in_a_stripped_file_knows_what_is_exported_and_says_what_is_not)
{
	struct symbol symbol;

	load(SAMPLE_BARE);
	assert_string_equal(find_here(address_of("sample_work")).name, "sample_work");
	symbol = find_here(marked_address("sample_hidden_address"));
	expect_unknown(&symbol, SYMBOL_REASON_NO_SYMBOL);
	assert_string_equal(symbol_object(symbols, symbol.object).name, SAMPLE_BARE);
}

UNIT_TEST(find_behind_a_call_is_in_the_function_that_called)
{
	struct symbol symbol;

	load(SAMPLE);
	symbol = find_here(address_of("sample_work"));

	uint64_t end = address_of("sample_work") + (symbol.end - symbol.start);

	assert_string_equal(
		find(&(struct symbol_address){.pid = getpid(), .is_return = true, .address = end})
			.name,
		"sample_work");
}

UNIT_TEST(find_names_the_jumps_that_the_linker_makes)
{
	bool has_jump = false;
	uint64_t first;

	load(SAMPLE);
	sample_address = address_of("sample_work");
	assert_true(maps_walk(getpid(), note_mapping, NULL));
	first = sample_mapping.address;
	for (uint64_t i = 0; i < 0x400 && !has_jump; i += 4)
		has_jump = strcmp(find_here(first + i).name, "sched_yield@plt") == 0;
	assert_true(has_jump);
}

/* --- lines */

static struct symbol find_line(uint64_t address)
{
	uint32_t function, line;

	find_here(address);
	function = ask(address);
	line = symbols_find_line(symbols, function, found_at);
	symbols_finish(symbols);
	return symbol_get(symbols, line);
}

static void expect_line(const struct symbol *symbol, const char *function, uint32_t line)
{
	assert_string_equal(symbol->name, function);
	assert_non_null(symbol->file);
	assert_string_equal(strrchr(symbol->file, '/'), "/symbol_sample.c");
	assert_true(line == 0 || symbol->line == line);
	assert_string_equal(symbol_get(symbols, symbol->function).name,
			    symbol->inlined_in == SYMBOL_NONE ? function : "sample_work");
}

static void expect_inlined(const char *path)
{
	struct symbol symbol;

	load(path);
	symbol = find_line(marked_address("sample_inner_address"));
	expect_line(&symbol, "sample_inner", marked_line("sample_inner_line"));
	symbol = symbol_get(symbols, symbol.inlined_in);
	expect_line(&symbol, "sample_outer", 0);
	symbol = symbol_get(symbols, symbol.inlined_in);
	expect_line(&symbol, "sample_work", 0);
	assert_int_equal(symbol.inlined_in, SYMBOL_NONE);
}

/* It has one id wherever it was inlined, and none of the code. */
UNIT_TEST(lines_say_the_function_that_was_inlined)
{
	struct symbol line, outer, inlined;

	load(SAMPLE);
	line = find_line(marked_address("sample_inner_address"));
	outer = symbol_get(symbols, line.inlined_in);
	inlined = symbol_get(symbols, line.inlined);
	assert_string_equal(inlined.name, "sample_inner");
	assert_true(inlined.is_inlined);
	assert_int_equal(inlined.object, line.object);
	assert_int_equal(inlined.end, 0);
	assert_string_equal(symbol_get(symbols, outer.inlined).name, "sample_outer");
	assert_int_equal(symbol_get(symbols, outer.inlined_in).inlined, SYMBOL_NONE);
	assert_false(symbol_get(symbols, line.function).is_inlined);
}

UNIT_TEST(lines_go_from_the_inlined_function_to_the_one_that_is_there)
{
	expect_inlined(SAMPLE);
}

UNIT_TEST(lines_come_from_the_debug_file_too)
{
	expect_inlined(SAMPLE_STRIPPED);
}

UNIT_TEST(lines_are_found_without_an_index_of_addresses)
{
	expect_inlined(SAMPLE_UNINDEXED);
}

UNIT_TEST(line_of_a_function_that_is_not_inlined)
{
	struct symbol symbol;

	load(SAMPLE);
	symbol = find_line(marked_address("sample_hidden_address"));

	expect_line(&symbol, "sample_hidden", marked_line("sample_hidden_line"));
	assert_int_equal(symbol.inlined_in, SYMBOL_NONE);
}

/* Until the answer has come it is an address in a function that is known. */
UNIT_TEST(line_that_is_pending_has_a_function)
{
	uint64_t address;
	struct symbol line;
	uint32_t id;

	load(SAMPLE);
	address = marked_address("sample_hidden_address");
	find_here(address);
	id = ask(address);
	line = symbol_get(symbols, symbols_find_line(symbols, id, found_at));
	assert_int_equal(line.state, SYMBOL_PENDING);
	assert_null(line.file);
	assert_string_equal(symbol_get(symbols, line.function).name, "sample_hidden");
	assert_int_equal(symbols_pending(symbols), 1);
}

UNIT_TEST(line_of_what_is_not_known_is_that_itself)
{
	uint32_t id;

	load(SAMPLE);
	id = ask(address_of("sample_work"));
	assert_int_equal(symbols_find_line(symbols, id, found_at), id);
	symbols_finish(symbols);
	assert_int_equal(symbols_find_line(symbols, id, 0), symbol_get(symbols, id).same_as);
	id = ask(0x10);
	symbols_finish(symbols);
	assert_int_equal(symbol_get(symbols, symbols_find_line(symbols, id, 0x10)).state,
			 SYMBOL_UNKNOWN);
}

UNIT_TEST(line_of_a_file_without_lines_is_the_whole_function)
{
	struct symbol symbol;

	load(SAMPLE_BARE);
	symbol = find_line(address_of("sample_work"));

	assert_string_equal(symbol.name, "sample_work");
	assert_null(symbol.file);
	assert_int_equal(symbol.same_as, find_here(address_of("sample_work")).same_as);
}

/* --- code that is in no file */

UNIT_TEST(find_in_the_vdso)
{
	uint64_t base = getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)(uintptr_t)base;
	struct symbol symbol;

	if (base == 0)
		skip();
	symbol = find_here(base + header->e_entry);
	assert_string_equal(symbol_object(symbols, symbol.object).name, "[vdso]");

	/* some function of it is known */
	bool has_name = false;

	for (uint64_t offset = 0; offset < 4096 && !has_name; offset += 16)
		has_name = find_here(base + offset).state == SYMBOL_FOUND;
	assert_true(has_name);
}

static void write_jit_map(const char *text)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	unlink(path);
	if (!text)
		return;
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A name of 64 KB that would clear the screen, is cut and harmless. */
static void expect_long_name(uint64_t address)
{
	char *text = calloc(1, 1 << 17);
	struct symbol symbol = {0};
	size_t length;

	sprintf(text, "%llx 20 ", (unsigned long long)address);
	for (int i = 0; i < 1 << 14; i++)
		strcat(text + i * 4, "\x1b[2J");
	strcat(text, "\n");
	write_jit_map(text);
	for (int i = 0; i < 100 && symbol.state != SYMBOL_FOUND; i++)
		symbol = find_here(address);
	length = strlen(symbol.name);
	assert_in_range(length, 500, SYMBOL_NAME_MAX - 1);
	assert_string_equal(symbol.name + length - 3, "...");
	assert_memory_equal(symbol.name, "\\x1B[2J\\x1B[2J", 14);
	free(text);
}

UNIT_TEST(find_in_code_made_at_run_time)
{
	void *code = mmap(NULL, 1 << 16, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t address = (uint64_t)(uintptr_t)code;
	char text[128];
	struct symbol symbol;

	assert_ptr_not_equal(code, MAP_FAILED);
	write_jit_map(NULL);
	symbol = find_here(address);
	expect_unknown(&symbol, SYMBOL_REASON_NO_JIT_MAP);
	assert_int_equal(symbol_object(symbols, symbol.object).kind, SYMBOL_OBJECT_JIT);

	snprintf(text, sizeof(text), "%llx 20 made\x1b[2Jcode\n", (unsigned long long)address);
	write_jit_map(text);
	for (int i = 0; i < 100 && symbol.state != SYMBOL_FOUND; i++)
		symbol = find_here(address + 4); /* it asks again, now and then */
	assert_string_equal(symbol.name, "made\\x1B[2Jcode");
	snprintf(text, sizeof(text), "[JIT] %d", (int)getpid());
	assert_string_equal(symbol_object(symbols, symbol.object).name, text);
	expect_long_name(address + 0x100);
	write_jit_map(NULL);
	munmap(code, 1 << 16);
}

UNIT_TEST(find_where_nothing_is_mapped)
{
	struct symbol symbol = find_here(0x10);

	expect_unknown(&symbol, SYMBOL_REASON_NO_MAPPING);
	assert_int_equal(symbol_object(symbols, symbol.object).kind, SYMBOL_OBJECT_UNKNOWN);
}

UNIT_TEST(find_of_a_caller_in_no_mapping_asks_for_none_where_others_are_known)
{
	load(SAMPLE);
	find_here(address_of("sample_work"));

	uint32_t id = symbols_find(
		symbols,
		&(struct symbol_address){.pid = getpid(), .is_return = true, .address = 0x10},
		&found_at);
	struct symbol symbol = symbol_get(symbols, id);

	expect_unknown(&symbol, SYMBOL_REASON_NO_MAPPING);
}

UNIT_TEST(find_in_a_process_that_is_not_there)
{
	struct symbol symbol =
		find(&(struct symbol_address){.pid = INT32_MAX, .address = 0x400000});

	expect_unknown(&symbol, SYMBOL_REASON_PROCESS_GONE);
}

/* The first function whose name begins so, and its name; 0: the kernel does not show it. */
static uint64_t find_in_kallsyms(const char *beginning, char *name)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	unsigned long long address = 0;
	char type, read[256] = "";

	while (file && fscanf(file, "%llx %c %255s%*[^\n]", &address, &type, read) == 3 &&
	       (type != 'T' || strncmp(read, beginning, strlen(beginning)) != 0))
		address = 0;
	if (file)
		fclose(file);
	if (name)
		strcpy(name, read);
	return address;
}

UNIT_TEST(find_in_the_kernel)
{
	char name[256];
	uint64_t address = find_in_kallsyms("vfs_", name);
	struct symbol symbol =
		find(&(struct symbol_address){.is_kernel = true, .address = address + 1});

	if (address == 0) {
		assert_int_equal(symbol.state, SYMBOL_UNKNOWN);
		assert_int_not_equal(symbol.reason, SYMBOL_REASON_NONE);
		skip();
	}
	assert_string_equal(symbol.name, name);
	assert_int_equal(symbol_object(symbols, symbol.object).kind, SYMBOL_OBJECT_KERNEL);
}

/* --- files that change */

static void copy_file(const char *from, const char *to)
{
	char command[1024];

	snprintf(command, sizeof(command), "cp '%s' '%s'", from, to);
	assert_int_equal(system(command), 0);
}

static void expect_known_or_replaced(uint64_t address)
{
	struct symbol symbol = find_here(address);
	struct symbol_object object = symbol_object(symbols, symbol.object);

	assert_true(object.is_deleted || symbol.reason == SYMBOL_REASON_NO_FILE);
	if (symbol.state == SYMBOL_FOUND) /* root may look at what is mapped */
		assert_string_equal(symbol.name, "sample_hidden");
	else
		assert_true(symbol.reason == SYMBOL_REASON_REPLACED ||
			    symbol.reason == SYMBOL_REASON_NO_FILE);
	assert_true(geteuid() != 0 || symbol.state == SYMBOL_FOUND);
}

UNIT_TEST(find_in_a_file_that_was_replaced_never_names_the_new_one)
{
	char path[64], other[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/lib.so", folder);
	snprintf(other, sizeof(other), "%s/new.so", folder);
	copy_file(SAMPLE, path);
	load(path);
	copy_file("/proc/self/exe", other);
	assert_return_code(rename(other, path), errno);
	expect_known_or_replaced(marked_address("sample_hidden_address"));

	begin(&(struct symbols_options){.is_live = true});
	assert_return_code(unlink(path), errno);
	expect_known_or_replaced(marked_address("sample_hidden_address"));
	rmdir(folder);
}

/* --- mappings from records */

/* The library as a recording would report it of process A_PID. */
static void prepare_recording(void)
{
	begin(&(struct symbols_options){.is_live = false});
	load(SAMPLE);
	sample_address = address_of("sample_work");
	assert_true(maps_walk(getpid(), note_mapping, NULL));
	sample_mapping.pid = A_PID;
}

static struct symbol find_recorded(int32_t pid)
{
	return find(&(struct symbol_address){.pid = pid, .address = sample_address});
}

UNIT_TEST(records_alone_tell_mappings_of_a_recording)
{
	struct symbol symbol;

	prepare_recording();
	symbol = find_recorded(A_PID);
	expect_unknown(&symbol, SYMBOL_REASON_NO_MAPPING);

	symbols_map(symbols, &sample_mapping);
	assert_string_equal(find_recorded(A_PID).name, "sample_work");
	symbol = find_recorded(getpid());
	expect_unknown(&symbol, SYMBOL_REASON_NO_MAPPING);
}

UNIT_TEST(records_come_anew_after_all_is_unmapped)
{
	struct symbol symbol;

	prepare_recording();
	symbols_map(symbols, &sample_mapping);
	symbols_unmap_all(symbols);
	symbol = find_recorded(A_PID);
	expect_unknown(&symbol, SYMBOL_REASON_NO_MAPPING);
	symbols_map(symbols, &sample_mapping);
	assert_string_equal(find_recorded(A_PID).name, "sample_work");
}

/* Of what was recorded nobody knows that it was replaced: it may be another machine's. */
static void expect_other_file(void)
{
	struct symbol symbol;

	symbols_map(symbols, &sample_mapping);
	symbol = find_recorded(A_PID);
	expect_unknown(&symbol, SYMBOL_REASON_OTHER_FILE);
	assert_false(symbol_object(symbols, symbol.object).is_deleted);
}

UNIT_TEST(records_of_another_file_are_seen_to_be)
{
	prepare_recording();
	sample_mapping.inode++;
	expect_other_file();

	sample_mapping.has_build_id = true;
	sample_mapping.build_id_size = 20;
	memset(sample_mapping.build_id, 7, 20);
	expect_other_file();
}

UNIT_TEST(records_that_say_neither_inode_nor_build_id_have_no_file)
{
	prepare_recording();
	sample_mapping.inode = 0;
	expect_other_file();
}

/* The size alone, which many kernels' have, does not say that it is ours. */
UNIT_TEST(records_of_a_vdso_have_names_by_its_build_id)
{
	const int fd = maps_copy_vdso();
	struct symbol symbol;

	sample_address = getauxval(AT_SYSINFO_EHDR);
	if (fd < 0 || sample_address == 0)
		skip();
	begin(&(struct symbols_options){.is_live = false});
	assert_true(maps_walk(getpid(), note_mapping, NULL));
	sample_mapping.pid = A_PID;
	symbols_map(symbols, &sample_mapping);
	symbol = find_recorded(A_PID);
	expect_unknown(&symbol, SYMBOL_REASON_OTHER_FILE);

	begin(&(struct symbols_options){.is_live = false});
	sample_mapping.has_build_id = true;
	sample_mapping.build_id_size = (uint8_t)build_id_of_file(fd, sample_mapping.build_id);
	close(fd);
	symbols_map(symbols, &sample_mapping);
	for (uint64_t end = sample_address + 4096;
	     sample_address < end && find_recorded(A_PID).state != SYMBOL_FOUND;)
		sample_address += 16;
	assert_int_equal(find_recorded(A_PID).state, SYMBOL_FOUND);
}

/* What is mapped in one of the processes that a pid namespace calls 0 is not mapped in the others.
 */
UNIT_TEST(records_of_processes_outside_of_a_pid_namespace_tell_no_mappings)
{
	struct symbol symbol;

	prepare_recording();
	sample_mapping.pid = 0;
	symbols_map(symbols, &sample_mapping);
	symbol = find_recorded(0);
	expect_unknown(&symbol, SYMBOL_REASON_OUTSIDE);
	symbols_fork(symbols, 0, A_PID);
	symbol = find_recorded(A_PID);
	expect_unknown(&symbol, SYMBOL_REASON_NO_MAPPING);
}

/* Each at a new address, and never seen again. */
static void map_files(int32_t pid, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char name[64];
		struct decoded_mmap mapping = {
			.pid = pid,
			.address = UINT64_C(0x100000000000) + i * 8192,
			.length = 4096,
			.inode = 1,
			.file = name,
		};

		mapping.file_length =
			(size_t)snprintf(name, sizeof(name), "/nonexistent/%d/%zu", (int)pid, i);
		symbols_map(symbols, &mapping);
	}
}

UNIT_TEST(files_of_one_process_without_end_leave_those_of_others)
{
	prepare_recording();
	symbols_map(symbols, &sample_mapping);
	map_files(A_PID + 1, 80000);
	assert_true(symbols->objects.count < 5000);
	sample_mapping.pid = A_PID + 2;
	symbols_map(symbols, &sample_mapping);

	assert_string_equal(find_recorded(A_PID).name, "sample_work");
	assert_string_equal(find_recorded(A_PID + 2).name, "sample_work");
}

UNIT_TEST(files_of_many_processes_leave_room_for_new_ones)
{
	prepare_recording();
	for (int32_t i = 1; i <= 20; i++)
		map_files(A_PID + i, 4096);
	assert_true(symbols->objects.count <= OBJECTS_MAX);
	symbols_map(symbols, &sample_mapping);

	assert_string_equal(find_recorded(A_PID).name, "sample_work");
	assert_false(symbols_are_crowded(symbols));
}

UNIT_TEST(files_that_are_known_need_no_room)
{
	prepare_recording();
	symbols_map(symbols, &sample_mapping);
	for (int32_t i = 1; symbols->objects.count < OBJECTS_MAX; i++)
		map_files(A_PID + i, OBJECTS_MAX - symbols->objects.count < 4096
					     ? OBJECTS_MAX - symbols->objects.count
					     : 4096);
	sample_mapping.pid = A_PID + 100;
	symbols_map(symbols, &sample_mapping);

	assert_int_equal(symbols->objects.count, OBJECTS_MAX);
	assert_string_equal(find_recorded(A_PID + 100).name, "sample_work");
}

/* Whoever has most mappings loses them first. */
UNIT_TEST(files_of_a_process_outlive_those_of_larger_ones)
{
	prepare_recording();
	symbols_map(symbols, &sample_mapping);
	for (int32_t i = 1; i <= 40; i++)
		map_files(A_PID + i, 4096);

	assert_string_equal(find_recorded(A_PID).name, "sample_work");
}

UNIT_TEST(exec_fork_and_exit_change_what_is_mapped)
{
	prepare_recording();
	symbols_map(symbols, &sample_mapping);
	symbols_fork(symbols, A_PID, A_PID + 1);
	symbols_exec(symbols, A_PID);
	assert_int_equal(find_recorded(A_PID).state, SYMBOL_UNKNOWN);
	assert_string_equal(find_recorded(A_PID + 1).name, "sample_work");
	symbols_exit(symbols, A_PID + 1);
	assert_int_equal(find_recorded(A_PID + 1).state, SYMBOL_UNKNOWN);
}

/* What is mapped at an address of data; "": it is not known. */
static const char *data_at(int32_t pid, uint64_t address)
{
	const uint32_t id = symbols_find_data(symbols, pid, address);
	const struct symbol symbol = symbol_get(symbols, id);

	return id != SYMBOL_NONE ? symbol_object(symbols, symbol.object).short_name : "";
}

static void map_data(uint64_t address, uint64_t length, const char *name)
{
	symbols_map(symbols, &(struct decoded_mmap){
				     .pid = A_PID,
				     .address = address,
				     .length = length,
				     .file = name,
				     .file_length = strlen(name),
				     .is_data = true,
			     });
}

UNIT_TEST(data_of_a_recording_is_what_was_mapped_last)
{
	prepare_recording();
	map_data(0x1000, 0x4000, "/usr/lib/libx.so");
	map_data(0x2000, 0x1000, "//anon");
	map_data(0x8000, 0x1000, "[heap]");
	map_data(0x8000, 0x1000, "//anon");
	symbols_map(symbols, &sample_mapping);

	assert_string_equal(data_at(A_PID, 0x1fff), "libx.so");
	assert_string_equal(data_at(A_PID, 0x2000), "[anon]");
	assert_string_equal(data_at(A_PID, 0x3000), "libx.so");
	assert_string_equal(data_at(A_PID, 0x8fff), "[heap]");
	assert_string_equal(data_at(A_PID, 0x9000), "");
	assert_string_equal(data_at(A_PID, sample_address), strrchr(sample_name, '/') + 1);
	assert_string_equal(data_at(A_PID, 0xffffffff81000000), "[kernel]");
	assert_string_equal(data_at(A_PID + 1, 0x2000), "");
	assert_int_equal(symbols_find_data(symbols, A_PID, 0x1000),
			 symbols_find_data(symbols, A_PID, 0x4000));
	assert_string_equal(find_recorded(A_PID).name, "sample_work");
	assert_int_equal(symbols_pending(symbols), 0);
}

UNIT_TEST(exec_fork_and_exit_change_where_data_is)
{
	prepare_recording();
	map_data(0x1000, 0x1000, "[heap]");
	symbols_fork(symbols, A_PID, A_PID + 1);
	symbols_exec(symbols, A_PID);
	assert_string_equal(data_at(A_PID, 0x1000), "");
	assert_string_equal(data_at(A_PID + 1, 0x1000), "[heap]");
	symbols_exit(symbols, A_PID + 1);
	assert_string_equal(data_at(A_PID + 1, 0x1000), "");
}

/* Of a process that runs what was mapped before is read; what is mapped since is reported. */
UNIT_TEST(data_of_a_live_process_is_read)
{
	static int in_program = 1; /* in the file, where one that begins at 0 need not be */
	int in_stack;
	char *in_heap = sbrk(0x1000);
	void *memory = mmap(NULL, 0x1000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint64_t stack = (uint64_t)(uintptr_t)&in_stack;

	assert_string_equal(data_at(getpid(), (uint64_t)(uintptr_t)&in_program),
			    program_invocation_short_name);
	assert_string_equal(data_at(getpid(), stack), "[stack]");
	assert_string_equal(data_at(getpid(), stack - (1 << 20)), "[stack]");
	assert_string_equal(data_at(getpid(), (uint64_t)(uintptr_t)in_heap), "[heap]");
	assert_string_equal(data_at(getpid(), (uint64_t)(uintptr_t)memory), "[anon]");
	assert_string_equal(data_at(getpid(), 0x1000), "");
	assert_string_equal(data_at(INT32_MAX, 0x1000), "");
	munmap(memory, 0x1000);
}

static int in_bss[4]; /* no file is mapped there */
static int in_data = 1;

/* The name of the variable, and in *offset where in it; "": there is none. */
static const char *variable_at(const void *data, uint64_t *offset)
{
	const struct symbol_address address = {
		.pid = getpid(), .is_data = true, .address = (uint64_t)(uintptr_t)data};
	struct symbol symbol;
	uint64_t at;

	symbols_find(symbols, &address, &at);
	symbols_finish(symbols);
	symbol = symbol_get(symbols, symbols_find(symbols, &address, &at));
	*offset = at - symbol.start;
	return symbol.state == SYMBOL_FOUND ? symbol.name : "";
}

UNIT_TEST(variables_of_a_live_process_have_the_names_of_their_symbols)
{
	char *in_heap = sbrk(0x1000);
	uint64_t offset;
	int in_stack;

	assert_string_equal(variable_at(&in_data, &offset), "in_data");
	assert_int_equal(offset, 0);
	assert_string_equal(variable_at(&in_bss[2], &offset), "in_bss");
	assert_int_equal(offset, 2 * sizeof(int));
	assert_non_null(strstr(variable_at(&environ, &offset), "environ")); /* of the library */
	assert_string_equal(variable_at(in_heap, &offset), "");
	assert_string_equal(variable_at(&in_stack, &offset), "");
	assert_string_equal(variable_at(NULL, &offset), "");
}

UNIT_TEST(exit_ends_the_wait_for_mappings)
{
	uint32_t id = ask(0x10);
	struct symbol symbol;

	symbols_exit(symbols, getpid());
	symbol = symbol_get(symbols, id);
	expect_unknown(&symbol, SYMBOL_REASON_PROCESS_GONE);
	assert_int_equal(symbols_pending(symbols), 0);
	symbols_finish(symbols); /* the job that is left asks for nothing */
}

static void map_kernel_of(uint64_t address, uint8_t build_id_size)
{
	static const char name[] = "[kernel.kallsyms]_text";

	begin(&(struct symbols_options){.is_live = false});
	symbols_map(symbols, &(struct decoded_mmap){
				     .pid = -1,
				     .address = address,
				     .length = 0x1000000,
				     .page_offset = address,
				     .file = name,
				     .file_length = sizeof(name) - 1,
				     .has_build_id = build_id_size > 0,
				     .build_id = {0xab, 0xcd},
				     .build_id_size = build_id_size,
			     });
}

static void map_kernel(uint64_t address)
{
	map_kernel_of(address, 0);
}

UNIT_TEST(kernel_of_a_recording_must_be_this_one)
{
	char name[256];
	uint64_t address = find_in_kallsyms("vfs_", name), text = find_in_kallsyms("_text", NULL);
	const struct symbol_address asked = {.is_kernel = true, .address = address + 1};
	struct symbol symbol;

	if (address == 0 || text == 0)
		skip();
	map_kernel(text);
	assert_string_equal(find(&asked).name, name);

	map_kernel(text + 0x200000); /* where it was before it was booted anew */
	symbol = find(&asked);
	expect_unknown(&symbol, SYMBOL_REASON_OTHER_KERNEL);

	map_kernel_of(text, 2); /* another build at the same place */
	symbol = find(&asked);
	expect_unknown(&symbol, SYMBOL_REASON_OTHER_KERNEL);

	begin(&(struct symbols_options){.is_live = false}); /* it was not recorded where it was */
	symbol = find(&asked);
	expect_unknown(&symbol, SYMBOL_REASON_OTHER_KERNEL);
}

static void map_module(const char *file, uint64_t address)
{
	symbols_map(symbols, &(struct decoded_mmap){
				     .pid = -1,
				     .address = address,
				     .length = 0x1000,
				     .page_offset = 0,
				     .file = file,
				     .file_length = strlen(file),
			     });
}

/* The kernel that runs says nothing of what was recorded with another one. */
UNIT_TEST(modules_of_another_kernel_have_their_names)
{
	static const struct {
		const char *file, *object;
	} modules[] = {
		{"/lib/modules/6.1.0/kernel/drivers/usb/usb-storage.ko.xz", "[usb_storage]"},
		{"[vboxdrv]", "[vboxdrv]"},
		{"/usr/lib/debug/vmlinux", "[kernel]"},
		{"/lib/modules/.ko", "[]"},
	};
	const uint64_t begin_at = 0xffffffffc0000000;

	map_kernel(0xffffffff00200000);
	for (size_t i = 0; i < COUNT_OF(modules); i++)
		map_module(modules[i].file, begin_at + i * 0x1000);
	for (size_t times = 0; times < 2; times++)
		for (size_t i = 0; i < COUNT_OF(modules); i++) {
			const struct symbol_address asked = {
				.is_kernel = true, .address = begin_at + i * 0x1000 + 0x10 + times};
			const struct symbol symbol = find(&asked);

			begin_case(modules[i].file);
			expect_unknown(&symbol, SYMBOL_REASON_OTHER_KERNEL);
			assert_string_equal(symbol_object(symbols, symbol.object).name,
					    modules[i].object);
		}
}

static void map_function(const char *name, uint64_t address, bool is_bpf, bool is_unmapped)
{
	symbols_map(symbols, &(struct decoded_mmap){
				     .pid = -1,
				     .tid = -1,
				     .address = address,
				     .length = 0x100,
				     .page_offset = address,
				     .file = name,
				     .file_length = strlen(name),
				     .is_function = true,
				     .is_unmapped = is_unmapped,
				     .function_kind = is_bpf ? DECODED_KSYMBOL_BPF : 2,
			     });
}

static void expect_in_kernel(uint64_t address, const char *name, const char *object)
{
	const struct symbol_address asked = {.is_kernel = true, .address = address};
	const struct symbol symbol = find(&asked);

	assert_string_equal(symbol.name, name);
	assert_string_equal(symbol_object(symbols, symbol.object).name, object);
}

UNIT_TEST(functions_made_by_the_kernel_have_their_names_while_they_are_there)
{
	const uint64_t at = 0xffffffffc0000000;

	map_kernel(0xffffffff00200000);
	map_module("[usbcore]", at);
	map_function("bpf_prog_0123456789abcdef_drop", at + 0x100, true, false);
	map_function("[usbcore]", at + 0x200, true, false);
	map_function("copied_instructions", at + 0x300, false, false);
	expect_in_kernel(at + 0x80, "[unknown]", "[usbcore]");
	expect_in_kernel(at + 0x1ff, "bpf_prog_0123456789abcdef_drop", "[bpf]");
	expect_in_kernel(at + 0x200, "[usbcore]", "[bpf]");
	expect_in_kernel(at + 0x3ff, "copied_instructions", "[kernel]");
	expect_in_kernel(at + 0x400, "[unknown]", "[usbcore]");

	map_function("bpf_prog_0123456789abcdef_drop", at + 0x100, true, true);
	expect_in_kernel(at + 0x1ff, "[unknown]", "[kernel]");
	map_function("bpf_trampoline_7", at + 0x180, true, false);
	expect_in_kernel(at + 0x1ff, "bpf_trampoline_7", "[bpf]");
	symbols_forget_rest(symbols);
	expect_in_kernel(at + 0x1ff, "bpf_trampoline_7", "[bpf]");
}

/* perf keeps its symbols for each recording; those of another boot are not its. */
UNIT_TEST(kernel_of_a_recording_is_found_where_perf_has_kept_it)
{
	const struct symbol_address asked = {.is_kernel = true, .address = 0xffffffff81000010};
	struct symbol symbol;

	assert_int_equal(fake_root_setup(NULL), 0);
	setenv("HOME", fake_root, 1);
	fake_root_file("/.debug/.build-id/ab/cd/kallsyms", "ffffffff81000000 T _text\n");
	map_kernel_of(0xffffffff81000000, 2);
	assert_string_equal(find(&asked).name, "_text");
	map_kernel_of(0xffffffff91000000, 2);
	symbol = find(&asked);
	assert_int_equal(symbol.state, SYMBOL_UNKNOWN);
	assert_int_equal(fake_root_teardown(NULL), 0);
}

UNIT_TEST(file_of_a_recording_is_found_where_perf_has_kept_it)
{
	char path[FAKE_PATH_BYTES], kept[64] = "/.debug/.build-id/";
	const int fd = open(SAMPLE, O_RDONLY | O_CLOEXEC);
	unsigned char id[BUILD_ID_MAX];
	const size_t size = build_id_of_file(fd, id);

	close(fd);
	if (size == 0)
		skip(); /* this linker writes none */
	prepare_recording();
	for (size_t i = 0; i < size; i++)
		sprintf(kept + strlen(kept), i == 1 ? "/%02x" : "%02x", id[i]);
	strcat(kept, "/elf");
	assert_int_equal(fake_root_setup(NULL), 0);
	setenv("HOME", fake_root, 1);
	fake_root_file(kept, "");
	fake_root_path(path, kept);
	copy_file(SAMPLE, path);

	begin(&(struct symbols_options){.is_live = false});
	sample_mapping.has_build_id = true;
	sample_mapping.build_id_size = (uint8_t)size;
	memcpy(sample_mapping.build_id, id, size);
	sample_mapping.file = "/gone";
	sample_mapping.file_length = 5;
	symbols_map(symbols, &sample_mapping);
	assert_string_equal(find_recorded(A_PID).name, "sample_work");
	assert_int_equal(fake_root_teardown(NULL), 0);
}

/* --- calls out of a copy of the stack */

#ifdef __x86_64__
enum {
	STACK_BYTES = 2048,
	REGISTERS = 9 /* ax bx cx dx si di bp sp ip, as the kernel orders them */
};

static uint64_t registers[REGISTERS];
static unsigned char stack_bytes[STACK_BYTES];

/* Where it is called from, as the kernel would write it: also what no variable is in. */
static __attribute__((noinline, no_sanitize("address"))) void take_stack(void)
{
	ucontext_t context;
	const greg_t *taken = context.uc_mcontext.gregs;
	const volatile unsigned char *stack;

	getcontext(&context);
	registers[1] = (uint64_t)taken[REG_RBX];
	registers[6] = (uint64_t)taken[REG_RBP];
	registers[7] = (uint64_t)taken[REG_RSP];
	registers[8] = (uint64_t)taken[REG_RIP];
	stack = (const volatile unsigned char *)(uintptr_t)registers[7];
	for (size_t i = 0; i < STACK_BYTES; i++)
		stack_bytes[i] = stack[i];
}

static __attribute__((noinline)) void call_take_stack(void)
{
	volatile char room[100 + STACK_BYTES] = {0}; /* so much is on the stack for sure */

	take_stack();
	room[0]++;
}

static void map_all(const struct decoded_mmap *mapping, void *context)
{
	struct decoded_mmap recorded = *mapping;

	recorded.pid = A_PID;
	symbols_map(symbols, &recorded);
}

static bool has_call(const uint64_t *frames, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		const struct symbol symbol = find(&(struct symbol_address){
			.pid = A_PID, .is_return = i > 0, .address = frames[i]});

		if (strcmp(symbol.name, name) == 0)
			return true;
	}
	return false;
}

UNIT_TEST(unwind_of_a_stack_finds_the_calls)
{
	struct symbol_stack stack = {
		.mask = (1 << REGISTERS) - 1,
		.registers = registers,
		.register_count = REGISTERS,
		.bytes = stack_bytes,
		.size = STACK_BYTES,
	};
	uint64_t frames[64];
	size_t count;

	begin(&(struct symbols_options){.is_live = false});
	call_take_stack();
	assert_int_equal(symbols_unwind(symbols, A_PID, &stack, frames, 64), 0);
	assert_true(maps_walk(getpid(), map_all, NULL));
	count = symbols_unwind(symbols, A_PID, &stack, frames, 64);
	assert_in_range(count, 2, 64);
	assert_true(has_call(frames, count, "take_stack"));
	assert_true(has_call(frames, count, "call_take_stack"));

	stack.size = 0;
	assert_in_range(symbols_unwind(symbols, A_PID, &stack, frames, 64), 0, 1);
	stack.size = STACK_BYTES;
	assert_int_equal(symbols_unwind(symbols, A_PID, &stack, frames, 1), 1);
}

/* It is ended; another one has the names. */
UNIT_TEST(unwind_of_a_helper_that_hangs_is_given_up)
{
	struct symbol_stack stack = {
		.mask = (1 << REGISTERS) - 1,
		.registers = registers,
		.register_count = REGISTERS,
		.bytes = stack_bytes,
		.size = STACK_BYTES,
	};
	uint64_t frames[64];

	begin(&(struct symbols_options){.is_live = false, .patience_ms = 10});
	call_take_stack();
	assert_true(maps_walk(getpid(), map_all, NULL));
	for (uint32_t i = 1; i <= 3; i++) {
		if (symbols->helper.pid > 0)
			assert_return_code(kill(symbols->helper.pid, SIGSTOP), errno);
		symbols_unwind(symbols, A_PID, &stack, frames, 64);
	}
	assert_in_range(symbols_not_unwound(symbols), 2, 3);
	assert_int_equal(symbols->helper.pid, 0);
}

/* Each word leads to where a function begins, which was called from the next. */
UNIT_TEST(unwind_of_calls_without_end_is_bounded)
{
	const struct symbol_stack stack = {
		.mask = (1 << REGISTERS) - 1,
		.registers = registers,
		.register_count = REGISTERS,
		.bytes = stack_bytes,
		.size = STACK_BYTES,
	};
	const uint64_t back = (uint64_t)(uintptr_t)call_take_stack + 1;
	uint64_t frames[64];

	begin(&(struct symbols_options){.is_live = false});
	assert_true(maps_walk(getpid(), map_all, NULL));
	registers[7] = 0x1000;
	registers[8] = back - 1;
	for (size_t i = 0; i < STACK_BYTES; i += sizeof(back))
		memcpy(stack_bytes + i, &back, sizeof(back));
	assert_int_equal(symbols_unwind(symbols, A_PID, &stack, frames, 64), 64);
	assert_int_equal(frames[63], back);
	assert_int_equal(symbols_not_unwound(symbols), 0);
}

/* Whatever is in it: the helper goes on. */
UNIT_TEST(unwind_of_any_bytes_is_survived)
{
	struct symbol_stack stack = {
		.registers = registers,
		.bytes = stack_bytes,
		.size = STACK_BYTES,
	};
	uint64_t frames[64], random = 1;

	begin(&(struct symbols_options){.is_live = false});
	assert_true(maps_walk(getpid(), map_all, NULL));
	call_take_stack();
	for (int i = 0; i < 200; i++) {
		random = random * UINT64_C(6364136223846793005) + 1;
		stack.mask = i % 2 ? random : (1 << REGISTERS) - 1;
		stack.register_count = random >> 60 > 3 ? REGISTERS : random >> 62;
		for (size_t k = 0; k < 16; k++)
			memcpy(stack_bytes + (random >> (k + 20)) % (STACK_BYTES - 8), &random, 8);
		assert_in_range(symbols_unwind(symbols, A_PID, &stack, frames, 64), 0, 64);
	}
	load(SAMPLE);
	sample_address = address_of("sample_work");
	assert_true(maps_walk(getpid(), map_all, NULL));
	assert_string_equal(find_recorded(A_PID).name, "sample_work");
}
#endif

/* --- the helper */

UNIT_TEST(fd_says_when_answers_have_come)
{
	struct pollfd poll_fd = {.fd = symbols_fd(symbols), .events = POLLIN};
	uint32_t id;

	load(SAMPLE);
	id = ask(address_of("sample_work"));
	while (symbol_get(symbols, id).state == SYMBOL_PENDING) {
		symbols_work(symbols);
		if (symbol_get(symbols, id).state == SYMBOL_PENDING)
			assert_int_equal(poll(&poll_fd, 1, 600000), 1);
	}
	assert_true(symbols_cpu_ns(symbols) > 0);
	assert_true(symbols->head.opener_bytes > 0);
	assert_true(symbols_memory_bytes(symbols) > symbols->head.opener_bytes);
}

UNIT_TEST(helper_is_the_program_itself)
{
	begin(&(struct symbols_options){.is_live = true, .program = PERFTOP});
	load(SAMPLE);
	assert_string_equal(find_here(marked_address("sample_hidden_address")).name,
			    "sample_hidden");
}

static void expect_status(const char *status, const char *key, const char *value)
{
	const char *found = file_find_key(status, key);

	begin_case(key);
	assert_non_null(found);
	assert_memory_equal(found, value, strlen(value));
}

UNIT_TEST(helper_reads_without_rights)
{
	char status[4096];

	begin(&(struct symbols_options){.is_live = true, .program = PERFTOP});
	load(SAMPLE);
	find_here(address_of("sample_work"));
	assert_true(file_readf(status, sizeof(status), "/proc/%d/status",
			       (int)symbols->helper.pid) > 0);

	expect_status(status, "CapEff", "0000000000000000");
	expect_status(status, "CapPrm", "0000000000000000");
	expect_status(status, "NoNewPrivs", "1");
	if (geteuid() == 0)
		expect_status(status, "Uid", "65534\t65534\t65534\t65534");
}

/* It would never return if it waited. */
UNIT_TEST(helper_that_does_not_answer_is_not_waited_for)
{
	uint32_t id;

	load(SAMPLE);
	find_here(address_of("sample_work"));
	assert_return_code(kill(symbols->helper.pid, SIGSTOP), errno);
	id = ask(marked_address("sample_hidden_address"));
	for (uint64_t i = 0; i < 1000; i++)
		ask(0x1000 + i * 4096);
	for (int i = 0; i < 100; i++)
		symbols_work(symbols);
	assert_int_equal(symbol_get(symbols, id).state, SYMBOL_PENDING);
	assert_true(symbols_pending(symbols) > 0);

	assert_return_code(kill(symbols->helper.pid, SIGCONT), errno);
	symbols_finish(symbols);
	assert_string_equal(symbol_get(symbols, id).name, "sample_hidden");
}

UNIT_TEST(helper_that_does_not_answer_is_ended)
{
	load(SAMPLE);
	find_here(address_of("sample_work"));
	assert_return_code(kill(symbols->helper.pid, SIGSTOP), errno);
	ask(marked_address("sample_hidden_address")); /* tear_down() ends it */
}

/* As one that opens a file on a server that is gone: other names need not wait for it. */
UNIT_TEST(helper_that_says_nothing_is_given_up)
{
	struct symbol symbol;
	uint32_t id;

	begin(&(struct symbols_options){.is_live = true});
	load(SAMPLE);
	assert_string_equal(find_here(address_of("sample_work")).name, "sample_work");
	assert_return_code(kill(symbols->helper.pid, SIGSTOP), errno);
	symbols->options.patience_ms = 50;
	id = ask(marked_address("sample_hidden_address"));
	symbols_work(symbols);
	assert_int_equal(symbol_get(symbols, id).state, SYMBOL_PENDING);
	usleep(60000);
	symbols_work(symbols);

	symbol = symbol_get(symbols, id);
	expect_unknown(&symbol, SYMBOL_REASON_TOO_COSTLY);
}

/* As one that a hostile file has taken over. */
UNIT_TEST(helper_that_sends_without_end_is_given_up)
{
	static const char head[WIRE_HEAD_BYTES];
	struct symbol symbol;
	uint32_t id;
	int pair[2];
	pid_t pid;

	begin(&(struct symbols_options){.is_live = true});
	load(SAMPLE);
	find_here(address_of("sample_work"));
	assert_return_code(kill(symbols->helper.pid, SIGSTOP), errno);
	id = ask(marked_address("sample_hidden_address"));
	symbols_work(symbols);
	assert_return_code(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), errno);
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		while (write(pair[1], head, sizeof(head)) > 0)
			;
		_exit(0);
	}
	close(pair[1]);
	assert_return_code(dup2(pair[0], symbols->helper.fd), errno);
	close(pair[0]);
	symbols_finish(symbols);

	symbol = symbol_get(symbols, id);
	expect_unknown(&symbol, SYMBOL_REASON_TOO_COSTLY);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* A live run has a screen that would stand still. */
UNIT_TEST(unwind_does_not_wait_for_a_slow_answer)
{
	struct symbol_stack stack = {0};
	uint64_t frames[64], before_ns;

	begin(&(struct symbols_options){.is_live = true});
	load(SAMPLE);
	assert_string_equal(find_here(address_of("sample_work")).name, "sample_work");
	assert_return_code(kill(symbols->helper.pid, SIGSTOP), errno);
	ask(marked_address("sample_hidden_address"));
	symbols_work(symbols);
	before_ns = sys_now_ns();
	for (uint32_t i = 1; i <= 100; i++)
		assert_int_equal(symbols_unwind(symbols, getpid(), &stack, frames, 64), 0);
	assert_in_range(sys_now_ns() - before_ns, 0, 2000000000);
	assert_int_equal(symbols_not_unwound(symbols), 100);
}

/* One whose file hangs is gone later: not a zombie until perftop ends. */
UNIT_TEST(helper_that_ends_late_is_collected)
{
	pid_t late;

	load(SAMPLE);
	late = fork();
	if (late == 0)
		_exit(0);
	symbols->helper.ending[3] = late;
	assert_int_equal(waitid(P_PID, (id_t)late, NULL, WEXITED | WNOWAIT), 0);
	assert_string_equal(find_here(address_of("sample_work")).name, "sample_work");

	assert_int_equal(symbols->helper.ending[3], 0);
	assert_int_equal(waitpid(late, NULL, WNOHANG), -1);
}

UNIT_TEST(helper_is_known_by_its_name)
{
	char name[32] = "";

	begin(&(struct symbols_options){.is_live = true, .program = PERFTOP});
	load(SAMPLE);
	assert_string_equal(find_here(address_of("sample_work")).name, "sample_work");
	assert_true(file_readf(name, sizeof(name), "/proc/%d/comm", symbols->helper.pid) > 0);
	assert_string_equal(name, "perftop-symbols\n");
}

UNIT_TEST(helper_that_cannot_be_started_is_forked)
{
	begin(&(struct symbols_options){.is_live = true, .program = "/nonexistent"});
	load(SAMPLE);
	assert_string_equal(find_here(address_of("sample_work")).name, "sample_work");
}

UNIT_TEST(helper_that_dies_costs_the_answers)
{
	struct symbol symbol;

	begin(&(struct symbols_options){.is_live = true, .program = "/bin/false"});
	load(SAMPLE);
	symbol = find_here(address_of("sample_work"));
	expect_unknown(&symbol, SYMBOL_REASON_TOO_COSTLY);
	for (int i = 0; i < 100; i++)
		symbol = find(&(struct symbol_address){.pid = 1000000 + i, .address = 0x400000});
	expect_unknown(&symbol, SYMBOL_REASON_NO_HELPER);
}

/* An object that kills the helper does so once, whatever number of its addresses are asked for. */
UNIT_TEST(helper_that_dies_of_one_object_serves_the_others)
{
	struct symbol symbol;

	begin(&(struct symbols_options){.is_live = true, .program = "/bin/false"});
	load(SAMPLE);
	for (uint64_t i = 0; i < 5000; i++)
		ask(address_of("sample_work") + i);
	symbols_finish(symbols);
	symbol = find(&(struct symbol_address){.pid = 1000000, .address = 0x400000});
	assert_int_not_equal(symbol.reason, SYMBOL_REASON_NO_HELPER);
}

/* --- memory */

UNIT_TEST(crowded_symbols_are_given_anew_after_forget_rest)
{
	uint32_t kept;

	begin(&(struct symbols_options){.is_live = true, .symbol_max = 32});
	load(SAMPLE);
	kept = find_here(address_of("sample_work")).same_as;
	for (uint64_t i = 0; i < 100; i++)
		ask(0x1000 + i);
	assert_true(symbols_are_crowded(symbols));
	assert_int_equal(symbol_get(symbols, ask(0x2000)).reason, SYMBOL_REASON_CROWDED);
	symbols_finish(symbols);

	symbols_keep(symbols, kept);
	symbols_forget_rest(symbols);
	assert_false(symbols_are_crowded(symbols));
	assert_string_equal(symbol_get(symbols, kept).name, "sample_work");
	assert_int_equal(find_here(address_of("sample_work")).same_as, kept);
	assert_string_equal(find_here(marked_address("sample_hidden_address")).name,
			    "sample_hidden");
}

UNIT_TEST(forget_rest_keeps_what_still_waits)
{
	uint32_t id;

	load(SAMPLE);
	id = ask(address_of("sample_work"));
	symbols_forget_rest(symbols);
	symbols_finish(symbols);
	assert_string_equal(symbol_get(symbols, id).name, "sample_work");
}

UNIT_MAIN(set_up, tear_down)
