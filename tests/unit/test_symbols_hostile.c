/*
 * Files that lie: each section header, each number and length in the tables of a library is made
 * wrong, a part at a time. There is an answer for each address, whatever became of the helper.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <sys/stat.h>

#include "kernel/decode.h"

#include "symbol/symbols.h"
#include "unit.h"

enum {
	A_PID = 4242,
	ROUNDS = 150,
	CODE = 0x1000000 /* where files are mapped, beginning with their first byte */
};

static struct symbols *symbols;
static char folder[] = "/tmp/perftop-hostile-XXXXXX";
static char path[64];
static uint8_t *original, *bytes;
static size_t size;
static uint64_t random_state;
static size_t found, unknown;

static uint64_t next_random(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64_C(0x2545f4914f6cdd1d);
}

static int set_up(void **state)
{
	FILE *file = fopen(SAMPLE, "r");
	struct stat status;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	size = (size_t)status.st_size;
	original = malloc(size);
	bytes = malloc(size);
	assert_int_equal(fread(original, 1, size, file), size);
	fclose(file);
	memcpy(bytes, original, size);
	random_state = 1;
	found = unknown = 0;
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	assert_non_null(mkdtemp(folder));
	symbols = symbols_create(&(struct symbols_options){.is_live = false});
	return 0;
}

static int tear_down(void **state)
{
	symbols_destroy(symbols);
	free(original);
	free(bytes);
	return rmdir(folder);
}

/* A file of its own name for each round, so that nothing is known of it. */
static void write_file(int round, size_t length)
{
	FILE *file;

	snprintf(path, sizeof(path), "%s/%d.so", folder, round);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static void expect_harmless(const char *text)
{
	assert_true(strlen(text) < SYMBOL_NAME_MAX);
	for (const char *c = text; *c != '\0'; c++)
		assert_true((unsigned char)*c >= ' ');
}

static void check(uint32_t id)
{
	struct symbol symbol = symbol_get(symbols, id);

	assert_int_not_equal(symbol.state, SYMBOL_PENDING);
	expect_harmless(symbol.name);
	if (symbol.file)
		expect_harmless(symbol.file);
	if (symbol.state == SYMBOL_FOUND)
		found++;
	else
		unknown++;
}

/* Asks for functions and lines all over the file. */
static void ask(int round, size_t length)
{
	struct stat status = {0};

	stat(path, &status);

	const struct decoded_mmap mapping = {
		.pid = A_PID + round,
		.address = CODE,
		.length = length + 4096,
		.inode = status.st_ino,
		.file = path,
		.file_length = strlen(path),
	};
	uint32_t ids[128];
	uint64_t at[64];

	symbols_map(symbols, &mapping);
	for (size_t i = 0; i < COUNT_OF(at); i++)
		ids[i] = symbols_find(symbols,
				      &(struct symbol_address){
					      .pid = A_PID + round,
					      .address = CODE + 0x1000 + i * 16,
				      },
				      &at[i]);
	symbols_finish(symbols);
	for (size_t i = 0; i < COUNT_OF(at); i++)
		ids[COUNT_OF(at) + i] = symbols_find_line(symbols, ids[i], at[i]);
	symbols_finish(symbols);
	assert_int_equal(symbols_pending(symbols), 0);
	for (size_t i = 0; i < COUNT_OF(ids); i++)
		check(ids[i]);
	unlink(path);
}

static void try_file(int round, size_t length)
{
	write_file(round, length);
	ask(round, length);
	memcpy(bytes, original, size);
}

UNIT_TEST(file_as_it_is_has_functions)
{
	try_file(0, size);
	assert_true(found > 4);
}

static uint64_t a_lie(void)
{
	static const uint64_t lies[] = {0,          1,          0x7fffffff,      0x80000000,
					0xffffffff, UINT64_MAX, UINT64_MAX >> 1, UINT64_MAX - 7};
	uint64_t random = next_random();

	return random % 4 == 0   ? random
	       : random % 4 == 1 ? random % size
				 : lies[random / 4 % COUNT_OF(lies)];
}

UNIT_TEST(section_headers_that_lie)
{
	for (int round = 0; round < ROUNDS; round++) {
		ElfW(Ehdr) *header = (ElfW(Ehdr) *)bytes;
		ElfW(Shdr) *sections = (ElfW(Shdr) *)(bytes + header->e_shoff);
		ElfW(Shdr) *section = &sections[next_random() % header->e_shnum];

		switch (next_random() % 7) {
		case 0:
			section->sh_type = (ElfW(Word))a_lie();
			break;
		case 1:
			section->sh_offset = (size_t)a_lie();
			break;
		case 2:
			section->sh_size = (size_t)a_lie();
			break;
		case 3:
			section->sh_link = (ElfW(Word))a_lie();
			break;
		case 4:
			section->sh_info = (ElfW(Word))a_lie();
			break;
		case 5:
			section->sh_entsize = (size_t)a_lie();
			break;
		default:
			section->sh_flags = (size_t)a_lie(); /* compressed, among others */
		}
		try_file(round, size);
	}
	assert_true(found > 0);
}

UNIT_TEST(program_headers_that_lie)
{
	for (int round = 0; round < ROUNDS; round++) {
		ElfW(Ehdr) *header = (ElfW(Ehdr) *)bytes;
		uint8_t *programs = bytes + header->e_phoff;
		size_t length = (size_t)header->e_phnum * sizeof(ElfW(Phdr));
		uint64_t lie = a_lie();

		memcpy(programs + next_random() % (length / 8) * 8, &lie, sizeof(lie));
		try_file(round, size);
	}
}

UNIT_TEST(tables_that_lie)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 200; i++)
			bytes[64 + next_random() % (size - 64)] = (uint8_t)next_random();
		try_file(round, size);
	}
}

UNIT_TEST(files_that_are_cut)
{
	for (int round = 0; round < ROUNDS / 4; round++)
		try_file(round, (size_t)(next_random() % size));
}

UNIT_TEST(file_that_is_cut_while_it_is_read)
{
	for (int round = 0; round < ROUNDS / 4; round++) {
		write_file(round, size);
		assert_int_equal(truncate(path, (off_t)(next_random() % size)), 0);
		ask(round, size);
	}
}

UNIT_MAIN(set_up, tear_down)
