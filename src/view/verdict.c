#include "view/verdict.h"

#include <stdio.h>
#include <string.h>

#include "model/snapshot.h"

enum {
	UNMET = 3 /* intervals after which a rule does not hold any more */
};

/* Of intervals that are looked at by themselves one is enough. */
static void take_rule(struct verdict_state *state, const struct rule *rule, struct rule_look *look,
		      bool is_alone)
{
	struct finding finding;

	rule_find(look, rule, state->holds ? state->finding.subject : 0, &finding);
	if (finding.subject == 0 || (!state->holds && finding.value < rule->on)) {
		state->met = 0;
		state->holds = state->holds && ++state->unmet < UNMET;
		return;
	}
	state->finding = finding;
	state->unmet = 0;
	state->met++;
	state->holds = state->holds || is_alone || state->met >= rule->after;
}

/* The worst of those that hold and were not written yet; NULL: none. */
static const struct verdict_state *find_next(const struct verdict *verdict, size_t count,
					     uint32_t written)
{
	const struct verdict_state *worst = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct verdict_state *state = &verdict->states[i];

		if (state->holds && !(written & 1u << i) &&
		    (!worst || state->finding.lost_pct > worst->finding.lost_pct))
			worst = state;
	}
	return worst;
}

static void write_line(struct verdict *verdict, const struct rule *rules, size_t count)
{
	const struct verdict_state *state;
	uint32_t written = 0;
	size_t length = 0;

	verdict->line[0] = '\0';
	verdict->proof = NULL;
	while ((state = find_next(verdict, count, written))) {
		const size_t index = (size_t)(state - verdict->states);

		if (length + strlen(state->finding.sentence) + 2 >= sizeof(verdict->line))
			return;
		length += (size_t)snprintf(verdict->line + length, sizeof(verdict->line) - length,
					   "%s%s", length > 0 ? "; " : "", state->finding.sentence);
		if (written == 0) {
			verdict->proof = rules[index].proof;
			verdict->pid = state->finding.pid;
		}
		written |= 1u << index;
	}
}

/* Some between the two may have been passed by. */
static bool follows_time(uint64_t time_ns, const struct snapshot *snapshot)
{
	return time_ns < snapshot->time_ns &&
	       snapshot->time_ns - time_ns <= UNMET * snapshot->interval_ns;
}

void verdict_take(struct verdict *verdict, const struct rule_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	const bool is_scope_new = verdict->scope_number != input->scope_number;
	const bool is_alone = verdict->time_ns != 0 &&
			      (is_scope_new || !follows_time(verdict->time_ns, snapshot));
	struct rule_look *look;
	const struct rule *rules;
	size_t count;

	if (verdict->time_ns == snapshot->time_ns && !is_scope_new)
		return;
	if (is_alone)
		memset(verdict->states, 0, sizeof(verdict->states));
	rules = rule_table(&count);
	look = rule_look_create(input, &verdict->memory);
	for (size_t i = 0; i < count; i++)
		take_rule(&verdict->states[i], &rules[i], look, is_alone);
	verdict->wants_cgroups = rule_look_has_waits(look);
	rule_look_destroy(look);
	verdict->time_ns = snapshot->time_ns;
	verdict->scope_number = input->scope_number;
	write_line(verdict, rules, count);
}
