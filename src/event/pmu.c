/*
 * PMUs of sysfs: a folder each, with a file for each field (format/) and for each named event
 * (events/).
 */
#include "event/pmu.h"

#include <assert.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "kernel/file.h"
#include "kernel/generic.h"
#include "kernel/spec.h"

#include "event/syntax.h"

enum {
	PATH_BYTES = 768,
	TEXT_BYTES = 4096, /* sysfs files are a page at most */
	REASON_BYTES = 512
};

#define DEVICES "/sys/bus/event_source/devices"

/* Text of DEVICES/PMU/FILE without blanks at its end; false: there is no such file. */
static bool read_text(const char *root, const char *pmu, const char *file,
		      char text[static TEXT_BYTES])
{
	long length = file_readf(text, TEXT_BYTES, "%s" DEVICES "/%s/%s", root, pmu, file);

	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
		text[--length] = '\0';
	return length >= 0;
}

static bool read_pmu(const char *root, const char *name, struct pmu *pmu)
{
	char text[TEXT_BYTES];
	uint64_t type;

	if (!read_text(root, name, "type", text) || !units_parse_number(text, &type) ||
	    type > UINT32_MAX)
		return false;
	*pmu = (struct pmu){.type = (uint32_t)type, .is_core = pmu_is_core(root, name)};
	memcpy(pmu->name, name, sizeof(pmu->name));
	pmu->is_shared = !pmu->is_core && read_text(root, name, "cpumask", text);
	pmu->cpus = xstrdup(read_text(root, name, "cpus", text) ? text : "");
	return true;
}

void pmus_read(struct pmus *pmus)
{
	pmu_name *names;
	size_t count;

	if (pmus->is_read)
		return;
	pmus->is_read = true;
	count = pmu_list(pmus->root, &names);
	pmus->pmus = xcalloc(count, sizeof(*pmus->pmus));
	for (size_t i = 0; i < count; i++)
		if (read_pmu(pmus->root, names[i], &pmus->pmus[pmus->count]))
			pmus->count++;
	free(names);
}

void pmus_fini(struct pmus *pmus)
{
	for (size_t i = 0; i < pmus->count; i++) {
		struct pmu *pmu = &pmus->pmus[i];

		for (size_t j = 0; j < pmu->event_count; j++)
			free(pmu->events[j].terms);
		free(pmu->events);
		free(pmu->fields);
		free(pmu->cpus);
	}
	free(pmus->pmus);
	*pmus = (struct pmus){0};
}

struct pmu *pmus_find(struct pmus *pmus, const char *name, size_t length)
{
	pmus_read(pmus);
	for (size_t i = 0; i < pmus->count; i++)
		if (strlen(pmus->pmus[i].name) == length &&
		    memcmp(pmus->pmus[i].name, name, length) == 0)
			return &pmus->pmus[i];
	return NULL;
}

static void read_field(const char *root, struct pmu *pmu, const char *name)
{
	char text[TEXT_BYTES], file[TERM_NAME_MAX + 16];
	struct pmu_field field = {0};

	snprintf(field.name, sizeof(field.name), "%s", name);
	snprintf(file, sizeof(file), "format/%s", name);
	if (!read_text(root, pmu->name, file, text))
		return;
	snprintf(field.text, sizeof(field.text), "%.*s", (int)strcspn(text, "\n"), text);
	if (format_parse(text, &field.format, &field.fault))
		field.fault = NULL;
	array_reserve(&pmu->fields, &pmu->field_capacity, pmu->field_count + 1,
		      sizeof(*pmu->fields));
	pmu->fields[pmu->field_count++] = field;
}

static double read_scale(const char *root, const struct pmu *pmu, const char *event)
{
	char text[TEXT_BYTES], file[TERM_NAME_MAX + 16];
	char *end = text;
	double scale = 0;

	snprintf(file, sizeof(file), "events/%s.scale", event);
	if (read_text(root, pmu->name, file, text))
		scale = strtod(text, &end);
	return end != text && *end == '\0' && isfinite(scale) && scale > 0 ? scale : 1;
}

/* NAME.scale, NAME.unit, NAME.snapshot, NAME.per-pkg are no events but about one. */
static bool is_about_event(const char *name)
{
	static const char *const endings[] = {".scale", ".unit", ".snapshot", ".per-pkg"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

static void read_event(const char *root, struct pmu *pmu, const char *name)
{
	char text[TEXT_BYTES], file[TERM_NAME_MAX + 16];
	struct pmu_event event = {.scale = 1};

	snprintf(file, sizeof(file), "events/%s", name);
	if (is_about_event(name) || !read_text(root, pmu->name, file, text))
		return;
	snprintf(event.name, sizeof(event.name), "%s", name);
	event.terms = xstrdup(text);
	event.scale = read_scale(root, pmu, name);
	snprintf(file, sizeof(file), "events/%s.unit", name);
	if (read_text(root, pmu->name, file, text))
		snprintf(event.unit, sizeof(event.unit), "%.*s", EVENT_SPEC_UNIT_MAX - 1, text);
	array_reserve(&pmu->events, &pmu->event_capacity, pmu->event_count + 1,
		      sizeof(*pmu->events));
	pmu->events[pmu->event_count++] = event;
}

static void read_folder(const char *root, struct pmu *pmu, const char *folder,
			void (*add)(const char *root, struct pmu *pmu, const char *name))
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s" DEVICES "/%s/%s", root, pmu->name, folder);

	DIR *directory = opendir(path);

	if (!directory)
		return;
	for (const struct dirent *entry; (entry = readdir(directory));)
		if (entry->d_name[0] != '.' && strlen(entry->d_name) < TERM_NAME_MAX)
			add(root, pmu, entry->d_name);
	closedir(directory);
}

static_assert(offsetof(struct pmu_field, name) == 0 && offsetof(struct pmu_event, name) == 0,
	      "both are compared by what they begin with");

static int compare_sysfs_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

void pmu_load(const struct pmus *pmus, struct pmu *pmu)
{
	if (pmu->is_loaded)
		return;
	pmu->is_loaded = true;
	read_folder(pmus->root, pmu, "format", read_field);
	read_folder(pmus->root, pmu, "events", read_event);
	if (pmu->field_count > 0)
		qsort(pmu->fields, pmu->field_count, sizeof(*pmu->fields), compare_sysfs_names);
	if (pmu->event_count > 0)
		qsort(pmu->events, pmu->event_count, sizeof(*pmu->events), compare_sysfs_names);
}

const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name, size_t length)
{
	for (size_t i = 0; i < pmu->event_count; i++)
		if (strlen(pmu->events[i].name) == length &&
		    strncasecmp(pmu->events[i].name, name, length) == 0)
			return &pmu->events[i];
	return NULL;
}

/* By name: the kernel does not say which ones write their data into an AUX area. */
static bool writes_trace(const struct pmu *pmu)
{
	static const char *const begins[] = {"intel_pt", "intel_bts", "arm_spe", "cs_etm",
					     "hisi_ptt"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (text_begins(pmu->name, begins[i]))
			return true;
	return false;
}

enum event_class pmu_class(const struct pmu *pmu)
{
	static const char *const free_ones[] = {"software", "tracepoint", "breakpoint",
						"kprobe",   "uprobe",     "msr"};

	for (size_t i = 0; i < sizeof(free_ones) / sizeof(free_ones[0]); i++)
		if (strcmp(pmu->name, free_ones[i]) == 0)
			return EVENT_CLASS_SOFTWARE;
	if (writes_trace(pmu))
		return EVENT_CLASS_TRACE;
	return pmu->is_shared ? EVENT_CLASS_SHARED : EVENT_CLASS_HARDWARE;
}

/*
 * Terms become bits as in perf: config=, config1= and config2= are whole words and come first, the
 * bits of all other fields, and those of rNNN, are added to them. A term that is the name of an
 * event means that event's own terms; one of these may be left open ("core=?"), and is then filled
 * by the user's term of that name.
 */

static const struct pmu_field *find_field(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->field_count; i++)
		if (strcmp(pmu->fields[i].name, name) == 0)
			return &pmu->fields[i];
	return NULL;
}

/* Terms that any event may have. */
enum general_term {
	TERM_CONFIG,
	TERM_CONFIG1,
	TERM_CONFIG2,
	TERM_GIVEN_NAME,
	TERM_PERIOD, /* about sampling: in an event's own file it is passed over */
	TERM_FREQ,
	TERM_BRANCH_TYPE, /* likewise */
	GENERAL_TERMS
};

static enum general_term find_general(const char *name)
{
	static const char *const names[GENERAL_TERMS] = {"config", "config1", "config2",    "name",
							 "period", "freq",    "branch_type"};
	size_t i = 0;

	while (i < GENERAL_TERMS && strcmp(names[i], name) != 0)
		i++;
	return (enum general_term)i;
}

/* Terms that any event may have with perf, and what perftop has in their place. */
static const struct {
	const char *name, *why;
} PERFS_TERMS[] = {
	{"config3", "only PMUs that write traces use it, and these count nothing"},
	{"time", "samples always have their time"},
	{"call-graph", "--call-graph says it of all samples"},
	{"stack-size", "--call-graph dwarf,BYTES says it of all samples"},
	{"max-stack",
	 "callers are followed as far as the kernel goes (kernel.perf_event_max_stack)"},
	{"nr", "samples are taken while a view shows them"},
	{"inherit", "tasks that start later are counted with all others"},
	{"no-inherit", "tasks that start later are counted with all others"},
	{"overwrite", "records are read as they come, and old ones are not overwritten"},
	{"no-overwrite", "records are read as they come, and old ones are not overwritten"},
	{"aux-output", "trace data is not read: perf record does"},
	{"aux-action", "trace data is not read: perf record does"},
	{"aux-sample-size", "trace data is not read: perf record does"},
	{"driver-config", "trace data is not read: perf record does"},
	{"percore", "events are counted for each CPU"},
	{"cpu", "-C chooses CPUs, for all events"},
	{"metric-id", "-m names a metric"},
	{"ratio-to-prev", "events are not counted by the ratio to another"},
};

/* The work on one event's terms. */
struct term_job {
	const struct pmu *pmu;     /* NULL: no PMU's event */
	const struct terms *given; /* by the user */
	struct event_spec *spec;
	size_t position; /* of the term that is worked on */
	char reason[REASON_BYTES];
};

static bool refuse_term(struct term_job *job, const char *name, const char *why)
{
	snprintf(job->reason, sizeof(job->reason), "%s: %s", name, why);
	return false;
}

static bool read_term_number(struct term_job *job, const struct event_term *term, uint64_t *number)
{
	*number = 1;
	return !term->has_value || units_parse_number(term->value, number) ||
	       refuse_term(job, term->name,
			   "its value is no number of 64 bits (decimal, or 0x and hexadecimal)");
}

static bool apply_general(struct term_job *job, const struct event_term *term,
			  enum general_term general)
{
	uint64_t *const words[] = {&job->spec->config, &job->spec->config1, &job->spec->config2};
	uint64_t number;

	if (general == TERM_GIVEN_NAME && !term->has_value)
		return refuse_term(job, term->name, "a value is missing");
	if (general == TERM_GIVEN_NAME)
		return snprintf(job->spec->name, sizeof(job->spec->name), "%s", term->value) >= 0;
	if (!read_term_number(job, term, &number))
		return false;
	if (general <= TERM_CONFIG2)
		*words[general] = number;
	return true;
}

static bool apply_field(struct term_job *job, const struct event_term *term,
			const struct pmu_field *field)
{
	uint64_t *const words[FORMAT_WORDS] = {
		[FORMAT_CONFIG] = &job->spec->config,
		[FORMAT_CONFIG1] = &job->spec->config1,
		[FORMAT_CONFIG2] = &job->spec->config2,
	};
	uint64_t number;

	if (field->fault)
		return refuse_term(job, term->name, field->fault);
	if (!read_term_number(job, term, &number))
		return false;
	if (number > format_max(&field->format)) {
		char why[64];

		snprintf(why, sizeof(why), "its largest value is %#" PRIx64,
			 format_max(&field->format));
		return refuse_term(job, term->name, why);
	}
	*words[field->format.word] |= format_place(&field->format, number);
	return true;
}

/* The event that a term means: its name alone, or event=NAME. */
static const struct pmu_event *find_alias(const struct pmu *pmu, const struct event_term *term)
{
	const char *name = term->name;
	uint64_t number;

	if (!term->has_value)
		return !find_field(pmu, name) ? pmu_find_event(pmu, name, strlen(name)) : NULL;
	if (strcmp(name, "event") != 0 || units_parse_number(term->value, &number))
		return NULL;
	return pmu_find_event(pmu, term->value, strlen(term->value));
}

/* The user's value for what an event leaves open. */
static const struct event_term *find_given(const struct term_job *job, const char *name)
{
	for (size_t i = 0; i < job->given->count; i++) {
		const struct event_term *term = &job->given->terms[i];

		if (term->has_value && strcmp(term->name, name) == 0)
			return term;
	}
	return NULL;
}

/* NULL: perf does not have it either, or it is a field. */
static const char *why_not_as_perf(const char *name)
{
	for (size_t i = 0; i < sizeof(PERFS_TERMS) / sizeof(PERFS_TERMS[0]); i++)
		if (strcmp(PERFS_TERMS[i].name, name) == 0)
			return PERFS_TERMS[i].why;
	return NULL;
}

static bool refuse_foreign_term(struct term_job *job, const struct event_term *term)
{
	char text[REASON_BYTES - TERM_NAME_MAX - 8];
	const char *why = why_not_as_perf(term->name);

	if (why)
		return refuse_term(job, term->name, why);
	if (!job->pmu)
		return refuse_term(job, term->name, "only an event of a PMU may have this term");
	snprintf(text, sizeof(text), "the PMU %s has no such %s", job->pmu->name,
		 term->has_value ? "field" : "event and no such field");
	return refuse_term(job, term->name, text);
}

static bool apply_plain(struct term_job *job, const struct event_term *term)
{
	const struct pmu_field *field = find_field(job->pmu, term->name);
	uint64_t config;

	if (field)
		return apply_field(job, term, field);
	if (term->has_value || !syntax_raw_parse(term->name, &config))
		return refuse_foreign_term(job, term);
	job->spec->config |= config;
	return true;
}

static bool apply_named_event(struct term_job *job, const struct pmu_event *event)
{
	struct terms own;
	struct text_cursor cursor = {.text = event->terms};

	if (!terms_parse(&cursor, &own))
		return refuse_term(job, event->name, cursor.message);
	for (size_t i = 0; i < own.count; i++) {
		const struct event_term *term = &own.terms[i];
		const enum general_term general = find_general(term->name);

		if (term->has_value && strcmp(term->value, "?") == 0) {
			term = find_given(job, term->name);
			if (!term) {
				return refuse_term(job, own.terms[i].name,
						   "this event needs it, with a value");
			}
		}
		if (general < GENERAL_TERMS ? !apply_general(job, term, general)
					    : !apply_plain(job, term))
			return false;
	}
	job->spec->scale = event->scale;
	memcpy(job->spec->unit, event->unit, sizeof(job->spec->unit));
	return true;
}

/* How often it is to be sampled; of both the last one holds, as in perf. */
static bool apply_rate(struct term_job *job, const struct event_term *term,
		       enum general_term general)
{
	uint64_t number;

	if (!read_term_number(job, term, &number))
		return false;
	if (!term->has_value || number == 0)
		return refuse_term(job, term->name, "a number above 0 is missing");
	if (number > INT64_MAX)
		return refuse_term(job, term->name, "the kernel takes numbers of 63 bits");
	job->spec->period = general == TERM_PERIOD ? number : 0;
	job->spec->freq = general == TERM_FREQ ? number : 0;
	return true;
}

/* Several of them are added to each other. */
static bool apply_branch_type(struct term_job *job, const struct event_term *term)
{
	uint64_t branch_type;

	if (!term->has_value || !branch_words_parse(term->value, &branch_type))
		return refuse_term(job, term->name,
				   "words of perf record -j are missing: any, any_call, any_ret, "
				   "ind_call, ind_jmp, call, cond, in_tx, no_tx, abort_tx, u, k, "
				   "hv, save_type, priv");
	job->spec->branch_type |= branch_type;
	return true;
}

/* First the whole words, then events and fields, which are added to them. */
static bool apply_term(struct term_job *job, const struct event_term *term, bool whole_words)
{
	const enum general_term general = find_general(term->name);
	const struct pmu_event *event;

	job->position = term->position;
	if (general == TERM_PERIOD || general == TERM_FREQ)
		return apply_rate(job, term, general);
	if (general == TERM_BRANCH_TYPE)
		return apply_branch_type(job, term);
	if ((general < GENERAL_TERMS) != whole_words)
		return true;
	if (whole_words)
		return apply_general(job, term, general);
	if (!job->pmu)
		return refuse_foreign_term(job, term);
	event = find_alias(job->pmu, term);
	return event ? apply_named_event(job, event) : apply_plain(job, term);
}

static bool run_job(struct term_job *job, const char *what, size_t *position, struct error *error)
{
	for (size_t i = 0; i < 2 * job->given->count; i++) {
		const size_t number = i % job->given->count;

		if (!apply_term(job, &job->given->terms[number], i == number)) {
			*position = job->position;
			return error_set(error, ERROR_EVENT_TERM, what, job->reason);
		}
	}
	return true;
}

bool pmu_apply_terms(const struct pmu *pmu, const struct terms *terms, const char *what,
		     struct event_spec *spec, size_t *position, struct error *error)
{
	bool is_kernels = pmu->type == EVENT_TYPE_SOFTWARE || pmu->type == EVENT_TYPE_TRACEPOINT ||
			  pmu->type == EVENT_TYPE_BREAKPOINT;
	struct term_job job = {.pmu = pmu, .given = terms, .spec = spec};

	memcpy(spec->pmu, is_kernels ? "" : pmu->name, is_kernels ? 1 : sizeof(spec->pmu));
	spec->type = pmu->type;
	spec->class = pmu_class(pmu);
	return run_job(&job, what, position, error);
}

bool pmu_apply_general_terms(const struct terms *terms, const char *what, struct event_spec *spec,
			     size_t *position, struct error *error)
{
	struct term_job job = {.given = terms, .spec = spec};

	return run_job(&job, what, position, error);
}
