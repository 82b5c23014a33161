#include "symbol/dwarf_lines.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	SCOPES_MAX = 32 /* namespaces within each other, where functions are looked for */
};

/* Addresses of one unit or function. */
struct dwarf_range {
	uint64_t start, end;
	Dwarf_Off die;
};

/* --- ranges */

static void add_ranges(struct dwarf_ranges *ranges, Dwarf_Die *die, Dwarf_Addr bias)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		array_reserve(&ranges->items, &ranges->capacity, ranges->count + 1,
			      sizeof(*ranges->items));
		ranges->items[ranges->count++] = (struct dwarf_range){
			.start = start + bias,
			.end = end + bias,
			.die = dwarf_dieoffset(die),
		};
	}
}

static int compare_starts(const void *a, const void *b)
{
	const struct dwarf_range *one = a, *other = b;

	return one->start < other->start ? -1 : one->start > other->start;
}

static void sort_ranges(struct dwarf_ranges *ranges)
{
	if (ranges->count > 0)
		qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_starts);
}

static const struct dwarf_range *look_up(const struct dwarf_ranges *ranges, uint64_t address)
{
	size_t before =
		array_not_above(ranges->items, ranges->count, sizeof(*ranges->items), address);

	return before > 0 && address < ranges->items[before - 1].end ? &ranges->items[before - 1]
								     : NULL;
}

/* --- units: what was compiled from one file */

/*
 * The unit of an address; *address becomes that in its DWARF. libdw looks only into .debug_aranges,
 * which LLVM's compilers do not write: then each unit says which addresses are its own.
 */
static bool find_compile_unit(struct dwarf_lines *lines, uint64_t *address, Dwarf_Die *unit)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *found = dwfl_module_addrdie(lines->module, *address, &bias);
	Dwarf *dwarf = dwfl_module_getdwarf(lines->module, &bias);
	const struct dwarf_range *known = NULL;

	if (dwarf && !found && !lines->has_units) {
		Dwarf_Addr unit_bias;

		lines->has_units = true;
		for (Dwarf_Die *each = NULL;
		     (each = dwfl_module_nextcu(lines->module, each, &unit_bias));)
			add_ranges(&lines->units, each, unit_bias);
		sort_ranges(&lines->units);
	}
	if (dwarf && !found)
		known = look_up(&lines->units, *address);
	*address -= bias;
	if (found)
		*unit = *found;
	return found || (known && dwarf_offdie(dwarf, known->die, unit));
}

/* --- lines */

/* Relative names start at the folder in which the compiler ran. */
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

/* Adds the place where a function was inlined, the next outer line. */
static bool add_inlined_call(struct dwarf_lines *lines, Dwarf_Die *unit, Dwarf_Die *inlined,
			     struct address_answer *answer)
{
	Dwarf_Attribute attribute;
	Dwarf_Word index, line = 0;
	Dwarf_Files *files;
	const char *name;

	if (answer->line_count == ANSWER_LINES_MAX || dwarf_getsrcfiles(unit, &files, NULL) != 0 ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &index) != 0 ||
	    index > UINT32_MAX)
		return false;
	name = dwarf_filesrc(files, (size_t)index, NULL, NULL);
	if (!name)
		return false;
	dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line);
	answer->lines[answer->line_count] = (struct answer_line){
		.file = add_folder(lines, answer->line_count, name, text_of(unit, DW_AT_comp_dir)),
		.line = line <= UINT32_MAX ? (uint32_t)line : 0,
	};
	answer->line_count++;
	return true;
}

static bool find_source_line(struct dwarf_lines *lines, Dwarf_Die *unit, uint64_t address,
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

/* --- functions that were inlined */

static void add_functions(struct dwarf_ranges *functions, Dwarf_Die *parent, size_t depth)
{
	Dwarf_Die die;

	if (depth == SCOPES_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_ranges(functions, &die, 0);
			add_functions(functions, &die, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
			add_functions(functions, &die, depth + 1);
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Collected once for each unit: there may be very many. */
static const struct dwarf_ranges *functions_of(struct dwarf_lines *lines, Dwarf_Die *unit)
{
	const uint64_t key = dwarf_dieoffset(unit);
	struct dwarf_ranges *functions = map_get(&lines->functions, key);

	if (functions)
		return functions;
	functions = xcalloc(1, sizeof(*functions));
	map_put(&lines->functions, key, functions);
	add_functions(functions, unit, 0);
	sort_ranges(functions);
	return functions;
}

/* Replaces *scope by the scope inside it that covers the address. False: there is none. */
static bool enter_scope(Dwarf_Die *scope, uint64_t address)
{
	Dwarf_Die die;

	if (dwarf_child(scope, &die) != 0)
		return false;
	do {
		const int tag = dwarf_tag(&die);
		const bool is_scope = tag == DW_TAG_inlined_subroutine ||
				      tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
				      tag == DW_TAG_catch_block;

		if (!is_scope || dwarf_haspc(&die, address) <= 0)
			continue;
		*scope = die;
		return true;
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

static void find_calls(struct dwarf_lines *lines, Dwarf_Die *unit, uint64_t address,
		       struct address_answer *answer)
{
	const struct dwarf_range *function = look_up(functions_of(lines, unit), address);
	Dwarf_Die scope, inlined[ANSWER_LINES_MAX];
	size_t count = 0;

	if (!function || !dwarf_offdie(dwarf_cu_getdwarf(unit->cu), function->die, &scope))
		return;
	/* from the outermost inwards; if there are too many, the innermost */
	while (enter_scope(&scope, address)) {
		if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine)
			continue;
		if (count == ANSWER_LINES_MAX)
			memmove(inlined, inlined + 1, --count * sizeof(*inlined));
		inlined[count++] = scope;
	}
	while (count-- > 0) {
		struct answer_line *line = &answer->lines[answer->line_count - 1];

		line->function = linker_name(&inlined[count]);
		if (!line->function || !add_inlined_call(lines, unit, &inlined[count], answer))
			break;
	}
}

void dwarf_lines_find(struct dwarf_lines *lines, uint64_t address, struct address_answer *answer)
{
	Dwarf_Die unit;

	if (!find_compile_unit(lines, &address, &unit) ||
	    !find_source_line(lines, &unit, address, &answer->lines[0]))
		return;
	answer->line_count = 1;
	find_calls(lines, &unit, address, answer);
}

bool dwarf_lines_find_one(struct dwarf_lines *lines, uint64_t address, struct answer_line *line)
{
	Dwarf_Die unit;

	return find_compile_unit(lines, &address, &unit) &&
	       find_source_line(lines, &unit, address, line);
}

static void destroy_ranges(void *ranges)
{
	free(((struct dwarf_ranges *)ranges)->items);
	free(ranges);
}

void dwarf_lines_drop(struct dwarf_lines *lines)
{
	map_fini_with(&lines->functions, destroy_ranges);
	free(lines->units.items);
	lines->units = (struct dwarf_ranges){0};
	lines->has_units = false;
	lines->module = NULL;
}

void dwarf_lines_fini(struct dwarf_lines *lines)
{
	dwarf_lines_drop(lines);
	for (size_t i = 0; i < ANSWER_LINES_MAX; i++)
		strbuf_fini(&lines->texts[i]);
}
