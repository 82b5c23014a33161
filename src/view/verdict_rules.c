/*
 * The table of rules, and how one of them is asked. The rules themselves are in verdict_waits.c,
 * verdict_work.c, verdict_limits.c and verdict_starters.c.
 *
 * What a rule must not name is the load as such: tasks that share CPUs all wait for them, and a
 * compilation starts processes, faults pages in and reads files. So each rule has a lower bound
 * beside its thresholds that tells the two apart: short lives, waits of tasks that use little,
 * switches without work between them.
 */
#include "view/verdict_rules.h"

#include <assert.h>

#include "view/verdict_look.h"

void rule_find(struct rule_look *look, const struct rule *rule, uint64_t before,
	       struct finding *finding)
{
	*finding = (struct finding){0};
	look->least = rule->off;
	look->named_least = before != 0 ? rule->off : rule->on;
	rule->find(look, before, finding);
}

/* clang-format off */
static const struct rule rules[] = {
	{"starter",    rule_starter,      .on = 10,     .off = 6,     .after = 2, {"group-by parent", "view groups", "sort tasks"}},
	{"limit",      rule_limit,        .on = 10,     .off = 5,     .after = 1, {"group-by cgroup", "view groups", "columns pressure"}},
	{"waits",      rule_waits,        .on = 8,      .off = 4,     .after = 2, {"pairs takers", "view pairs"}},
	{"deadlock",   rule_deadlock,     .on = 1,      .off = 1,     .after = 1, {"pairs locks", "view pairs", "sort waits-now"}},
	{"lock",       rule_lock,         .on = 60,     .off = 30,    .after = 1, {"samples off-cpu", "functions PID"}},
	{"ping-pong",  rule_ping_pong,    .on = 2000,   .off = 1000,  .after = 2, {"pairs wakers", "view pairs", "sort times"}},
	{"faults",     rule_faults,       .on = 10000,  .off = 5000,  .after = 2, {"samples on-cpu", "functions PID"}},
	{"disk",       rule_disk,         .on = 25,     .off = 12,    .after = 1, {"samples blocked", "functions PID"}},
	{"swap",       rule_swap,         .on = 1,      .off = 0.5,   .after = 1, {"view tasks", "sort rss"}},
	{"memory",     rule_memory_bound, .on = 20,     .off = 12,    .after = 2, {"view tasks", "sort mpki"}},
	{"pressure",   rule_pressure,     .on = 10,     .off = 5,     .after = 2, {"group-by cgroup", "view groups", "columns pressure"}},
	{"hot",        rule_hot,          .on = 60,     .off = 45,    .after = 2, {"samples on-cpu", "functions PID"}},
	{"clock",      rule_clock,        .on = 45,     .off = 35,    .after = 2, {"view cpus", "sort ghz"}},
	{"steal",      rule_steal,        .on = 10,     .off = 5,     .after = 2, {"view cpus", "columns pressure"}},
};
/* clang-format on */

const struct rule *rule_table(size_t *count)
{
	static_assert(sizeof(rules) / sizeof(*rules) <= RULES_MAX, "states of all rules");
	*count = sizeof(rules) / sizeof(*rules);
	return rules;
}
