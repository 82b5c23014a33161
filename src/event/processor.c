/*
 * A processor is found by vendor, family and model; of ARM these are "arm", the implementer and, as
 * one number, part, variant and revision (0xd4903: part 0xd49, r0p3). A family has one design of
 * its cores, a hybrid one two, each with a PMU of its own.
 *
 * The codes are the vendors': Intel's event lists (perfmon, a folder for each family), AMD's
 * Processor Programming References (section "Core performance monitor counters") and perf's lists
 * made of them (tools/perf/pmu-events/arch/x86/amdzen*), of ARM the events of PMUv3 (Architecture
 * Reference Manual, "Common event numbers"), which sysfs lists by name where a core has them.
 */
#include "event/processor.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct design {
	enum cache_level generic;   /* of cache-references and cache-misses */
	const char *terms[PRESETS]; /* NULL: none */
	double slots;               /* in each of what slots-all counts; 0: caps/slots of sysfs */
};

/* clang-format off */

/* LONGEST_LAT_CACHE.REFERENCE, .MISS; L2_RQSTS.REFERENCES, .MISS; MEM_INST_RETIRED.ALL_LOADS */
#define INTEL_CACHES \
	[PRESET_LLC_REFERENCES] = "event=0x2e,umask=0x4f", \
	[PRESET_LLC_MISSES]     = "event=0x2e,umask=0x41", \
	[PRESET_L2_REFERENCES]  = "event=0x24,umask=0xff", \
	[PRESET_L2_MISSES]      = "event=0x24,umask=0x3f", \
	[PRESET_LOADS]          = "event=0xd0,umask=0x81"

/*
 * perfmon SKL, SKX, CLX. Slots are 4 of each cycle of the thread: with SMT those that the other
 * thread took are among what is left over, bound by the back end.
 */
static const struct design skylake = {
	.generic = CACHE_LEVEL_LLC,
	.slots = 4,
	.terms = {
		INTEL_CACHES,
		[PRESET_TLB_WALKS]      = "event=0x08,umask=0x0e",          /* DTLB_LOAD_MISSES.WALK_COMPLETED */
		[PRESET_SLOTS]          = "event=0x3c",                     /* CPU_CLK_UNHALTED.THREAD_P */
		[PRESET_SLOTS_RETIRING] = "event=0xc2,umask=0x02",          /* UOPS_RETIRED.RETIRE_SLOTS */
		[PRESET_SLOTS_ISSUED]   = "event=0x0e,umask=0x01",          /* UOPS_ISSUED.ANY */
		[PRESET_SLOTS_RECOVERY] = "event=0x0d,umask=0x01",          /* INT_MISC.RECOVERY_CYCLES */
		[PRESET_SLOTS_FE_BOUND] = "event=0x9c,umask=0x01",          /* IDQ_UOPS_NOT_DELIVERED.CORE */
		[PRESET_STALLS_MEM]     = "event=0xa3,umask=0x14,cmask=20", /* CYCLE_ACTIVITY.STALLS_MEM_ANY */
	},
};

/* perfmon ICL, TGL, RKL */
#define ICE_LAKE \
	INTEL_CACHES, \
	[PRESET_TLB_WALKS]      = "event=0x08,umask=0x0e",          /* DTLB_LOAD_MISSES.WALK_COMPLETED */ \
	[PRESET_SLOTS]          = "event=0xa4,umask=0x01",          /* TOPDOWN.SLOTS_P */ \
	[PRESET_SLOTS_RETIRING] = "event=0xc2,umask=0x02",          /* UOPS_RETIRED.SLOTS */ \
	[PRESET_SLOTS_FE_BOUND] = "event=0x9c,umask=0x01",          /* IDQ_UOPS_NOT_DELIVERED.CORE */ \
	[PRESET_SLOTS_BE_BOUND] = "event=0xa4,umask=0x02",          /* TOPDOWN.BACKEND_BOUND_SLOTS */ \
	[PRESET_STALLS_MEM]     = "event=0xa3,umask=0x14,cmask=20"  /* CYCLE_ACTIVITY.STALLS_MEM_ANY */

static const struct design ice_lake = {
	.generic = CACHE_LEVEL_LLC,
	.slots = 1,
	.terms = {ICE_LAKE},
};

/* perfmon ICX: OCR.READS_TO_CORE.DRAM, .REMOTE_DRAM */
static const struct design ice_lake_server = {
	.generic = CACHE_LEVEL_LLC,
	.slots = 1,
	.terms = {
		ICE_LAKE,
		[PRESET_MEM_FILLS]     = "event=0xb7,umask=0x01,offcore_rsp=0x73c000477",
		[PRESET_MEM_FILLS_FAR] = "event=0xb7,umask=0x01,offcore_rsp=0x730000477",
	},
};

/* perfmon ADL, MTL (P cores), and the servers below */
#define GOLDEN_COVE \
	INTEL_CACHES, \
	[PRESET_TLB_WALKS]       = "event=0x12,umask=0x0e",  /* DTLB_LOAD_MISSES.WALK_COMPLETED */ \
	[PRESET_SLOTS]           = "event=0xa4,umask=0x01",  /* TOPDOWN.SLOTS_P */ \
	[PRESET_SLOTS_RETIRING]  = "event=0xc2,umask=0x02",  /* UOPS_RETIRED.SLOTS */ \
	[PRESET_SLOTS_FE_BOUND]  = "event=0x9c,umask=0x01",  /* IDQ_BUBBLES.CORE */ \
	[PRESET_SLOTS_BE_BOUND]  = "event=0xa4,umask=0x02",  /* TOPDOWN.BACKEND_BOUND_SLOTS */ \
	[PRESET_SLOTS_BAD_SPEC]  = "event=0xa4,umask=0x04",  /* TOPDOWN.BAD_SPEC_SLOTS */ \
	[PRESET_SLOTS_MEM_BOUND] = "event=0xa4,umask=0x10"   /* TOPDOWN.MEMORY_BOUND_SLOTS */

static const struct design golden_cove = {
	.generic = CACHE_LEVEL_LLC,
	.slots = 1,
	.terms = {GOLDEN_COVE},
};

/* perfmon SPR, EMR, GNR: OCR.READS_TO_CORE.DRAM, .REMOTE_DRAM */
static const struct design golden_cove_server = {
	.generic = CACHE_LEVEL_LLC,
	.slots = 1,
	.terms = {
		GOLDEN_COVE,
		[PRESET_MEM_FILLS]       = "event=0x2a,umask=0x01,offcore_rsp=0x73c004477",
		[PRESET_MEM_FILLS_FAR]   = "event=0x2a,umask=0x01,offcore_rsp=0x730004477",
	},
};

/* perfmon ADL (E cores), SRF: LONGEST_LAT_CACHE.REFERENCE, .MISS; DTLB_LOAD_MISSES.WALK_COMPLETED;
   MEM_UOPS_RETIRED.ALL_LOADS; TOPDOWN_FE_BOUND.ALL, _BAD_SPECULATION, _BE_BOUND, which with _RETIRING
   are all slots */
#define E_CORE \
	[PRESET_LLC_REFERENCES] = "event=0x2e,umask=0x4f", \
	[PRESET_LLC_MISSES]     = "event=0x2e,umask=0x41", \
	[PRESET_TLB_WALKS]      = "event=0x08,umask=0x0e", \
	[PRESET_LOADS]          = "event=0xd0,umask=0x81", \
	[PRESET_SLOTS_FE_BOUND] = "event=0x71", \
	[PRESET_SLOTS_BAD_SPEC] = "event=0x73", \
	[PRESET_SLOTS_BE_BOUND] = "event=0x74"

static const struct design gracemont = {
	.generic = CACHE_LEVEL_LLC,
	.terms = {E_CORE, [PRESET_SLOTS_RETIRING] = "event=0xc2"},
};

/* perfmon SRF, GRR, MTL (E cores) */
static const struct design crestmont = {
	.generic = CACHE_LEVEL_LLC,
	.terms = {E_CORE, [PRESET_SLOTS_RETIRING] = "event=0x72"},
};

/*
 * PPRs; perf's amdzen1 to amdzen5: l2_request_g1.all_no_prefetch, l2_cache_req_stat.ic_dc_miss_in_l2,
 * which counts no prefetches into L2 either; ls_l1_d_tlb_miss.all_l2_miss; ls_dispatch.ld_dispatch.
 * The kernel's generic misses are these, its references include prefetches.
 */
#define AMD_CACHES \
	[PRESET_L2_REFERENCES]  = "event=0x60,umask=0xf9",  /* L2RequestG1 */ \
	[PRESET_L2_MISSES]      = "event=0x64,umask=0x09",  /* L2CacheReqStat: misses of data, of code */ \
	[PRESET_TLB_WALKS]      = "event=0x45,umask=0xf0", /* LsL1DTlbMiss: those that L2's missed, too */ \
	[PRESET_LOADS]          = "event=0x29,umask=0x01"   /* LsDispatch: loads */

/*
 * PPR for Family 17h, perf's amdzen2: LsRefillsFromSys: demand fills of the data cache by where they came from: own
 * L2 0x01, cache of this node 0x02, its memory 0x08, another node's cache 0x10, its memory 0x40.
 */
static const struct design zen1 = {
	.generic = CACHE_LEVEL_L2,
	.terms = {
		AMD_CACHES,
		[PRESET_LLC_REFERENCES] = "event=0x43,umask=0x5a",
		[PRESET_LLC_MISSES]     = "event=0x43,umask=0x58",
		[PRESET_MEM_FILLS]      = "event=0x43,umask=0x48",
		[PRESET_MEM_FILLS_FAR]  = "event=0x43,umask=0x40",
	},
};

/*
 * PPR for Family 19h, perf's amdzen3 to amdzen5: LsAnyFillsFromSys: fills of the data cache, prefetches included: own L2 0x01,
 * L3 or another L2 of this CCX 0x02, another CCX 0x04, memory of this node 0x08, another node's
 * cache 0x10, its memory 0x40; from Zen 4 on extension memory 0x80. What a prefetch brought into L2
 * first is a fill from there.
 */
static const struct design zen3 = {
	.generic = CACHE_LEVEL_L2,
	.terms = {
		AMD_CACHES,
		[PRESET_LLC_REFERENCES] = "event=0x44,umask=0x5e",
		[PRESET_LLC_MISSES]     = "event=0x44,umask=0x5c",
		[PRESET_MEM_FILLS]      = "event=0x44,umask=0x48",
		[PRESET_MEM_FILLS_FAR]  = "event=0x44,umask=0x40",
	},
};

/* the same; perf's amdzen4, amdzen5: pipeline.json */
#define ZEN4 \
	AMD_CACHES, \
	[PRESET_LLC_REFERENCES] = "event=0x44,umask=0xde", \
	[PRESET_LLC_MISSES]     = "event=0x44,umask=0xdc", \
	[PRESET_MEM_FILLS]      = "event=0x44,umask=0xc8", \
	[PRESET_MEM_FILLS_FAR]  = "event=0x44,umask=0x40", \
	[PRESET_SLOTS]          = "event=0x76",              /* ls_not_halted_cyc */ \
	[PRESET_SLOTS_RETIRING] = "event=0xc1",              /* ex_ret_ops */ \
	[PRESET_SLOTS_ISSUED]   = "event=0xaa,umask=0x07",   /* de_src_op_disp.all */ \
	[PRESET_SLOTS_FE_BOUND] = "event=0x1a0,umask=0x01",  /* de_no_dispatch_per_slot.no_ops_from_frontend */ \
	[PRESET_SLOTS_BE_BOUND] = "event=0x1a0,umask=0x1e",  /* de_no_dispatch_per_slot.backend_stalls */ \
	[PRESET_STALLS]         = "event=0xd6,umask=0x02",   /* ex_no_retire.not_complete */ \
	[PRESET_STALLS_MEM]     = "event=0xd6,umask=0xa2"    /* ex_no_retire.load_not_complete */

static const struct design zen4 = {
	.generic = CACHE_LEVEL_L2,
	.slots = 6,
	.terms = {ZEN4},
};

static const struct design zen5 = {
	.generic = CACHE_LEVEL_L2,
	.slots = 8,
	.terms = {ZEN4},
};

/* By the names that sysfs lists where the core has the event. */
#define ARM_EVENTS \
	[PRESET_LLC_REFERENCES] = "ll_cache_rd", \
	[PRESET_LLC_MISSES]     = "ll_cache_miss_rd", \
	[PRESET_L2_REFERENCES]  = "l2d_cache", \
	[PRESET_L2_MISSES]      = "l2d_cache_refill", \
	[PRESET_TLB_WALKS]      = "dtlb_walk", \
	[PRESET_LOADS]          = "ld_retired", \
	[PRESET_SLOTS]          = "cpu_cycles", \
	[PRESET_SLOTS_BE_BOUND] = "stall_slot_backend", \
	[PRESET_OPS_RETIRED]    = "op_retired", \
	[PRESET_OPS_ISSUED]     = "op_spec", \
	[PRESET_STALLS_MEM]     = "stall_backend_mem"

static const struct design arm = {
	.generic = CACHE_LEVEL_L1D,
	.terms = {ARM_EVENTS, [PRESET_SLOTS_FE_BOUND] = "stall_slot_frontend"},
};

/* perf's arm64/arm/neoverse-n2-v2/metrics.json: before r0p3 one slot too many in each cycle */
static const struct design neoverse_n2_r0p2 = {
	.generic = CACHE_LEVEL_L1D,
	.terms = {ARM_EVENTS, [PRESET_SLOTS_FE_RAW] = "stall_slot_frontend"},
};

static const struct design unlisted = {.generic = CACHE_LEVEL_UNKNOWN};

struct processor {
	const char *name;
	const char *vendor;
	unsigned int family;
	unsigned int first, last;   /* models */
	const struct design *core;
	const struct design *atom;  /* of the PMU cpu_atom; NULL: all cores are alike */
};

static const char INTEL[] = "GenuineIntel", AMD[] = "AuthenticAMD", ARM[] = "arm";

static const struct processor unknown = {.name = "unknown processor, generic events", .core = &unlisted};

/* Families as in the kernel's arch/x86/include/asm/intel-family.h, arch/x86/kernel/cpu/amd.c and
   arch/arm64/include/asm/cputype.h. The first that fits counts. */
#define PART(part) (part) << 8, (part) << 8 | 0xff

static const struct processor table[] = {
	{"Intel Skylake",         INTEL, 6, 0x4e, 0x4e, &skylake,            NULL},
	{"Intel Skylake",         INTEL, 6, 0x5e, 0x5e, &skylake,            NULL},
	{"Intel Skylake or Cascade Lake server", INTEL, 6, 0x55, 0x55, &skylake, NULL},
	{"Intel Kaby Lake",       INTEL, 6, 0x8e, 0x8e, &skylake,            NULL},
	{"Intel Kaby Lake",       INTEL, 6, 0x9e, 0x9e, &skylake,            NULL},
	{"Intel Comet Lake",      INTEL, 6, 0xa5, 0xa6, &skylake,            NULL},
	{"Intel Ice Lake",        INTEL, 6, 0x7d, 0x7e, &ice_lake,           NULL},
	{"Intel Tiger Lake",      INTEL, 6, 0x8c, 0x8d, &ice_lake,           NULL},
	{"Intel Rocket Lake",     INTEL, 6, 0xa7, 0xa7, &ice_lake,           NULL},
	{"Intel Ice Lake server", INTEL, 6, 0x6a, 0x6a, &ice_lake_server,    NULL},
	{"Intel Ice Lake server", INTEL, 6, 0x6c, 0x6c, &ice_lake_server,    NULL},
	{"Intel Alder Lake",      INTEL, 6, 0x97, 0x97, &golden_cove,        &gracemont},
	{"Intel Alder Lake",      INTEL, 6, 0x9a, 0x9a, &golden_cove,        &gracemont},
	{"Intel Raptor Lake",     INTEL, 6, 0xb7, 0xb7, &golden_cove,        &gracemont},
	{"Intel Raptor Lake",     INTEL, 6, 0xba, 0xba, &golden_cove,        &gracemont},
	{"Intel Raptor Lake",     INTEL, 6, 0xbf, 0xbf, &golden_cove,        &gracemont},
	{"Intel Meteor Lake",     INTEL, 6, 0xaa, 0xaa, &golden_cove,        &crestmont},
	{"Intel Meteor Lake",     INTEL, 6, 0xac, 0xac, &golden_cove,        &crestmont},
	{"Intel Alder Lake N",    INTEL, 6, 0xbe, 0xbe, &gracemont,          NULL},
	{"Intel Sapphire Rapids", INTEL, 6, 0x8f, 0x8f, &golden_cove_server, NULL},
	{"Intel Emerald Rapids",  INTEL, 6, 0xcf, 0xcf, &golden_cove_server, NULL},
	{"Intel Granite Rapids",  INTEL, 6, 0xad, 0xae, &golden_cove_server, NULL},
	{"Intel Sierra Forest",   INTEL, 6, 0xaf, 0xaf, &crestmont,          NULL},
	{"Intel Grand Ridge",     INTEL, 6, 0xb6, 0xb6, &crestmont,          NULL},
	{"AMD Zen 1",             AMD, 0x17, 0x00, 0x2f, &zen1,              NULL},
	{"AMD Zen 1",             AMD, 0x17, 0x50, 0x5f, &zen1,              NULL},
	{"AMD Zen 2",             AMD, 0x17, 0x30, 0x4f, &zen1,              NULL},
	{"AMD Zen 2",             AMD, 0x17, 0x60, 0x7f, &zen1,              NULL},
	{"AMD Zen 2",             AMD, 0x17, 0x90, 0xaf, &zen1,              NULL},
	{"AMD Zen 3",             AMD, 0x19, 0x00, 0x0f, &zen3,              NULL},
	{"AMD Zen 3",             AMD, 0x19, 0x20, 0x5f, &zen3,              NULL},
	{"AMD Zen 4",             AMD, 0x19, 0x10, 0x1f, &zen4,              NULL},
	{"AMD Zen 4",             AMD, 0x19, 0x60, 0xaf, &zen4,              NULL},
	{"AMD Zen 5",             AMD, 0x1a, 0x00, 0x2f, &zen5,              NULL},
	{"AMD Zen 5",             AMD, 0x1a, 0x40, 0x4f, &zen5,              NULL},
	{"AMD Zen 5",             AMD, 0x1a, 0x60, 0x7f, &zen5,              NULL},
	{"ARM Cortex-A53",        ARM, 0x41, PART(0xd03), &arm,             NULL},
	{"ARM Cortex-A55",        ARM, 0x41, PART(0xd05), &arm,             NULL},
	{"ARM Cortex-A57",        ARM, 0x41, PART(0xd07), &arm,             NULL},
	{"ARM Cortex-A72",        ARM, 0x41, PART(0xd08), &arm,             NULL},
	{"ARM Cortex-A73",        ARM, 0x41, PART(0xd09), &arm,             NULL},
	{"ARM Cortex-A75",        ARM, 0x41, PART(0xd0a), &arm,             NULL},
	{"ARM Cortex-A76",        ARM, 0x41, PART(0xd0b), &arm,             NULL},
	{"ARM Neoverse N1",       ARM, 0x41, PART(0xd0c), &arm,             NULL},
	{"ARM Cortex-A77",        ARM, 0x41, PART(0xd0d), &arm,             NULL},
	{"ARM Neoverse V1",       ARM, 0x41, PART(0xd40), &arm,             NULL},
	{"ARM Cortex-A78",        ARM, 0x41, PART(0xd41), &arm,             NULL},
	{"ARM Neoverse N2",       ARM, 0x41, 0xd4900, 0xd4902, &neoverse_n2_r0p2, NULL},
	{"ARM Neoverse N2",       ARM, 0x41, PART(0xd49), &arm,             NULL},
	{"ARM Neoverse V2",       ARM, 0x41, PART(0xd4f), &arm,             NULL},
	{"ARMv8",                 ARM, 0x41, 0xd0000, 0xfffff,   &arm,       NULL},
	{"Microsoft Cobalt 100",  ARM, 0x6d, PART(0xd49),        &neoverse_n2_r0p2, NULL}, /* N2, r0p0 */
	/* cores of their own with ARM's PMU (Apple's have another) */
	{"ARMv8, by Ampere",      ARM, 0xc0, 0x00000, 0xfffff,   &arm,       NULL},
	{"ARMv8, by Fujitsu",     ARM, 0x46, 0x00000, 0xfffff,   &arm,       NULL},
	{"ARMv8, by HiSilicon",   ARM, 0x48, 0x00000, 0xfffff,   &arm,       NULL},
	{"ARMv8, by Marvell",     ARM, 0x43, 0x00000, 0xfffff,   &arm,       NULL},
	{"ARMv8, by NVIDIA",      ARM, 0x4e, 0x00000, 0xfffff,   &arm,       NULL},
	{"ARMv8, by Phytium",     ARM, 0x70, 0x00000, 0xfffff,   &arm,       NULL},
	{"ARMv8, by Qualcomm",    ARM, 0x51, 0x00000, 0xfffff,   &arm,       NULL},
};

static const struct {
	const char *name;
	enum cache_level level;
	const char *help;
} presets[PRESETS] = {
#define PRESET(id, name, level, help) [PRESET_##id] = {name, CACHE_LEVEL_##level, help},
#include "event/presets.def"
};
/* clang-format on */

/* Of ARM by implementer, part, variant and revision, the fields of MIDR. */
static bool is_processor(const struct processor *processor, const char *vendor, unsigned int family,
			 unsigned int model)
{
	return strcmp(processor->vendor, vendor) == 0 && processor->family == family &&
	       processor->first <= model && model <= processor->last;
}

const struct processor *processor_find(const char *cpu_id)
{
	char vendor[16] = "";
	unsigned int family = 0, model = 0;
	uint64_t midr;

	if (sscanf(cpu_id, "0x%" SCNx64, &midr) == 1) {
		strcpy(vendor, ARM);
		family = midr >> 24 & 0xff;
		model = (unsigned int)((midr >> 4 & 0xfff) << 8 | (midr >> 20 & 0xf) << 4 |
				       (midr & 0xf));
	} else if (sscanf(cpu_id, "%15[^,],%u,%u", vendor, &family, &model) != 3) {
		return &unknown;
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (is_processor(&table[i], vendor, family, model))
			return &table[i];
	return &unknown;
}

const char *processor_name(const struct processor *processor)
{
	return processor->name;
}

bool processor_is_known(const struct processor *processor)
{
	return processor != &unknown;
}

int preset_find(const char *name, size_t length)
{
	for (int i = 0; i < PRESETS; i++)
		if (strlen(presets[i].name) == length &&
		    strncmp(presets[i].name, name, length) == 0)
			return i;
	return -1;
}

const char *preset_name(enum preset preset)
{
	return presets[preset].name;
}

const char *preset_help(enum preset preset)
{
	return presets[preset].help;
}

enum cache_level processor_event_level(const struct processor *processor, const char *event)
{
	char name[32];
	const int preset = preset_find(event, strcspn(event, ":/"));

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(event, ":/"), event);
	if (preset >= 0)
		return presets[preset].level;
	if (!processor_is_known(processor))
		return CACHE_LEVEL_UNKNOWN;
	if (strcmp(name, "cache-misses") == 0 || strcmp(name, "cache-references") == 0)
		return processor->core->generic;
	if (text_begins(name, "L1-dcache-"))
		return CACHE_LEVEL_L1D;
	if (processor->core->generic == CACHE_LEVEL_L2) /* AMD's have no others in the kernel */
		return CACHE_LEVEL_UNKNOWN;
	if (text_begins(name, "LLC-"))
		return CACHE_LEVEL_LLC;
	return text_begins(name, "node-") ? CACHE_LEVEL_MEMORY : CACHE_LEVEL_UNKNOWN;
}

static const struct design *design_of(const struct processor *processor, const char *pmu)
{
	return processor->atom && strcmp(pmu, "cpu_atom") == 0 ? processor->atom : processor->core;
}

const char *processor_terms(const struct processor *processor, const char *pmu, enum preset preset)
{
	return design_of(processor, pmu)->terms[preset];
}

double processor_scale(const struct processor *processor, const char *pmu, enum preset preset)
{
	const bool is_of_slots = preset == PRESET_SLOTS || preset == PRESET_SLOTS_RECOVERY;

	return is_of_slots ? design_of(processor, pmu)->slots : 1;
}
