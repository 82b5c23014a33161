/*
 * The part that both kinds of files have in common. A file is read again from its beginning for a
 * rewind, and by a second reader for the overview.
 */
#include "perfdata/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/epoll.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/decode.h"
#include "kernel/host.h"

#include "perfdata/reader.h"
#include "perfdata/replaying.h"

static const uint64_t INTERVAL_NS = UINT64_C(1000000000);

struct replay {
	struct source base;
	char *path;                         /* owned */
	uint64_t interval_ns;               /* asked for; 0: none */
	struct perfdata *file;              /* owned */
	struct replay_recording *recording; /* owned; of one of our own recordings */
	struct replay_perf *perf;           /* owned; of another; one of the two */
	uint64_t last_ns;                   /* of the recording; 0: not known */
	bool is_watched;                    /* base.poll_fd has the pipe's descriptor */
	enum replay_step step;              /* of the last source_next() that delivered nothing */
	struct error stopped;               /* why nothing more is read */
};

const char *replay_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (strcmp(path, "-") == 0)
		return "standard input";
	return slash && slash[1] != '\0' ? slash + 1 : path;
}

void replay_add_remark(struct strbuf *remarks, uint64_t count, const char *what, const char *how)
{
	if (count == 0)
		return;
	strbuf_printf(remarks, "%s%llu %s%s %s", remarks->length > 0 ? "; " : "",
		      (unsigned long long)count, what, units_plural(count), how);
}

void replay_add_note(struct strbuf *remarks, bool is_true, const char *note)
{
	if (is_true)
		strbuf_printf(remarks, "%s%s", remarks->length > 0 ? "; " : "", note);
}

static struct replay *replay_of(const struct source *source)
{
	return (struct replay *)source;
}

static void close_parts(struct replay *replay)
{
	replay_recording_destroy(replay->recording);
	replay_perf_destroy(replay->perf);
	replay->recording = NULL;
	replay->perf = NULL;
}

static void replay_destroy(struct source *source)
{
	struct replay *replay = replay_of(source);

	close_parts(replay);
	if (replay->base.poll_fd >= 0)
		close(replay->base.poll_fd);
	perfdata_close(replay->file);
	layout_fini(&source->layout);
	topology_fini(&source->topology);
	free(replay->path);
	free(replay);
}

static bool replay_begin(struct source *source, struct error *error)
{
	return true;
}

static void drain(struct source *source)
{
}

static void tick(struct source *source)
{
	struct replay *replay = replay_of(source);

	if (replay->recording)
		replay->recording->is_closing = true;
	else
		replay->perf->is_closing = true;
}

/* No wake-up for what is not going to be read now; a hang-up cannot be masked. */
static void watch_pipe(struct replay *replay, bool is_wanted)
{
	const int fd = perfdata_fd(replay->file);
	struct epoll_event event = {.events = EPOLLIN};

	if (replay->base.poll_fd < 0 || is_wanted == replay->is_watched)
		return;
	if (epoll_ctl(replay->base.poll_fd, is_wanted ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, fd,
		      &event) == 0)
		replay->is_watched = is_wanted;
}

static bool replay_next(struct source *source, struct record *record)
{
	struct replay *replay = replay_of(source);

	replay->step = replay->recording ? replay_recording_next(replay->recording, record)
					 : replay_perf_next(replay->perf, record);
	if (replay->step != REPLAY_RECORD)
		watch_pipe(replay, replay->step == REPLAY_WAITS);
	return replay->step == REPLAY_RECORD;
}

static bool is_finished(const struct source *source)
{
	const struct replay *replay = replay_of(source);

	return replay->recording ? replay->recording->is_over : replay->perf->is_over;
}

/* Every task in the file is reported. */
static bool attach(struct source *source, int32_t pid, struct error *error)
{
	return true;
}

static bool replay_change(struct source *source, const struct event_set *events,
			  struct error *error)
{
	return error_set(error, ERROR_REPLAY_FIXED, replay_name(replay_of(source)->path), NULL);
}

static const struct source_ops ops = {
	.destroy = replay_destroy,
	.begin = replay_begin,
	.drain = drain,
	.tick = tick,
	.next = replay_next,
	.is_finished = is_finished,
	.attach = attach,
	.change = replay_change,
};

bool replay_has_users(const struct source *source)
{
	return replay_of(source)->recording;
}

const char *replay_user(const struct source *source, int64_t uid)
{
	const struct replay_recording *recording = replay_of(source)->recording;

	return recording ? recording_reader_user(recording->reader, uid) : NULL;
}

void replay_add_namespaces(const struct source *source, int32_t tid, struct strbuf *words)
{
	if (replay_of(source)->perf)
		replay_perf_add_namespaces(replay_of(source)->perf, tid, words);
}

int64_t replay_find_user(const struct source *source, const char *name)
{
	const struct replay_recording *recording = replay_of(source)->recording;

	return recording ? recording_reader_find_user(recording->reader, name) : -1;
}

const char *replay_host_name(const struct source *source)
{
	return perfdata_info(replay_of(source)->file)->host;
}

bool replay_is_of_here(const struct source *source)
{
	return host_is_called(perfdata_info(replay_of(source)->file)->host);
}

const char *replay_cpu_id(const struct source *source)
{
	return perfdata_info(replay_of(source)->file)->cpu_id;
}

static void open_parts(struct replay *replay)
{
	const uint64_t interval_ns = replay->interval_ns > 0 ? replay->interval_ns : INTERVAL_NS;

	layout_fini(&replay->base.layout);
	layout_init(&replay->base.layout);
	if (replay_recording_is(replay->file))
		replay->recording = replay_recording_create(replay->file, &replay->base,
							    replay->path, replay->interval_ns);
	else
		replay->perf =
			replay_perf_create(replay->file, &replay->base, replay->path, interval_ns);
}

static const char *why(const struct replay *replay, const char *otherwise)
{
	const struct perfdata_counts *counts = perfdata_counts(replay->file);

	return counts->why[0] != '\0' ? counts->why : otherwise;
}

struct source *replay_create(const struct replay_request *request, struct error *error)
{
	struct replay *replay = xcalloc(1, sizeof(*replay));
	size_t count;

	replay->base.ops = &ops;
	replay->base.poll_fd = -1;
	replay->path = xstrdup(request->path);
	replay->interval_ns = request->interval_ns;
	replay->file = perfdata_open(request->path, error);
	if (!replay->file)
		goto failed;
	if (perfdata_info(replay->file)->is_pipe)
		perfdata_read_ahead(replay->file);
	perfdata_events(replay->file, &count);
	if (count == 0) {
		error_set(error, ERROR_REPLAY_EMPTY, request->path,
			  why(replay, "it has no events"));
		goto failed;
	}
	replay->last_ns = perfdata_info(replay->file)->last_ns;
	if (perfdata_fd(replay->file) >= 0)
		replay->base.poll_fd = epoll_create1(EPOLL_CLOEXEC);
	open_parts(replay);
	/* a recording says first what was counted; without that nothing on it means anything */
	if (!replay->recording || replay->base.layout_changes > 0)
		return &replay->base;
	error_set(error, ERROR_REPLAY_EMPTY, request->path,
		  why(replay, "another version of perftop wrote it, or it is damaged"));
failed:
	replay_destroy(&replay->base);
	return NULL;
}

struct replay_position replay_position(const struct source *source)
{
	const struct replay *replay = replay_of(source);
	const uint64_t first_ns =
		replay->perf ? replay->perf->start_ns : replay->recording->first_ns;
	const uint64_t known_ns = perfdata_info(replay->file)->first_ns;
	const uint64_t now_ns = source->tick_ns;
	const bool is_at_end = is_finished(source);

	return (struct replay_position){
		.first_ns = first_ns > 0 ? first_ns : known_ns,
		.last_ns = is_at_end                                         ? now_ns
			   : replay->last_ns > 0 && replay->last_ns < now_ns ? now_ns
									     : replay->last_ns,
		.is_at_end = is_at_end,
	};
}

bool replay_is_ready(const struct source *source)
{
	return replay_of(source)->step == REPLAY_DUE;
}

const struct recording_interval *replay_interval(const struct source *source)
{
	const struct replay *replay = replay_of(source);

	return replay->recording ? &replay->recording->tick : NULL;
}

const struct target_pids *replay_targets(const struct source *source, uint64_t *changes)
{
	static const struct target_pids all;
	const struct replay_recording *recording = replay_of(source)->recording;

	*changes = recording ? recording->target_pids_changes : 0;
	return recording ? &recording->targets : &all;
}

bool replay_rewind(struct source *source, struct error *error)
{
	struct replay *replay = replay_of(source);
	const uint64_t changes = source->layout_changes;

	if (!perfdata_rewind(replay->file))
		return error_set(error, ERROR_REPLAY_PIPE, replay_name(replay->path), NULL);
	close_parts(replay);
	memset(&source->session, 0, sizeof(source->session));
	source->tick_ns = source->settled_ns = 0;
	replay->step = REPLAY_RECORD;
	replay->stopped = (struct error){0};
	open_parts(replay);
	source->layout_changes = changes + 1;
	return true;
}

enum {
	OVERVIEW_BINS = 8192
};

static const uint64_t OVERVIEW_WIDTH_NS = 100 * 1000; /* of a bin, at first */

/*
 * How much happens when: a histogram of switches, and of samples for where there are none. How long
 * the recording is need not be known before: when time goes beyond the last bin, each two become
 * one.
 */
struct overview {
	uint64_t first_ns, last_ns; /* 0: nothing has a time */
	uint64_t width_ns;          /* the first bin begins at first_ns */
	uint32_t switches[OVERVIEW_BINS], samples[OVERVIEW_BINS];
	bool has_switches;
};

static void halve(uint32_t *bins)
{
	for (size_t i = 0; i < OVERVIEW_BINS; i++)
		bins[i] = i < OVERVIEW_BINS / 2 ? bins[2 * i] + bins[2 * i + 1] : 0;
}

static void add_to_overview(struct overview *overview, uint64_t time_ns, bool is_switch)
{
	if (overview->first_ns == 0)
		overview->first_ns = overview->last_ns = time_ns;

	const uint64_t since_ns = time_ns > overview->first_ns ? time_ns - overview->first_ns : 0;

	for (; since_ns / overview->width_ns >= OVERVIEW_BINS; overview->width_ns *= 2) {
		halve(overview->switches);
		halve(overview->samples);
	}
	if (time_ns > overview->last_ns)
		overview->last_ns = time_ns;
	overview->has_switches = overview->has_switches || is_switch;
	(is_switch ? overview->switches : overview->samples)[since_ns / overview->width_ns]++;
}

/* Reads the file through, as far as it can be read, but for what is older than the recording. */
static void fill_overview(struct overview *overview, const char *path, uint64_t begin_ns)
{
	struct perfdata *file = perfdata_open(path, NULL);
	struct perfdata_record record;
	enum perfdata_result result;

	while (file && (result = perfdata_next(file, &record)) != PERFDATA_END) {
		uint32_t type;

		if (result == PERFDATA_WAIT)
			break;
		if (result != PERFDATA_RECORD || record.time_ns == 0 || record.time_ns < begin_ns ||
		    record.time_ns > INT64_MAX / 2)
			continue;
		memcpy(&type, record.bytes, sizeof(type));
		if (type == DECODED_SAMPLE || type == DECODED_SWITCH ||
		    type == DECODED_SWITCH_CPU_WIDE)
			add_to_overview(overview, record.time_ns, type != DECODED_SAMPLE);
	}
	perfdata_close(file);
}

bool replay_overview(struct source *source, uint64_t *parts, size_t count)
{
	struct replay *replay = replay_of(source);
	struct overview overview = {.width_ns = OVERVIEW_WIDTH_NS};
	const uint32_t *bins = overview.samples;

	if (perfdata_info(replay->file)->is_pipe || perfdata_info(replay->file)->is_spooled)
		return false;
	fill_overview(&overview, replay->path,
		      replay->recording ? perfdata_info(replay->file)->first_ns : 0);
	if (overview.first_ns == 0)
		return false;
	if (overview.last_ns > replay->last_ns)
		replay->last_ns = overview.last_ns;
	if (overview.has_switches)
		bins = overview.switches;
	memset(parts, 0, count * sizeof(*parts));
	for (size_t i = 0; i < OVERVIEW_BINS && count > 0; i++) {
		const double middle_ns = ((double)i + 0.5) * (double)overview.width_ns;
		const double length_ns = (double)(overview.last_ns - overview.first_ns + 1);
		const double part = middle_ns / length_ns * (double)count;

		if (bins[i] > 0)
			parts[part < (double)count ? (size_t)part : count - 1] += bins[i];
	}
	return true;
}

void replay_stop(struct source *source, const struct error *why)
{
	struct replay *replay = replay_of(source);

	perfdata_stop(replay->file);
	replay->stopped = *why;
}

void replay_remarks(const struct source *source, char *text, size_t size)
{
	const struct replay *replay = replay_of(source);
	const struct perfdata_counts *counts = perfdata_counts(replay->file);
	struct strbuf remarks = {0};

	if (counts->is_truncated)
		strbuf_printf(&remarks, "the file is not whole: %s", counts->why);
	replay_add_note(&remarks, replay->stopped.code != ERROR_NONE, replay->stopped.text);
	replay_add_note(&remarks, perfdata_info(replay->file)->is_large,
			"more than 65536 events, or 1048576 ids of events: the rest left out");
	replay_add_remark(&remarks, counts->broken, "broken record", "left out");
	replay_add_remark(&remarks, counts->unknown, "record", "of unknown type left out");
	if (counts->trace)
		strbuf_printf(&remarks, "%strace data of %s is not decoded (perf report does)",
			      remarks.length > 0 ? "; " : "", counts->trace);
	replay_add_note(
		&remarks, counts->has_stat,
		"counts of perf stat record, which say of no task when it ran, are not shown");
	if (replay->recording)
		replay_add_remark(&remarks, replay->recording->reader->left_out, "record",
				  "of perftop that cannot be understood left out");
	if (replay->perf)
		replay_perf_remarks(replay->perf, &remarks);
	snprintf(text, size, "%s", strbuf_text(&remarks));
	strbuf_fini(&remarks);
}
