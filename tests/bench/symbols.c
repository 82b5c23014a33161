/*
 * symbols FUNCTIONS MEGABYTES FOLDER: makes a program with so many functions and so much debug
 * information in FOLDER, and measures how long it takes until functions of it, then lines, have
 * names, what the helper uses for that, and how long the longest call of ours has taken: keys wait
 * for that.
 *
 * symbols processes COUNT: the same for one address each in so many processes.
 */
#include "symbol/symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "kernel/decode.h"
#include "kernel/proc.h"

#include "bench.h"

enum {
	CODE_AT = 0x1000, /* in the file */
	CODE_ADDRESS = 0x401000,
	FUNCTION_BYTES = 64,
	FUNCTIONS_PER_UNIT = 10,
	ASKED = 1000, /* functions, and as many lines */
	A_PID = 4242
};

enum section {
	SECTION_NONE,
	SECTION_CODE,
	SECTION_SYMBOLS,
	SECTION_SYMBOL_NAMES,
	SECTION_ABBREVIATIONS,
	SECTION_INFO,
	SECTION_LINES,
	SECTION_NAMES,
	SECTIONS
};

/* A program that is being written. */
struct program {
	FILE *file;
	unsigned long functions;
	size_t unit_bytes; /* of debug information, for FUNCTIONS_PER_UNIT functions */
	Elf64_Shdr sections[SECTIONS];
};

static void put_text(struct strbuf *out, const char *text)
{
	strbuf_add_bytes(out, text, strlen(text) + 1);
}

static void put_number(struct strbuf *out, uint64_t number, size_t bytes)
{
	char text[8];

	for (size_t i = 0; i < bytes; i++)
		text[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : bytes - 1 - i] =
			(char)(number >> 8 * i);
	strbuf_add_bytes(out, text, bytes);
}

static uint64_t address_of(unsigned long function)
{
	return CODE_ADDRESS + (uint64_t)function * FUNCTION_BYTES;
}

static void begin_section(struct program *program, enum section section, uint32_t type)
{
	program->sections[section].sh_type = type;
	program->sections[section].sh_offset = (Elf64_Off)ftello(program->file);
	program->sections[section].sh_addralign = 1;
}

static void end_section(struct program *program, enum section section)
{
	program->sections[section].sh_size =
		(Elf64_Xword)ftello(program->file) - program->sections[section].sh_offset;
}

static void write_out(struct program *program, struct strbuf *text)
{
	fwrite(text->text, 1, text->length, program->file);
	strbuf_clear(text);
}

static void write_symbols(struct program *program)
{
	struct strbuf names = {0};
	Elf64_Sym symbol = {0};

	put_text(&names, "");
	begin_section(program, SECTION_SYMBOLS, SHT_SYMTAB);
	fwrite(&symbol, sizeof(symbol), 1, program->file);
	for (unsigned long i = 0; i < program->functions; i++) {
		symbol = (Elf64_Sym){
			.st_name = (Elf64_Word)names.length,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = SECTION_CODE,
			.st_value = address_of(i),
			.st_size = FUNCTION_BYTES,
		};
		fwrite(&symbol, sizeof(symbol), 1, program->file);
		strbuf_printf(&names, "_ZN5bench4unit%zufunction_%08luERKiPKc", (size_t)17, i);
		strbuf_add_char(&names, '\0');
	}
	end_section(program, SECTION_SYMBOLS);
	program->sections[SECTION_SYMBOLS].sh_link = SECTION_SYMBOL_NAMES;
	program->sections[SECTION_SYMBOLS].sh_entsize = sizeof(symbol);
	program->sections[SECTION_SYMBOLS].sh_info = 1;
	begin_section(program, SECTION_SYMBOL_NAMES, SHT_STRTAB);
	write_out(program, &names);
	end_section(program, SECTION_SYMBOL_NAMES);
	strbuf_fini(&names);
}

/* DWARF 4: a unit, a function, a type. */
static void write_abbreviations(struct program *program)
{
	static const char text[] = {
		1,    0x11, 1, 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0x11, 0x01, 0x12,
		0x06, 0,    0, 2,    0x2e, 0,    0x03, 0x08, 0x11, 0x01, 0x12, 0x06,
		0,    0,    3, 0x24, 0,    0x03, 0x08, 0x0b, 0x0b, 0,    0,    0,
	};

	begin_section(program, SECTION_ABBREVIATIONS, SHT_PROGBITS);
	fwrite(text, 1, sizeof(text), program->file);
	end_section(program, SECTION_ABBREVIATIONS);
}

static void put_unit(struct strbuf *out, const struct program *program, unsigned long first,
		     uint64_t lines_at)
{
	put_number(out, 4, 2);
	put_number(out, 0, 4);
	put_number(out, 8, 1);
	put_number(out, 1, 1);
	strbuf_printf(out, "unit_%08lu.c", first);
	strbuf_add_char(out, '\0');
	put_text(out, "/bench");
	put_number(out, lines_at, 4);
	put_number(out, address_of(first), 8);
	put_number(out, FUNCTIONS_PER_UNIT * FUNCTION_BYTES, 4);
	for (unsigned long i = first; i < first + FUNCTIONS_PER_UNIT; i++) {
		put_number(out, 2, 1);
		strbuf_printf(out, "function_%08lu", i);
		strbuf_add_char(out, '\0');
		put_number(out, address_of(i), 8);
		put_number(out, FUNCTION_BYTES, 4);
	}
	while (out->length < program->unit_bytes) {
		put_number(out, 3, 1);
		put_text(out, "a_type_with_a_name_that_is_as_long_as_many_are");
		put_number(out, 8, 1);
	}
	put_number(out, 0, 1);
}

/* A line for each function, from 1 on. */
static void put_lines(struct strbuf *out, unsigned long first)
{
	static const char head[] = {1, 1, 1, (char)-5, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	struct strbuf rest = {0};

	strbuf_add_bytes(&rest, head, sizeof(head));
	put_number(&rest, 0, 1); /* no folders */
	strbuf_printf(&rest, "unit_%08lu.c", first);
	put_number(&rest, 0, 4);
	put_number(&rest, 0, 1);
	put_number(out, 4, 2);
	put_number(out, rest.length, 4);
	strbuf_add_bytes(out, rest.text, rest.length);
	strbuf_fini(&rest);
	for (unsigned long i = 0; i < FUNCTIONS_PER_UNIT; i++) {
		put_number(out, 0x000902, 0);
		put_number(out, 0, 1);
		put_number(out, 9, 1);
		put_number(out, 2, 1); /* set address */
		put_number(out, address_of(first + i), 8);
		put_number(out, 1, 1); /* a row */
		put_number(out, 3, 1); /* the next line */
		put_number(out, 1, 1);
	}
	put_number(out, 2, 1); /* advance, to the end of the last function */
	put_number(out, FUNCTION_BYTES, 1);
	put_number(out, 0, 1);
	put_number(out, 1, 1);
	put_number(out, 1, 1); /* the end */
}

static void write_sized(struct program *program, struct strbuf *text)
{
	struct strbuf length = {0};

	put_number(&length, text->length, 4);
	write_out(program, &length);
	write_out(program, text);
	strbuf_fini(&length);
}

static void write_debug(struct program *program)
{
	struct strbuf text = {0};
	uint64_t lines_bytes;

	put_lines(&text, 0);
	lines_bytes = text.length + 4;
	strbuf_clear(&text);
	begin_section(program, SECTION_INFO, SHT_PROGBITS);
	for (unsigned long i = 0; i < program->functions; i += FUNCTIONS_PER_UNIT) {
		put_unit(&text, program, i, i / FUNCTIONS_PER_UNIT * lines_bytes);
		write_sized(program, &text);
	}
	end_section(program, SECTION_INFO);
	begin_section(program, SECTION_LINES, SHT_PROGBITS);
	for (unsigned long i = 0; i < program->functions; i += FUNCTIONS_PER_UNIT) {
		put_lines(&text, i);
		write_sized(program, &text);
	}
	end_section(program, SECTION_LINES);
	strbuf_fini(&text);
}

static void write_sections(struct program *program)
{
	static const char *const names[] = {"",
					    ".text",
					    ".symtab",
					    ".strtab",
					    ".debug_abbrev",
					    ".debug_info",
					    ".debug_line",
					    ".shstrtab"};
	struct strbuf text = {0};

	for (enum section i = 0; i < SECTIONS; i++) {
		program->sections[i].sh_name = (Elf64_Word)text.length;
		put_text(&text, names[i]);
	}
	begin_section(program, SECTION_NAMES, SHT_STRTAB);
	write_out(program, &text);
	end_section(program, SECTION_NAMES);
	strbuf_fini(&text);
}

static bool write_program(const char *path, unsigned long functions, unsigned long megabytes)
{
	const uint64_t code_bytes = (uint64_t)functions * FUNCTION_BYTES;
	struct program program = {
		.file = fopen(path, "w"),
		.functions = functions,
		.unit_bytes =
			(size_t)(((uint64_t)megabytes << 20) / (functions / FUNCTIONS_PER_UNIT)),
		.sections[SECTION_CODE] = {.sh_type = SHT_PROGBITS,
					   .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
					   .sh_addr = CODE_ADDRESS,
					   .sh_offset = CODE_AT,
					   .sh_size = code_bytes},
	};
	const Elf64_Phdr segment = {
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_offset = CODE_AT,
		.p_vaddr = CODE_ADDRESS,
		.p_filesz = code_bytes,
		.p_memsz = code_bytes,
		.p_align = 0x1000,
	};
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(segment),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = SECTION_NAMES,
	};
	bool is_written;

	if (!program.file)
		return false;
	fseeko(program.file, (off_t)(CODE_AT + code_bytes), SEEK_SET);
	write_symbols(&program);
	write_abbreviations(&program);
	write_debug(&program);
	write_sections(&program);
	header.e_shoff = (Elf64_Off)ftello(program.file);
	fwrite(program.sections, sizeof(program.sections), 1, program.file);
	rewind(program.file);
	fwrite(&header, sizeof(header), 1, program.file);
	fwrite(&segment, sizeof(segment), 1, program.file);
	is_written = !ferror(program.file);
	return fclose(program.file) == 0 && is_written;
}

/* --- measuring */

struct measure {
	struct symbols *symbols;
	double longest_ms, start_ms, start_cpu_ms;
	uint64_t bytes; /* the most that the helper had */
	bool wants_line;
};

static void begin(struct measure *measure)
{
	measure->longest_ms = 0;
	measure->bytes = 0;
	measure->start_ms = now_ms();
	measure->start_cpu_ms = cpu_ms();
}

static void note_call(struct measure *measure, double since_ms)
{
	if (now_ms() - since_ms > measure->longest_ms)
		measure->longest_ms = now_ms() - since_ms;
}

static uint32_t ask(struct measure *measure, const struct symbol_address *address)
{
	const double start_ms = now_ms();
	uint64_t at;
	uint32_t id = symbols_find(measure->symbols, address, &at);

	if (measure->wants_line)
		id = symbols_find_line(measure->symbols, id, at);
	note_call(measure, start_ms);
	return id;
}

/* Until all have an answer. */
static void wait_for_answers(struct measure *measure)
{
	struct pollfd answers = {.fd = symbols_fd(measure->symbols), .events = POLLIN};

	while (symbols_pending(measure->symbols) > 0) {
		const double start_ms = now_ms();

		symbols_work(measure->symbols);
		note_call(measure, start_ms);
		if (symbols_memory_bytes(measure->symbols) > measure->bytes)
			measure->bytes = symbols_memory_bytes(measure->symbols);
		if (symbols_pending(measure->symbols) > 0)
			poll(&answers, 1, 100);
	}
}

static void print(const struct measure *measure, const char *what, uint64_t helper_cpu_ns)
{
	printf("%-22s %8.0f ms, helper %8.0f ms CPU %6" PRIu64
	       " MiB, here %6.1f ms CPU, longest call %.2f ms\n",
	       what, now_ms() - measure->start_ms,
	       (double)(symbols_cpu_ns(measure->symbols) - helper_cpu_ns) / 1e6,
	       measure->bytes >> 20, cpu_ms() - measure->start_cpu_ms, measure->longest_ms);
}

/* How many have a name, or a line. */
static size_t count_known(const struct symbols *symbols, const uint32_t *ids, size_t count,
			  bool wants_line)
{
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		const struct symbol symbol = symbol_get(symbols, ids[i]);

		known += wants_line ? symbol.file != NULL : symbol.state == SYMBOL_FOUND;
	}
	return known;
}

static void measure_program(struct measure *measure, unsigned long functions, bool wants_line)
{
	const uint64_t helper_cpu_ns = symbols_cpu_ns(measure->symbols);
	uint32_t ids[ASKED];
	uint64_t random = 1;

	begin(measure);
	measure->wants_line = wants_line;
	for (size_t i = 0; i < ASKED; i++)
		ids[i] = ask(measure, &(struct symbol_address){
					      .pid = A_PID,
					      .address = address_of(below(&random, functions)) + 4,
				      });
	wait_for_answers(measure);
	print(measure, wants_line ? "lines" : "functions", helper_cpu_ns);
	printf("%-22s %8zu of %d\n", "  known",
	       count_known(measure->symbols, ids, ASKED, wants_line), ASKED);
}

static int run_program(unsigned long functions, unsigned long megabytes, const char *folder)
{
	struct measure measure = {.symbols = symbols_create(&(struct symbols_options){0})};
	char path[PATH_MAX];
	struct decoded_mmap mapping = {
		.pid = A_PID,
		.address = CODE_ADDRESS,
		.length = functions * FUNCTION_BYTES,
		.page_offset = CODE_AT,
		.file = path,
	};
	struct stat status;

	snprintf(path, sizeof(path), "%s/perftop-bench-symbols", folder);
	mapping.file_length = strlen(path);
	if (!write_program(path, functions, megabytes) || stat(path, &status) != 0) {
		perror(path);
		return 1;
	}
	mapping.inode = status.st_ino;
	symbols_map(measure.symbols, &mapping);
	measure_program(&measure, functions, false);
	measure_program(&measure, functions, true);
	symbols_destroy(measure.symbols);
	unlink(path);
	return 0;
}

static int run_processes(size_t count)
{
	struct measure measure = {
		.symbols = symbols_create(&(struct symbols_options){.is_live = true})};
	pid_t *pids = calloc(count, sizeof(*pids));
	uint32_t *ids = calloc(count, sizeof(*ids));

	for (size_t i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			pause();
			_exit(0);
		}
	}
	for (int round = 0; round < 2; round++) {
		const uint64_t helper_cpu_ns = symbols_cpu_ns(measure.symbols);

		begin(&measure);
		for (size_t i = 0; i < count; i++)
			ids[i] =
				ask(&measure, &(struct symbol_address){
						      .pid = pids[i],
						      .address = (uint64_t)(uintptr_t)run_processes,
					      });
		wait_for_answers(&measure);
		print(&measure, round == 0 ? "processes" : "processes, again", helper_cpu_ns);
	}
	printf("%-22s %8zu of %zu\n", "  known", count_known(measure.symbols, ids, count, false),
	       count);
	for (size_t i = 0; i < count; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	symbols_destroy(measure.symbols);
	free(pids);
	free(ids);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "processes") == 0)
		return run_processes(strtoul(argv[2], NULL, 10));
	if (argc == 4)
		return run_program(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10), argv[3]);
	fprintf(stderr, "symbols FUNCTIONS MEGABYTES FOLDER, or symbols processes COUNT\n");
	return 2;
}
