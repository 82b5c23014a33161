/*
 * Sessions on the kernel that runs the tests, recorded from the start or from amid them, and with
 * an event that comes meanwhile: their replays show what they showed, to the last digit; begun
 * amid a session they count the same.
 */
#include <poll.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/error.h"
#include "kernel/sys.h"
#include "source/source.h"

#include "mode/views.h"
#include "same_snapshots.h"
#include "session/engine_parts.h"
#include "session/options.h"
#include "unit.h"

enum {
	INTERVAL_MS = 150,
	INTERVALS = 5,
	CHILDREN = 40 /* births and ends in each interval */
};

struct take {
	char path[64];
	struct snapshot *kept[INTERVALS + 1]; /* owned; of the recorded intervals */
	bool is_cut[INTERVALS + 1];           /* the layout has changed since */
	size_t count;
	uint32_t but; /* bit per quantity that need not be the same */
	const struct processor *processor;
};

static void parse(struct options *options, char **words)
{
	struct error error = {0};
	int count = 0;

	while (words[count] != NULL)
		count++;
	if (!options_parse(options, &all_views, count, words, &error))
		fail_msg("%s", error.text);
}

/* NULL: this kernel or this user has no counters. */
static struct engine *open_engine(struct options *options, char **words)
{
	struct engine *engine = engine_create(options);

	parse(options, words);
	if (engine_open(engine, NULL)) {
		/* of a recording it is always known */
		engine_need_parallelism(engine, true, &(struct parallel_scope){0});
		return engine;
	}
	engine_destroy(engine);
	options_fini(options);
	return NULL;
}

/* Of a sanitized program a copy has so many pages that it takes ms. */
static void bear_children(void)
{
	for (int i = 0; i < CHILDREN; i++) {
		const pid_t pid = vfork();

		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static void pass_interval(struct engine *engine)
{
	const uint64_t end_ns = sys_now_ns() + INTERVAL_MS * UINT64_C(1000000);

	bear_children();
	while (sys_now_ns() < end_ns) {
		struct pollfd ready = {.fd = engine->source->poll_fd, .events = POLLIN};

		poll(&ready, 1, 20);
		engine_drain(engine);
	}
	engine_tick(engine);
}

static void keep(struct take *take, const struct engine *engine, bool is_cut)
{
	take->kept[take->count] = snapshot_copy(engine->whole);
	take->is_cut[take->count++] = is_cut;
}

static void begin(struct take *take, struct engine *engine)
{
	struct error error = {0};

	if (!engine_record(engine, take->path, 0, NULL, &error))
		fail_msg("%s", error.text);
}

/* Adding an event ends the interval. */
static void record_some(struct take *take, struct engine *engine)
{
	struct error error = {0};
	size_t position = 0;

	for (int i = 0; i < INTERVALS; i++) {
		if (i == INTERVALS / 2) {
			assert_true(engine_add_events(engine, "minor-faults", NULL, NULL, &position,
						      &error));
			keep(take, engine, true);
		}
		pass_interval(engine);
		keep(take, engine, false);
	}
	assert_true(engine_stop_recording(engine, &error));
	take->processor = engine_processor(engine);
}

static const struct parallel_scope scope = {.number = 1}; /* of all tasks */

static void assert_same_replay(const struct take *take)
{
	char *words[] = {(char *)"perftop", (char *)"-b", (char *)"-i", (char *)take->path, NULL};
	struct options options = {0};
	struct engine *engine = open_engine(&options, words);

	assert_true(engine != NULL);
	engine_need_parallelism(engine, true, &scope);
	assert_true(engine_start(engine, NULL));
	assert_ptr_equal(engine_processor(engine), take->processor);
	for (size_t i = 0; i < take->count; i++) {
		engine_tick(engine);
		assert_int_equal(engine->whole->time_ns, take->kept[i]->time_ns);
		if (take->is_cut[i])
			continue;
		assert_same_but(take->kept[i], engine->whole, take->but);
	}
	engine_destroy(engine);
	options_fini(&options);
}

/* False: this kernel or this user has no counters. */
static bool run(struct take *take, char **words, int before)
{
	struct options options = {0};
	struct engine *engine = open_engine(&options, words);

	*take = (struct take){0};
	snprintf(take->path, sizeof(take->path), "/tmp/test_live_recording.%d", (int)getpid());
	if (!engine)
		return false;
	engine_need_parallelism(engine, true, &scope);
	if (before == 0)
		begin(take, engine);
	assert_true(engine_start(engine, NULL));
	for (int i = 0; i < before; i++)
		pass_interval(engine);
	if (before > 0)
		begin(take, engine);
	record_some(take, engine);
	engine_destroy(engine);
	options_fini(&options);
	return true;
}

static void forget(struct take *take)
{
	for (size_t i = 0; i < take->count; i++)
		snapshot_destroy(take->kept[i]);
	unlink(take->path);
}

static void follow(char **words, int before)
{
	struct take take;

	if (!run(&take, words, before))
		skip();
	assert_same_replay(&take);
	forget(&take);
}

static char *machine[] = {(char *)"perftop", (char *)"-b", NULL};

UNIT_TEST(replay_of_the_machine_from_the_start_shows_the_same)
{
	follow(machine, 0);
}

UNIT_TEST(replay_of_the_machine_begun_amid_a_session_counts_the_same)
{
	follow(machine, 3);
}

UNIT_TEST(replay_of_one_process_counts_the_same)
{
	char pid[16];
	char *words[] = {(char *)"perftop", (char *)"-b", (char *)"-p", pid, NULL};

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	follow(words, 2);
}

/* False: it is another one, or none. */
static bool has_same_part(const struct engine *live, const struct engine *replay)
{
	return live->targets.kind == replay->targets.kind &&
	       live->snapshot->task_count == replay->snapshot->task_count &&
	       live->snapshot->task_count < live->whole->task_count;
}

UNIT_TEST(replay_shows_the_part_that_was_shown)
{
	char path[64], pid[16];
	char *words[] = {(char *)"perftop", (char *)"-b", (char *)"-p", pid, NULL};
	char *again[] = {(char *)"perftop", (char *)"-b", (char *)"-i", path, NULL};
	struct options options = {0}, replay_options = {0};
	struct engine *live, *replay;
	struct error error = {0};

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	snprintf(path, sizeof(path), "/tmp/test_live_recording.part.%s", pid);
	live = open_engine(&options, words);
	if (!live || live->targets.kind == TARGET_PIDS_ALL) {
		engine_destroy(live);
		skip();
	}
	assert_true(engine_start(live, &error));
	pass_interval(live);
	/* begun amid a session, whose births are told once more */
	assert_true(engine_record(live, path, 0, NULL, &error));
	pass_interval(live);
	assert_true(engine_attach(live, 1, &error));
	pass_interval(live);
	assert_true(engine_stop_recording(live, &error));
	replay = open_engine(&replay_options, again);
	assert_true(replay && engine_start(replay, &error));
	assert_true(engine_wants(getpid(), replay));
	engine_tick(replay);
	assert_false(engine_wants(1, replay));
	engine_tick(replay);
	assert_true(engine_wants(1, replay));
	assert_true(has_same_part(live, replay));
	assert_true(engine_rewind(replay, &error));
	assert_false(engine_wants(1, replay));
	engine_destroy(replay);
	engine_destroy(live);
	options_fini(&replay_options);
	options_fini(&options);
	unlink(path);
}

UNIT_TEST(record_while_recording_is_refused)
{
	struct options options = {0};
	struct engine *engine = open_engine(&options, machine);
	struct error error = {0};
	struct take take = {0};

	snprintf(take.path, sizeof(take.path), "/tmp/test_live_recording.twice.%d", (int)getpid());
	if (!engine)
		skip();
	begin(&take, engine);
	assert_false(engine_record(engine, "/tmp/another", 0, NULL, &error));
	assert_int_equal(error.code, ERROR_RECORD_BUSY);
	assert_true(engine_stop_recording(engine, NULL));
	assert_true(engine_stop_recording(engine, NULL));
	engine_destroy(engine);
	options_fini(&options);
	unlink(take.path);
}

UNIT_MAIN(NULL, NULL)
