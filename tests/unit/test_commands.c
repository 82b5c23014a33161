/*
 * The commands and the keys, each on an app without terminal and kernel. The table of the keys is
 * walked, so that a key without an entry here, an entry without a key, and a key that does
 * something else than its entry says are all found.
 */

#include <signal.h>

#include "kernel/load.h"

#include "app_story.h"
#include "mode/app_view.h"
#include "playback/playback_parts.h"

/* clang-format off */
static const struct {
	const char *key, *before; /* steps before it */
	const char *deed;         /* "ASPECT VALUE": what is so afterwards, and was not before */
} deeds[] = {
	{"Space",     "",                            "tags 1"},
	{"Left",      ":freeze",                     "interval 4"},
	{"Right",     ":freeze | :step-back",        "interval 5"},
	{",",         "",                            "interval 4"},
	{".",         "",                            "open sort-menu"},
	{"g",         "",                            "prompt jump"},
	{"{",         "@replay | :speed max",        "speed recorded"},
	{"}",         "@replay",                     "speed max"},
	{"F1",        "",                            "open help"},
	{"h",         "",                            "open help"},
	{"?",         "",                            "text CPU %"},
	{"F2",        "",                            "open setup"},
	{"q",         "",                            "over yes"},
	{"F10",       ":view groups | key Enter",    "over yes"},
	{"a",         "",                            "prompt attach"},
	{"A",         ":attach 8",                   "attached 0"},
	{"Enter",     "",                            "open page"},
	{"Backspace", ":view groups | key Enter",    "view groups"},
	{"W",         ":view pairs",                 "window 60"},
	{"b",         ":view pairs",                 "pairs name"},
	{"[",         "@history | :view timeline",   "span shorter"},
	{"]",         "@history | :view timeline | :zoom-in", "span longer"},
	{"l",         "",                            "strips miss"},
	{"o",         ":view timeline",              "colour ipc"},
	{"G",         "",                            "view functions"},
	{"y",         ":calls flame",                "says colours by object"},
	{"O",         ":view functions",             "samples off-cpu"},
	{"Y",         ":view functions",             "weight latency"},
	{"M",         "",                            "sort miss%"},
	{"I",         "",                            "sort ipc"},
	{"P",         ":sort pid",                   "sort cpu%"},
	{"N",         "",                            "sort pid"},
	{"T",         "",                            "sort time"},
	{"S",         "",                            "sort sw/s"},
	{"F6",        "",                            "open sort-menu"},
	{"<",         "",                            "sort user"},
	{">",         "",                            "sort ghz"},
	{"R",         "",                            "reversed yes"},
	{"/",         "",                            "prompt search"},
	{"F3",        "",                            "prompt search"},
	{"n",         ":search nginx",               "row 70"},
	{"p",         ":search nginx | :last",       "row 70"},
	{"\\",        "",                            "prompt filter"},
	{"F4",        "",                            "prompt filter"},
	{"&",         "",                            "prompt filter-add"},
	{"e",         "",                            "open events"},
	{"L",         "",                            "said counting cycles and instructions only"},
	{"m",         "",                            "marked yes"},
	{"D",         "",                            "prompt metric"},
	{"+",         "",                            "prompt column"},
	{"f",         "",                            "says columns memory: "},
	{"H",         "",                            "threads yes"},
	{"i",         "",                            "idle yes"},
	{"K",         "",                            "kernel no"},
	{"E",         "",                            "exited no"},
	{"Ins",       "",                            "tags 1"},
	{"C",         "",                            "tags 2"},
	{"U",         ":tag",                        "tags 0"},
	{"F",         "",                            "followed yes"},
	{"t",         "",                            "tree yes"},
	{"F5",        "",                            "tree yes"},
	{"-",         ":tree",                       "rows 2"},
	{"=",         ":tree",                       "rows 2"},
	{"*",         ":tree",                       "folds all"},
	{"c",         "",                            "lines yes"},
	{"u",         "",                            "prompt user"},
	{"d",         "",                            "prompt delay"},
	{"s",         "",                            "prompt delay"},
	{"k",         "",                            "open signals"},
	{"F9",        "",                            "open signals"},
	{"F7",        "",                            "nice -1"},
	{"F8",        "",                            "nice 1"},
	{"r",         "",                            "prompt nice"},
	{"B",         "",                            "prompt affinity"},
	{"!",         "",                            "said nothing is wrong in what is counted"},
	{"Z",         "",                            "frozen yes"},
	{"Tab",       "",                            "view cpus"},
	{"w",         "",                            "prompt record"},
	{"x",         "",                            "prompt hand-over"},
	{"v",         "",                            "prompt by-event"},
	{"BackTab",   ":view cpus",                  "view tasks"},
	{"1",         ":view cpus",                  "view tasks"},
	{"2",         "",                            "view cpus"},
	{"3",         "",                            "view switches"},
	{"4",         "",                            "view groups"},
	{"5",         "",                            "view pairs"},
	{"6",         "",                            "view histogram"},
	{"7",         "",                            "view timeline"},
	{"8",         "",                            "view functions"},
	{"9",         "",                            "view memory"},
	{":",         "",                            "prompt command"},
	{"Up",        ":down",                       "row 7"},
	{"Down",      "",                            "row 70"},
	{"PgUp",      ":last",                       "row 7"},
	{"PgDn",      "",                            "row 8"},
	{"Home",      ":last",                       "row 7"},
	{"End",       "",                            "row 8"},
	{"S-Left",    ":scroll-right",               "scroll 0"},
	{"S-Right",   "",                            "scroll 1"},
	{"Esc",       ":filter nginx",               "filter -"},
	{"^L",        "",                            "repaints 1"},
};
/* clang-format on */

static void begin_deed(const char *before)
{
	const struct strips *strips;

	kit_tear_down(NULL);
	kit_set_up(NULL);
	kit.threads[0] = 7; /* the cursor is on it */
	kit.thread_count = 1;
	kit_task(70)->parent_pid = 7;
	for (int i = 1; i < 5; i++)
		kit_tick();
	kit_build();
	kit.engine->counts_cpus = true;
	compose_frame_draw(&kit.app); /* how many rows a page has */
	take_steps(before);
	strips = kit.app.parts[PART_timeline];
	story_span = strips->span_ns > 0 ? strips->span_ns : UINT64_MAX;
}

UNIT_TEST(every_key_of_the_help_does_what_it_says)
{
	size_t count;
	const struct key_binding *table = keys_now(NULL, &count);
	const char *found;

	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < COUNT_OF(deeds) && strcmp(deeds[at].key, table[i].key) != 0)
			at++;
		if (at == COUNT_OF(deeds))
			fail_msg("%s: nothing says what it does", table[i].key);
		begin_deed(deeds[at].before);
		if (is_so(deeds[at].deed, &found))
			fail_msg("%s: %s before it is pressed", table[i].key, deeds[at].deed);
		press_all(table[i].key);
		if (!is_so(deeds[at].deed, &found))
			fail_msg("%s (%s): not \"%s\"", table[i].key, table[i].command,
				 deeds[at].deed);
	}
	assert_int_equal(count, COUNT_OF(deeds));
}

/* clang-format off */
static const struct story stories[] = {
	{"a key for what is not shown says where it works",
	 "key O | said O works in: functions | samples on-cpu | "
	 "key o | said o works in: timeline | colour task | "
	 "key W | said W works in: pairs, histogram, functions | "
	 "key y | said y works in: the flame graph | "
	 "key b | said b works in: groups, pairs, functions | :view cpus | "
	 "key l | said l works in: tasks, switches, groups, pairs, histogram, functions | strips - | "
	 ":view timeline | key l | strips - | "
	 "key t | said t works in: tasks, pairs, functions | tree no"},
	{"what needs a task is in the key line where one is selected",
	 "@size 200 40 | :idle on | screen k signal | :view groups | unseen k signal | :view tasks | screen k signal"},
	{"what needs the present, and sets of columns, is not in the key line of what has none",
	 "@size 200 40 | screen w record | screen f column set | :view switches | unseen f column set | "
	 "@replay | @size 200 40 | :view tasks | unseen w record | unseen k signal | unseen x perf record"},
	{"the key of the next form says where it leads",
	 "@size 120 24 | :view pairs | screen t wakers | key t | screen t locks | :view functions | screen t callees | "
	 "key t | screen t callers | key t | screen t flame graph | key t | screen t list"},
	{"the mode of a view is on its tab, and goes when the view is left",
	 ":view functions | screen [8 functions] | key O | screen [8 functions: off-CPU] | key t | screen [8 functions: off-CPU, callees] | "
	 ":view tasks | :view functions | screen [8 functions]"},
	{"the event of samples is on the tab as far as there is room, and samples off the CPU are of none",
	 "@size 160 24 | :view functions | @by event | :calls callees | screen [8 functions: uprobe:/usr/lib/libc.so., callees] | "
	 "key O | screen [8 functions: off-CPU, callees]"},
	{"a view comes back in the mode in which it was entered",
	 ":samples wakers | :view functions | screen [8 functions: wakers] | key O | screen [8 functions] | :view tasks | samples wakers"},
	{"tree and threads are on the tab of tasks", ":tree | :threads | screen [1 tasks: tree, threads]"},
	{"so are the forms of others",
	 ":view pairs | :pairs wakers | :by name | screen [5 pairs: wakers, by name] | :view timeline | :colour ipc | screen [7 timeline: IPC] | "
	 ":group-by user | screen [4 groups: by user] | :view pairs | pairs name"},
	{"what was said of a view is over in another, and on a page",
	 ":view pairs | :window 60s | says window of pairs | :view tasks | said  | :threads | says showing threads | :help | said  | "
	 "key q | said "},
	{"an error stays when another view is shown", "@error | key 5 | said something"},
	{"unknown commands are named",
	 "!fly away => fly: unknown command | !sor => sor: could be sort, sort-left, sort-menu, sort-right | "
	 "!0123456789012345678901234567890123456789 => 0123456789012345678901234567890: unknown command"},
	{"a beginning that is no other's will do",
	 "!filt => filt: could be filter, filter-add | :vie cpus | view cpus | :q | over yes"},
	{"without its argument, or with one too many, the usage is said",
	 "!ask => usage: ask PROMPT | !delay => usage: delay SECONDS | !sort => usage: sort [-|+]COLUMN,... | "
	 "!view => usage: view VIEW | !width => usage: width COLUMN [N] | !quit now => usage: quit  | over no"},
	{"blanks around words are no words", ":  threads   | threads yes | :sort   ipc | order ipc"},
	{"all leaves what was attached", ":attach 7 | attached 1 | :all | attached 0 | said all tasks"},
	{"pairs are of takers, of wakers or of locks, on the key of other forms, too",
	 ":view pairs | key t | pairs wakers | columns  wakee waker | key t | columns  lock waiter holder | screen locks | key t | columns  victim taker | tree no | "
	 ":view tasks | :pairs wakers | view pairs | pairs wakers | !pairs friends => friends: no such value"},
	{"columns chooses and takes back",
	 ":columns pid,ipc | columns  pid ipc  | !columns pid,bad => bad: unknown column | columns  pid ipc  | "
	 ":columns | columns  pid user | :columns pid | :columns default | columns  pid user "},
	{"an added column is seen on a narrow screen, too",
	 "@size 80 24 | unseen PPID | :column ppid | screen PPID | screen COMMAND | :columns scheduling | screen PPID"},
	{"columns takes a set, which other columns join and leave",
	 ":columns memory | columns  pid cpu% ipc miss% mpki  | columns  command  | :column ppid | columns  ppid command  | "
	 ":columns branches | columns  branch_pct ppid command  | :remove-column ppid | columns  branch_pct command  | "
	 ":remove-column branch_pct | just  pid cpu% ipc branch_miss_pct br-mpki command  | "
	 ":columns Scheduling  | columns  pid cpu% ipc sw/s  | :columns | columns  pid user "},
	{"a set is a set alone", ":columns pid,branches | just  pid branches "},
	{"a set has what the rows of the view have",
	 ":view cpus | :columns scheduling | columns  cpu cpu% ipc sw/s  | columns  dwait%  | :view groups | :columns scheduling | "
	 "columns  tasks cpu% ipc sw/s  | columns  group  | "
	 ":view pairs | !columns memory => memory: no column sets in the view pairs | columns  victim taker "},
	{"next-columns goes through the sets and back",
	 ":next-columns | says columns memory: cache | columns mpki | :next-columns | "
	 "columns branch_pct | :next-columns | columns migr/s | :next-columns | columns usr_pct | :next-columns | columns lat_pct | :next-columns | columns irq_pct | :next-columns | columns psi-cpu | :next-columns | said default columns | columns  pid user  | "
	 ":columns pid,ipc | :next-columns | columns mpki | :columns pressure | :next-columns | "
	 "said your own columns | just  pid ipc  | :view switches | :next-columns | "
	 "said topdown: no column sets in the view switches"},
	{"a key for an order that is not counted offers what is",
	 "@denied | key I | says rows are not sorted by it; F6: what they can be sorted by | open - | !sort ipc => IPC: not counted here (cycles); rows are not sorted by it"},
	{"without counters it opens the menu, which has no column of theirs",
	 "@size 120 24 | :columns pid,ipc,cpu% | :sort-menu | screen Instructions finished | key Esc | @no counters | @denied | "
	 "key I | says rows are not sorted by it | open sort-menu | screen PID | unseen Instructions finished | key Enter | open -"},
	{"a set that is mostly unknown here is passed over, but shown by its name",
	 "@refused | :next-columns | unseen topdown | columns miss% | :columns topdown | columns fe_bound_pct"},
	{"what of a set is not counted is said", 
	 ":columns branches | says columns branches: how many | :columns topdown | "
	 "says topdown: not counted here (slots-retiring: | @refused | :columns memory | "
	 "says memory: not counted here: DTLB-MPKI, L1D-LMPKI (it: not your process"},
	{"command-lines goes there and back",
	 "lines no | :command-lines | lines yes | :command-lines | lines no | :command-lines on | lines yes | "
	 ":command-lines off | lines no"},
	{"the interval of a recording is fixed",
	 "@replay | !delay 0.5 => delay: not available in a recording"},
	{"functions are by an event, and by time again",
	 ":by-event page-faults/period=1/ | said functions by page-faults/period=1/ | :ask by-event | typed page-faults/period=1/ | key Esc | "
	 "!by-event cycles,bad => bad: unknown event | fault 16 | !by-event cycles,instructions => cycles,instructions: functions are shown by one event | "
	 ":by-event | said functions by time | @replay | !by-event cycles => by-event: not available in a recording"},
	{"the head is chosen and goes round",
	 "head full | :head | said head: line | :head | said head: none | head none | :head | head full | "
	 "!head yes => yes: no such value | :head line | head line"},
	{"F1 lists the keys that do something in a view",
	 "@size 120 30 | key F1 | screen Space tag | screen H threads | screen i idle | screen c command lines | screen k signal | screen l CPU bars | key q | "
	 ":view groups | key F1 | screen i idle | screen Enter open  Backspace | unseen H threads | unseen k signal | key q | "
	 ":view switches | key F1 | screen k signal | unseen F follow | key q | :view pairs | key F1 | screen r nice | unseen F follow | key q | "
	 ":view cpus | key F1 | screen Enter open  Backspace | unseen k signal | unseen r nice | unseen B CPUs | unseen F follow | key q | "
	 ":view histogram | key F1 | screen W window | unseen Enter open  Backspace | unseen k signal | unseen F7 | unseen F follow | key q | "
	 ":view timeline | key F1 | screen k signal | unseen F follow | key q | "
	 ":view functions | key F1 | screen t callees | unseen Space tag | unseen H threads | unseen i idle | unseen c command lines | unseen k signal | "
	 "unseen F follow | screen d delay | key q | @replay | key F1 | unseen d delay"},
	{"the verdict is left out, and is back",
	 ":verdict off | said verdict: off | :verdict | said verdict: on"},
	{"the bars of CPUs are chosen and go round",
	 ":cpu-strips ipc | strips ipc | !cpu-strips mean => mean: no such value | strips ipc | "
	 ":cpu-strips | said CPU bars: miss | :cpu-strips | said CPU bars: off | :cpu-strips | said CPU bars: busy | "
	 ":cpu-strips | said CPU bars: ipc | strips ipc"},
	{"the cursor moves over the rows",
	 "row 7 | :down | row 70 | :up | row 7 | :last | row 8 | :first | row 7 | @short | :page-down | row 8 | "
	 ":page-up | row 7"},
	{"close leaves what was opened, then the program",
	 ":view groups | key Enter | view tasks | key q | view groups | over no | key q | over yes"},
	{"close leaves the functions of a task", ":functions | view functions | key q | view tasks | over no"},
	{"escape takes back the message, then the filter",
	 ":filter nginx | @error | :escape | said  | filter nginx | :escape | filter -"},
	{"a filter keeps its blanks", ":filter nginx -g | filter nginx -g | :filter | filter -"},
	{"a filter compares columns",
	 ":filter cpu% >= 20 && command ~ \"^nginx\" | rows 2 | :filter !nginx | rows 1"},
	{"a refused filter leaves the one before",
	 ":filter nginx | !filter cpu% >  => expected a value | fault 14 | filter nginx"},
	{"a filter says what the machine refuses",
	 ":filter test:refused > 5 | said test:refused: not counted: the test says so | rows 0"},
	{"help is one screen, from which Enter leads to a chapter, and a key to what it does",
	 "@size 80 24 | :help | open help | screen k signal | screen F follow | key Enter | text # View tasks | key q | screen F follow | "
	 "key End Enter | text # Keys | key q | key N | open - | sort pid"},
	{"help has the keys of the view and no others",
	 "@size 80 24 | :help | screen f column set | screen L light set | unseen W window | unseen no waits | key q | "
	 ":view pairs | :help | screen W window | unseen f column set | key q | @no counters | :help | unseen L light set"},
	{"idle asks /proc for all tasks", ":idle | idle yes | walks 1 | :idle | idle no | walks 1"},
	{"among chosen tasks idle asks for none", "@chosen | :idle | idle yes | walks 0"},
	{"views follow each other in a ring",
	 ":next-view | view cpus | :previous-view | view tasks | :previous-view | :next-view | view tasks | "
	 ":view timeline | view timeline"},
	{"redraw paints everything", ":redraw | repaints 1"},
	{"reverse turns the order", ":reverse | reversed yes | :first | row 8 | :reverse | reversed no"},
	{"scroll moves columns", ":scroll-right | scroll 1 | :scroll-left | scroll 0 | :scroll-left | scroll 0"},
	{"search finds the next and goes round",
	 ":search NGINX | row 7 | :search-next | row 70 | :search-next | row 7 | :search 8 | row 8"},
	{"search finds what is in command lines where they are shown",
	 ":command-lines off | :last | :search -g x | wrong yes | :command-lines on | :search -g x | row 7"},
	{"search without a match where command lines are not shown says how to show them",
	 ":idle | :command-lines off | :search apache | said no match for \"apache\" (c: show command lines)"},
	{"search without a match says so and stays",
	 ":down | :search apache | said no match for \"apache\" (i: include idle tasks) | wrong yes | row 70"},
	{"search-next without words asks for them", ":search-next | prompt search"},
	{"search-previous without words asks for them", ":search-previous | prompt search"},
	{"search in no rows says so", "@nobody | :search nginx | wrong yes"},
	{"sort takes signs",
	 ":sort +ipc | order ipc | reversed yes | !sort bad => bad: unknown column | order ipc"},
	{"sort-left and sort-right move over the columns",
	 ":columns pid,ipc,time | :sort ipc | :sort-right | order time | :sort-right | order pid | :sort-left | "
	 "order time | :sort-left | order ipc"},
	{"from a column that is not shown sort-right goes to one that is",
	 ":columns pid,ipc | :sort time | :sort-right | order pid"},
	{"trend is no order",
	 ":columns pid,ipc,trend,time | !sort -trend => trend: cannot sort by it; it shows the sort column | fault 6 | "
	 ":sort ipc | :sort-right | order time | :sort-left | order ipc | :columns trend | :sort-right | order ipc"},
	{"theme is kept for the screen",
	 ":theme light | theme light | !theme pink => pink: no such value | theme light | :theme | theme mono"},
	{"threads goes there and back",
	 ":threads | threads yes | said showing threads | :threads | threads no | said showing processes"},
	{"user chooses and takes back",
	 ":user root | uid 0 | !user no-such-user => no-such-user: unknown user | uid 0 | :user all | uid -1 | "
	 ":user root | :user | uid -1"},
	{"each prompt is opened by its name",
	 ":ask attach | prompt attach | key Esc | :ask column | prompt column | key Esc | :ask delay | prompt delay | "
	 "key Esc | :ask event | prompt event | key Esc | :ask filter | prompt filter | key Esc | :ask metric | "
	 "prompt metric | key Esc | :ask search | prompt search | key Esc | :ask user | prompt user | key Esc | "
	 ":ask command | prompt command | "
	 "!ask why => usage: ask affinity|attach|by-event|column|command|delay|event|export|filter|filter-add|"
	 "hand-over|jump|metric|nice|record|record-past|search|user"},
	{"the prompt of commands runs what was typed", ":ask command | 'threads\r | threads yes | prompt -"},
	{"a prompt that is refused stays open with the reason",
	 ":ask delay | 'soon\r | prompt delay | refusal soon: delay must be 0.05 to 86400 seconds | typed soon"},
	{"a prompt shows its keys and what the value is",
	 ":delay 2 | key d | typed 2 | screen Enter done  Esc cancel | unseen q quit | key Esc | screen q quit | "
	 ":user 0 | key u | typed 0"},
	{"the prompt of commands may open another", ":ask command | 'ask delay\r | prompt delay"},
	{"the prompt of commands stays where another cannot be opened",
	 "@replay | :ask command | 'ask nice\r | prompt command | faulty no | key ^U | 'view cpus\r | prompt - | view cpus"},
	{"a search that is left says no more of it",
	 ":ask search | 'no-such-name | wrong yes | key Esc | prompt - | said "},
	{"the prompt of the filter is live, and Esc takes it back",
	 ":filter old | :ask filter | typed old | key End | 'er | filter older | key Esc | filter old | prompt -"},
	{"over a log the prompt of the filter waits for its end",
	 ":view switches | :filter sh | :ask filter | key End | 'x | filter sh | key Esc | filter sh | :ask filter | "
	 "key End | 'x | key Enter | filter shx"},
	{"a refused filter has the cursor at the fault",
	 ":filter redis | :ask filter | key End | ' || ipc <\r | prompt filter | cursor 14 | faulty yes | "
	 "refusal expected a value | key Esc | filter redis"},
	{"the prompt of the search is live", ":ask search | 'red | row 8"},
	{"the prompt of attach shows what matches",
	 ":ask attach | 'ngi | candidates 2 | screen  7   /usr/sbin/nginx -g x | key Esc | candidates 0"},
	{"a refused event has the cursor at the fault, whichever prompt it was typed into",
	 ":ask event | 'cycles,bad\r | prompt event | typed cycles,bad | faulty yes | cursor 7 | key Esc | "
	 ":ask command | 'event  cycles,bad\r | cursor 14 | refusal bad"},
	{"a refused metric has the cursor at the fault",
	 ":ask metric | 'double = 2 * (cycles\r | prompt metric | faulty yes | cursor 20"},
	{"refused without a place there is no fault",
	 ":ask command | 'delay never\r | faulty no | cursor 11"},
	{"numbers are keys of the views",
	 "key 2 | view cpus | key 3 | view switches | key 4 | view groups | key 5 | view pairs | key 6 | view histogram | "
	 "key 7 | view timeline | key 1 | view tasks"},
};
/* clang-format on */

UNIT_TEST(commands_do_what_their_stories_say)
{
	take_stories(stories, COUNT_OF(stories));
}

UNIT_TEST(command_run_nothing_does_nothing)
{
	run("");
	run("   ");
	assert_false(kit.app.needs_build);
}

/* Each is run or refused for want of an argument; none is unknown to itself. */
UNIT_TEST(command_table_is_complete)
{
	const struct command_info *const table = command_table.rows;
	const size_t count = command_table.count;

	for (size_t i = 0; i < count; i++) {
		assert_int_equal(
			!!table[i].run + !!table[i].step + (table[i].setting || table[i].act), 1);
		assert_true(table[i].help[0] != '\0');
		assert_non_null(table[i].argument);
		assert_true(strlen(table[i].name) < 32);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(table[j].name, table[i].name);
	}
}

/* Each by its command, as in a configuration; without a word the next one. */
UNIT_TEST(every_setting_takes_its_words_and_goes_round)
{
	kit.engine->counts_cpus = true; /* or there is no latency */
	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting_info *info = &setting_table[i];
		char command[64], word[SETTING_WORD_MAX];
		struct error error = {0};
		int value = 0;

		begin_case(info->name);
		do {
			setting_word(info, value, word);
			assert_int_equal(setting_find(info, word), value);
			snprintf(command, sizeof(command), "%s %s", info->name, word);
			assert_true(command_configure(&kit.app, command, &error));
			assert_int_equal(kit.app.request.settings.all[i], value);
			value = setting_next(info, value);
			run(info->name);
			assert_int_equal(kit.app.request.settings.all[i], value);
		} while (value != 0);
		snprintf(command, sizeof(command), "%s nonsense", info->name);
		assert_false(command_run(&kit.app, command, &error));
		assert_string_equal(error.text, "nonsense: no such value");
		assert_non_null(strstr(error.remedy, info->words));
		assert_int_equal(kit.app.request.settings.all[i], 0);
	}
}

UNIT_TEST(light_that_is_refused_is_not_kept)
{
	kit.engine->host.cpu_pmu[0] = '\0';
	take_steps("!light on => no effect: no hardware counters here");
	assert_int_equal(kit.app.request.settings.light, SETTING_UNSET);
}

UNIT_TEST(light_of_the_configuration_stays_in_it_in_a_replay)
{
	struct error error = {0};

	take_steps("@replay");
	kit.app.is_starting = true;
	kit.app.engine->is_running = true; /* where no change is possible */
	assert_true(command_configure(&kit.app, "light on", &error));
	kit.app.is_starting = false;
	assert_int_equal(kit.app.request.settings.light, 1);
	assert_false(command_configure(&kit.app, "light off", &error));
	assert_int_equal(kit.app.request.settings.light, 1);
}

UNIT_TEST(defaults_in_a_replay_leave_what_a_recording_fixes)
{
	static const char *const lines[] = {"light on", "delay 3", "budget 0.5"};

	take_steps("@replay");
	kit.app.is_starting = true;
	for (size_t i = 0; i < COUNT_OF(lines); i++)
		assert_true(command_configure(&kit.app, lines[i], NULL));
	kit.app.is_starting = false;
	kit.app.engine->is_running = true; /* the engine is asked, and refuses */
	run("threads on");
	run("defaults");
	assert_false(kit.app.request.settings.threads);
	assert_int_equal(kit.app.request.settings.light, 1);
	assert_true(kit.app.delay_s == 3);
	assert_true(engine_budget(kit.app.engine) == 0.5);
}

UNIT_TEST(budget_is_set_and_taken_back)
{
	run("budget 0.5%");
	assert_true(engine_budget(kit.app.engine) == 0.5);
	assert_string_equal(kit.app.message.text, "budget: 0.5 % of the machine");
	take_steps("!budget much => much: a budget is 0.01 to 100 percent of the machine, or none");
	assert_true(engine_budget(kit.app.engine) == 0.5);
	run("budget none");
	assert_string_equal(kit.app.message.text, "no budget");
	assert_true(engine_budget(kit.app.engine) == 0);
	take_steps("@replay | !budget 1 => budget: not available in a recording");
}

UNIT_TEST(delay_sets_the_interval)
{
	run("delay 0.5");
	assert_true(kit.app.delay_s == 0.5);
	take_steps("!delay 0 => 0: delay must be 0.05 to 86400 seconds");
	assert_true(kit.app.delay_s == 0.5);
}

UNIT_TEST(machine_is_in_the_units_of_top)
{
	struct load load = {
		.runnable = {0.5, 1.255, 12},
		.memory_bytes = UINT64_C(24) << 30,
		.memory_used_bytes = UINT64_C(3) << 30,
		.swap_bytes = UINT64_C(1) << 30,
		.uptime_s = 93784,
	};
	struct summary_machine machine;

	appearance_write_machine(&load, &machine);
	assert_string_equal(machine.load, "0.50 1.25 12.00");
	assert_string_equal(machine.memory, "3.0G/24.0G");
	assert_true(machine.memory_pct == 12.5);
	assert_string_equal(machine.swap, "0/1.0G");
	assert_true(machine.swap_pct == 0);
	assert_string_equal(machine.uptime, "1 d 2:03");
	load.swap_bytes = 0;
	appearance_write_machine(&load, &machine);
	assert_string_equal(machine.swap, "");
}

UNIT_TEST(freeze_keeps_what_is_shown)
{
	run("freeze");
	assert_true(playback_is_frozen(kit.app.playback));
	assert_ptr_equal(app_snapshot(&kit.app), kit.app.playback->frozen);
	assert_int_equal(playback_snapshot(kit.app.playback)->task_count, 3);
	run("freeze");

	assert_false(playback_is_frozen(kit.app.playback));
	assert_ptr_equal(app_snapshot(&kit.app), engine_snapshot(kit.engine));
}

/* Whether the first line of the help in sight has the words. */
static bool top_has(const char *words)
{
	struct pager_text shown = pager_shown()->shown;
	size_t line;

	shown.words = words;
	return pager_text_find(&shown, kit.app.screen.width, shown.top, false, &line) &&
	       line == shown.top;
}

UNIT_TEST(help_is_searched)
{
	size_t first;

	screen_resize(&kit.app.screen, 80, 24);
	run("help");
	take_steps("'/sort m");
	assert_true(top_has("sort miss%"));
	assert_true(pager_shown()->search.is_open);
	mode_top(&kit.app)->key(&kit.app, KEY_CODE_ESCAPE);
	assert_int_equal(pager_shown()->shown.top, 0);
	assert_true(mode_is_open(&kit.app, &pager_mode));

	take_steps("'/signal\r");
	first = pager_shown()->shown.top;
	assert_true(top_has("signal"));
	take_steps("'n");
	assert_true(top_has("signal"));
	assert_true(pager_shown()->shown.top > first);
	take_steps("'N");
	assert_int_equal(pager_shown()->shown.top, first);
	take_steps("'/no such words\r");
	assert_string_equal(kit.app.message.text, "no match for \"no such words\"");
	take_steps("'q");
	assert_false(mode_is_open(&kit.app, &pager_mode));
}

UNIT_TEST(view_unknown_lists_those_there_are)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, "view moon", &error));
	assert_int_equal(error.code, ERROR_VIEW_UNKNOWN);
	assert_non_null(strstr(error.remedy, "tasks, cpus"));
	assert_int_equal(kit.app.view, 0);
}

UNIT_TEST(quit_ends_the_loop)
{
	run("quit");
	loop_run(kit_rounds()->loop, NULL); /* would wait for ever */
}

UNIT_TEST(quit_asks_twice_while_the_command_runs)
{
	static char name[] = "sleep", time[] = "100";
	static char *const command[] = {name, time, NULL};

	kit.options.command = command;
	assert_true(child_prepare(engine_child(kit.engine), command, false, NULL));
	assert_true(child_start(engine_child(kit.engine), name, NULL));
	run("close");
	assert_string_equal(kit.app.message.text, "sleep still runs; q again ends it (SIGTERM)");
	kit.app.message.until_ns = 1; /* long ago */
	run("close");
	assert_int_equal(kill(kit.engine->child.pid, 0), 0);
	run("close");
	child_finish(engine_child(kit.engine));

	assert_int_equal(kit.engine->child.exit_status, 128 + 15);
}

UNIT_TEST(trend_joins_the_views_of_tasks_and_cpus)
{
	view_columns_add_trends(&kit.app);
	for (size_t i = 0; i < kit.app.view_count; i++) {
		const struct view_state *view = &kit.app.views[i];
		const bool wants = strcmp(view->info->name, "tasks") == 0 ||
				   strcmp(view->info->name, "cpus") == 0;

		assert_int_equal(view->extras.count, wants);
	}
}

UNIT_TEST(prompt_of_filter_leaves_out_half_an_expression)
{
	size_t fault;

	take_steps(":ask filter | 'nginx && cpu% > | rows 3");
	assert_string_equal(view_table_filter_fault(kit.app.table, &fault), "expected a value");
	assert_int_equal(fault, 15);
	take_steps("' 25 | rows 1");
	assert_string_equal(view_table_filter_fault(kit.app.table, &fault), "");
	take_steps("'\r | prompt -");
}

static bool is_counted(const char *event)
{
	return event_set_has(engine_events(kit.engine), event);
}

/* Whatever is seen, in whichever view, or decides which rows there are and where. */
UNIT_TEST(next_columns_goes_on_counting_all_that_is_shown)
{
	take_steps(":columns memory | :view cpus | :columns branches");
	assert_true(is_counted("branches"));         /* of its own set */
	assert_true(is_counted("dTLB-load-misses")); /* of the set of tasks */

	take_steps(":view tasks | :columns branches");
	assert_true(is_counted("branches"));
	assert_false(is_counted("dTLB-load-misses"));

	take_steps(":columns memory | :sort dtlb_mpki | :filter l1d_mpki > 5 | :columns default");
	assert_true(is_counted("dTLB-load-misses"));
	assert_true(is_counted("L1-dcache-load-misses"));
	assert_true(is_counted("cycles"));

	/* own columns are there again when the sets are left */
	take_steps(":filter | :columns pid,branch_pct | :view cpus | :columns default | "
		   ":view tasks | :columns memory");
	assert_true(is_counted("branches"));
}

UNIT_TEST(command_is_setting_only_what_makes_sense_in_a_file)
{
	struct error error = {0};

	assert_true(command_is_setting(&command_table, "metric a = b", &error));
	assert_true(command_is_setting(&command_table, "sort ipc", &error));
	assert_false(command_is_setting(&command_table, "quit", &error));
	assert_int_equal(error.code, ERROR_CONFIG_COMMAND);
	assert_false(command_is_setting(&command_table, "nonsense", &error));
	assert_int_equal(error.code, ERROR_COMMAND_UNKNOWN);
}

UNIT_TEST(command_configure_says_where_in_the_text)
{
	struct error error = {0};

	assert_false(command_configure(&kit.app, "event cycles,bad", &error));
	assert_non_null(strstr(error.text, "character 8 of 'cycles,bad'"));
	assert_false(command_configure(&kit.app, "quit", &error));
	assert_false(command_configure(&kit.app, "them dark", &error));
	assert_false(loop_is_over(kit_rounds()->loop));
}

UNIT_TEST(sort_where_the_order_is_fixed_says_so)
{
	static const char *const orders[] = {"sort ipc", "sort-left", "sort-right", "reverse"};

	for (size_t i = 0; i < COUNT_OF(orders); i++) {
		run("view switches");
		kit_build();
		kit.app.message.text[0] = '\0';
		run(orders[i]);
		assert_string_equal(kit.app.message.text,
				    "switches are in time order; stopped (Z) they "
				    "sort by ran, off-cpu and sch-delay");
		assert_null(app_current(&kit.app)->order.sort);
		assert_false(app_current(&kit.app)->order.sort_reversed);
		run("view timeline");
		run(orders[i]);
		assert_string_equal(kit.app.message.text,
				    "CPUs are always in the order of their numbers");
	}
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
