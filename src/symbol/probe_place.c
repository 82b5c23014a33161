/*
 * .symtab knows every function but is often stripped; .dynsym is what a library shows to others.
 * Both are searched, the first one that has the name decides. Versions of a function that are kept
 * for old programs are passed over: they have a mark in .gnu.version, or one @ in .symtab.
 *
 * What libelf does not check is looked at here: tables too large to be read, names without an end.
 */
#include "symbol/probe_place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"

#include "symbol/elf_code.h"

enum {
	CODE_BYTES_MAX = 1 << 16,   /* of a function, from its beginning */
	INSTRUCTION_BYTES_MAX = 16, /* x86 has 15, others less */
	VERSION_HIDDEN = 0x8000     /* in .gnu.version: not the one that is linked by default */
};

/* Larger tables cannot be symbols. */
static const uint64_t TABLE_BYTES_MAX = UINT64_C(1) << 30;

struct probe_search {
	const struct probe_request *request;
	int fd;
	Elf *elf;
	struct elf_code code;
	GElf_Sym best; /* the function, where one was found */
	bool is_found, is_ambiguous;
	size_t functions; /* seen by name */
	uint64_t address; /* that keep_if_around() looks for */
	struct error *error;
};

static bool refuse_symbol(const struct probe_search *search, const char *why)
{
	return error_set(search->error, ERROR_EVENT_PROBE_SYMBOL, search->request->symbol, why);
}

static bool refuse_file(const struct probe_search *search, const char *why)
{
	return error_set(search->error, ERROR_EVENT_PROBE_FILE, search->request->file, why);
}

/* --- symbols */

static Elf_Data *read_table_section(Elf_Scn *section)
{
	GElf_Shdr header;
	Elf_Data *data;

	if (!section || !gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
	    header.sh_size > TABLE_BYTES_MAX)
		return NULL;
	data = elf_getdata(section, NULL);
	return data && data->d_buf ? data : NULL;
}

static Elf_Data *find_table_section(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return read_table_section(section);
	return NULL;
}

static bool is_old_version(Elf_Data *versions, int index, const char *name)
{
	const char *at = strchr(name, '@');
	GElf_Versym version;

	if (at)
		return at[1] != '@';
	return versions && gelf_getversym(versions, index, &version) &&
	       (version & VERSION_HIDDEN) != 0;
}

/* Calls visit for each function of a table. */
static void walk_table(struct probe_search *search, GElf_Word type,
		       void (*visit)(struct probe_search *search, const GElf_Sym *symbol,
				     const char *name))
{
	GElf_Shdr header, other;
	Elf_Data *symbols = find_table_section(search->elf, type, &header);
	Elf_Data *names =
		symbols ? read_table_section(elf_getscn(search->elf, header.sh_link)) : NULL;
	Elf_Data *versions =
		type == SHT_DYNSYM ? find_table_section(search->elf, SHT_GNU_versym, &other) : NULL;
	const char *texts = names && names->d_size > 0 ? names->d_buf : NULL;
	const size_t each = gelf_fsize(search->elf, ELF_T_SYM, 1, EV_CURRENT);
	GElf_Sym symbol;

	if (!texts || texts[names->d_size - 1] != '\0' || each == 0)
		return;
	for (int i = 1; (size_t)i < symbols->d_size / each && i < INT32_MAX; i++)
		if (gelf_getsym(symbols, i, &symbol) && symbol.st_name < names->d_size &&
		    texts[symbol.st_name] != '\0' &&
		    elf_symbol_is_function(&symbol, texts + symbol.st_name) &&
		    !is_old_version(versions, i, texts + symbol.st_name))
			visit(search, &symbol, texts + symbol.st_name);
}

static void keep_if_named(struct probe_search *search, const GElf_Sym *symbol, const char *name)
{
	const size_t length = strcspn(name, "@");
	const enum function_rank rank = elf_symbol_rank(symbol);

	search->functions++;
	if (strncmp(name, search->request->symbol, length) != 0 ||
	    search->request->symbol[length] != '\0' ||
	    (search->is_found && rank < elf_symbol_rank(&search->best)))
		return;
	search->is_ambiguous = search->is_found && rank == elf_symbol_rank(&search->best) &&
			       (search->is_ambiguous || symbol->st_value != search->best.st_value);
	search->is_found = true;
	search->best = *symbol;
}

/* On 32-bit ARM the lowest bit of a function's address says how it is encoded. */
static uint64_t address_of(const struct probe_search *search, const GElf_Sym *symbol)
{
	const bool has_mode_bit =
		search->code.machine.number == EM_ARM && GELF_ST_TYPE(symbol->st_info) == STT_FUNC;

	return has_mode_bit ? symbol->st_value & ~UINT64_C(1) : symbol->st_value;
}

static void keep_if_around(struct probe_search *search, const GElf_Sym *symbol, const char *name)
{
	const uint64_t begin = address_of(search, symbol);

	if (GELF_ST_TYPE(symbol->st_info) == STT_FUNC && begin <= search->address &&
	    search->address - begin < symbol->st_size) {
		search->is_found = true;
		search->best = *symbol;
	}
}

static void walk_tables(struct probe_search *search,
			void (*visit)(struct probe_search *search, const GElf_Sym *symbol,
				      const char *name))
{
	walk_table(search, SHT_SYMTAB, visit);
	if (!search->is_found)
		walk_table(search, SHT_DYNSYM, visit);
}

/* --- where instructions begin */

/* From the beginning of a function on; of its code up to an address. */
struct stepping {
	uint64_t address;
	bool is_lost;  /* something before it was no instruction */
	bool is_found; /* one begins at the address */
};

static void note_instruction(const struct instruction_text *instruction, void *context)
{
	struct stepping *stepping = context;

	if (instruction->address >= stepping->address)
		stepping->is_found |= instruction->address == stepping->address;
	else
		stepping->is_lost |= text_begins(instruction->text, ".byte");
}

/* Whether the function that begins at `begin` has an instruction that begins at `address`. */
static bool check_instruction(struct probe_search *search, uint64_t begin, uint64_t address)
{
	const struct elf_segment *segment = elf_code_at_address(&search->code, begin);
	struct stepping stepping = {.address = address};
	uint8_t code[CODE_BYTES_MAX];
	ssize_t size = 0;

	if (search->request->is_forced || address == begin)
		return true;
	if (segment && address - begin < sizeof(code) - INSTRUCTION_BYTES_MAX) {
		size = pread(search->fd, code, (size_t)(address - begin) + INSTRUCTION_BYTES_MAX,
			     (off_t)(begin - segment->address + segment->offset));
		if (size > 0)
			disassemble(&search->code.machine, code, (size_t)size, begin,
				    note_instruction, &stepping);
	}
	if (stepping.is_found && !stepping.is_lost)
		return true;
	return refuse_symbol(
		search, size > 0 && !stepping.is_lost && address > begin
				? "inside an instruction: a probe there would break the program"
				: "whether an instruction begins there is not sure: "
				  ":force behind it if it does");
}

/* --- the place */

/* An offset into the file must be inside a function with a symbol. */
static bool find_by_offset(struct probe_search *search, uint64_t base, uint64_t *file_offset)
{
	const uint64_t offset = base + search->request->offset;
	const struct elf_segment *segment = elf_code_at_offset(&search->code, offset);

	if (offset < base || !segment)
		return refuse_symbol(search, "no code of the file is there");
	*file_offset = offset;
	if (search->request->is_forced)
		return true;
	search->address = offset - segment->offset + segment->address;
	walk_tables(search, keep_if_around);
	if (!search->is_found)
		return refuse_symbol(search, "no symbol says whether an instruction begins there: "
					     ":force behind it if one does");
	return check_instruction(search, address_of(search, &search->best), search->address);
}

static bool find_by_symbol(struct probe_search *search, uint64_t *file_offset)
{
	const uint64_t offset = search->request->offset;
	const struct elf_segment *segment;
	uint64_t address;

	walk_tables(search, keep_if_named);
	if (!search->is_found)
		return refuse_symbol(search, search->functions > 0
						     ? "no such function"
						     : "the file is stripped of its symbols: give "
						       "0xOFFSET instead");
	if (search->is_ambiguous)
		return refuse_symbol(search,
				     "several functions have this name: give 0xOFFSET instead");
	if (GELF_ST_TYPE(search->best.st_info) == STT_GNU_IFUNC)
		return refuse_symbol(search,
				     "which function this is gets decided when the program starts: "
				     "give the name of one of its variants");
	if (offset > 0 && offset >= search->best.st_size && search->best.st_size > 0)
		return refuse_symbol(search, "the offset is beyond the function's end");
	address = address_of(search, &search->best);
	segment = elf_code_at_address(&search->code, address + offset);
	if (address + offset < address || !segment)
		return refuse_symbol(search, "no code of the file");
	*file_offset = address + offset - segment->address + segment->offset;
	return check_instruction(search, address, address + offset);
}

static bool find_in_elf(struct probe_search *search, uint64_t *file_offset)
{
	const struct probe_request *request = search->request;
	uint64_t base, found = 0;

	if (!search->elf || elf_kind(search->elf) != ELF_K_ELF)
		return refuse_file(search, "not a program or library (ELF)");
	if (!elf_code_read(search->elf, &search->code))
		return refuse_file(search, "neither a program nor a library: nothing of it is "
					   "ever executed");
	if (request->at_entry && request->offset > 0)
		return refuse_symbol(search, "a return is seen from a function's beginning only");
	if (text_begins(request->symbol, "0x") && units_parse_number(request->symbol, &base)
		    ? !find_by_offset(search, base, &found)
		    : !find_by_symbol(search, &found))
		return false;
	/* the kernel takes it as a signed number */
	if (found > INT64_MAX)
		return refuse_symbol(search, "no code of the file");
	*file_offset = found;
	return true;
}

/* Opening a FIFO would wait for its writer, and a device may do anything. */
static int open_regular(const struct probe_search *search)
{
	struct stat status;
	int fd = open(search->request->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &status) != 0)
		error_set_errno(search->error, ERROR_EVENT_PROBE_FILE, search->request->file,
				errno);
	else if (!S_ISREG(status.st_mode))
		refuse_file(search,
			    S_ISDIR(status.st_mode) ? "is a directory" : "is no regular file");
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool probe_place_find(const struct probe_request *request, uint64_t *file_offset,
		      struct error *error)
{
	struct probe_search search = {.request = request, .error = error};
	bool found;

	search.fd = open_regular(&search);
	if (search.fd < 0)
		return false;
	elf_version(EV_CURRENT);
	/* not mapped: a file that shrinks meanwhile would be fatal */
	search.elf = elf_begin(search.fd, ELF_C_READ, NULL);
	found = find_in_elf(&search, file_offset);
	elf_end(search.elf);
	close(search.fd);
	return found;
}
