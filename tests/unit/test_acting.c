/* Signals, nice values and CPUs, as keys and commands ask for them, on a kernel that says what the
 * test wants. */

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "app_story.h"
#include "mode/actions.h"

/* nginx is pushed out by redis. */
static void show_switches(const char *view)
{
	uint64_t nginx, redis;
	char command[32];

	kit_keep_history(256);
	nginx = kit_actor(7);
	redis = kit_actor(8);
	for (size_t i = 0; i < 2; i++)
		switched(&kit.told, .prev = nginx, .next = redis, .slice_ns = 1000,
			 .how = SWITCH_PREEMPTED, .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	switched(&kit.told, .prev = redis, .next = nginx, .slice_ns = 1000, .off_ns = 1000,
		 .wait_ns = 1000, .next_was_preempted = true, .queued_by = redis, .from_cpu = -1);
	kit_pass_to(kit.told.now_ns);
	snprintf(command, sizeof(command), "view %s", view);
	run(command);
	run("window all");
	kit_build();
	run("first");
	kit_build();
}

/* The row of a process that ran most. */
static void put_cursor_on(int32_t pid, const char *name)
{
	add_task(.pid = pid, .name = name, .run_ms = 900);
	kit_build();
	list_select(&kit.app.lists[kit.app.view], kit.app.table, 0);
	assert_int_equal(app_row(&kit.app)->pid, pid);
}

static void put_cursor_on_kind(enum row_kind kind)
{
	struct list *list = &kit.app.lists[kit.app.view];
	size_t place = 0;

	kit_build();
	do {
		assert_true(place < view_table_row_count(kit.app.table));
		list_select(list, kit.app.table, place++);
	} while (app_row(&kit.app)->kind != kind);
}

/* Without building the rows anew. */
static bool take_fact(const char *word)
{
	const uint64_t shown_ticks = app_snapshot(&kit.app)->time_ns / 10000000;
	int threads = 0, number = 0;

	if (sscanf(word, "threads %d", &threads) == 1) {
		static const int32_t tids[] = {7, 77, 999}; /* 999 ends meanwhile */

		memcpy(kit.threads, tids, sizeof(tids));
		kit.threads[0] = threads < 4 ? 7 : threads;
		kit.thread_count = threads < 4 ? (size_t)threads : 1;
	} else if (sscanf(word, "nice %d", &number) == 1) {
		fake.nice[0] = number;
	} else if (sscanf(word, "began %d", &number) == 1) { /* ticks after the screen's time */
		kit.start_ticks = (uint64_t)((int64_t)shown_ticks + number);
	} else if (strcmp(word, "ended") == 0) {
		if (kit_task(7))
			kit_task(7)->ends = true;
		kit_build();
	} else if (strcmp(word, "another") == 0) { /* has its number */
		add_task(.pid = 7, .name = "another", .run_ms = 300);
		kit_build();
	} else if (strcmp(word, "zombie") == 0) {
		kit.task_state = 'Z';
	} else if (strcmp(word, "kernel thread") == 0) {
		kit.is_kernel_thread = true;
	} else if (strcmp(word, "reborn 7") == 0) {
		kit.reborn_pid = 7;
	} else if (strcmp(word, "init") == 0) {
		put_cursor_on(1, "init");
	} else if (strcmp(word, "perftop") == 0) {
		put_cursor_on(getpid(), "perftop");
	} else if (strcmp(word, "switches") == 0 || strcmp(word, "pairs") == 0) {
		show_switches(word);
	} else if (strcmp(word, "folded") == 0 || strcmp(word, "unattributed") == 0) {
		kit.has_rows_of_no_task = true;
		add_task(.pid = 77, .name = "gone", .run_ms = 1, .ends = true);
		put_cursor_on_kind(word[0] == 'f' ? ROW_EXITED : ROW_UNATTRIBUTED);
	} else {
		return false;
	}
	return true;
}

/* "signal -EPERM": what the kernel answers from now on. */
static bool take_answer(const char *word)
{
	static const struct {
		const char *name;
		int *answer;
	} answers[] = {{"open ", &fake.open},
		       {"signal ", &fake.signal},
		       {"gone ", &fake.gone},
		       {"set-nice ", &fake.set_nice},
		       {"set-cpus ", &fake.set_cpus}};
	static const struct {
		const char *name;
		int number;
	} numbers[] = {{"0", 0},
		       {"EPERM", -EPERM},
		       {"ESRCH", -ESRCH},
		       {"EINVAL", -EINVAL},
		       {"EAGAIN", -EAGAIN},
		       {"EACCES", -EACCES},
		       {"ENOSYS", -ENOSYS},
		       {"PIDFD", PIDFD}};

	for (size_t i = 0; i < COUNT_OF(answers); i++) {
		const size_t length = strlen(answers[i].name);

		for (size_t j = 0; j < COUNT_OF(numbers); j++)
			if (strncmp(word, answers[i].name, length) == 0 &&
			    strcmp(word + length, numbers[j].name) == 0) {
				*answers[i].answer = numbers[j].number;
				return true;
			}
	}
	return false;
}

/* What was asked of the kernel, and of the user. */
static bool is_asked(const char *step)
{
	static const struct {
		const char *name;
		const int *number;
	} numbers[] = {{"opened ", &fake.opened},         {"sent-open ", &fake.sent_open},
		       {"sent-pid ", &fake.sent_pid},     {"number ", &fake.number},
		       {"reniced ", &fake.reniced_count}, {"new-nice ", &fake.new_nice}};
	const struct acting *acting = kit.app.parts[PART_acting];
	size_t count;

	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		if (strncmp(step, numbers[i].name, strlen(numbers[i].name)) != 0)
			continue;
		assert_int_equal(*numbers[i].number, atoi(step + strlen(numbers[i].name)));
		return true;
	}
	if (strcmp(step, "nothing sent") == 0)
		assert_true(fake.sent_open == 0 && fake.sent_pid == 0);
	else if (sscanf(step, "targets %zu", &count) == 1)
		assert_int_equal(acting->targets.count, count);
	else if (sscanf(step, "bound %zu", &count) == 1)
		assert_int_equal(fake.bound, count);
	else if (sscanf(step, "cpus %zu", &count) == 1)
		assert_int_equal(fake.cpu_count, count);
	else if (strncmp(step, "question ", 9) == 0)
		assert_string_equal(acting->question, step + 9);
	else if (strncmp(step, "choice ", 7) == 0)
		assert_string_equal(signals_table(&count)[acting->cursor.at].name, step + 7);
	else
		return false;
	return true;
}

/* What is refused leaves nothing open. */
static bool take_own_step(const char *step)
{
	if (step[0] == '@')
		return take_fact(step + 1) || take_answer(step + 1);
	if (step[0] != '!')
		return is_asked(step);
	assert_refused_as(step + 1);
	assert_false(mode_is_open(&kit.app, &acting_mode));
	return true;
}

#define WHO   "nginx 7 (root)"
#define ASKED "question Send SIGTERM to " WHO "? y/n"
#define REUSED                                                                                     \
	WHO " is not the task that was on the screen: that one has exited, and its pid was reused"

/* clang-format off */
static const struct story signal_stories[] = {
	{"a signal is asked about, and sent to the descriptor",
	 ":signal | choice SIGTERM | key Enter | " ASKED " | nothing sent | key y | opened 7 | sent-open 1000000 | number 15 | "
	 "sent-pid 0 | open - | said sent SIGTERM to " WHO},
	/* wherever the cursor is */
	{"it is for all that are tagged",
	 ":tag | :tag | :signal TERM | targets 2 | question Send SIGTERM to " WHO " and 1 more? y/n | nothing sent | key n | "
	 ":filter redis | !signal TERM => none of the tagged tasks is shown | :untag | :signal TERM | targets 1 | "
	 "question Send SIGTERM to redis 8 (root)? y/n"},
	{"it is chosen by typing",
	 ":signal | 'k | choice SIGKILL | key Esc | open - | :signal | '9 | choice SIGKILL | key Esc | :signal | '1 | "
	 "choice SIGHUP | key Esc | :signal | '15 | choice SIGTERM | key Esc | :signal | 'usr2 | choice SIGUSR2 | key Esc | "
	 ":signal | 'sigc | choice SIGCHLD | key Esc | :signal | 'CONT | choice SIGCONT | key Esc | :signal | 'zk | "
	 "choice SIGKILL | key Esc | nothing sent"},
	{"it is chosen by arrows that stop at the ends",
	 ":signal | key Up | choice SIGTERM | key End Down | choice SIGSYS | key Home Down Enter | "
	 "question Send SIGHUP to " WHO "? y/n"},
	{"what says neither is no answer, and no sends nothing",
	 ":signal KILL | key x Enter | open signals | key n | open - | targets 0 | :signal KILL | key N | open - | :signal KILL | "
	 "key q | open - | :signal KILL | key Esc | open - | :signal KILL | key ^C | open - | targets 0 | nothing sent"},
	{"by name or number it is asked about at once",
	 ":signal sigusr1 | question Send SIGUSR1 to " WHO "? y/n | key n | :signal 34 | "
	 "question Send signal 34 to " WHO "? y/n | key n | !signal nonsense => nonsense: unknown signal | "
	 "!signal 65 => 65: unknown signal | !signal 0 => 0: unknown signal"},
	{"the task that was asked about gets it, wherever the cursor is by then",
	 ":signal TERM | :last | key y | opened 7 | said sent SIGTERM to " WHO},
	{"a pid that was given to another is refused", "@began 1 | !signal TERM => " REUSED " | nothing sent"},
	{"a task that began within the tick of the screen is put off",
	 "@began 0 | !signal TERM => " WHO " started just as the screen was drawn; try again after the next refresh | @began -1 | "
	 ":signal TERM | open signals"},
	{"on a line of the log it is for the outgoing task",
	 "@switches | :signal TERM | " ASKED " | key n | @threads 1 | :affinity 0 | bound 1 | @ended | "
	 "!signal TERM => 7 has ended | @another | !signal TERM => 7 has ended | nothing sent"},
	{"on a pair it is for the victim",
	 "@pairs | :signal TERM | " ASKED " | key n | :by name | "
	 "!signal TERM => this row sums all tasks of a name; pairs by task have a row each | nothing sent"},
	{"to a group it says how to get to the members",
	 ":view groups | !signal TERM => a group is not a single task; Enter shows its members"},
	/* the time of birth is looked at again before it is sent */
	{"without descriptors it goes to the number of the same task",
	 "@open ENOSYS | :signal TERM | key y | sent-pid 7 | sent-open 0"},
	{"without descriptors another task with the number does not get it",
	 "@open ENOSYS | :signal TERM | @began 1 | key y | sent-pid 0 | wrong yes | says its pid was reused"},
	{"a task that has ended meanwhile is refused",
	 ":signal TERM | @gone ESRCH | key y | nothing sent | said " WHO " has ended | @gone 0 | @open ESRCH | "
	 "!signal TERM => 7 has ended | @open PIDFD | @zombie | "
	 "!signal TERM => " WHO " is a zombie: it has exited and waits for its parent"},
	/* its number may be another's already */
	{"a row that has ended is not even looked at", "@ended | :first | !signal => 7 has ended | opened 0"},
	{"what the kernel refuses says why",
	 "@signal EPERM | :signal TERM | key y | wrong yes | said " WHO ": only its owner, root or CAP_KILL may send SIGTERM | "
	 "@signal ESRCH | :signal TERM | key y | said " WHO " has ended | @signal EINVAL | :signal TERM | key y | "
	 "said " WHO ": this kernel has no SIGTERM | @signal EAGAIN | :signal TERM | key y | wrong yes | "
	 "said " WHO ": Resource temporarily unavailable"},
	{"kernel threads and the first process get none",
	 "@kernel thread | !signal => " WHO " is a kernel thread: it takes no signals | @init | "
	 "!signal => init 1 (root) is the first process, killing it stops the system: perftop does not signal it"},
	{"to perftop itself it is asked about twice",
	 "@perftop | :signal TERM | key y | question This is perftop itself. Really send it SIGTERM? y/n | nothing sent | key y | "
	 "sent-open 1000000"},
	{"of tagged tasks those that have ended are left out",
	 ":tag | :tag | @ended | :signal TERM | targets 1 | question Send SIGTERM to nginx-worker 70 (root) (1 had ended)? y/n | key y | "
	 "opened 70 | said sent SIGTERM to 1 task; 1 had ended | @exit | !signal TERM => 70 has ended"},
	{"of tagged tasks those whose number was given again are left out",
	 ":tag | :tag | @reborn 7 | @threads 70 | :signal TERM | targets 1 | question Send SIGTERM to nginx-worker 70 (root) (1 had ended)? y/n | "
	 "key n | nothing sent | :nice +1 | said nice +1 for 1 task; 1 had ended"},
	{"of tagged tasks one that is too new puts off all",
	 ":tag | :tag | @began 0 | !signal TERM => nginx 7 (root) started just as the screen was drawn; try again after the next refresh | "
	 "targets 0"},
};

#define GONE ": not available in a recording"
#define FOLDED " => short-lived processes"
#define SUMMED " => this row sums ended processes"
#define NO_TASK " => this row is not a task"
#define NONE " => no task selected"
static const struct story other_stories[] = {
	{"in a recording there is nothing to act on",
	 "@replay | !signal => signal" GONE " | !signal TERM => signal" GONE " | !nice +1 => nice" GONE " | !affinity 0 => affinity" GONE " | "
	 "!ask nice => nice" GONE " | !ask affinity => affinity" GONE " | !ask record => record" GONE},
	{"a row of exited tasks says what it is",
	 "@folded | !signal" SUMMED " | !nice +1" SUMMED " | !affinity 0" SUMMED " | !hand-over" FOLDED},
	{"the page of a row of exited tasks lists them, and says how to see each",
	 "@folded | :task | text started and ended in this interval: 1 | text gone                   1     1.00ms | text H lists them one by one, 4 and b sum | key q | view tasks | over no"},
	{"so does what is below the list", "@folded | screen started and ended in this interval: 1 | screen gone                   1     1.00ms"},
	{"the row of what belongs to no task says what it is",
	 "@unattributed | !signal" NO_TASK " | !nice +1" NO_TASK " | !affinity 0" NO_TASK " | !task" NO_TASK " | !hand-over" NO_TASK},
	{"without a task actions are refused", ":view cpus | !signal" NONE " | !nice +1" NONE " | !affinity 0" NONE},
	{"nice changes all threads by so much",
	 "@threads 3 | :nice +1 | reniced 2 | said " WHO ": nice 1 (was 0); 2 threads"},
	{"nice stops at the ends",
	 "@threads 1 | @nice 19 | :nice +1 | reniced 0 | said " WHO ": nice 19 already, the lowest priority | @nice -19 | :nice -5 | "
	 "new-nice -20 | @nice -20 | :nice -1 | said " WHO ": nice -20 already, the highest priority | :nice =3 | new-nice 3 | "
	 ":nice 4 | new-nice 4"},
	{"what is no nice value is refused",
	 "!nice x => x: not a nice value | !nice + => +: not a nice value | !nice = => =: not a nice value | "
	 "!nice =-21 => =-21: not a nice value | !nice =20 => =20: not a nice value | !nice 20 => 20: not a nice value | "
	 "!nice +41 => +41: not a nice value | !nice 1.5 => 1.5: not a nice value | !nice --1 => --1: not a nice value | "
	 "!nice =+1 => =+1: not a nice value"},
	{"a nice value that the kernel refuses says why",
	 "@threads 1 | @set-nice EACCES | !nice -1 => " WHO ": nice -1 raises its priority: this needs root, CAP_SYS_NICE or a limit "
	 "(ulimit -e) | @set-nice EPERM | !nice -1 => " WHO ": only its owner, root or CAP_SYS_NICE may change its nice value | "
	 "@set-nice ESRCH | !nice -1 => " WHO " has ended | @threads 0 | !nice -1 => " WHO " has ended"},
	{"affinity binds all threads",
	 "@threads 2 | :affinity 0-2,5 | bound 2 | cpus 4 | said " WHO ": CPUs 0-2,5; 2 threads | :affinity all | cpus 8192"},
	{"affinity that is refused says why",
	 "@threads 1 | !affinity x => x: not a list of CPUs | !affinity 3-1 => 3-1: not a list of CPUs | "
	 "!affinity 9999 => 9999: not a list of CPUs | @set-cpus EPERM | "
	 "!affinity 0 => " WHO ": only its owner, root or CAP_SYS_NICE may change its CPUs | @set-cpus EINVAL | "
	 "!affinity 64 => " WHO ": none of the CPUs 64 is online and allowed to it (its cpuset) | @kernel thread | "
	 "!affinity 0 => " WHO " is a kernel thread that belongs to its CPU | @set-cpus ESRCH | "
	 "!affinity 0 => " WHO " has ended"},
	{"the prompt proposes, and holds on to its task",
	 "@threads 1 | :ask affinity | typed 0-3 | :last | key End | ',6 | key Enter | prompt - | said " WHO ": CPUs 0-3,6 | "
	 "@nice -3 | :first | :ask nice | typed =-3"},
	{"a prompt that is left holds on to nothing", ":ask nice | targets 1 | key Esc | targets 0 | reniced 0"},
	{"a prompt that is refused is tried again on the same task",
	 "@threads 1 | :ask affinity | @set-cpus EPERM | key Enter | prompt affinity | :last | @set-cpus 0 | key Enter | prompt - | "
	 "said " WHO ": CPUs 0-3"},
};
/* clang-format on */

UNIT_TEST(actions_do_what_their_stories_say)
{
	more_steps = take_own_step;
	take_stories(signal_stories, COUNT_OF(signal_stories));
	take_stories(other_stories, COUNT_OF(other_stories));
	more_steps = NULL;
}

UNIT_TEST(signal_question_is_short_where_there_is_no_room)
{
	struct frame frame = {0};

	run("signal KILL");
	screen_resize(&kit.app.screen, 30, 8);
	mode_show(&kit.app, &frame);
	assert_string_equal(frame.message, "SIGKILL to 7? y/n");
	screen_resize(&kit.app.screen, 80, 24);
	mode_show(&kit.app, &frame);
	assert_string_equal(frame.message, "Send SIGKILL to nginx 7 (root)? y/n");
}

/* The machine slept with the screen frozen: to the clock of the records the other task began in the
 * past. Of a screen after the sleep it did. */
UNIT_TEST(signal_to_a_pid_that_was_given_to_another_before_a_sleep_is_refused)
{
	acting_note_sleep(&kit.app, kit.now_ns);
	playback_freeze(kit.app.playback, true);
	kit_build();
	kit.start_ticks = kit.now_ns / 10000000 + 100;
	fake.slept_ns = INT64_C(3600000000000);
	assert_refused_as("signal TERM => " REUSED);
	assert_int_equal(fake.sent_open + fake.sent_pid, 0);

	kit_pass_to(kit.now_ns + UINT64_C(2000000000));
	acting_note_sleep(&kit.app, kit.now_ns);
	playback_freeze(kit.app.playback, false);
	kit_build();
	run("signal TERM");
}

/* 77 is a thread of 7. */
UNIT_TEST(nice_and_cpus_of_a_thread_are_its_own)
{
	const struct nice_change change = {.value = 3};
	struct targets targets = {0};
	struct strbuf done = {0};
	struct error error = {0};

	kit.threads[0] = 7;
	kit.threads[1] = 77;
	kit.thread_count = 2;
	assert_true(targets_add(&targets, &(struct target_row){7, 77, true, UINT64_MAX / 4, 0},
				false, &error));
	assert_true(actions_nice(&targets, &change, &done, &error));
	assert_int_equal(fake.reniced_count, 1);
	assert_int_equal(fake.reniced[0], 77);
	assert_string_equal(strbuf_text(&done), "nginx 77 (root): nice 3 (was 0)");
	assert_true(actions_set_cpus(&targets, "1", NULL, &done, &error));
	assert_int_equal(fake.bound, 1);
	targets_clear(&targets);
	strbuf_fini(&done);
}

UNIT_TEST(target_that_is_a_thread_of_another_process_is_refused)
{
	struct targets targets = {0};
	struct error error = {0};

	assert_false(targets_add(&targets, &(struct target_row){8, 77, true, UINT64_MAX / 4, 0},
				 false, &error));
	assert_string_equal(error.text, "77 has ended");
	assert_int_equal(targets.count, 0);
}

/* 970 is not in /proc. */
UNIT_TEST(target_that_cannot_be_read_has_not_ended)
{
	static const struct target_row row = {970, 970, false, UINT64_MAX / 4, 0};
	struct targets targets = {0};
	struct error error = {0};

	assert_false(targets_add(&targets, &row, false, &error));
	assert_int_equal(error.code, ERROR_TARGET_UNREAD);
	assert_string_equal(error.text,
			    "970 exists, but /proc does not identify it; nothing was done to it");
	fake.gone = -EPERM; /* it is somebody else's */
	assert_false(targets_add(&targets, &row, false, &error));
	assert_int_equal(error.code, ERROR_TARGET_UNREAD);
	fake.gone = -ESRCH;
	assert_false(targets_add(&targets, &row, false, &error));
	assert_int_equal(error.code, ERROR_TARGET_ENDED);
	fake.open = -EMFILE;
	assert_false(targets_add(&targets, &row, false, &error));
	assert_string_equal(error.text, "970: Too many open files");
	fake.open = -ENOSYS; /* Linux before 5.3 */
	assert_false(targets_add(&targets, &row, false, &error));
	assert_int_equal(error.code, ERROR_TARGET_ENDED);
}

/* Several at once: what was done to some stays done, and the first refusal is told. */
UNIT_TEST(actions_on_several_tell_how_many)
{
	struct targets targets = {0};
	struct strbuf done = {0};
	struct error error = {0};

	for (int32_t pid = 7; pid < 10; pid++)
		assert_true(targets_add(&targets,
					&(struct target_row){pid, pid, false, UINT64_MAX / 4, 0},
					false, &error));
	targets_write(&targets, &done);
	assert_string_equal(strbuf_text(&done), "nginx 7 (root) and 2 more");
	strbuf_clear(&done);
	assert_true(actions_signal(&targets, SIGTERM, &done, &error));
	assert_string_equal(strbuf_text(&done), "sent SIGTERM to 3 tasks");
	targets.items[1].pid = targets.items[1].tid = 900; /* of whom /proc knows nothing */
	targets.items[1].fd = -ENOSYS;
	strbuf_clear(&done);
	assert_true(actions_signal(&targets, SIGTERM, &done, &error));
	assert_string_equal(strbuf_text(&done), "sent SIGTERM to 2 tasks; 1 had ended");
	fake.signal = -EPERM;
	assert_false(actions_signal(&targets, SIGTERM, &done, &error));
	assert_string_equal(
		error.text,
		"nginx 7 (root): only its owner, root or CAP_KILL may send SIGTERM (0 of 3 done)");
	fake.signal = 0;
	fake.gone = -ESRCH;
	assert_false(actions_signal(&targets, SIGTERM, &done, &error));
	assert_string_equal(error.text, "nginx 7 (root) has ended (0 of 3 done)");
	targets_clear(&targets);
	strbuf_fini(&done);
}

UNIT_TEST(signals_parse_knows_each_by_its_names)
{
	size_t count;
	const struct signal_info *table = signals_table(&count);
	char name[SIGNAL_NAME_MAX];

	assert_int_equal(count, 31);
	assert_int_equal(table[0].number, SIGTERM);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(signals_parse(table[i].name), table[i].number);
		assert_int_equal(signals_parse(table[i].name + 3), table[i].number);
		signals_name(table[i].number, name);
		assert_string_equal(name, table[i].name);
		assert_true(table[i].help[0] != '\0');
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(table[i].number, table[j].number);
	}
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
