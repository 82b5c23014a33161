#ifndef PERFTOP_SOURCE_CPUS_CPU_STREAM_H
#define PERFTOP_SOURCE_CPUS_CPU_STREAM_H

/*
 * One CPU: its groups of counters, its time line, and the ring both write to, as one
 * ordered stream of records. cpu_groups.c opens the groups, switches them on and off and reads
 * them; cpu_stream.c puts what is in the ring and the readings in order, and cpu_records.c makes
 * the model's records of it.
 *
 * A read(2) of the counters is put into its place in that stream by the leader's
 * sequence number, no clock is compared: a reading with sequence n falls after exactly
 * the switches with numbers up to n. cpu_stream_mark() reads each group, and the stream then
 * delivers each reading right before the group's first sample of a later switch, or at the end
 * of what was in the ring.
 *
 * Some groups are always on: the clock group of the CPU's kind, and further software. Of those that
 * take turns one is on at a time. The last reading of a group's turn has no sample of its own
 * behind it; it gets the place of a reading of the clock group, or none when there was a switch
 * between the two.
 *
 * A CPU that is not to be interrupted (is_quiet) is read when it is switched on, and then no more:
 * where an interval ends, cpu_stream_pass() has that said in place of the readings, and of groups
 * that take turns the first one stays on.
 *
 * A switch is one record (RECORD_SWITCH), made of what the kernel writes of it: the samples of all
 * groups that are on, one after the other, and behind them the switch record of the outgoing task,
 * where no tracepoint sched_switch leads that says it all. What is not written yet is waited for
 * until the next round. The switch record of the incoming task is news where it says something
 * else. Samples of other tracepoints (sched_tracepoints.h) are among the others and have no part in
 * this.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "kernel/group.h"
#include "kernel/ring.h"
#include "model/record.h"
#include "source/cpus/arrivals.h"
#include "source/cpus/cgroup_sums.h"
#include "source/cpus/sched_tracepoints.h"
#include "source/plan/plan.h"

struct error;
struct host;

struct cpu_stream_reading {
	size_t group;
	bool restarts;
	bool is_delivered;
	uint64_t position; /* in the ring: what is behind it was written later */
	struct group_reading values;
};

/* Readings that wait for their place in the stream. */
struct cpu_stream_mark {
	struct cpu_stream_reading *readings; /* owned by the stream, as is the room they have */
	size_t count, capacity;
	struct cpu_stream_reading *due; /* of the above, the one to deliver now; NULL: none */
	bool is_tied;                   /* all of them have one place */
	bool is_waiting;                /* taken, and not all delivered */
	uint64_t time_ns;               /* it was */
	bool ends_interval; /* the stream stops behind the last one until the next round */
};

/* What is at one index of the bundle's groups. */
struct cpu_stream_slot {
	uint16_t group;     /* that index */
	uint64_t leader_id; /* of its leader; 0: it is not open */
	size_t value_count; /* of its readings */
	uint64_t done;      /* bits: groups of which no sample is missing when it has one */
	bool is_clock;      /* of the CPU's kind, for a cgroup */
	bool takes_turns;
	bool needs_counters; /* of the hardware */
	uint64_t from;       /* sequence: samples up to it are of a time when it was not counted */
	uint64_t sequence;   /* of its sample delivered last */
	uint64_t counted_ns; /* enabled_ns of its reading delivered last */
	bool is_on;
	bool has_offset;
	uint64_t offset_ns; /* of record time from the group's enabled_ns, at its last switch */
	uint64_t values[1 + LAYOUT_GROUP_MEMBERS_MAX]; /* of a software leader's last sample */
};

/* A switch that was fetched. */
struct cpu_stream_switch {
	struct record record; /* its readings are those of the stream */
	uint64_t groups;      /* bits: with a reading in it */
	bool is_whole;        /* nothing of it is missing, or more of it follows later */
};

/* What is there of each cgroup but the first beside its groups. */
struct cpu_stream_cgroup {
	int timeline_fd; /* -1: none; writes into the ring of the first */
	struct sched_tracepoint glance;
};

/* What a stream delivers next. */
enum cpu_stream_next {
	NEXT_NOTHING,
	NEXT_BASELINE,
	NEXT_RECORD,  /* the fetched one of the ring */
	NEXT_SWITCH,  /* the same */
	NEXT_SCHED,   /* the same: a sample of one of the scheduler's events */
	NEXT_READING, /* the one of the mark that is due */
	NEXT_UNREAD   /* that the interval's end was not read */
};

struct cpu_stream {
	int cpu;
	const struct host *host; /* borrowed */
	size_t clock;            /* the clock group of the CPU's kind */
	struct bundle bundle;
	size_t group_count;            /* of the layout; the bundle has those of each cgroup */
	struct cpu_stream_slot *slots; /* owned; bundle.count */
	struct cpu_stream_cgroup *more_cgroups; /* owned; one less than there are; NULL: none */
	struct cgroup_sums sums;
	uint64_t on_groups; /* bits: those that are on */
	bool has_begun;     /* the clock was on */
	bool has_restarted; /* the clock was off since; to be reported by the reader, and cleared */
	bool is_resting;    /* the turn is an empty one */
	size_t rested_group; /* that it has followed; SIZE_MAX: none */
	bool is_contended;   /* as of the last mark, others have counters that the clock needs */
	uint64_t last_off_ns;
	bool is_quiet;          /* not to be interrupted */
	uint64_t unread_ns;     /* it is to be said that this end of an interval was not read; 0 */
	bool is_enabled;        /* counts; until then nothing is on */
	int timeline_fd;        /* -1: none */
	int switches_fd;        /* the same */
	bool switches_refused;  /* in this round */
	uint64_t records_until; /* position in the ring: before it are switch records; UINT64_MAX:
				   they come */
	uint64_t border;        /* another: behind it what was prepared counts */
	uint64_t
		border_groups; /* bits: of that, what does since the last mark; 0: there was none */
	uint64_t next_groups;  /* bits: what is to be on then */
	const struct sched_switch *sched_switch; /* that leads; borrowed; NULL: a software event */
	struct sched_tracepoints tracepoints;
	enum sched_event sched_event; /* of which a sample was fetched, and that */
	const struct attr_sampler_sample *sched_sample; /* in the ring */
	uint64_t sched_samples; /* of wake-ups and interrupts, in this interval */
	struct ring ring;
	struct decode_format format; /* of its records but the tracepoints' samples */
	struct cpu_stream_mark mark;
	bool is_dead;      /* the clock stood still between two ticks: the CPU was away */
	bool is_stopped;   /* behind the mark that ended the interval */
	uint64_t until_ns; /* later records are the next round's */
	struct cpu_stream_reading *baselines; /* owned; first readings of groups that were switched
					   on, to be delivered */
	size_t baseline_count, baseline_capacity, baseline_next;
	enum cpu_stream_next next;
	uint64_t begins;              /* position in the ring of what was fetched */
	enum cpu_stream_next fetched; /* NEXT_RECORD, which decoded holds, NEXT_SWITCH or
					 NEXT_SCHED; or NEXT_NOTHING */
	uint64_t fetched_ns;          /* its time */
	struct cpu_stream_switch ctx_switch;
	struct record_reading *readings; /* owned; of that; bundle.count, and room for one more */
	uint64_t lost_samples;           /* the leader's own count of them, as of the last tick */
	uint64_t lost_now;               /* of these: to be reported with the mark */
	uint64_t lost_heard;             /* what LOST records have added since the last tick */
	uint64_t unreadable, unreadable_reported; /* records that make no sense; reported as lost */
	uint64_t lost_ahead; /* reported, while the kernel's LOST record is still to come */
	int32_t running_pid,
		running_tid;      /* came at the last switch; RECORD_TASK_UNKNOWN: unknown */
	int32_t left_tid;         /* left at it */
	bool is_announced;        /* what the incoming task says of it is to come */
	struct arrival arrival;   /* of a cgroup's task */
	uint64_t last_time_ns;    /* of the record delivered last */
	uint64_t last_enabled_ns; /* the clock at the last mark: does not advance when the events
				     are dead */
	struct decoded decoded;
	char name[64]; /* of the COMM record delivered last */
};

struct cpu_stream_request {
	const struct plan *plan;
	const struct attr_features *features;
	const struct host *host;
	const struct sched_switch *sched_switch; /* that is to lead; NULL: a software event */
	struct cgroup_paths *cgroups;            /* NULL: their ids say nothing */
	int cpu;
	struct group_cgroups of; /* borrowed */
	bool is_quiet;
	size_t kind;
	size_t ring_bytes; /* tried first; smaller ones follow down to CPU_STREAM_RING_MIN */
};

enum {
	CPU_STREAM_RING_MIN = 64 * 1024,
	CPU_STREAM_WAKEUP_SHARE = 8 /* of a ring being full the reader is woken */
};

/* Only tasks of a cgroup, or of several, are seen (arrivals.h). */
static inline bool cpu_stream_is_of_cgroup(const struct cpu_stream *stream)
{
	return stream->bundle.cgroups.count > 0;
}

/* How many have a descriptor of their own beside the first. */
static inline size_t cpu_stream_more_cgroups(const struct cpu_stream *stream)
{
	return stream->more_cgroups ? stream->bundle.cgroups.count - 1 : 0;
}

/* --- cpu_groups.c */

/* What groups are opened on, with the leader that the request wants. */
struct group_target cpu_stream_target(const struct sched_switch *sched_switch, int cpu);

/* Opens everything, disabled. False: nothing is left open. */
bool cpu_stream_open(struct cpu_stream *stream, const struct cpu_stream_request *request,
		     struct error *error);

/*
 * Takes another ring of *bytes before it counts, or of half as many and so on until the kernel
 * grants it; *bytes is what it has. The kernel takes some ms for a large one. False: it has none.
 */
bool cpu_stream_open_ring(struct cpu_stream *stream, size_t *bytes, struct error *error);
void cpu_stream_close(struct cpu_stream *stream); /* one that was never opened ({.timeline_fd = -1,
						       .switches_fd = -1}) is allowed */

/*
 * Has the kernel write switch records from now on, where the tracepoint that leads may not show
 * every switch, and no more once it is known that it does. Without success nothing changes.
 */
void cpu_stream_add_switch_records(struct cpu_stream *stream);
void cpu_stream_drop_switch_records(struct cpu_stream *stream);

/* The descriptor that owns the ring. */
int cpu_stream_ring_fd(const struct cpu_stream *stream);

/* Lets all count that is always on, and the first group of those that take turns. False: not even
 * the clock. */
bool cpu_stream_enable(struct cpu_stream *stream);

/*
 * The same in the middle of an interval: the clock, too, is counted from now on, not from its first
 * reading on as at the start. Its time must not be shorter than what the others count in it.
 */
void cpu_stream_enable_late(struct cpu_stream *stream);

/*
 * Opens the groups of another plan beside those that count, between rounds. False: the stream is as
 * before. When all streams are prepared each of them is committed, with the same plan, otherwise
 * each of them abandoned.
 */
bool cpu_stream_prepare(struct cpu_stream *stream, const struct plan *plan, struct error *error);
void cpu_stream_abandon(struct cpu_stream *stream);
void cpu_stream_commit(struct cpu_stream *stream, const struct plan *plan);

/* Gives the counters of the hardware free for a moment; resuming begins with new baselines. */
void cpu_stream_pause(struct cpu_stream *stream);
void cpu_stream_resume(struct cpu_stream *stream);

/*
 * Ends the interval: reads the counters of all groups that are on. cpu_stream_next() delivers the
 * readings in their places, and nothing behind the last of them. No mark may be waiting. Where
 * other groups are prepared they count from here on; the stream is to be committed then, after the
 * round.
 */
void cpu_stream_mark(struct cpu_stream *stream);

/*
 * Whether the end of an interval passes without a mark: then cpu_stream_pass() has it said, with
 * the end's time. Records that are later are not in the interval.
 */
bool cpu_stream_is_passed_by(const struct cpu_stream *stream);
void cpu_stream_pass(struct cpu_stream *stream, uint64_t time_ns);

/*
 * Reads the group that is on for the last time and switches to the next one, where there
 * is more than one, or to an empty one (is_empty): only what is always on goes on counting then. No
 * mark may be waiting.
 */
void cpu_stream_rotate(struct cpu_stream *stream, bool is_empty);

/* --- cpu_stream.c */

/* How full the ring is now, 0 to 1. */
double cpu_stream_fill(const struct cpu_stream *stream);

/* The CPU's running task is unknown, and no record that could name it waits to be read. */
bool cpu_stream_is_silent(const struct cpu_stream *stream);

/* The ring is so full that the next record may have been, or be, lost. */
bool cpu_stream_may_lose(const struct cpu_stream *stream);

/*
 * A round: begin, next until false, end. What is not delivered stays in the ring: so do records
 * that are stamped later than until_ns, except those in front of a mark.
 */
void cpu_stream_begin(struct cpu_stream *stream, uint64_t until_ns);
bool cpu_stream_has_next(struct cpu_stream *stream); /* fetches; false: nothing more this round */

/* Time of what comes; after cpu_stream_has_next(). */
static inline uint64_t cpu_stream_next_time(const struct cpu_stream *stream)
{
	if (stream->next == stream->fetched)
		return stream->fetched_ns;
	return stream->next == NEXT_UNREAD ? stream->unread_ns : stream->last_time_ns;
}

void cpu_stream_end(struct cpu_stream *stream);

/* For cpu_records.c: the first reading of the mark that was not delivered, NULL: all were; and all
 * were, or cannot be. */
struct cpu_stream_reading *cpu_stream_first_waiting(struct cpu_stream_mark *mark);
void cpu_stream_finish_mark(struct cpu_stream *stream);
static inline uint64_t cpu_stream_group_bit(size_t group)
{
	return UINT64_C(1) << group; /* below LAYOUT_GROUPS_MAX */
}

/* --- cpu_records.c */

/* After cpu_stream_has_next(). False: the record was none of ours. */
bool cpu_stream_next(struct cpu_stream *stream, struct record *record);

#endif
