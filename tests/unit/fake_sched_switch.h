#ifndef PERFTOP_TESTS_FAKE_SCHED_SWITCH_H
#define PERFTOP_TESTS_FAKE_SCHED_SWITCH_H

/* Samples of groups that the tracepoint sched_switch leads, in rings of fake_kernel.h. */

#include <stdio.h>

#include "source/cpus/sched_tracepoints.h"

#include "fake_kernel.h"

/* The format of the tracepoint sched_switch (Linux 6.1), with the letters of prev_state. */
#define FAKE_SWITCH_FORMAT_OF(letters)                                                             \
	"name: sched_switch\nID: 378\nformat:\n"                                                   \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                               \
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                            \
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"                                \
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"                                 \
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"                               \
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"                           \
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"                                \
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"                               \
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "     \
	"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, " letters      \
	" : \"R\", REC->prev_state & 0x100 ? \"+\" : \"\", REC->next_comm, "                       \
	"REC->next_pid, REC->next_prio\n"

static const char FAKE_SWITCH_FORMAT[] = FAKE_SWITCH_FORMAT_OF(
	"(REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", "
	"{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, "
	"{ 0x00000008, \"t\" }, { 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, "
	"{ 0x00000040, \"P\" }, { 0x00000080, \"I\" })");

static inline void fake_set_switch(struct sched_switch *sched_switch)
{
	*sched_switch = (struct sched_switch){
		.spec.config = 378,
		.prev_name = 8,
		.prev_tid = 24,
		.prev_state = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 36 : 32,
		.next_tid = 56,
		.size = 60,
		.states = task_states_parse(FAKE_SWITCH_FORMAT),
	};
}

/* The same as fake_sample() of a group that sched_switch leads: told's task leaves in `state`. */
static inline struct fake_record fake_sched_switch(const struct fake_told *told, uint64_t leader_id,
						   size_t members, uint64_t sequence,
						   uint64_t value, int64_t state, int32_t next)
{
	struct fake_record record = {.header.type = PERF_RECORD_SAMPLE};
	const uint32_t size = 68;
	unsigned char raw[68] = {0};

	fake_add_u64(&record, leader_id);
	fake_add_pair(&record, fake_pid(told), told->tid);
	fake_add_u64(&record, told->time);
	fake_add_u64(&record, 1 + members);
	fake_add_u64(&record, told->time); /* enabled */
	fake_add_u64(&record, told->time); /* running */
	for (size_t i = 0; i <= members; i++)
		fake_add_u64(&record, i == 0 ? sequence : value);
	snprintf((char *)raw + 8, TASK_NAME_MAX, "task%d", told->tid);
	memcpy(raw + 24, &told->tid, sizeof(told->tid));
	memcpy(raw + 32, &state, sizeof(state));
	memcpy(raw + 56, &next, sizeof(next));
	fake_add(&record, &size, sizeof(size));
	fake_add(&record, raw, sizeof(raw));
	return record;
}

/* Behind that: where the task leaves, in the registers of its program. */
static inline void fake_add_site(struct fake_record *record, uint64_t abi, uint64_t argument,
				 uint64_t place)
{
	fake_add_u64(record, abi);
	if (abi == 0)
		return;
	fake_add_u64(record, argument);
	fake_add_u64(record, place);
}

#endif
