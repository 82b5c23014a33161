/* Build ids: notes as the linker leaves them, and files that are none. */

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "kernel/maps.h"

#include "fake_root.h"
#include "perfdata/build_ids.h"
#include "unit.h"

static struct build_ids *ids; /* of the test that runs, and what is made in it */
static struct strbuf notes, buffer;

enum {
	RECORD_HEAD = 8 + 4 + 24,
	NAME_ROOM = 64
};

static void add_note(const char *owner, uint32_t type, const void *id, uint32_t size)
{
	const Elf64_Nhdr header = {(uint32_t)strlen(owner) + 1, size, type};

	strbuf_add_bytes(&notes, (const char *)&header, sizeof(header));
	strbuf_add_bytes(&notes, owner, header.n_namesz);
	strbuf_add_repeated(&notes, '\0', (4 - header.n_namesz % 4) % 4);
	strbuf_add_bytes(&notes, id, size);
	strbuf_add_repeated(&notes, '\0', (4 - size % 4) % 4);
}

static const unsigned char ID[BUILD_ID_MAX] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					       11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

UNIT_TEST(build_id_find_takes_the_linkers_note_among_others)
{
	unsigned char id[BUILD_ID_MAX];

	add_note("GNU", NT_GNU_ABI_TAG, "0123456789abcdef", 16);
	add_note("Xen", NT_GNU_BUILD_ID, "123", 3);
	add_note("GNU", NT_GNU_BUILD_ID, ID, BUILD_ID_MAX);
	assert_int_equal(build_id_find(notes.text, notes.length, id), BUILD_ID_MAX);
	assert_memory_equal(id, ID, BUILD_ID_MAX);
}

UNIT_TEST(build_id_find_cut_anywhere_finds_nothing)
{
	unsigned char id[BUILD_ID_MAX];

	add_note("GNU", NT_GNU_ABI_TAG, "0123456789abcdef", 16);
	add_note("GNU", NT_GNU_BUILD_ID, ID, BUILD_ID_MAX);
	for (size_t size = 0; size < notes.length; size++) {
		char *copy = malloc(size + 1); /* so that one byte more is seen */

		memcpy(copy, notes.text, size);
		assert_int_equal(build_id_find(copy, size, id), 0);
		free(copy);
	}
}

UNIT_TEST(build_id_find_wrong_sizes_find_nothing)
{
	static const Elf64_Nhdr wrong[] = {
		{UINT32_MAX, 4, NT_GNU_BUILD_ID},
		{4, UINT32_MAX, NT_GNU_BUILD_ID},
		{UINT32_MAX - 2, UINT32_MAX - 2, NT_GNU_BUILD_ID},
	};
	unsigned char id[BUILD_ID_MAX];

	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_int_equal(build_id_find(&wrong[i], sizeof(wrong[i]), id), 0);
	/* longer than any */
	add_note("GNU", NT_GNU_BUILD_ID, "012345678901234567890", BUILD_ID_MAX + 1);
	assert_int_equal(build_id_find(notes.text, notes.length, id), 0);
}

/* An ELF file with the note in a segment of its own. */
static void make_elf_of(const char *name, const void *id, uint32_t id_size, uint64_t size_more)
{
	struct strbuf file = {0};
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			    EV_CURRENT},
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_phoff = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 2,
	};
	Elf64_Phdr segments[2] = {{.p_type = PT_LOAD}, {.p_type = PT_NOTE}};

	strbuf_clear(&notes);
	add_note("GNU", NT_GNU_BUILD_ID, id, id_size);
	segments[1].p_offset = sizeof(header) + sizeof(segments);
	segments[1].p_filesz = size_more + notes.length;
	strbuf_add_bytes(&file, (const char *)&header, sizeof(header));
	strbuf_add_bytes(&file, (const char *)segments, sizeof(segments));
	strbuf_add_bytes(&file, notes.text, notes.length);
	fake_root_bytes(name, file.text, file.length);
	strbuf_fini(&file);
}

static void make_elf(const char *name, const void *id, uint32_t id_size)
{
	make_elf_of(name, id, id_size, 0);
}

static uint64_t inode_of(const char *path)
{
	struct stat status = {0};

	stat(path, &status);
	return status.st_ino;
}

static void note(const char *name)
{
	char path[FAKE_PATH_BYTES];

	fake_root_path(path, name);
	build_ids_note(ids, path, inode_of(path));
}

UNIT_TEST(build_ids_append_has_each_file_once_as_it_was_first)
{
	struct perf_event_header header;
	char path[FAKE_PATH_BYTES];

	make_elf("/program", ID, 20);
	note("/program");
	make_elf("/program", "other", 5);
	note("/program");

	assert_true(build_ids_append(ids, 67, &buffer));
	assert_int_equal(buffer.length, RECORD_HEAD + NAME_ROOM);
	memcpy(&header, buffer.text, sizeof(header));
	assert_int_equal(header.type, 67);
	assert_int_equal(header.size, buffer.length);
	assert_int_equal(header.misc, PERF_RECORD_MISC_USER | 1 << 15);
	assert_memory_equal(buffer.text + 12, ID, 20);
	assert_int_equal(buffer.text[32], 20);
	fake_root_path(path, "/program");
	assert_string_equal(buffer.text + RECORD_HEAD, path);
}

UNIT_TEST(build_ids_are_found_as_they_were_appended)
{
	unsigned char id[BUILD_ID_MAX];
	char path[FAKE_PATH_BYTES];
	struct build_ids *taken = build_ids_create();

	make_elf("/program", ID, 20);
	note("/program");
	fake_root_path(path, "/program");
	assert_true(build_ids_append(ids, 0, &buffer));
	build_ids_take(taken, PERF_RECORD_MISC_USER | 1 << 15, buffer.text + 8, buffer.length - 8);

	assert_int_equal(build_ids_find(taken, path, strlen(path), id), 20);
	assert_memory_equal(id, ID, 20);
	assert_int_equal(build_ids_find(taken, path, strlen(path) - 1, id), 0);
	assert_int_equal(build_ids_find(NULL, path, strlen(path), id), 0);
	build_ids_destroy(taken);
}

/* As older perfs write them; the mapping of the kernel has a symbol behind its name. */
/* In a container a path may mean another file: then nobody knows which of the two was meant. */
UNIT_TEST(build_ids_of_a_path_that_means_two_files_are_left_out)
{
	char path[FAKE_PATH_BYTES];

	make_elf("/first", ID, 20);
	make_elf("/second", ID, 20);
	fake_root_path(path, "/first");
	note("/first");
	build_ids_note(ids, path, inode_of(path) + 1);
	note("/first");
	fake_root_path(path, "/second");
	build_ids_note(ids, path, inode_of(path) + 1);
	note("/second");

	assert_false(build_ids_append(ids, 0, &buffer));
}

UNIT_TEST(build_ids_without_a_size_end_before_their_zeros)
{
	static const char record[] = "pid.123456789abc\0\0\0\0\0\0\0\0....[kernel.kallsyms]";
	unsigned char id[BUILD_ID_MAX];

	build_ids_take(ids, 0, record, sizeof(record));
	build_ids_take(ids, 0, record, 28); /* it has no name */

	assert_int_equal(build_ids_find(ids, "[kernel.kallsyms]_text", 22, id), 12);
	assert_memory_equal(id, "123456789abc", 12);
}

UNIT_TEST(build_ids_short_ids_have_their_size)
{
	make_elf("/program", "12345678", 8);
	note("/program");
	assert_true(build_ids_append(ids, 0, &buffer));
	assert_memory_equal(buffer.text + 12, "12345678\0\0\0\0", 12);
	assert_int_equal(buffer.text[32], 8);
}

/* What a file says of the size of its notes is not believed. */
UNIT_TEST(build_ids_of_a_file_with_huge_notes_are_found)
{
	const uint64_t sizes[] = {UINT64_C(1) << 31, UINT64_C(1) << 40, UINT64_MAX / 2};
	char path[FAKE_PATH_BYTES];

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		unsigned char id[BUILD_ID_MAX];
		int fd;

		make_elf_of("/program", ID, 20, sizes[i]);
		fake_root_path(path, "/program");
		assert_int_equal(truncate(path, INT64_C(6) << 30), 0); /* sparse */
		fd = open(path, O_RDONLY | O_CLOEXEC);
		assert_int_equal(build_id_of_file(fd, id), 20);
		assert_memory_equal(id, ID, 20);
		close(fd);
	}
}

UNIT_TEST(build_ids_what_is_no_program_has_none)
{
	char name[32], path[FAKE_PATH_BYTES];

	for (int size = 0; size < 64 + 112 + 36; size += 5) {
		snprintf(name, sizeof(name), "/cut%d", size);
		make_elf(name, ID, 20);
		fake_root_path(path, name);
		assert_int_equal(truncate(path, size), 0);
		build_ids_note(ids, path, inode_of(path));
	}
	fake_root_file("/text", "not a program");
	fake_root_file("/empty", "");
	fake_root_folder("/folder");
	fake_root_path(path, "/fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	note("/text");
	note("/empty");
	note("/folder");
	note("/fifo"); /* it has no writer, and must not be waited for */
	note("/nowhere");
	build_ids_note(ids, "[heap]", 0);
	build_ids_note(ids, "//anon", 0);
	build_ids_note(ids, "", 0);

	assert_false(build_ids_append(ids, 0, &buffer));
	assert_int_equal(buffer.length, 0);
}

/* It is in no file, and yet a recording has to say which one it was. */
UNIT_TEST(build_ids_note_the_vdso)
{
	unsigned char id[BUILD_ID_MAX];
	int fd = maps_copy_vdso();

	if (fd < 0 || build_id_of_file(fd, id) == 0)
		skip();
	close(fd);
	build_ids_note(ids, "[vdso]", 0);

	assert_true(build_ids_append(ids, 0, &buffer));
	assert_memory_equal(buffer.text + 12, id, BUILD_ID_MAX);
	assert_string_equal(buffer.text + RECORD_HEAD, "[vdso]");
}

UNIT_TEST(build_ids_note_kernel_has_its_own_name)
{
	struct perf_event_header header;
	char path[FAKE_PATH_BYTES];

	add_note("GNU", NT_GNU_BUILD_ID, ID, 20);
	fake_root_bytes("/notes", notes.text, notes.length);
	fake_root_path(path, "/notes");
	build_ids_note_kernel(ids, path);

	assert_true(build_ids_append(ids, 0, &buffer));
	memcpy(&header, buffer.text, sizeof(header));
	assert_int_equal(header.misc, PERF_RECORD_MISC_KERNEL | 1 << 15);
	assert_memory_equal(buffer.text + 12, ID, 20);
	assert_string_equal(buffer.text + RECORD_HEAD, "[kernel.kallsyms]");
}

static int set_up(void **state)
{
	ids = build_ids_create();
	return fake_root_setup(state);
}

static int tear_down(void **state)
{
	build_ids_destroy(ids);
	strbuf_fini(&notes);
	strbuf_fini(&buffer);
	return fake_root_teardown(state);
}

UNIT_MAIN(set_up, tear_down)
