#include "symbol/dwarf_lines.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/memory.h"

/* Addresses of one unit. */
struct dwarf_unit {
	uint64_t start, end;
	Dwarf_Off die;
};

/* --- units: what was compiled from one file */

static void add_ranges(struct dwarf_lines *lines, Dwarf_Die *unit, Dwarf_Addr bias)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(unit, next, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		array_reserve(&lines->units, &lines->unit_capacity, lines->unit_count + 1,
			      sizeof(*lines->units));
		lines->units[lines->unit_count++] = (struct dwarf_unit){
			.start = start + bias,
			.end = end + bias,
			.die = dwarf_dieoffset(unit),
		};
	}
}

static int compare_units(const void *a, const void *b)
{
	const struct dwarf_unit *one = a, *other = b;

	return one->start < other->start ? -1 : one->start > other->start;
}

static void read_units(struct dwarf_lines *lines)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	lines->has_units = true;
	while ((unit = dwfl_module_nextcu(lines->module, unit, &bias)))
		add_ranges(lines, unit, bias);
	if (lines->unit_count > 0)
		qsort(lines->units, lines->unit_count, sizeof(*lines->units), compare_units);
}

static const struct dwarf_unit *look_up_unit(const struct dwarf_lines *lines, uint64_t address)
{
	size_t before =
		array_not_above(lines->units, lines->unit_count, sizeof(*lines->units), address);

	return before > 0 && address < lines->units[before - 1].end ? &lines->units[before - 1]
								    : NULL;
}

/*
 * The unit of an address; *address becomes that in its DWARF. libdw looks only into .debug_aranges,
 * which LLVM's compilers do not write: then each unit says which addresses are its own.
 */
static bool find_unit(struct dwarf_lines *lines, uint64_t *address, Dwarf_Die *unit)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *found = dwfl_module_addrdie(lines->module, *address, &bias);
	Dwarf *dwarf;

	if (found) {
		*unit = *found;
		*address -= bias;
		return true;
	}
	dwarf = dwfl_module_getdwarf(lines->module, &bias);
	if (!dwarf)
		return false;
	if (!lines->has_units)
		read_units(lines);

	const struct dwarf_unit *known = look_up_unit(lines, *address);

	*address -= bias;
	return known && dwarf_offdie(dwarf, known->die, unit);
}

/* --- lines */

/* A relative one begins at the folder in which the compiler ran. */
static const char *add_folder(struct dwarf_lines *lines, size_t index, const char *name,
			      const char *folder)
{
	struct strbuf *text = &lines->texts[index];

	if (name[0] == '/' || !folder)
		return name;
	strbuf_clear(text);
	strbuf_printf(text, "%s/%s", folder, name);
	return text->text;
}

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static const char *linker_name(Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	if (!name)
		name = text_of(die, DW_AT_MIPS_linkage_name);
	return name ? name : text_of(die, DW_AT_name);
}

static bool number_of(Dwarf_Die *die, unsigned int name, Dwarf_Word *number)
{
	Dwarf_Attribute attribute;

	return dwarf_formudata(dwarf_attr(die, name, &attribute), number) == 0;
}

/* Where a function was inlined: the next outer line. */
static bool add_call(struct dwarf_lines *lines, Dwarf_Die *unit, Dwarf_Die *inlined,
		     struct answer *answer)
{
	Dwarf_Files *files;
	Dwarf_Word index, line = 0;
	const char *name;

	if (answer->line_count == ANSWER_LINES_MAX || dwarf_getsrcfiles(unit, &files, NULL) != 0 ||
	    !number_of(inlined, DW_AT_call_file, &index) || index > UINT32_MAX)
		return false;
	name = dwarf_filesrc(files, (size_t)index, NULL, NULL);
	if (!name)
		return false;
	number_of(inlined, DW_AT_call_line, &line);
	answer->lines[answer->line_count] = (struct answer_line){
		.file = add_folder(lines, answer->line_count, name, text_of(unit, DW_AT_comp_dir)),
		.line = line <= UINT32_MAX ? (uint32_t)line : 0,
	};
	answer->line_count++;
	return true;
}

static bool find_line(struct dwarf_lines *lines, Dwarf_Die *unit, uint64_t address,
		      struct answer_line *line)
{
	Dwarf_Line *found = dwarf_getsrc_die(unit, address);
	const char *name = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
	int number = 0;

	if (!name)
		return false;
	dwarf_lineno(found, &number);
	*line = (struct answer_line){
		.file = add_folder(lines, 0, name, text_of(unit, DW_AT_comp_dir)),
		.line = number > 0 ? (uint32_t)number : 0,
	};
	return true;
}

/* From the innermost scope outwards, as it was inlined and not as it was written. */
static void find_calls(struct dwarf_lines *lines, Dwarf_Die *unit, uint64_t address,
		       struct answer *answer)
{
	Dwarf_Die *found = NULL, *scopes = NULL;
	int count = dwarf_getscopes(unit, address, &found);

	if (count > 0)
		count = dwarf_getscopes_die(&found[0], &scopes);
	for (int i = 0; i < count; i++) {
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		answer->lines[answer->line_count - 1].function = linker_name(&scopes[i]);
		if (!answer->lines[answer->line_count - 1].function ||
		    !add_call(lines, unit, &scopes[i], answer))
			break;
	}
	free(found);
	free(scopes);
}

void dwarf_lines_find(struct dwarf_lines *lines, uint64_t address, struct answer *answer)
{
	Dwarf_Die unit;

	if (!find_unit(lines, &address, &unit) ||
	    !find_line(lines, &unit, address, &answer->lines[0]))
		return;
	answer->line_count = 1;
	find_calls(lines, &unit, address, answer);
}

bool dwarf_lines_find_one(struct dwarf_lines *lines, uint64_t address, struct answer_line *line)
{
	Dwarf_Die unit;

	return find_unit(lines, &address, &unit) && find_line(lines, &unit, address, line);
}

void dwarf_lines_drop(struct dwarf_lines *lines)
{
	free(lines->units);
	lines->units = NULL;
	lines->unit_count = lines->unit_capacity = 0;
	lines->has_units = false;
	lines->module = NULL;
}

void dwarf_lines_fini(struct dwarf_lines *lines)
{
	dwarf_lines_drop(lines);
	for (size_t i = 0; i < ANSWER_LINES_MAX; i++)
		strbuf_fini(&lines->texts[i]);
}
