/*
 * Files: as root, the mapped file itself (/proc/PID/map_files), even if it was deleted or replaced.
 * Otherwise, or after the process has ended, the file of that name if its inode or build id
 * matches.
 */
#include "symbol/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

#include "symbol/elf_file.h"
#include "symbol/text_symbols.h"

enum {
	BYTES_MAX = 128 << 20,       /* of tables; the one in use may have more */
	LINES_MAX = 16,              /* objects whose debug information is kept open */
	LINES_BYTES_MAX = 512 << 20, /* allocated in all, while more than one is kept open */
	JIT_LONG_NS = 10000000, /* CPU time of a reading, after which there is a pause of JIT_PAUSE
				   times that */
	JIT_PAUSE = 20
};

/* How long until new modules and BPF programs are looked for; doubles each time. */
static const uint64_t KERNEL_WAIT_NS = UINT64_C(4000000000);

struct store *store_create(struct opener *opener)
{
	struct store *store = xcalloc(1, sizeof(*store));

	store->opener = opener;
	return store;
}

static void release_stored(struct stored *stored)
{
	if (!stored->store)
		return;
	elf_file_close(stored);
	table_fini(&stored->table);
	table_fini(&stored->variables);
	free((char *)stored->object.name);
	*stored = (struct stored){0};
}

void store_destroy(struct store *store)
{
	for (size_t i = 0; i < STORE_MAX; i++)
		release_stored(&store->objects[i]);
	free(store);
}

/* --- files */

/* Whether a file found by name is known to be the one that ran: by build id, or else by inode. */
static bool is_the_one(const struct wire_object *object, int fd)
{
	unsigned char id[BUILD_ID_MAX];
	struct stat status;

	if (object->build_id_size == 0)
		return fstat(fd, &status) == 0 && status.st_ino == object->inode;
	return build_id_of_file(fd, id) == object->build_id_size &&
	       memcmp(object->build_id, id, object->build_id_size) == 0;
}

/* pid 0: this process. -1: not found, or another file; sets the reason. */
static int find_by_name(struct stored *stored, const char *name, int32_t pid)
{
	struct wire_object object = stored->object;
	int fd;

	object.name = name;
	object.pid = pid;
	fd = opener_open(stored->store->opener, OPENER_FILE, &object, NULL);
	if (fd >= 0 && is_the_one(&object, fd))
		return fd;
	stored->facts.reason = fd == OPEN_NOT_ELF ? SYMBOL_REASON_NOT_ELF
			       : fd < 0           ? SYMBOL_REASON_NO_FILE
			       : object.is_live   ? SYMBOL_REASON_REPLACED
						  : SYMBOL_REASON_OTHER_FILE;
	if (fd >= 0) {
		stored->facts.is_deleted = object.is_live;
		close(fd);
	}
	return -1;
}

void write_build_id(char text[static BUILD_ID_TEXT], const uint8_t *id, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0, length = 0; i < size && size > 1 && size <= BUILD_ID_MAX; i++)
		length += (size_t)snprintf(text + length, BUILD_ID_TEXT - length,
					   i == 0 ? "%02x/" : "%02x", id[i]);
}

/* Looks for the same build in the places where files are kept by build id. */
static int find_by_build_id(struct stored *stored)
{
	static const struct {
		const char *folder, *name;
		bool is_of_user;
	} places[] = {
		{"/.debug/.build-id/", "/elf", true}, /* perf's */
		{"/.debug/.build-id/", "", true},     /* older ones' */
		{"/usr/lib/debug/.build-id/", "", false},
		{"/usr/lib/.build-id/", "", false},
	};
	const struct wire_facts before = stored->facts;
	const char *home = getenv("HOME");
	char id[BUILD_ID_TEXT], path[WIRE_TEXT_BYTES];
	int fd = -1;

	write_build_id(id, stored->object.build_id, stored->object.build_id_size);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && id[0] != '\0' && fd < 0; i++) {
		if (places[i].is_of_user && !home)
			continue;
		snprintf(path, sizeof(path), "%s%s%s%s", places[i].is_of_user ? home : "",
			 places[i].folder, id, places[i].name);
		fd = find_by_name(stored, path, 0);
	}
	if (fd < 0)
		stored->facts = before;
	return fd;
}

static int find_object_file(struct stored *stored)
{
	const struct wire_object *object = &stored->object;
	struct opener_reply reply;
	int fd = -1;

	if (object->is_live) {
		fd = opener_open(stored->store->opener, OPENER_MAPPED, object, &reply);
		if (fd < 0)
			fd = find_by_name(stored, object->name, object->pid);
		else
			stored->facts.is_deleted = reply.is_deleted;
	}
	if (fd < 0 && (!object->is_live || stored->facts.reason == SYMBOL_REASON_NO_FILE))
		fd = find_by_name(stored, object->name, 0);
	return fd >= 0 ? fd : find_by_build_id(stored);
}

/*
 * The code that the kernel maps into every process: ours is used if it has the same size, since
 * 32-bit programs have another one. In a recording only the build id identifies it.
 */
static int find_vdso(struct stored *stored)
{
	const struct wire_object *object = &stored->object;
	struct stat status;
	int fd = opener_open(stored->store->opener, OPENER_VDSO, object, NULL);

	stored->facts.reason = SYMBOL_REASON_NO_FILE;
	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && (uint64_t)status.st_size == object->end - object->start) {
		if (object->build_id_size > 0 ? is_the_one(object, fd) : object->is_live)
			return fd;
		stored->facts.reason = object->build_id_size > 0 ? SYMBOL_REASON_OTHER_KERNEL
								 : SYMBOL_REASON_OTHER_FILE;
	}
	close(fd);
	return -1;
}

static void read_object_file(struct stored *stored, int fd)
{
	if (fd < 0)
		return;
	if (!elf_file_read(stored, fd))
		stored->facts.reason = SYMBOL_REASON_NOT_ELF;
	else
		stored->facts.reason =
			stored->table.count > 0 ? SYMBOL_REASON_NONE : SYMBOL_REASON_NO_SYMBOLS;
}

/* --- the kernel */

/* Reads the kernel's symbols. Returns whether the recorded symbol is at its recorded address. */
static bool read_kernel(struct stored *stored)
{
	struct wire_object object = stored->object;
	uint64_t address;
	int fd;

	object.name = stored->kernel_id;
	fd = opener_open(stored->store->opener, OPENER_KALLSYMS, &object, NULL);
	table_fini(&stored->table);
	stored->facts.reason = kallsyms_read(&stored->table, fd, stored->object.name, &address);
	stored->facts.version++;
	stored->due_ns = sys_now_ns() + stored->wait_ns;
	stored->wait_ns *= 2;
	return address != 0 && address == object.start;
}

/* Compares the recorded build id, if any, with that of the running kernel. */
static bool may_be_this_kernel(const struct stored *stored)
{
	const struct wire_object *object = &stored->object;
	unsigned char id[BUILD_ID_MAX];
	const size_t size = build_id_of_kernel(
		opener_open(stored->store->opener, OPENER_KERNEL_NOTES, object, NULL), id);

	return size == 0 || object->build_id_size == 0 ||
	       (size == object->build_id_size && memcmp(id, object->build_id, size) == 0);
}

/*
 * The kernel of a recording is the running one if a symbol has the same address, which changes at
 * each boot, or one whose symbols perf has kept.
 */
static void open_kernel(struct stored *stored)
{
	stored->wait_ns = KERNEL_WAIT_NS;
	if (stored->object.is_live) {
		read_kernel(stored);
		return;
	}
	if (may_be_this_kernel(stored) && read_kernel(stored))
		return;
	write_build_id(stored->kernel_id, stored->object.build_id, stored->object.build_id_size);
	if (stored->kernel_id[0] != '\0' && read_kernel(stored))
		return;
	stored->kernel_id[0] = '\0';
	read_kernel(stored);
	if (stored->facts.reason == SYMBOL_REASON_NONE)
		stored->facts.reason = SYMBOL_REASON_OTHER_KERNEL;
}

/* --- code made at run time */

static void read_jit_map(struct stored *stored)
{
	const int fd = opener_open(stored->store->opener, OPENER_JIT_MAP, &stored->object, NULL);
	struct stat status;
	int64_t changed_ns;
	uint64_t begun_ns, took_ns;

	if (fd < 0 || fstat(fd, &status) != 0) {
		if (fd == OPEN_REFUSED)
			table_fini(&stored->table);
		stored->gap_reason =
			fd == OPEN_REFUSED ? SYMBOL_REASON_JIT_REFUSED : SYMBOL_REASON_NO_JIT_MAP;
		if (fd >= 0)
			close(fd);
		return;
	}
	changed_ns = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;
	if ((changed_ns != stored->read_ns || (uint64_t)status.st_size != stored->read_bytes) &&
	    sys_now_ns() >= stored->due_ns) {
		begun_ns = proc_own_cpu_ns();
		table_fini(&stored->table);
		stored->read_ns = changed_ns;
		stored->read_bytes = (uint64_t)status.st_size;
		stored->gap_reason = jit_map_read(&stored->table, fd, stored->read_bytes);
		took_ns = proc_own_cpu_ns() - begun_ns;
		if (took_ns > JIT_LONG_NS)
			stored->due_ns = sys_now_ns() + JIT_PAUSE * took_ns;
	}
	close(fd);
}

static void update_jit(struct stored *stored)
{
	if (!stored->object.is_live)
		stored->gap_reason = SYMBOL_REASON_JIT_RECORDED;
	else
		read_jit_map(stored);
	stored->facts.version = (uint64_t)stored->read_ns;
	stored->facts.reason = stored->table.count == 0 ? stored->gap_reason : SYMBOL_REASON_NONE;
}

/* --- any object */

/* The least recently used object, has_lines: of those with open debug information, except this one;
 * *count: how many there are. */
static struct stored *find_oldest(struct store *store, bool has_lines, const struct stored *except,
				  size_t *count)
{
	struct stored *oldest = NULL;

	*count = 0;
	for (struct stored *each = store->objects; each < store->objects + STORE_MAX; each++) {
		if (each == except || !each->store || (has_lines && !each->dwfl))
			continue;
		++*count;
		if (!oldest || each->used < oldest->used)
			oldest = each;
	}
	return oldest;
}

/*
 * Debug information is large: the least recently used one is closed before that of `stored` is
 * opened or grows. NULL: of an object that is not there yet.
 */
static void make_room_for_lines(struct store *store, const struct stored *stored)
{
	struct stored *oldest;
	size_t count;

	while ((oldest = find_oldest(store, true, stored, &count)) &&
	       (count >= LINES_MAX || memory_allocated_bytes() > LINES_BYTES_MAX))
		elf_file_end(oldest);
}

/* A free place; the least recently used objects are released if needed. */
static struct stored *make_room_for_object(struct store *store)
{
	struct stored *place = store->objects, *oldest;
	size_t count, bytes = 0;

	for (size_t i = 0; i < STORE_MAX; i++)
		bytes += table_bytes(&store->objects[i].table) +
			 table_bytes(&store->objects[i].variables);
	while ((oldest = find_oldest(store, false, NULL, &count)) &&
	       (count == STORE_MAX || bytes > BYTES_MAX)) {
		bytes -= table_bytes(&oldest->table) + table_bytes(&oldest->variables);
		release_stored(oldest);
	}
	while (place->store)
		place++;
	return place;
}

static void open_object(struct store *store, struct stored *stored,
			const struct wire_object *object)
{
	*stored = (struct stored){
		.store = store,
		.object = *object,
		.gap_reason = SYMBOL_REASON_NO_SYMBOL,
		.fd = -1,
	};
	stored->object.name = xstrdup(object->name);
	switch (object->kind) {
	case SYMBOL_OBJECT_KERNEL:
		open_kernel(stored);
		break;
	case SYMBOL_OBJECT_FILE:
		read_object_file(stored, find_object_file(stored));
		break;
	case SYMBOL_OBJECT_VDSO:
		read_object_file(stored, find_vdso(stored));
		break;
	case SYMBOL_OBJECT_JIT:
		break;
	case SYMBOL_OBJECT_MODULE:
	case SYMBOL_OBJECT_UNKNOWN:
		stored->facts.reason = SYMBOL_REASON_NO_MAPPING;
		break;
	}
}

struct stored *store_open(struct store *store, const struct wire_object *object)
{
	struct stored *stored = NULL;

	for (size_t i = 0; i < STORE_MAX && !stored; i++)
		if (store->objects[i].store && store->objects[i].object.serial == object->serial)
			stored = &store->objects[i];
	if (!stored) {
		stored = make_room_for_object(store);
		make_room_for_lines(store, NULL);
		open_object(store, stored, object);
	}
	stored->used = ++store->now;
	if (object->kind == SYMBOL_OBJECT_JIT)
		update_jit(stored);
	return stored;
}

bool stored_has_lines(struct stored *stored)
{
	Dwarf_Addr bias;

	make_room_for_lines(stored->store, stored);
	if (elf_file_begin(stored) && dwfl_module_getdwarf(stored->lines.module, &bias))
		return true;
	elf_file_end(stored);
	return false;
}

/* Clamped to the segment: a hostile file may give a function any range. */
static uint64_t to_place(const struct elf_segment *segment, uint64_t address)
{
	if (!segment)
		return address;
	if (address < segment->address)
		address = segment->address;
	if (address > segment->address + segment->bytes)
		address = segment->address + segment->bytes;
	return address - segment->address + segment->offset;
}

/* Its place is that of its address in a file that was one segment, whose code is where it is. */
static void find_variable(struct stored *stored, uint64_t at, struct address_answer *answer)
{
	const struct elf_segment *code = &stored->code.segments[0];
	const uint64_t shift = code->address - code->offset;
	const struct function_row *variable;
	uint64_t start, end;

	if (stored->code.count != 1)
		return;
	if (!stored->has_variables) {
		make_room_for_lines(stored->store, stored);
		elf_file_read_variables(stored);
	}
	variable = table_find(&stored->variables, at + shift, &start, &end);
	if (!variable)
		return;
	answer->reason = SYMBOL_REASON_NONE;
	answer->name = table_text(&stored->variables, variable->name);
	answer->function_start = variable->start - shift;
	answer->function_end = variable->end - shift;
}

void stored_find(struct stored *stored, uint64_t at, bool wants_line, struct address_answer *answer)
{
	const bool is_file = stored->fd >= 0;
	const struct elf_segment *segment = is_file ? elf_code_at_offset(&stored->code, at) : NULL;
	const uint64_t address = segment ? at - segment->offset + segment->address : at;
	const struct function_row *function;
	uint64_t start, end;

	*answer = (struct address_answer){.end = UINT64_MAX, .reason = stored->facts.reason};
	if (stored->facts.reason != SYMBOL_REASON_NONE && !is_file)
		return;
	*answer = (struct address_answer){.start = at, .end = at + 1, .reason = stored->gap_reason};
	if (is_file && !segment) {
		find_variable(stored, at, answer);
		return;
	}
	function = table_find(&stored->table, address, &start, &end);
	if (!function && stored->object.kind == SYMBOL_OBJECT_KERNEL &&
	    sys_now_ns() >= stored->due_ns) {
		read_kernel(stored);
		function = table_find(&stored->table, address, &start, &end);
	}
	if (function || segment) { /* otherwise a later text may name it */
		answer->start = to_place(segment, start);
		answer->end = to_place(segment, end);
	}
	if (stored->facts.reason != SYMBOL_REASON_NONE)
		answer->reason = stored->facts.reason;
	if (function) {
		answer->reason = SYMBOL_REASON_NONE;
		answer->name = table_text(&stored->table, function->name);
		answer->module = table_text(&stored->table, function->module);
		answer->function_start = to_place(segment, function->start);
		answer->function_end = to_place(segment, function->end);
	}
	if (wants_line && stored->dwfl)
		dwarf_lines_find(&stored->lines, address, answer);
}

int stored_open_source(const struct stored *stored, const char *path)
{
	struct wire_object source = stored->object;

	source.name = path;
	source.pid = source.is_live ? source.pid : 0;
	return opener_open(stored->store->opener, OPENER_SOURCE, &source, NULL);
}
