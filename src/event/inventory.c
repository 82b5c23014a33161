/*
 * The sources: the kernel's generic events (a table of ours), the PMUs of sysfs with the events
 * they name, forms with a part to be filled in, libpfm4's tables, and tracefs.
 *
 * What is not opened for a try: PMUs outside the cores, because opening an event of some drivers
 * that find no hardware (RAPL's `power` in a virtual machine) makes the kernel fault; and ftrace's
 * own function event, which would trace every function of the kernel. A PMU that many CPUs share
 * (sysfs gives it a `cpumask`) counts for no task in particular and is refused from the start.
 */

#include "event/inventory.h"

#include <stdio.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "kernel/generic.h"

#include "event/catalog.h"
#include "event/described.h"
#include "event/event.h"
#include "event/pfm.h"
#include "event/pmu.h"
#include "event/tracepoint.h"

enum {
	PATH_BYTES = 1024,
	SOURCE_BYTES = 64,
	TEXT_BYTES = 2048
};

static const char SHARED[] = "its PMU is shared by many CPUs: it counts for no task or CPU alone";

struct walk {
	const char *root;
	inventory_visit *visit;
	void *context;
};

static void show(const struct walk *walk, enum inventory_kind kind,
		 const struct catalog_entry *entry)
{
	walk->visit(walk->context, kind, entry);
}

/* --- the kernel's own */

static void walk_generic(const struct walk *walk)
{
	size_t count;
	const struct generic_event *events = generic_events(&count);

	for (size_t i = 0; i < count; i++) {
		const struct generic_event *event = &events[i];
		bool is_software = event->type == PERF_TYPE_SOFTWARE;
		char text[TEXT_BYTES];
		const struct catalog_entry entry = {
			.name = event->name,
			.source = is_software ? "software" : "hardware",
			.description = text,
			.may_try = true,
		};

		snprintf(text, sizeof(text), "%s%s%s%s", event->description,
			 event->alias ? " (also: " : "", event->alias ? event->alias : "",
			 event->alias ? ")" : "");
		show(walk, is_software ? INVENTORY_SOFTWARE : INVENTORY_HARDWARE, &entry);
	}
}

static void show_cache(const char *name, uint64_t config, void *context)
{
	const struct catalog_entry entry = {
		.name = name,
		.source = "cache",
		.description = described_cache(name),
		.may_try = true,
	};

	show(context, INVENTORY_CACHE, &entry);
}

/* --- PMUs in sysfs */

static enum inventory_kind kind_of(const struct pmu *pmu)
{
	return pmu->is_core ? INVENTORY_CORE_PMU : INVENTORY_OTHER_PMU;
}

/* What all events of a PMU have in common. */
static struct catalog_entry begin_entry(const struct pmu *pmu, char source[static SOURCE_BYTES])
{
	snprintf(source, SOURCE_BYTES, "PMU %s", pmu->name);
	return (struct catalog_entry){
		.source = source,
		.reason = pmu_class(pmu) == EVENT_CLASS_SHARED ? SHARED : NULL,
		.may_try = pmu->is_core || strcmp(pmu->name, "msr") == 0,
	};
}

/* sysfs does not describe its events: their terms and unit are what is known. */
static void show_pmu_event(const struct walk *walk, const struct pmu *pmu,
			   const struct pmu_event *event)
{
	char source[SOURCE_BYTES], name[PATH_BYTES], text[TEXT_BYTES];
	struct catalog_entry entry = begin_entry(pmu, source);

	snprintf(name, sizeof(name), "%s/%s/", pmu->name, event->name);
	snprintf(text, sizeof(text), "%s%s%s", event->terms, *event->unit != '\0' ? ", in " : "",
		 event->unit);
	entry.name = name;
	entry.description = text;
	show(walk, kind_of(pmu), &entry);
}

static void show_pmu_form(const struct walk *walk, const struct pmu *pmu)
{
	char source[SOURCE_BYTES], name[PATH_BYTES];
	struct catalog_entry entry = begin_entry(pmu, source);

	snprintf(name, sizeof(name), "%s/TERM=VALUE,.../", pmu->name);
	entry.name = name;
	entry.description = "any event of this PMU, by the terms of its format";
	entry.is_pattern = true;
	entry.may_try = false;
	show(walk, kind_of(pmu), &entry);
}

/* PMUs with events that have forms of their own. */
static bool has_own_form(const char *name)
{
	static const char *const names[] = {"software", "tracepoint", "breakpoint", "uprobe",
					    "kprobe"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void walk_pmus(const struct walk *walk, struct pmus *pmus)
{
	for (size_t i = 0; i < pmus->count; i++) {
		struct pmu *pmu = &pmus->pmus[i];

		if (has_own_form(pmu->name))
			continue;
		pmu_load(pmus, pmu);
		for (size_t j = 0; j < pmu->event_count; j++)
			show_pmu_event(walk, pmu, &pmu->events[j]);
		if (pmu->field_count > 0)
			show_pmu_form(walk, pmu);
	}
}

/* --- forms */

struct form {
	enum inventory_kind kind;
	const char *name, *source, *description;
	const char *pmu; /* that it needs; NULL: none */
};

/* clang-format off */
static const struct form FORMS[] = {
	{INVENTORY_RAW,        "rNNN", "raw", "the event of the CPU's PMU with this number, in hexadecimal", NULL},
	{INVENTORY_BREAKPOINT, "mem:ADDRESS[/LENGTH][:rwx]", "breakpoint", "reads, writes or executions at an address (0x...); most CPUs have four such breakpoints", NULL},
	{INVENTORY_PROBE,      "uprobe:FILE:FUNCTION[+OFFSET]", "probe", "calls of a function of a program or library, in every process that has it", "uprobe"},
	{INVENTORY_PROBE,      "uretprobe:FILE:FUNCTION", "probe", "returns from a function of a program or library", "uprobe"},
	{INVENTORY_PROBE,      "kprobe:FUNCTION[+OFFSET]", "probe", "calls of a function of the kernel", "kprobe"},
	{INVENTORY_PROBE,      "kretprobe:FUNCTION", "probe", "returns from a function of the kernel", "kprobe"},
};
/* clang-format on */

static void walk_forms(const struct walk *walk, struct pmus *pmus)
{
	for (size_t i = 0; i < sizeof(FORMS) / sizeof(*FORMS); i++) {
		const struct form *form = &FORMS[i];
		bool is_there = !form->pmu || pmus_find(pmus, form->pmu, strlen(form->pmu));
		const struct catalog_entry entry = {
			.name = form->name,
			.source = form->source,
			.description = form->description,
			.reason = is_there ? NULL : "this kernel has no PMU for it",
			.is_pattern = true,
		};

		show(walk, form->kind, &entry);
	}
}

/* --- libpfm4 */

static void show_pfm(void *context, const struct pfm_event *event)
{
	const struct walk *walk = context;
	char source[SOURCE_BYTES], text[TEXT_BYTES];
	const struct catalog_entry entry = {
		.name = event->name,
		.source = source,
		.description = text,
		.reason = event->is_shared ? SHARED : NULL,
		.may_try = !event->is_shared,
	};

	snprintf(source, sizeof(source), "libpfm4 %s", event->pmu);
	/* what distinguishes it from its neighbours first */
	if (*event->umask_description != '\0') {
		snprintf(text, sizeof(text), "%s (%s)", event->umask_description,
			 event->description);
	} else {
		snprintf(text, sizeof(text), "%s", event->description);
	}
	show(walk, INVENTORY_PFM, &entry);
}

/* --- tracefs */

static void describe_tracepoint(const char *group, const char *name, char text[static TEXT_BYTES])
{
	static const char enter[] = "sys_enter_", leave[] = "sys_exit_";

	if (strcmp(group, "syscalls") == 0 && strncmp(name, enter, strlen(enter)) == 0)
		snprintf(text, TEXT_BYTES, "calls of %s(2)", name + strlen(enter));
	else if (strcmp(group, "syscalls") == 0 && strncmp(name, leave, strlen(leave)) == 0)
		snprintf(text, TEXT_BYTES, "returns from %s(2)", name + strlen(leave));
	else
		snprintf(text, TEXT_BYTES, "%s", described_group(group));
}

static void show_tracepoint(void *context, const char *group, const char *name)
{
	const struct walk *walk = context;
	char full[PATH_BYTES], text[TEXT_BYTES];
	const struct catalog_entry entry = {
		.name = full,
		.source = "tracepoint",
		.description = text,
		.may_try = strcmp(group, "ftrace") != 0,
		.is_slow_to_try = true,
	};

	snprintf(full, sizeof(full), "%s:%s", group, name);
	describe_tracepoint(group, name, text);
	show(walk, INVENTORY_TRACEPOINT, &entry);
}

static void walk_tracepoints(const struct walk *walk)
{
	struct error error = {0};
	bool is_readable = tracepoint_walk(walk->root, show_tracepoint, (void *)walk, &error);
	const struct catalog_entry form = {
		.name = "GROUP:NAME[/FILTER/]",
		.source = "tracepoint",
		.description =
			"a place in the kernel that reports when it is passed; with a filter "
			"only what agrees with it is counted: prev_prio<100",
		.reason = is_readable ? NULL : error.text,
		.is_pattern = true,
	};

	show(walk, INVENTORY_TRACEPOINT, &form);
}

void inventory_walk(const char *root, inventory_visit *visit, void *context)
{
	const struct walk walk = {root, visit, context};
	struct pmus pmus = {.root = root};

	walk_generic(&walk);
	cache_visit(show_cache, (void *)&walk);
	pmus_read(&pmus);
	walk_pmus(&walk, &pmus);
	walk_forms(&walk, &pmus);
	pmus_fini(&pmus);
	pfm_walk(show_pfm, (void *)&walk);
	walk_tracepoints(&walk);
}

/* --- details */

static const char MODIFIERS[] = "modifiers:\n"
				"  :u  in user space only\n"
				"  :k  in the kernel only\n"
				"  :h  in the hypervisor only\n"
				"  :G  in guests only\n"
				"  :H  on the host only\n"
				"  :I  not while idle\n"
				"  :p :pp :ppp  more precise\n";

static const char BREAKPOINT[] =
	"LENGTH: 1, 2, 4 or 8 bytes\n"
	"access:\n"
	"  :r  reads and writes, where reads alone cannot be distinguished\n"
	"  :w  writes\n"
	"  :x  executions\n";

/* A line for each field: its name, and the bits that it is for. */
static void append_pmu(const char *root, const char *name, struct strbuf *out)
{
	struct pmus pmus = {.root = root};
	struct pmu *pmu = pmus_find(&pmus, name, strcspn(name, "/"));

	if (pmu)
		pmu_load(&pmus, pmu);
	for (size_t i = 0; pmu && i < pmu->field_count; i++)
		strbuf_printf(out, "%s  %s  %s\n", i == 0 ? "terms:\n" : "", pmu->fields[i].name,
			      pmu->fields[i].text);
	strbuf_add(out, MODIFIERS);
	pmus_fini(&pmus);
}

static void append_tracepoint(const char *root, const char *name, struct strbuf *out)
{
	char group[EVENT_SPEC_NAME_MAX];
	const char *colon = strchr(name, ':');
	struct strbuf fields = {0};

	if (!colon || (size_t)(colon - name) >= sizeof(group))
		return;
	snprintf(group, sizeof(group), "%.*s", (int)(colon - name), name);
	tracepoint_append_fields(root, group, colon + 1, &fields);
	if (fields.length > 0) {
		strbuf_add(out, "fields for a filter:\n");
		strbuf_add(out, strbuf_text(&fields));
	}
	strbuf_fini(&fields);
}

void inventory_append_details(const char *root, enum inventory_kind kind, const char *name,
			      struct strbuf *out)
{
	switch (kind) {
	case INVENTORY_HARDWARE:
	case INVENTORY_CACHE:
	case INVENTORY_SOFTWARE:
	case INVENTORY_RAW:
		strbuf_add(out, MODIFIERS);
		break;
	case INVENTORY_CORE_PMU:
	case INVENTORY_OTHER_PMU:
		append_pmu(root, name, out);
		break;
	case INVENTORY_BREAKPOINT:
		strbuf_add(out, BREAKPOINT);
		break;
	case INVENTORY_PROBE:
		break;
	case INVENTORY_PFM:
		pfm_append_details(name, out);
		break;
	case INVENTORY_TRACEPOINT:
		append_tracepoint(root, name, out);
		break;
	}
}
