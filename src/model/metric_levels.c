/*
 * What the built-in metrics of caches are where it is known which cache the processor counts. A
 * share of 20 % is much for the first level and little for the last one, so each has its own scale.
 */
#include "model/metric_set.h"

/* clang-format off */
static const struct metric_at_level table[] = {
	{
		.metric = "miss_pct", .level = CACHE_LEVEL_LLC, .title = "LLC-MISS %",
		.help = "Share of the requests to the last-level cache that it could not answer.",
		.good = "Below 10 %; it matters only where LLC-MPKI is high too.",
		.steps = {5, 10, 25, 50},
	}, {
		.metric = "miss_pct", .level = CACHE_LEVEL_L2, .title = "L2-MISS %",
		.help = "Share of the requests to the second-level cache that it could not answer; the last level may have answered them.",
		.good = "Below 20 %; it matters only where L2-MPKI is high too.",
		.steps = {10, 20, 40, 60},
	}, {
		.metric = "miss_pct", .level = CACHE_LEVEL_L1D, .title = "L1D-MISS %",
		.help = "Share of the accesses to the first-level data cache that it could not answer; the next levels may have answered them.",
		.good = "Below 3 %; the next levels say what it costs.",
		.steps = {1, 3, 10, 20},
	}, {
		.metric = "mpki", .level = CACHE_LEVEL_LLC, .title = "LLC-MPKI",
		.help = "Requests that the last-level cache could not answer, per 1000 instructions.",
		.good = "Below 1 memory hardly matters; above 10 it sets the pace.",
		.steps = {1, 5, 10, 30},
	}, {
		.metric = "mpki", .level = CACHE_LEVEL_L2, .title = "L2-MPKI",
		.help = "Requests that the second-level cache could not answer, per 1000 instructions; the last level may have answered them.",
		.good = "Below 5; above 25 what comes behind it sets the pace.",
		.steps = {5, 10, 25, 60},
	}, {
		.metric = "mpki", .level = CACHE_LEVEL_L1D, .title = "L1D-MPKI",
		.help = "Accesses that the first-level data cache could not answer, per 1000 instructions; the next levels may have answered them.",
		.good = "Below 10; the next levels say what they cost.",
		.steps = {5, 10, 30, 60},
	}, {
		.metric = "misses_s", .level = CACHE_LEVEL_LLC, .title = "MISS/s",
		.help = "Requests per second that the last-level cache could not answer.",
		.good = "Low; many misses slow down the tasks that share the memory, too.",
		.steps = {1e5, 1e6, 1e7, 1e8},
	}, {
		.metric = "misses_s", .level = CACHE_LEVEL_L2, .title = "MISS/s",
		.help = "Requests per second that the second-level cache could not answer.",
		.good = "Low; many misses slow down the tasks that share the last level, too.",
		.steps = {1e6, 1e7, 5e7, 2e8},
	}, {
		.metric = "misses_s", .level = CACHE_LEVEL_L1D, .title = "MISS/s",
		.help = "Accesses per second that the first-level data cache could not answer.",
		.good = "Low; the next levels say what they cost.",
		.steps = {1e6, 1e7, 1e8, 5e8},
	}, {
		.metric = "llc_refs_pki", .level = CACHE_LEVEL_LLC, .title = "LLC-RPKI",
		.help = "Requests to the last-level cache per 1000 instructions: what the levels before it could not answer.",
		.good = "Below 10.",
		.steps = {5, 10, 30, 60},
	}, {
		.metric = "llc_refs_pki", .level = CACHE_LEVEL_L2, .title = "L2-RPKI",
		.help = "Requests to the second-level cache per 1000 instructions: what the first level could not answer.",
		.good = "Below 30.",
		.steps = {10, 30, 60, 120},
	}, {
		.metric = "llc_refs_pki", .level = CACHE_LEVEL_L1D, .title = "L1D-RPKI",
		.help = "Accesses to the first-level data cache per 1000 instructions.",
		.good = "About 300 to 500 for most programs.",
		.steps = {100, 300, 500, 700},
	}, {
		.metric = "llc_mb_s", .level = CACHE_LEVEL_MEMORY, .title = "MEM-MB/s",
		.help = "An estimate of what came from memory: 64 bytes for each line that was read from there, without what is written back.",
		.good = "Far below what the memory can deliver, some 10 000 to 25 000 MB/s of a channel.",
		.steps = {100, 1000, 5e3, 20e3},
	}, {
		.metric = "llc_mb_s", .level = CACHE_LEVEL_LLC, .title = "LLC-MB/s",
		.help = "An estimate of what the last-level cache took from memory: 64 bytes for each request that it could not answer, without prefetches that are not counted and what is written back.",
		.good = "Far below what the memory can deliver, some 10 000 to 25 000 MB/s of a channel.",
		.steps = {100, 1000, 5e3, 20e3},
	}, {
		.metric = "llc_mb_s", .level = CACHE_LEVEL_L2, .title = "L2-MB/s",
		.help = "An estimate of what the second-level cache took from the last level and from memory: 64 bytes for each request that it could not answer.",
		.good = "No value is good or bad in itself: the last level may have delivered it.",
		.steps = {1000, 5e3, 20e3, 50e3},
	}, {
		.metric = "llc_mb_s", .level = CACHE_LEVEL_L1D, .title = "L1D-MB/s",
		.help = "An estimate of what the first-level data cache took from the next levels and from memory: 64 bytes for each access that it could not answer.",
		.good = "No value is good or bad in itself: the next levels may have delivered it.",
		.steps = {1000, 10e3, 50e3, 100e3},
	},
};
/* clang-format on */

const struct metric_at_level *metric_levels(size_t *count)
{
	*count = sizeof(table) / sizeof(table[0]);
	return table;
}
