/*
 * Each family of processors counts its presets with the codes of the vendor's list, which are
 * written here as numbers, and as libpfm4 encodes the vendor's name where it knows the family
 * (LIBPFM_ENCODE_INACTIVE=1: also without that processor). Machines are folders.
 */

/* In this order: libpfm4 brings definitions of its own where it does not find the kernel's. */
/* clang-format off */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
/* clang-format on */

#include "base/error.h"
#include "kernel/generic.h"

#include "event/event.h"
#include "event/processor.h"
#include "fake_sysfs.h"
#include "unit.h"

enum {
	CORE_TYPE = 4,
	ATOM_TYPE = 10
};

static const char PROCESSOR_FILE[] = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";

/* x86 as in /proc/cpuinfo, ARM as in sysfs. */
static void put_processor(const char *cpu_id)
{
	char vendor[32], text[256];
	unsigned int family, model;

	if (sscanf(cpu_id, "%31[^,],%u,%u", vendor, &family, &model) != 3) {
		fake_root_file(PROCESSOR_FILE, cpu_id);
		return;
	}
	snprintf(text, sizeof(text),
		 "vendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\nstepping\t: 1\n", vendor,
		 family, model);
	fake_root_file("/proc/cpuinfo", text);
}

/* The fields that the kernel's drivers of Intel and AMD have. */
static void put_x86_pmu(const char *name, unsigned int type, bool is_amd)
{
	char text[16];

	snprintf(text, sizeof(text), "%u\n", type);
	sysfs_pmu(name, "type", text);
	sysfs_pmu(name, "format/event", is_amd ? "config:0-7,32-35\n" : "config:0-7\n");
	sysfs_pmu(name, "format/umask", "config:8-15\n");
	sysfs_pmu(name, "format/cmask", "config:24-31\n");
	if (!is_amd)
		sysfs_pmu(name, "format/offcore_rsp", "config1:0-63\n");
}

static const struct arm_event {
	const char *name, *terms;
} ARM_EVENTS[] = {
	{"cpu_cycles", "event=0x0011\n"},
	{"l2d_cache", "event=0x0016\n"},
	{"l2d_cache_refill", "event=0x0017\n"},
	{"dtlb_walk", "event=0x0034\n"},
	{"ll_cache_rd", "event=0x0036\n"},
	{"ll_cache_miss_rd", "event=0x0037\n"},
	{"ld_retired", "event=0x0006\n"},
	{"op_retired", "event=0x003a\n"},
	{"op_spec", "event=0x003b\n"},
	{"stall_slot_backend", "event=0x003d\n"},
	{"stall_slot_frontend", "event=0x003e\n"},
	{"stall_backend_mem", "event=0x4005\n"},
};

/* A core of ARM with the events of these names, between blanks; NULL: all of them. */
static void put_arm_pmu(const char *name, const char *only)
{
	sysfs_pmu(name, "type", "8\n");
	sysfs_pmu(name, "cpus", "0-3\n");
	sysfs_pmu(name, "format/event", "config:0-15\n");
	for (size_t i = 0; i < COUNT_OF(ARM_EVENTS); i++) {
		char word[64], file[64];

		snprintf(word, sizeof(word), " %s ", ARM_EVENTS[i].name);
		snprintf(file, sizeof(file), "events/%s", ARM_EVENTS[i].name);
		if (!only || strstr(only, word))
			sysfs_pmu(name, file, ARM_EVENTS[i].terms);
	}
}

static void put_machine(const char *cpu_id)
{
	fake_root_renew();
	put_processor(cpu_id);
	if (strncmp(cpu_id, "0x", 2) == 0) {
		put_arm_pmu("armv8_pmuv3_0", NULL);
		sysfs_pmu("armv8_pmuv3_0", "caps/slots", "0x00000008\n");
	} else {
		put_x86_pmu("cpu", CORE_TYPE, strstr(cpu_id, "Intel") == NULL);
	}
}

/* False: it is refused, with these words. */
static bool find(const char *name, struct evsel *evsel, const char *words)
{
	struct event_finder *finder = event_finder_create(fake_root);
	struct event_set set = {0};
	struct error error = {0};
	const bool good = event_find(finder, name, &set, NULL, &error);

	if (good)
		*evsel = set.evsels[0];
	else if (!words || !strstr(error.text, words))
		fail_msg("%s: %s", name, error.text);
	event_set_fini(&set);
	event_finder_destroy(finder);
	return good;
}

/* What libpfm4 makes of the vendor's name, without the bits that say who is counted. */
static void assert_pfm_agrees(const char *name, uint64_t config, uint64_t config1)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};
	pfm_perf_encode_arg_t encoded = {.attr = &attr, .size = sizeof(encoded), .cpu = -1};
	pfm_pmu_info_t skylake = {.size = sizeof(skylake)};

	begin_case(name);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	if (pfm_get_pmu_info(PFM_PMU_INTEL_SKL, &skylake) != PFM_SUCCESS)
		return; /* built for another architecture, it has no tables of x86 */
	assert_int_equal(pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &encoded),
			 PFM_SUCCESS);
	assert_int_equal(attr.config, config);
	assert_int_equal(attr.config1, config1);
}

struct code {
	const char *preset;
	uint64_t config, config1;
	double scale;     /* 0: 1 */
	const char *name; /* the vendor's as libpfm4 has it; NULL: it has none */
};

/* clang-format off */
#define INTEL_CODES(pmu, references, walks) \
	{"cache-llc-references", .config = 0x4f2e, .name = pmu "::LONGEST_LAT_CACHE:" references}, \
	{"cache-llc-misses",     .config = 0x412e, .name = pmu "::LONGEST_LAT_CACHE:MISS"}, \
	{"cache-l2-references",  .config = 0xff24}, \
	{"cache-l2-misses",      .config = 0x3f24}, \
	{"tlb-walks",      .config = walks, .name = pmu "::DTLB_LOAD_MISSES:WALK_COMPLETED"}, \
	{"data-loads",          .config = 0x81d0}

static const struct code SKYLAKE[] = {
	INTEL_CODES("skl", "REFERENCE", 0x0e08),
	{"cache-l2-references",  .config = 0xff24, .name = "skl::L2_RQSTS:REFERENCES"},
	{"cache-l2-misses",      .config = 0x3f24, .name = "skl::L2_RQSTS:MISS"},
	{"data-loads",          .config = 0x81d0, .name = "skl::MEM_INST_RETIRED:ALL_LOADS"},
	{"slots-all",      .config = 0x003c, .scale = 4},
	{"slots-retiring", .config = 0x02c2, .name = "skl::UOPS_RETIRED:RETIRE_SLOTS"},
	{"slots-issued",   .config = 0x010e, .name = "skl::UOPS_ISSUED:ANY"},
	{"slots-recovery", .config = 0x010d, .scale = 4, .name = "skl::INT_MISC:RECOVERY_CYCLES"},
	{"slots-fe-bound", .config = 0x019c, .name = "skl::IDQ_UOPS_NOT_DELIVERED:CORE"},
	{"stalls-mem",     .config = 0x140014a3, .name = "skl::CYCLE_ACTIVITY:STALLS_MEM_ANY"},
	{0},
};

/* Of TOPDOWN.BACKEND_BOUND_SLOTS and those below it libpfm4 4.13 has only the umasks. */
#define ICE_LAKE(pmu) \
	INTEL_CODES(pmu, "REFERENCES", 0x0e08), \
	{"slots-all",      .config = 0x01a4, .name = pmu "::TOPDOWN:SLOTS_P"}, \
	{"slots-retiring", .config = 0x02c2, .name = pmu "::UOPS_RETIRED:SLOTS"}, \
	{"slots-fe-bound", .config = 0x019c, .name = pmu "::IDQ_UOPS_NOT_DELIVERED:CORE"}, \
	{"slots-be-bound", .config = 0x02a4}, \
	{"stalls-mem",     .config = 0x140014a3, .name = pmu "::CYCLE_ACTIVITY:STALLS_MEM_ANY"}

static const struct code ICE_LAKE_CLIENT[] = {ICE_LAKE("icl"), {0}};

static const struct code ICE_LAKE_SERVER[] = {
	ICE_LAKE("icx"),
	{"mem-fills",      .config = 0x01b7, .config1 = 0x73c000477, .name = "icx::OCR:READS_TO_CORE_DRAM"},
	{"mem-fills-far",  .config = 0x01b7, .config1 = 0x730000477, .name = "icx::OCR:READS_TO_CORE_REMOTE_DRAM"},
	{0},
};

static const struct code SAPPHIRE_RAPIDS[] = {
	INTEL_CODES("spr", "REFERENCE", 0x0e12),
	{"slots-all",       .config = 0x01a4, .name = "spr::TOPDOWN:SLOTS_P"},
	{"slots-retiring",  .config = 0x02c2, .name = "spr::UOPS_RETIRED:SLOTS"},
	{"slots-fe-bound",  .config = 0x019c, .name = "spr::IDQ_UOPS_NOT_DELIVERED:CORE"},
	{"slots-be-bound",  .config = 0x02a4},
	{"slots-bad-spec",  .config = 0x04a4},
	{"slots-mem-bound", .config = 0x10a4},
	{"mem-fills",       .config = 0x012a, .config1 = 0x73c004477, .name = "spr::OCR:READS_TO_CORE_DRAM"},
	{"mem-fills-far",   .config = 0x012a, .config1 = 0x730004477, .name = "spr::OCR:READS_TO_CORE_REMOTE_DRAM"},
	{0},
};

static const struct code SIERRA_FOREST[] = {
	{"cache-llc-references", .config = 0x4f2e},
	{"cache-llc-misses",     .config = 0x412e},
	{"tlb-walks",      .config = 0x0e08},
	{"data-loads",          .config = 0x81d0},
	{"slots-retiring", .config = 0x0072},
	{"slots-fe-bound", .config = 0x0071},
	{"slots-bad-spec", .config = 0x0073},
	{"slots-be-bound", .config = 0x0074},
	{0},
};

#define AMD_CODES \
	{"cache-l2-references",  .config = 0xf960}, \
	{"cache-l2-misses",      .config = 0x0964}, \
	{"tlb-walks",      .config = 0xf045}, \
	{"data-loads",          .config = 0x0129}

#define ZEN2(umask) "amd64_fam17h_zen2::DATA_CACHE_REFILLS_FROM_SYSTEM:" umask
#define ZEN3(umask) "amd64_fam19h_zen3::ANY_DATA_CACHE_FILLS_FROM_SYSTEM:" umask
#define ZEN4(umask) "amd64_fam19h_zen4::ANY_DATA_CACHE_FILLS_FROM_SYSTEM:" umask

static const struct code ZEN2_CODES[] = {
	AMD_CODES,
	{"cache-llc-references", .config = 0x5a43, .name = ZEN2("LS_MABRESP_LCL_CACHE:LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_CACHE:LS_MABRESP_RMT_DRAM")},
	{"cache-llc-misses",     .config = 0x5843, .name = ZEN2("LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_CACHE:LS_MABRESP_RMT_DRAM")},
	{"mem-fills",      .config = 0x4843, .name = ZEN2("LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_DRAM")},
	{"mem-fills-far",  .config = 0x4043, .name = ZEN2("LS_MABRESP_RMT_DRAM")},
	{0},
};

static const struct code ZEN3_CODES[] = {
	AMD_CODES,
	{"cache-llc-references", .config = 0x5e44, .name = ZEN3("INT_CACHE:EXT_CACHE_LCL:MEM_IO_LCL:EXT_CACHE_RMT:MEM_IO_RMT")},
	{"cache-llc-misses",     .config = 0x5c44, .name = ZEN3("EXT_CACHE_LCL:MEM_IO_LCL:EXT_CACHE_RMT:MEM_IO_RMT")},
	{"mem-fills",      .config = 0x4844, .name = ZEN3("MEM_IO_LCL:MEM_IO_RMT")},
	{"mem-fills-far",  .config = 0x4044, .name = ZEN3("MEM_IO_RMT")},
	{0},
};

#define ZEN45(slots) \
	AMD_CODES, \
	{"cache-llc-references", .config = 0xde44, .name = ZEN4("LOCAL_CCX:NEAR_CACHE_NEAR_FAR:DRAM_IO_NEAR:FAR_CACHE_NEAR_FAR:DRAM_IO_FAR:ALT_MEM_NEAR_FAR")}, \
	{"cache-llc-misses",     .config = 0xdc44, .name = ZEN4("NEAR_CACHE_NEAR_FAR:DRAM_IO_NEAR:FAR_CACHE_NEAR_FAR:DRAM_IO_FAR:ALT_MEM_NEAR_FAR")}, \
	{"mem-fills",      .config = 0xc844, .name = ZEN4("DRAM_IO_NEAR:DRAM_IO_FAR:ALT_MEM_NEAR_FAR")}, \
	{"mem-fills-far",  .config = 0x4044, .name = ZEN4("DRAM_IO_FAR")}, \
	{"slots-all",      .config = 0x0076, .scale = slots, .name = "amd64_fam19h_zen4::CYCLES_NOT_IN_HALT"}, \
	{"slots-retiring", .config = 0x00c1, .name = "amd64_fam19h_zen4::RETIRED_OPS"}, \
	{"slots-issued",   .config = 0x07aa}, \
	{"slots-fe-bound", .config = 0x1000001a0}, \
	{"slots-be-bound", .config = 0x100001ea0}, \
	{"stalls-all",         .config = 0x02d6, .name = "amd64_fam19h_zen4::CYCLES_NO_RETIRE:NOT_COMPLETE_LOAD_AND_ALU"}, \
	{"stalls-mem",     .config = 0xa2d6, .name = "amd64_fam19h_zen4::CYCLES_NO_RETIRE:NOT_COMPLETE_MISSING_LOAD"}

static const struct code ZEN4_CODES[] = {ZEN45(6), {0}};
static const struct code ZEN5_CODES[] = {ZEN45(8), {0}};

#define ARM_CODES(slots_fe) \
	{"cache-llc-references", .config = 0x36}, \
	{"cache-llc-misses",     .config = 0x37}, \
	{"cache-l2-references",  .config = 0x16}, \
	{"cache-l2-misses",      .config = 0x17}, \
	{"tlb-walks",      .config = 0x34}, \
	{"data-loads",          .config = 0x06}, \
	{"slots-all",      .config = 0x11, .scale = 8}, \
	{slots_fe,         .config = 0x3e}, \
	{"slots-be-bound", .config = 0x3d}, \
	{"ops-retired",    .config = 0x3a}, \
	{"ops-issued",     .config = 0x3b}, \
	{"stalls-mem",     .config = 0x4005}

static const struct code ARM_PMUV3[] = {ARM_CODES("slots-fe-bound"), {0}};
static const struct code NEOVERSE_N2_R0P2[] = {ARM_CODES("slots-fe-raw"), {0}};
/* clang-format on */

/* Each family with what it counts, and no other preset. */
static const struct family {
	const char *cpu_id, *name;
	enum cache_level generic;
	const struct code *codes;
} FAMILIES[] = {
	{"GenuineIntel,6,94,3", "Intel Skylake", CACHE_LEVEL_LLC, SKYLAKE},
	{"GenuineIntel,6,85,7", "Intel Skylake or Cascade Lake server", CACHE_LEVEL_LLC, SKYLAKE},
	{"GenuineIntel,6,158,10", "Intel Kaby Lake", CACHE_LEVEL_LLC, SKYLAKE},
	{"GenuineIntel,6,165,2", "Intel Comet Lake", CACHE_LEVEL_LLC, SKYLAKE},
	{"GenuineIntel,6,126,5", "Intel Ice Lake", CACHE_LEVEL_LLC, ICE_LAKE_CLIENT},
	{"GenuineIntel,6,140,1", "Intel Tiger Lake", CACHE_LEVEL_LLC, ICE_LAKE_CLIENT},
	{"GenuineIntel,6,167,1", "Intel Rocket Lake", CACHE_LEVEL_LLC, ICE_LAKE_CLIENT},
	{"GenuineIntel,6,106,6", "Intel Ice Lake server", CACHE_LEVEL_LLC, ICE_LAKE_SERVER},
	{"GenuineIntel,6,143,8", "Intel Sapphire Rapids", CACHE_LEVEL_LLC, SAPPHIRE_RAPIDS},
	{"GenuineIntel,6,207,2", "Intel Emerald Rapids", CACHE_LEVEL_LLC, SAPPHIRE_RAPIDS},
	{"GenuineIntel,6,173,1", "Intel Granite Rapids", CACHE_LEVEL_LLC, SAPPHIRE_RAPIDS},
	{"GenuineIntel,6,175,3", "Intel Sierra Forest", CACHE_LEVEL_LLC, SIERRA_FOREST},
	{"AuthenticAMD,23,1,2", "AMD Zen 1", CACHE_LEVEL_L2, ZEN2_CODES},
	{"AuthenticAMD,23,49,0", "AMD Zen 2", CACHE_LEVEL_L2, ZEN2_CODES},
	{"AuthenticAMD,23,113,0", "AMD Zen 2", CACHE_LEVEL_L2, ZEN2_CODES},
	{"AuthenticAMD,25,1,1", "AMD Zen 3", CACHE_LEVEL_L2, ZEN3_CODES},
	{"AuthenticAMD,25,33,0", "AMD Zen 3", CACHE_LEVEL_L2, ZEN3_CODES},
	{"AuthenticAMD,25,17,1", "AMD Zen 4", CACHE_LEVEL_L2, ZEN4_CODES},
	{"AuthenticAMD,25,144,1", "AMD Zen 4", CACHE_LEVEL_L2, ZEN4_CODES},
	{"AuthenticAMD,25,97,2", "AMD Zen 4", CACHE_LEVEL_L2, ZEN4_CODES},
	{"AuthenticAMD,26,2,1", "AMD Zen 5", CACHE_LEVEL_L2, ZEN5_CODES},
	{"0x00000000413fd0c1", "ARM Neoverse N1", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000410fd490", "ARM Neoverse N2", CACHE_LEVEL_L1D, NEOVERSE_N2_R0P2},
	{"0x00000000410fd493", "ARM Neoverse N2", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000411fd401", "ARM Neoverse V1", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000410fd4f0", "ARM Neoverse V2", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000410fd083", "ARM Cortex-A72", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000411fd811", "ARMv8", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000c00fac30", "ARMv8, by Ampere", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000461f0010", "ARMv8, by Fujitsu", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000431f0af1", "ARMv8, by Marvell", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000701f6633", "ARMv8, by Phytium", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x00000000511f0012", "ARMv8, by Qualcomm", CACHE_LEVEL_L1D, ARM_PMUV3},
	{"0x000000006d0fd490", "Microsoft Cobalt 100", CACHE_LEVEL_L1D, NEOVERSE_N2_R0P2},
};

static const struct code *code_of(const struct code *codes, const char *preset)
{
	const struct code *found = NULL;

	for (; codes->preset; codes++)
		if (strcmp(codes->preset, preset) == 0)
			found = codes; /* one with a name of libpfm4's comes last */
	return found;
}

UNIT_TEST(presets_have_the_codes_of_the_vendors_lists)
{
	for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
		put_machine(FAMILIES[i].cpu_id);
		for (int preset = 0; preset < PRESETS; preset++) {
			const char *name = preset_name((enum preset)preset);
			const struct code *code = code_of(FAMILIES[i].codes, name);
			char words[96];
			struct evsel evsel;

			snprintf(words, sizeof(words), "%s, %s", FAMILIES[i].name, name);
			begin_case(words);
			snprintf(words, sizeof(words), "not an event of this processor (%s)",
				 FAMILIES[i].name);
			if (!code) {
				assert_false(find(name, &evsel, words));
				continue;
			}
			assert_true(find(name, &evsel, NULL));
			assert_string_equal(evsel.name, name);
			assert_int_equal(evsel.spec_count, 1);
			assert_int_equal(evsel.specs[0].config, code->config);
			assert_int_equal(evsel.specs[0].config1, code->config1);
			assert_true(evsel.specs[0].scale == (code->scale > 0 ? code->scale : 1));
			if (code->name)
				assert_pfm_agrees(code->name, code->config, code->config1);
		}
	}
}

UNIT_TEST(processor_find_knows_families_and_levels)
{
	for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
		const struct processor *processor = processor_find(FAMILIES[i].cpu_id);
		const enum cache_level generic = FAMILIES[i].generic;

		begin_case(FAMILIES[i].cpu_id);
		assert_string_equal(processor_name(processor), FAMILIES[i].name);
		assert_int_equal(processor_event_level(processor, "cache-misses"), generic);
		assert_int_equal(processor_event_level(processor, "cache-references:u"), generic);
		assert_int_equal(processor_event_level(processor, "cache-llc-misses:k"),
				 CACHE_LEVEL_LLC);
		assert_int_equal(processor_event_level(processor, "mem-fills"), CACHE_LEVEL_MEMORY);
		assert_int_equal(processor_event_level(processor, "L1-dcache-loads"),
				 CACHE_LEVEL_L1D);
		assert_int_equal(processor_event_level(processor, "LLC-load-misses"),
				 generic == CACHE_LEVEL_L2 ? CACHE_LEVEL_UNKNOWN : CACHE_LEVEL_LLC);
		assert_int_equal(processor_event_level(processor, "instructions"),
				 CACHE_LEVEL_UNKNOWN);
		assert_int_equal(processor_event_level(processor, "cache-misses-of-mine"),
				 CACHE_LEVEL_UNKNOWN);
	}
}

UNIT_TEST(processor_find_claims_nothing_of_others)
{
	static const char *const others[] = {
		"",
		"GenuineIntel,6,42,7",   /* Sandy Bridge */
		"AuthenticAMD,15,107,1", /* qemu64 */
		"AuthenticAMD,26,80,0",  /* later than Zen 5 */
		"GenuineIntel,6",
		"GenuineIntel",
		",,,",
		"0x00000000610f0220", /* Apple */
		"0x00000000413fc090", /* Cortex-A9 */
		"0x",
		"a vendor with a very long name,6,85,7",
	};

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		const struct processor *processor = processor_find(others[i]);
		struct evsel evsel;

		begin_case(others[i]);
		assert_string_equal(processor_name(processor), "unknown processor, generic events");
		assert_int_equal(processor_event_level(processor, "cache-misses"),
				 CACHE_LEVEL_UNKNOWN);
		assert_int_equal(processor_event_level(processor, "LLC-loads"),
				 CACHE_LEVEL_UNKNOWN);
		fake_root_renew();
		put_processor(strncmp(others[i], "0x", 2) == 0 ? others[i] : "X,1,1");
		put_x86_pmu("cpu", CORE_TYPE, false);
		assert_false(find("cache-llc-misses", &evsel, "unknown processor"));
	}
}

UNIT_TEST(presets_of_a_hybrid_are_of_both_kinds_of_cores_or_none)
{
	struct evsel evsel;

	put_processor("GenuineIntel,6,151,2");
	put_x86_pmu("cpu_core", CORE_TYPE, false);
	put_x86_pmu("cpu_atom", ATOM_TYPE, false);
	assert_true(find("slots-retiring", &evsel, NULL));
	assert_int_equal(evsel.spec_count, 2);
	assert_string_equal(evsel.specs[0].pmu, "cpu_atom");
	assert_int_equal(evsel.specs[0].type, ATOM_TYPE);
	assert_int_equal(evsel.specs[0].config, 0x00c2);
	assert_string_equal(evsel.specs[1].pmu, "cpu_core");
	assert_int_equal(evsel.specs[1].type, CORE_TYPE);
	assert_int_equal(evsel.specs[1].config, 0x02c2);
	assert_false(find("slots-all", &evsel, "Intel Alder Lake"));
	assert_true(find("cache-llc-misses", &evsel, NULL));
	assert_int_equal(evsel.spec_count, 2);
}

UNIT_TEST(presets_of_arm_are_what_sysfs_lists)
{
	struct evsel evsel;

	put_processor("0x00000000410fd083");
	put_arm_pmu("armv8_cortex_a72", " l2d_cache l2d_cache_refill cpu_cycles ");
	assert_true(find("cache-l2-misses", &evsel, NULL));
	assert_int_equal(evsel.specs[0].config, 0x17);
	assert_false(find("cache-llc-misses", &evsel, "ARM Cortex-A72"));
	/* the driver does not say how many slots there are */
	assert_false(find("slots-all", &evsel, "ARM Cortex-A72"));
	sysfs_pmu("armv8_cortex_a72", "caps/slots", "0x00000000\n");
	assert_false(find("slots-all", &evsel, "ARM Cortex-A72"));
	/* the other kind of core has less */
	put_arm_pmu("armv8_cortex_a53", " l2d_cache ");
	assert_false(find("cache-l2-misses", &evsel, "ARM Cortex-A72"));
	assert_true(find("cache-l2-references", &evsel, NULL));
	assert_int_equal(evsel.spec_count, 2);
}

UNIT_TEST(presets_take_modifiers)
{
	struct evsel evsel;

	put_machine("AuthenticAMD,25,1,1");
	assert_true(find("mem-fills:u", &evsel, NULL));
	assert_string_equal(evsel.name, "mem-fills:u");
	assert_true(evsel.specs[0].exclude_kernel);
	assert_false(find("mem-fills:x", &evsel, "mem-fills:x"));
}

/* perf reads llc-misses and l2-misses as LLC-load-misses: such a name is not ours. */
UNIT_TEST(presets_are_no_names_of_perf)
{
	for (int preset = 0; preset < PRESETS; preset++) {
		const char *name = preset_name((enum preset)preset);
		uint64_t config;

		begin_case(name);
		assert_null(generic_find(name, strlen(name)));
		assert_int_equal(cache_find(name, strlen(name), &config), CACHE_NO_NAME);
		assert_int_equal(preset_find(name, strlen(name)), preset);
	}
}

UNIT_TEST(presets_need_a_pmu)
{
	struct evsel evsel;

	put_processor("AuthenticAMD,25,1,1");
	assert_false(find("cache-llc-misses", &evsel, "this machine has no PMU (AMD Zen 3)"));
	/* one that has other fields than the table's terms */
	sysfs_pmu("cpu", "type", "4\n");
	assert_false(find("cache-llc-misses", &evsel, "AMD Zen 3"));
}

UNIT_MAIN(fake_root_setup, fake_root_teardown)
