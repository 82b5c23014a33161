/*
 * Files: where root may, the very file that a process has mapped (/proc/PID/map_files), even if it
 * has been deleted or replaced. Others, and after the process has ended: the file of that name, if
 * it has the same inode or build id.
 */
#include "symbol/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"
#include "kernel/build_id.h"
#include "kernel/sys.h"

#include "symbol/debug_file.h"
#include "symbol/elf_file.h"
#include "symbol/jit_map.h"
#include "symbol/kallsyms.h"
#include "symbol/opener.h"

enum {
	OBJECTS_MAX = 256,          /* open files, among others */
	BYTES_MAX = 128 << 20,      /* of tables; the one in use may have more */
	LINES_MAX = 16,             /* objects whose debug information is kept: open files, too */
	LINES_BYTES_MAX = 512 << 20 /* allocated in all, while that of several is kept */
};

/* After which new modules and BPF programs are looked for; twice as long after each time. */
static const uint64_t KERNEL_WAIT_NS = UINT64_C(4000000000);

/* "ab/cdef...": as files are kept by their build ids. */
enum {
	BUILD_ID_TEXT = 2 * BUILD_ID_MAX + 2
};

struct stored {
	uint64_t serial; /* 0: free */
	uint64_t used;   /* when; of the store */
	enum symbol_object_kind kind;
	int32_t pid;
	bool is_live;
	struct wire_facts facts;
	struct elf_file *file; /* owned; NULL: none */
	struct jit_map jit;
};

struct store {
	struct opener *opener; /* borrowed */
	struct stored objects[OBJECTS_MAX];
	uint64_t now; /* calls so far */
	struct function_table kernel;
	char kernel_id[BUILD_ID_TEXT]; /* of one whose symbols perf has kept; "": of this one */
	uint64_t kernel_read_ns, kernel_wait_ns;
	uint64_t mapped_bytes; /* by libdw */
};

struct store *store_create(struct opener *opener)
{
	struct store *store = xcalloc(1, sizeof(*store));

	store->opener = opener;
	store->kernel_wait_ns = KERNEL_WAIT_NS;
	return store;
}

static void release(struct stored *stored)
{
	elf_file_close(stored->file);
	jit_map_fini(&stored->jit);
	*stored = (struct stored){0};
}

void store_destroy(struct store *store)
{
	for (size_t i = 0; i < OBJECTS_MAX; i++)
		release(&store->objects[i]);
	table_fini(&store->kernel);
	free(store);
}

/* --- files */

static struct elf_file *read_file(struct store *store, int fd, const struct wire_object *object,
				  struct wire_facts *facts)
{
	struct elf_file *file =
		elf_file_open(fd, &(struct debug_place){.opener = store->opener,
							.pid = object->pid,
							.path = object->name,
							.all_mapped_bytes = &store->mapped_bytes});

	if (!file) {
		facts->reason = SYMBOL_REASON_NOT_ELF;
		return NULL;
	}
	facts->build_id_size = (uint8_t)elf_file_build_id(file, facts->build_id);
	facts->reason = elf_file_reason(file);
	return file;
}

static bool has_same_inode(const struct wire_object *object, int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && object->inode == status.st_ino;
}

/* Whether a file found by name is known to be the one that ran. */
static bool is_the_one(const struct wire_object *object, bool has_its_inode,
		       const struct wire_facts *facts)
{
	if (object->build_id_size > 0)
		return object->build_id_size == facts->build_id_size &&
		       memcmp(object->build_id, facts->build_id, facts->build_id_size) == 0;
	return has_its_inode;
}

static int ask_opener(struct store *store, enum opener_wish wish, int32_t pid,
		      const struct wire_object *object, struct opener_reply *reply)
{
	struct opener_request request = {
		.wish = wish,
		.pid = pid,
		.start = object->start,
		.end = object->end,
	};

	snprintf(request.name, sizeof(request.name), "%s", object->name);
	return opener_open(store->opener, &request, reply);
}

/* pid 0: where this process sees it. */
static struct elf_file *find_by_name(struct store *store, const struct wire_object *object,
				     int32_t pid, struct wire_facts *facts)
{
	struct opener_reply reply;
	struct elf_file *file;
	bool has_its_inode;
	int fd = ask_opener(store, OPENER_FILE, pid, object, &reply);

	if (fd < 0) {
		facts->reason = fd == OPEN_NOT_ELF ? SYMBOL_REASON_NOT_ELF : SYMBOL_REASON_NO_FILE;
		return NULL;
	}
	has_its_inode = has_same_inode(object, fd);
	file = read_file(store, fd, object, facts);
	if (file && !is_the_one(object, has_its_inode, facts)) {
		elf_file_close(file);
		file = NULL;
		*facts = (struct wire_facts){
			.reason =
				object->is_live ? SYMBOL_REASON_REPLACED : SYMBOL_REASON_OTHER_FILE,
			.is_deleted = object->is_live,
		};
	}
	return file;
}

/* Whether what is mapped there is what was: the pid may be that of another process now. */
static bool is_mapped(const struct wire_object *object, int fd, const char *name)
{
	size_t length = strlen(object->name);
	const char *rest = name + length;

	return has_same_inode(object, fd) || (strncmp(name, object->name, length) == 0 &&
					      (*rest == '\0' || strcmp(rest, " (deleted)") == 0));
}

static struct elf_file *find_mapped(struct store *store, const struct wire_object *object,
				    struct wire_facts *facts)
{
	struct opener_reply reply;
	int fd = ask_opener(store, OPENER_MAPPED, object->pid, object, &reply);

	if (fd < 0)
		return NULL;
	if (!is_mapped(object, fd, reply.name)) {
		close(fd);
		return NULL;
	}
	facts->is_deleted = reply.is_deleted;
	return read_file(store, fd, object, facts);
}

/* "": it is not known. */
static void write_build_id(char text[static BUILD_ID_TEXT], const struct wire_object *object)
{
	text[0] = '\0';
	for (size_t i = 0, length = 0; i < object->build_id_size && object->build_id_size > 1; i++)
		length += (size_t)snprintf(text + length, BUILD_ID_TEXT - length,
					   i == 0 ? "%02x/" : "%02x", object->build_id[i]);
}

/* The same build, where its name does not lead to it any more. */
static struct elf_file *find_by_build_id(struct store *store, const struct wire_object *object,
					 struct wire_facts *facts)
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
	const struct wire_facts before = *facts;
	const char *home = getenv("HOME");
	char id[BUILD_ID_TEXT];
	struct elf_file *file = NULL;

	write_build_id(id, object);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && id[0] != '\0' && !file; i++) {
		char path[WIRE_TEXT_BYTES];
		struct wire_object kept = *object;

		if (places[i].is_of_user && !home)
			continue;
		snprintf(path, sizeof(path), "%s%s%s%s", places[i].is_of_user ? home : "",
			 places[i].folder, id, places[i].name);
		kept.name = path;
		file = find_by_name(store, &kept, 0, facts);
	}
	if (!file)
		*facts = before;
	return file;
}

static struct elf_file *find_file(struct store *store, const struct wire_object *object,
				  struct wire_facts *facts)
{
	struct elf_file *file = NULL;

	if (object->is_live) {
		file = find_mapped(store, object, facts);
		if (!file && facts->reason == SYMBOL_REASON_NONE)
			file = find_by_name(store, object, object->pid, facts);
	}
	if (!file &&
	    (facts->reason == SYMBOL_REASON_NONE || facts->reason == SYMBOL_REASON_NO_FILE)) {
		facts->reason = SYMBOL_REASON_NONE;
		file = find_by_name(store, object, 0, facts);
	}
	return file ? file : find_by_build_id(store, object, facts);
}

/*
 * The code that the kernel maps into every process: our own, if that of the process has its size,
 * since programs of 32 bits have another one. Which one was recorded only its build id says.
 */
static struct elf_file *find_vdso(struct store *store, const struct wire_object *object,
				  struct wire_facts *facts)
{
	struct stat status;
	struct elf_file *file;
	int fd = opener_open_of(store->opener, OPENER_VDSO, 0);

	facts->reason = SYMBOL_REASON_NO_FILE;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) != 0 || (uint64_t)status.st_size != object->end - object->start) {
		close(fd);
		return NULL;
	}
	file = read_file(store, fd, object, facts);
	if (!file || (object->is_live && object->build_id_size == 0) ||
	    is_the_one(object, false, facts))
		return file;
	elf_file_close(file);
	*facts = (struct wire_facts){
		.reason = object->build_id_size > 0 ? SYMBOL_REASON_OTHER_KERNEL
						    : SYMBOL_REASON_OTHER_FILE,
	};
	return NULL;
}

/* --- the kernel */

static int open_kallsyms(struct store *store)
{
	const struct wire_object kept = {.name = store->kernel_id};
	struct opener_reply reply;

	if (store->kernel_id[0] != '\0')
		return ask_opener(store, OPENER_KEPT_KALLSYMS, 0, &kept, &reply);
	return opener_open_of(store->opener, OPENER_KALLSYMS, 0);
}

static void read_kernel(struct store *store, struct stored *stored)
{
	table_fini(&store->kernel);
	stored->facts.reason = kallsyms_read(&store->kernel, open_kallsyms(store));
	stored->facts.version++;
	store->kernel_read_ns = sys_now_ns();
}

/* Where the recording says which build it was. */
static bool may_be_this_kernel(struct store *store, const struct wire_object *object)
{
	unsigned char id[BUILD_ID_MAX];
	const size_t size =
		build_id_of_kernel(opener_open_of(store->opener, OPENER_KERNEL_NOTES, 0), id);

	return size == 0 || object->build_id_size == 0 ||
	       (size == object->build_id_size && memcmp(id, object->build_id, size) == 0);
}

/* After each boot it is somewhere else. */
static bool is_where_it_was(struct store *store, const struct wire_object *object)
{
	return object->start != 0 &&
	       kallsyms_find(object->name, open_kallsyms(store)) == object->start;
}

/* The kernel of a recording: this one, in the place where it is now, or one that perf has kept. */
static bool find_kernel(struct store *store, const struct wire_object *object)
{
	if (may_be_this_kernel(store, object) && is_where_it_was(store, object))
		return true;
	write_build_id(store->kernel_id, object);
	if (store->kernel_id[0] != '\0' && is_where_it_was(store, object))
		return true;
	store->kernel_id[0] = '\0';
	return false;
}

static void open_kernel(struct store *store, struct stored *stored,
			const struct wire_object *object)
{
	const bool is_known = object->is_live || find_kernel(store, object);

	read_kernel(store, stored);
	if (stored->facts.reason == SYMBOL_REASON_NONE && !is_known)
		stored->facts.reason = SYMBOL_REASON_OTHER_KERNEL;
}

static void find_in_kernel(struct store *store, struct stored *stored, uint64_t address,
			   struct answer *answer)
{
	const struct function *function =
		table_find(&store->kernel, address, &answer->start, &answer->end);

	if (!function && sys_now_ns() - store->kernel_read_ns > store->kernel_wait_ns) {
		read_kernel(store, stored);
		store->kernel_wait_ns *= 2;
		function = table_find(&store->kernel, address, &answer->start, &answer->end);
	}
	if (!function) {
		answer->reason = SYMBOL_REASON_NO_SYMBOL;
		answer->start = address;
		answer->end = address + 1;
		return;
	}
	answer->name = table_text(&store->kernel, function->name);
	answer->module = table_text(&store->kernel, function->module);
	answer->function_start = function->start;
	answer->function_end = function->end;
}

/* --- any object */

/*
 * Debug information is large: of what was not used for longest it is given back before another one
 * is opened or grows. NULL: another one is.
 */
static void make_room_for_lines(struct store *store, const struct stored *stored)
{
	for (;;) {
		const struct stored *oldest = NULL;
		size_t count = 0;

		for (struct stored *each = store->objects; each < store->objects + OBJECTS_MAX;
		     each++) {
			if (each == stored || !each->file || !elf_file_is_open(each->file))
				continue;
			count++;
			if (!oldest || each->used < oldest->used)
				oldest = each;
		}
		if (!oldest || (count < LINES_MAX && memory_allocated_bytes() <= LINES_BYTES_MAX))
			return;
		elf_file_drop_lines(oldest->file);
	}
}

static void open_object(struct store *store, struct stored *stored,
			const struct wire_object *object)
{
	stored->serial = object->serial;
	stored->kind = object->kind;
	stored->pid = object->pid;
	stored->is_live = object->is_live;
	switch (object->kind) {
	case SYMBOL_OBJECT_KERNEL:
		open_kernel(store, stored, object);
		break;
	case SYMBOL_OBJECT_FILE:
		stored->file = find_file(store, object, &stored->facts);
		break;
	case SYMBOL_OBJECT_VDSO:
		stored->file = find_vdso(store, object, &stored->facts);
		break;
	case SYMBOL_OBJECT_JIT:
		if (!object->is_live)
			stored->facts.reason = SYMBOL_REASON_JIT_RECORDED;
		break;
	case SYMBOL_OBJECT_MODULE:
	case SYMBOL_OBJECT_UNKNOWN:
		stored->facts.reason = SYMBOL_REASON_NO_MAPPING;
		break;
	}
}

static size_t bytes_of(const struct stored *stored)
{
	return (stored->file ? elf_file_bytes(stored->file) : 0) + table_bytes(&stored->jit.table);
}

/* What was not used for longest makes room; a place that is free. */
static struct stored *make_room(struct store *store)
{
	for (;;) {
		struct stored *oldest = NULL, *place = NULL;
		size_t bytes = 0;

		for (struct stored *each = store->objects; each < store->objects + OBJECTS_MAX;
		     each++) {
			bytes += bytes_of(each);
			if (each->serial == 0)
				place = each;
			else if (!oldest || each->used < oldest->used)
				oldest = each;
		}
		if (place && (bytes <= BYTES_MAX || !oldest))
			return place;
		release(oldest);
	}
}

struct stored *store_open(struct store *store, const struct wire_object *object)
{
	struct stored *stored = NULL;

	for (size_t i = 0; i < OBJECTS_MAX && !stored; i++)
		if (store->objects[i].serial == object->serial)
			stored = &store->objects[i];
	if (!stored) {
		stored = make_room(store);
		make_room_for_lines(store, NULL);
		open_object(store, stored, object);
	}
	stored->used = ++store->now;
	if (stored->kind == SYMBOL_OBJECT_JIT && object->is_live)
		jit_map_update(&stored->jit,
			       opener_open_of(store->opener, OPENER_JIT_MAP, stored->pid));
	return stored;
}

const struct elf_file *stored_file(const struct stored *stored)
{
	return stored->file;
}

void stored_facts(const struct stored *stored, struct wire_facts *facts)
{
	*facts = stored->facts;
	if (stored->kind != SYMBOL_OBJECT_JIT)
		return;
	facts->version = (uint64_t)stored->jit.read_ns;
	if (stored->jit.table.count == 0)
		facts->reason = stored->jit.reason;
}

bool stored_has_lines(struct store *store, struct stored *stored)
{
	if (!stored->file)
		return false;
	make_room_for_lines(store, stored);
	if (elf_file_has_lines(stored->file))
		return true;
	elf_file_drop_lines(stored->file);
	return false;
}

void stored_find(struct store *store, struct stored *stored, uint64_t address, bool wants_line,
		 struct answer *answer)
{
	*answer = (struct answer){.end = UINT64_MAX, .reason = stored->facts.reason};
	switch (stored->kind) {
	case SYMBOL_OBJECT_KERNEL:
		if (answer->reason == SYMBOL_REASON_NONE)
			find_in_kernel(store, stored, address, answer);
		break;
	case SYMBOL_OBJECT_FILE:
	case SYMBOL_OBJECT_VDSO:
		if (stored->file)
			elf_file_find(stored->file, address, wants_line, answer);
		break;
	case SYMBOL_OBJECT_JIT:
		if (answer->reason == SYMBOL_REASON_NONE)
			jit_map_find(&stored->jit, address, answer);
		break;
	case SYMBOL_OBJECT_MODULE:
	case SYMBOL_OBJECT_UNKNOWN:
		break;
	}
}

struct elf_file *stored_code(struct store *store, struct stored *stored, enum symbol_reason *reason)
{
	const bool may_be_file =
		stored->kind == SYMBOL_OBJECT_FILE || stored->kind == SYMBOL_OBJECT_VDSO;

	*reason = may_be_file ? stored->facts.reason : SYMBOL_REASON_NO_CODE;
	make_room_for_lines(store, stored);
	return stored->file;
}

int stored_open_source(struct store *store, const struct stored *stored, const char *path)
{
	const struct wire_object source = {.name = path};
	const int32_t pid = stored->is_live ? stored->pid : 0;
	struct opener_reply reply;

	return ask_opener(store, OPENER_SOURCE, pid, &source, &reply);
}
