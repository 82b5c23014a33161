/* Attaching: what the words mean, and what is said when those attached to have ended. */

#include "app_story.h"

static bool take_fact(const char *word)
{
	int32_t pid = 950;
	static char name[32], cgroups[3][32];
	static size_t cgroup;

	strcpy(name, "named");
	if (strcmp(word, "named") == 0) { /* two processes are called so */
		kit.named[0] = 7;
		kit.named[1] = 8;
		kit.named_count = 2;
	} else if (sscanf(word, "task %d %15s", &pid, name) == 2) {
		add_task(.pid = pid, .name = name, .run_ms = 1);
		kit_build();
	} else if (sscanf(word, "in %31s %d", name, &pid) == 2) {
		cgroup = (cgroup + 1) % COUNT_OF(cgroups);
		strcpy(cgroups[cgroup], name);
		kit_task(pid)->cgroup = cgroups[cgroup];
		kit_tick();
		kit_build();
	} else if (strcmp(word, "end") == 0) { /* of 7 */
		kit_task(7)->ends = true;
	} else if (strcmp(word, "held") == 0) {
		kit_tick();
	} else if (strcmp(word, "redis has ended") == 0) {
		kit_task(8)->ends = true;
		kit_build();
	} else if (strcmp(word, "answer") == 0) { /* what is said is one, to a key */
		kit.app.message.is_answer = true;
	} else if (strcmp(word, "interval") == 0) {
		kit_build();
		attach_watch(&kit.app);
	} else {
		return false;
	}
	return true;
}

static bool take_own_step(const char *step)
{
	struct app_attached *attached = kit.app.parts[PART_attached];
	static char candidates[64];
	int32_t pid, other;

	if (step[0] == '@')
		return take_fact(step + 1);
	if (sscanf(step, "pids of %d %d", &pid, &other) == 2)
		assert_true(attached->pids[0] == pid && attached->pids[1] == other);
	else if (sscanf(step, "pid %d", &pid) == 1)
		assert_int_equal(attached->pids[0], pid);
	else if (sscanf(step, "asked %d", &pid) == 1) /* of the source; 0: nothing */
		assert_int_equal(kit.attached_count > 0 ? kit.attached[0] : 0, pid);
	else if (strncmp(step, "name ", 5) == 0)
		assert_string_equal(attached->name, step + 5);
	else if (sscanf(step, "candidates of %63s", candidates) == 1)
		attach_list_candidates(&kit.app, candidates);
	else if (strncmp(step, "candidate ", 10) == 0)
		assert_string_equal(prompts_shown()->complete.words[0].name, step + 10);
	else if (strncmp(step, "shows ", 6) == 0)
		assert_string_equal(prompts_shown()->complete.words[0].help, step + 6);
	else
		return false;
	return true;
}

/* clang-format off */
static const struct story attach_stories[] = {
	{"a pid is shown",
	 ":attach 8 | attached 1 | pid 8 | asked 8 | name redis 8 | said attached to redis 8; A: all tasks | walks 1"},
	{"a thread means its process", ":attach 77 | pid 7 | asked 7"},
	{"nothing means the row under the cursor", ":down | :attach | pid 70"},
	{"no row is refused", "@nobody | !attach => this row is not one process | attached 0"},
	{"a name means all that have it", "@named | :attach named | attached 2 | pids of 7 8 | name 2 processes, nginx 7..."},
	{"a part of one name will do", ":attach REDI | attached 1 | pid 8"},
	{"a list means all of it, each once",
	 ":attach 8,7,77 | attached 2 | pids of 8 7 | :attach redis, 7 | attached 2 | pids of 8 7 | "
	 "@named | :attach 70,named | attached 3 | pids of 70 7"},
	{"a list with one that is wrong is refused",
	 "!attach 7,apache => apache: no process has this name | !attach 7,,8 => '': not a process id | "
	 "!attach 7,900 => 900: no such process | attached 0"},
	{"the last of a list is looked for", "candidates of 70,redis | candidates 1 | candidate 8"},
	{"the prompt proposes what is tagged",
	 ":ask attach | typed  | key Esc | :tag | :tag | :ask attach | typed 7,70 | key Enter | attached 2 | pids of 7 70"},
	{"the only candidate is not meant by a part of its number",
	 "@task 9001 named | :ask attach | key 9 | key 0 | key 0 | candidates 1 | key Enter | typed 900 | attached 0"},
	{"a part of several names is refused",
	 "!attach ngin => ngin: several processes match, type more of the name | attached 0"},
	{"an unknown name is refused", "!attach apache => apache: no process has this name | attached 0"},
	{"what is no pid is refused",
	 "!attach 0 => 0: not a process id | !attach -1 => -1: not a process id | !attach +7 => +7: not a process id | "
	 "!attach 99999999999 => 99999999999: not a process id | !attach 2147483648 => 2147483648: not a process id | "
	 "!attach 1-2 => 1-2: not a process id | attached 0"},
	{"a pid that has gone is refused", "!attach 900 => 900: no such process | asked 0 | attached 0"},
	{"a foreign pid is refused, and the one before stays",
	 "!attach 1000 => it: not your process (a test) | attached 0 | :attach 7 | "
	 "!attach 1000 => it: not your process (a test) | attached 1 | pid 7"},
	/* what has the name or the number on this machine is something else */
	{"in a recording a name means those in it",
	 "@task 950 named | @replay | @named | :attach named | attached 1 | pid 950 | name named 950"},
	{"another replaces it", ":attach 7 | :attach 8 | attached 1 | pid 8"},
	{"an end is announced once",
	 ":attach 7 | @interval | said attached to nginx 7; A: all tasks | @end | @interval | "
	 "said nginx 7 has ended; the last values stay until A | @held | @read | @interval | said "},
	{"an end names the key that is bound",
	 ":unbind A | :bind ^A all | :attach 7 | @interval | @end | @interval | "
	 "said nginx 7 has ended; the last values stay until ^A"},
	{"an end waits until an answer was read",
	 ":attach 7 | @answer | @end | @interval | said attached to nginx 7; A: all tasks | @read | @interval | "
	 "said nginx 7 has ended; the last values stay until A"},
	{"of several those that ended are counted",
	 "@named | :attach named | @end | @interval | "
	 "said 1 of 2 attached processes have ended; their last values stay until A"},
	{"candidates are found by pid, name and command line",
	 "candidates of 7 | candidates 2 | candidate 7 | candidates of 70 | candidates 1 | candidate 70 | candidates of redis | "
	 "candidates 1 | candidate 8 | candidates of sbin | candidates 1 | candidate 7 | candidates of apache | candidates 0"},
	{"candidates have harmless names", "@task 9 \033[2J | candidates of 9 | shows \\x1B[2J"},
	{"a cgroup is the tasks in it and below", "@in /web/a 7 | @in /web/b.service 70 | @in /db 8 | :attach /web | rows 2 | name /web | attached 0 | "
	 "said attached to /web; A: all tasks | :all | rows 3 | :attach b | rows 1 | name /web/b.service | :attach redis | pid 8 | rows 1"},
	{"another task comes into it", "@in /web 7 | :attach /web | rows 1 | @in /web 8 | rows 2 | @in /db 7 | rows 1 | key Esc Esc | rows 3"},
	{"a name that several have is refused",
	 "@in /a/web 7 | @in /b/web 8 | !attach web => web: several cgroups have this name, /a/web too"},
	{"of a recording a cgroup is one that was seen",
	 "@in /web 7 | @replay | !attach /no => /no: no such cgroup or container | !attach / => /: every task is in this cgroup"},
	{"several cgroups are the tasks of all of them",
	 "@in /web/a 7 | @in /web/b.service 70 | @in /db 8 | :attach /web/a,/db | rows 2 | name /web/a, /db | "
	 "said attached to /web/a, /db; A: all tasks | :attach b,db | rows 2 | name /web/b.service, /db | "
	 "@in /dbs 8 | rows 1 | :all | rows 3 | "
	 "!attach /,/dbs => /: every task is in this cgroup | attached 0 | rows 3"},
	{"cgroups are candidates, once each",
	 "@in /web/a 7 | @in /web/a 70 | candidates of /web | candidates 1 | candidate /web/a | shows cgroup"},
	{"what has ended is no candidate", "@redis has ended | candidates of redis | candidates 0"},
};
/* clang-format on */

UNIT_TEST(attaching_is_as_its_stories_say)
{
	more_steps = take_own_step;
	take_stories(attach_stories, COUNT_OF(attach_stories));
	more_steps = NULL;
	attach_list_candidates(&kit.app, "");
	assert_int_equal(prompts_shown()->complete.count, 0);
}

UNIT_TEST(attach_to_pids_one_missing_refuses_all)
{
	struct app_attached *attached = kit.app.parts[PART_attached];
	static const int32_t pids[] = {900, 7};
	struct error error = {0};

	assert_false(attach_to_pids(&kit.app, pids, 2, &error));
	assert_string_equal(error.text, "900: no such process");
	assert_int_equal(attached->count, 0);
	assert_int_equal(kit.attached_count, 0);
}

/* It has ended since, where the recording has been read up to. */
UNIT_TEST(attach_in_a_recording_takes_what_is_seen)
{
	struct app_attached *attached;

	add_task(.pid = 950, .name = "gone", .run_ms = 1);
	kit_begin_recording(NULL);
	kit_tick();
	kit_task(950)->ends = true;
	kit_tick();
	kit_tick();
	kit_show_recording();
	kit_tick();
	playback_freeze(kit.app.playback, true);
	engine_tick(kit.engine);
	engine_tick(kit.engine);
	run("attach 950");
	attached = kit.app.parts[PART_attached];
	assert_string_equal(attached->name, "gone 950");
	playback_freeze(kit.app.playback, false);
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
