/*
 * libpfm4's events. Which PMUs it sees here depends on the machine: what must hold on any is tried
 * with its tables for all of them, which are refused here, or, with LIBPFM_ENCODE_INACTIVE=1 (a
 * second run of this test), encoded all the same.
 */

/* In this order: libpfm4 brings definitions of its own where it does not find the kernel's. */
/* clang-format off */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
/* clang-format on */

#include "base/error.h"
#include "base/strbuf.h"

#include "error_name.h"
#include "event/event.h"
#include "event/pfm.h"
#include "unit.h"

enum {
	NAME_BYTES = 1024,
#ifdef PERFTOP_SANITIZED /* and all of them where that takes half as long */
	EVENTS_APART = 3
#else
	EVENTS_APART = 1
#endif
};

/* Everything is encoded, whatever the machine. */
static bool encodes_all(void)
{
	const char *value = getenv("LIBPFM_ENCODE_INACTIVE");

	return value != NULL && *value == '1';
}

/* What `name` gives is either whole, or an error that leaves the spec as it was. */
static bool find_cleanly(const char *name, struct event_spec *spec, struct error *error)
{
	struct event_spec before;

	memset(spec, 0x5a, sizeof(*spec));
	memcpy(&before, spec, sizeof(before));
	*error = (struct error){0};
	if (pfm_find(name, spec, error)) {
		assert_string_equal(spec->name, name);
		assert_int_equal(error->code, ERROR_NONE);
		assert_true(spec->scale == 1);
		assert_true(spec->class == EVENT_CLASS_HARDWARE ||
			    spec->class == EVENT_CLASS_SHARED ||
			    spec->class == EVENT_CLASS_SOFTWARE);
		return true;
	}
	assert_memory_equal(spec, &before, sizeof(before));
	assert_true(error->code == ERROR_EVENT_UNKNOWN || error->code == ERROR_EVENT_UMASK);
	assert_true(strlen(error->text) > 0);
	return false;
}

struct totals {
	size_t tried, foreign, found, umask, unknown;
};

static void add_to(struct totals *totals, const char *name)
{
	struct event_spec spec;
	struct error error;

	totals->tried++;
	totals->found += find_cleanly(name, &spec, &error);
	totals->umask += error.code == ERROR_EVENT_UMASK;
	totals->unknown += error.code == ERROR_EVENT_UNKNOWN;
}

static void try_event(struct totals *totals, const pfm_pmu_info_t *pmu, int index)
{
	pfm_event_info_t event = {.size = sizeof(event)};
	char name[NAME_BYTES];

	assert_int_equal(pfm_get_event_info(index, PFM_OS_PERF_EVENT_EXT, &event), PFM_SUCCESS);
	snprintf(name, sizeof(name), "%s::%s", pmu->name, event.name);
	add_to(totals, name);
	for (int i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t attribute = {.size = sizeof(attribute)};

		assert_int_equal(
			pfm_get_event_attr_info(index, i, PFM_OS_PERF_EVENT_EXT, &attribute),
			PFM_SUCCESS);
		if (attribute.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s::%s:%s", pmu->name, event.name, attribute.name);
		add_to(totals, name);
	}
	snprintf(name, sizeof(name), "%s::%s:no-such-umask", pmu->name, event.name);
	add_to(totals, name);
}

UNIT_TEST(pfm_find_every_event_of_every_machine_is_found_or_refused)
{
	struct totals totals = {0};
	size_t before;

	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = {.size = sizeof(pmu)};

		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) != PFM_SUCCESS)
			continue;
		before = totals.tried;
		for (int j = pmu.first_event; j != -1; j = pfm_get_event_next(j))
			if (j % EVENTS_APART == 0)
				try_event(&totals, &pmu, j);
		totals.foreign += pmu.is_present ? 0 : totals.tried - before;
	}
	print_message("%zu names: %zu found, %zu with wrong umasks, %zu unknown\n", totals.tried,
		      totals.found, totals.umask, totals.unknown);
	/* libpfm4 has the tables of one architecture: of s390x little but the kernel's events */
	assert_true(totals.tried > 100);
	if (encodes_all())
		assert_true(totals.found > totals.tried / 10 && totals.umask > totals.tried / 10);
	else
		assert_true(totals.unknown > totals.foreign / 2);
}

static void assert_error(const char *name, enum error_code code, const char *word)
{
	struct event_spec spec;
	struct error error;

	if (find_cleanly(name, &spec, &error))
		fail_msg("%s was found", name);
	if (error.code != code || strstr(error.text, word) == NULL)
		fail_msg("%s: %s: %s", name, error_name(error.code), error.text);
}

static void assert_config(const char *name, uint64_t config)
{
	struct event_spec spec;
	struct error error;

	if (!find_cleanly(name, &spec, &error))
		fail_msg("%s", error.text);
	assert_int_equal(spec.type, PERF_TYPE_RAW);
	assert_int_equal(spec.config, config);
	assert_int_equal(spec.class, EVENT_CLASS_HARDWARE);
}

/* Words of Intel's and AMD's manuals. */
UNIT_TEST(pfm_find_umasks_and_modifiers_become_bits)
{
	static const struct {
		const char *name;
		uint64_t config;
	} cases[] = {
		{"skl::INST_RETIRED:ANY_P", 0xc0},
		{"skl::BR_MISP_RETIRED:CONDITIONAL", 0x1c5},
		{"skl::br_misp_retired:conditional", 0x1c5},
		{"skl::BR_MISP_RETIRED.CONDITIONAL", 0x1c5},
		{"skl::INST_RETIRED:ANY_P:c=2:i:e", 0x28400c0},
		{"amd64_fam17h_zen2::RETIRED_INSTRUCTIONS", 0xc0},
		{"amd64_fam17h_zen2::RETIRED_INSTRUCTIONS:c=1", 0x10000c0},
	};
	static const char *const wrong[] = {
		"skl::BR_MISP_RETIRED:NOPE",
		"skl::INST_RETIRED:ANY_P:c=300",
		"skl::INST_RETIRED:ANY_P:c=x",
		"skl::INST_RETIRED:ANY_P:c=1:i:c=2",
		"skl::INST_RETIRED:",
		"skl::INST_RETIRED:ANY_P:pinned",
		"skl::INST_RETIRED:ANY_P:cpu=0",
		"skl::INST_RETIRED:ANY_P:excl",
		"amd64_fam17h_zen2::RETIRED_INSTRUCTIONS:ANY",
		"core::LOAD_BLOCK",
	};
	pfm_pmu_info_t skylake = {.size = sizeof(skylake)};
	struct event_spec spec;
	struct error error;

	pfm_initialize();
	if (!encodes_all() || pfm_get_pmu_info(PFM_PMU_INTEL_SKL, &skylake) != PFM_SUCCESS)
		skip();
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_config(cases[i].name, cases[i].config);
	assert_true(find_cleanly("skl::INST_RETIRED:ANY_P:u", &spec, &error));
	assert_true(spec.exclude_kernel && !spec.exclude_user);
	assert_true(find_cleanly("skl::INST_RETIRED:ANY_P:u=0:k=1", &spec, &error));
	assert_true(!spec.exclude_kernel && spec.exclude_user);
	assert_true(find_cleanly("skl::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_MISS", &spec, &error));
	assert_true(spec.config1 != 0);
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_error(wrong[i], ERROR_EVENT_UMASK, wrong[i]);
	assert_error("skl::INST_RETIRD:ANY_P", ERROR_EVENT_UNKNOWN, "INST_RETIRD");
}

/* Of the kernel's own events, which libpfm4 has on every machine. */
UNIT_TEST(pfm_find_takes_how_often_it_is_sampled)
{
	struct event_spec spec;
	struct error error;

	assert_true(find_cleanly("perf::PERF_COUNT_SW_PAGE_FAULTS:period=1000", &spec, &error));
	assert_int_equal(spec.period, 1000);
	assert_int_equal(spec.freq, 0);
	assert_true(find_cleanly("perf::PERF_COUNT_SW_PAGE_FAULTS:u:freq=100", &spec, &error));
	assert_int_equal(spec.period, 0);
	assert_int_equal(spec.freq, 100);
	assert_true(spec.exclude_kernel);
	assert_true(find_cleanly("perf::PERF_COUNT_SW_PAGE_FAULTS", &spec, &error));
	assert_int_equal(spec.period + spec.freq, 0);
	assert_error("perf::PERF_COUNT_SW_PAGE_FAULTS:pinned", ERROR_EVENT_UMASK, "pinned");
	assert_error("perf::PERF_COUNT_SW_PAGE_FAULTS:cpu=0", ERROR_EVENT_UMASK, "cpu=0");
}

UNIT_TEST(pfm_find_event_of_another_machine_is_unknown)
{
	pfm_pmu_info_t skylake = {.size = sizeof(skylake)};

	pfm_initialize();
	if (!encodes_all() && pfm_get_pmu_info(PFM_PMU_INTEL_SKL, &skylake) == PFM_SUCCESS &&
	    !skylake.is_present)
		assert_error("skl::INST_RETIRED:ANY_P", ERROR_EVENT_UNKNOWN, "skl");
	assert_error("nosuchpmu::EVENT", ERROR_EVENT_UNKNOWN, "nosuchpmu");
}

/* libpfm4 4.13 keeps 64 attributes and does not count umasks. */
UNIT_TEST(pfm_find_texts_that_are_no_events_are_refused)
{
	static const char *const names[] = {
		"",  ":", "::", ":::", "no-such-event", "r1c2", "readline",
		".", "=", ":u", "a,b", "\xff\xfe",      "%s%n",
	};
	static const char *const begins[] = {"perf::cycles",
					     "amd64_k7::DATA_CACHE_REFILLS_FROM_SYSTEM",
					     "skl::L2_LINES_IN", "perf::L1-DCACHE-LOADS"};
	static const char *const parts[] = {":I", ":u", ":ALL", ".M", ":0x1", ":u=1", ":"};
	char name[NAME_BYTES];
	struct event_spec spec;
	struct error error;

	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_false(find_cleanly(names[i], &spec, &error));
	assert_error("no-such-event", ERROR_EVENT_UNKNOWN, "no-such-event");
	assert_error("r1c2", ERROR_EVENT_UNKNOWN, "r1c2");

	for (size_t i = 0; i < COUNT_OF(begins) * COUNT_OF(parts); i++) {
		strcpy(name, begins[i / COUNT_OF(parts)]);
		while (strlen(name) + 8 < EVENT_SPEC_NAME_MAX)
			strcat(name, parts[i % COUNT_OF(parts)]);
		assert_false(find_cleanly(name, &spec, &error));
	}

	memset(name, 'x', EVENT_SPEC_NAME_MAX);
	name[EVENT_SPEC_NAME_MAX] = '\0';
	assert_false(find_cleanly(name, &spec, &error));
	memcpy(name, "perf::cycles:u", 14);
	assert_false(find_cleanly(name, &spec, &error));
}

UNIT_TEST(pfm_find_generic_names_have_their_class)
{
	struct event_spec spec;
	struct error error;

	assert_true(find_cleanly("perf::PERF_COUNT_HW_CPU_CYCLES", &spec, &error));
	assert_int_equal(spec.class, EVENT_CLASS_HARDWARE);
	assert_int_equal(spec.type, PERF_TYPE_HARDWARE);
	assert_string_equal(spec.pmu, "");
	assert_true(find_cleanly("perf::PERF_COUNT_SW_PAGE_FAULTS", &spec, &error));
	assert_int_equal(spec.class, EVENT_CLASS_SOFTWARE);
}

/* --- walks */

struct walked {
	size_t count;
	char first[NAME_BYTES];
};

static void see(void *context, const struct pfm_event *event)
{
	struct walked *walked = context;
	struct event_spec spec;
	struct error error;

	if (walked->count++ == 0)
		snprintf(walked->first, sizeof(walked->first), "%s", event->name);
	assert_non_null(event->description);
	assert_non_null(event->umask_description);
	assert_true(strncmp(event->name, event->pmu, strlen(event->pmu)) == 0);
	/* the text to type must be right */
	if (!event->is_shared && !find_cleanly(event->name, &spec, &error) &&
	    error.code != ERROR_EVENT_UMASK)
		fail_msg("%s", error.text);
}

UNIT_TEST(pfm_walk_shows_what_can_be_typed)
{
	struct walked walked = {0};
	struct strbuf details = {0};

	pfm_append_details("no-such-event", &details);
	assert_int_equal(details.length, 0);
	pfm_walk(see, &walked);
	if (walked.count == 0)
		skip();
	pfm_append_details(walked.first, &details);
	assert_non_null(strstr(strbuf_text(&details), "modifiers:\n"));
	assert_non_null(strstr(strbuf_text(&details), ":period=N"));
	assert_null(strstr(strbuf_text(&details), "pinned"));
	strbuf_fini(&details);
}

UNIT_MAIN(NULL, NULL)
