/*
 * golden DATA KEPT LARGE [--renew] [NAME...]: what the screens show of kept and made recordings,
 * cell by cell. The program runs in this process as app_run() runs it, on a terminal and in a time
 * that are simulated (simulated.h), so the screens are the same always and everywhere.
 *
 * KEPT/NAME.keys is a script over a recording; its screens, at each size, are in
 * KEPT/NAME.SIZE.screen. With --renew they are written anew: read the difference before you keep
 * it. A script has a line for each step:
 *
 *	data NAME          replays DATA/NAME.data.gz; the first line
 *	beside NAME        a second one, of another host
 *	against NAME       the one that it is compared with
 *	made ARGUMENT...   or one that LARGE (tests/bench/large) makes of these
 *	options OPTION...  for the program; the second, where there are any
 *	sizes WxH...       these instead of 80x24 132x43
 *	styles             the screens have those of their cells; test_theme.c has their colours
 *	press KEY...       as tmux names them; at the first size
 *	type TEXT          and Enter
 *	shot NAME          the screen is NAME's, at each size
 *
 * For a shot the screen gets one size after the other, and the first again; "NAME, again" is kept
 * where that does not bring back what was there. Messages are seen at the first size only: they
 * have gone away before the second.
 */
#include <dirent.h>
#include <err.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"

#include "mode/app_run.h"
#include "mode/views.h"
#include "session/options.h"
#include "simulated.h"

enum {
	SIZES_MAX = 5,
	ARGUMENTS_MAX = 16,
	PATH_BYTES = 4096
};

static const uint64_t MESSAGE_GONE_NS = 5000000000; /* a message is shown for less */

enum step_kind {
	STEP_KEYS,   /* text: the bytes of one key, or of several that are typed at once */
	STEP_RESIZE, /* to the size */
	STEP_WAIT,   /* until messages have gone */
	STEP_SHOT,   /* text: the name */
	STEP_AGAIN   /* the shot at the first size once more */
};

struct step {
	enum step_kind kind;
	char *text; /* owned; NULL: none */
	size_t size;
};

struct size {
	int width, height;
	char *kept;            /* owned; what the file has */
	struct strbuf renewed; /* what it will have */
};

struct script {
	const char *name;
	char data[64], beside[64], against[64], made[64], options[256];
	bool has_styles;
	struct size sizes[SIZES_MAX];
	size_t size_count;
	struct step *steps; /* owned */
	size_t count, capacity, next;
	struct strbuf first; /* the last shot at the first size */
	size_t failures;
};

static struct {
	const char *data, *kept, *large;
	char scratch[PATH_BYTES];
	bool renews;
} play;

/* Shots. */

/* What is kept under that name, up to the next; NULL: nothing is. */
static char *find_section(const char *kept, const char *name)
{
	char title[256];
	const char *begin, *end;

	snprintf(title, sizeof(title), "--- %s\n", name);
	for (begin = strstr(kept, title); begin; begin = strstr(begin + 1, title))
		if (begin == kept || begin[-1] == '\n')
			break;
	if (!begin)
		return NULL;
	begin += strlen(title);
	end = strstr(begin, "\n--- ");
	return end ? strndup(begin, (size_t)(end + 1 - begin)) : strdup(begin);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) == EOF || fclose(file) != 0)
		err(1, "%s", path);
}

__attribute__((format(printf, 1, 2))) static int run_command(const char *format, ...)
{
	char command[3 * PATH_BYTES];
	va_list arguments;
	int status;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	fflush(stdout);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void compare(struct script *script, const struct size *size, const char *name,
		    const char *kept)
{
	char wanted[PATH_BYTES + 16], shown[PATH_BYTES + 16];

	if (kept && strcmp(kept, simulated_screen()) == 0)
		return;
	script->failures++;
	printf("FAILED: %s: %s at %dx%d is not what was kept\n", script->name, name, size->width,
	       size->height);
	snprintf(wanted, sizeof(wanted), "%s/wanted", play.scratch);
	snprintf(shown, sizeof(shown), "%s/shown", play.scratch);
	write_file(wanted, kept ? kept : "");
	write_file(shown, simulated_screen());
	run_command("diff -u --label kept --label shown %s %s", wanted, shown);
}

static void renew(struct size *size, const char *name)
{
	strbuf_printf(&size->renewed, "--- %s\n", name);
	strbuf_add(&size->renewed, simulated_screen());
}

static void take_shot(struct script *script, struct size *size, const char *name)
{
	char *kept;

	if (size == script->sizes) {
		strbuf_clear(&script->first);
		strbuf_add(&script->first, simulated_screen());
	}
	if (play.renews) {
		renew(size, name);
		return;
	}
	kept = find_section(size->kept, name);
	compare(script, size, name, kept);
	free(kept);
}

/* Back at the first size the screen is mostly what it was there. */
static void take_again(struct script *script, struct size *size, const char *name)
{
	char again[256];
	char *kept;

	snprintf(again, sizeof(again), "%s, again", name);
	if (play.renews) {
		if (strcmp(strbuf_text(&script->first), simulated_screen()) != 0)
			renew(size, again);
		return;
	}
	kept = find_section(size->kept, again);
	compare(script, size, again, kept ? kept : strbuf_text(&script->first));
	free(kept);
}

/* After the last one standard input ends, and with it the program. */
static void take_step(void *context)
{
	struct script *script = context;
	const struct step *step = &script->steps[script->next++];
	struct size *size;

	if (script->next > script->count) {
		simulated_end_keys();
		return;
	}
	size = &script->sizes[step->size];
	switch (step->kind) {
	case STEP_KEYS:
		simulated_type(step->text);
		break;
	case STEP_RESIZE:
		simulated_resize(size->width, size->height);
		break;
	case STEP_WAIT:
		simulated_wait(MESSAGE_GONE_NS);
		break;
	case STEP_SHOT:
		take_shot(script, size, step->text);
		break;
	case STEP_AGAIN:
		take_again(script, size, step->text);
		break;
	}
}

/* Scripts. */

/* clang-format off */
static const struct {
	const char *name, *bytes;
} keys[] = {
	{"Space",    " "},
	{"Enter",    "\r"},
	{"Escape",   "\033"},
	{"Tab",      "\t"},
	{"BSpace",   "\177"},
	{"C-u",      "\025"},
	{"Up",       "\033[A"},
	{"Down",     "\033[B"},
	{"Right",    "\033[C"},
	{"Left",     "\033[D"},
	{"Home",     "\033[H"},
	{"End",      "\033[F"},
	{"PageUp",   "\033[5~"},
	{"PageDown", "\033[6~"},
	{"F1",       "\033OP"},
	{"F2",       "\033OQ"},
	{"F6",       "\033[17~"},
};
/* clang-format on */

static const char *bytes_of(const char *key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i].name, key) == 0)
			return keys[i].bytes;
	return key;
}

static void add_step(struct script *script, enum step_kind kind, const char *text, size_t size)
{
	array_reserve(&script->steps, &script->capacity, script->count + 1, sizeof(*script->steps));
	script->steps[script->count++] = (struct step){
		.kind = kind,
		.text = text ? strdup(text) : NULL,
		.size = size,
	};
}

static void add_keys(struct script *script, char *words)
{
	char *rest = NULL;

	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		add_step(script, STEP_KEYS, bytes_of(word), 0);
}

static void add_shot(struct script *script, const char *name)
{
	add_step(script, STEP_SHOT, name, 0);
	if (script->size_count == 1)
		return;
	add_step(script, STEP_WAIT, NULL, 0);
	for (size_t i = 1; i < script->size_count; i++) {
		add_step(script, STEP_RESIZE, NULL, i);
		add_step(script, STEP_SHOT, name, i);
	}
	add_step(script, STEP_RESIZE, NULL, 0);
	add_step(script, STEP_AGAIN, name, 0);
}

static void set_sizes(struct script *script, const char *text)
{
	int width, height, length;

	for (script->size_count = 0; sscanf(text, " %dx%d%n", &width, &height, &length) == 2 &&
				     script->size_count < SIZES_MAX;
	     text += length)
		script->sizes[script->size_count++] =
			(struct size){.width = width, .height = height};
}

static void read_line(struct script *script, char *line)
{
	char *rest = line + strcspn(line, " ");

	if (*rest != '\0')
		*rest++ = '\0';
	if (line[0] == '\0' || line[0] == '#')
		return;
	if (strcmp(line, "data") == 0)
		snprintf(script->data, sizeof(script->data), "%s", rest);
	else if (strcmp(line, "beside") == 0)
		snprintf(script->beside, sizeof(script->beside), "%s", rest);
	else if (strcmp(line, "against") == 0)
		snprintf(script->against, sizeof(script->against), "%s", rest);
	else if (strcmp(line, "made") == 0)
		snprintf(script->made, sizeof(script->made), "%s", rest);
	else if (strcmp(line, "options") == 0)
		snprintf(script->options, sizeof(script->options), "%s", rest);
	else if (strcmp(line, "sizes") == 0)
		set_sizes(script, rest);
	else if (strcmp(line, "styles") == 0)
		script->has_styles = true;
	else if (strcmp(line, "press") == 0)
		add_keys(script, rest);
	else if (strcmp(line, "shot") == 0)
		add_shot(script, rest);
	else if (strcmp(line, "type") == 0) {
		add_step(script, STEP_KEYS, rest, 0);
		add_step(script, STEP_KEYS, bytes_of("Enter"), 0);
	} else
		errx(1, "%s.keys: what is \"%s\"?", script->name, line);
}

/* The whole text of a file; "" where there is none. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t capacity = 0;

	if (!file || getdelim(&text, &capacity, '\0', file) < 0) {
		free(text);
		text = strdup("");
	}
	if (file)
		fclose(file);
	return text;
}

static void screen_path(const struct script *script, const struct size *size, char *path)
{
	snprintf(path, PATH_BYTES, "%s/%s.%dx%d.screen", play.kept, script->name, size->width,
		 size->height);
}

static void script_read(struct script *script, const char *name)
{
	char path[PATH_BYTES];
	char *text, *rest = NULL;

	*script = (struct script){.name = name};
	set_sizes(script, "80x24 132x43");
	snprintf(path, sizeof(path), "%s/%s.keys", play.kept, name);
	text = read_text(path);
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_line(script, line);
	free(text);
	if (script->count == 0)
		errx(1, "%s: no script", path);
	for (size_t i = 0; i < script->size_count; i++) {
		screen_path(script, &script->sizes[i], path);
		script->sizes[i].kept = read_text(path);
	}
}

static void script_fini(struct script *script)
{
	for (size_t i = 0; i < script->count; i++)
		free(script->steps[i].text);
	for (size_t i = 0; i < script->size_count; i++) {
		free(script->sizes[i].kept);
		strbuf_fini(&script->sizes[i].renewed);
	}
	free(script->steps);
	strbuf_fini(&script->first);
}

static void write_renewed(const struct script *script)
{
	char path[PATH_BYTES];

	for (size_t i = 0; i < script->size_count; i++) {
		screen_path(script, &script->sizes[i], path);
		write_file(path, strbuf_text(&script->sizes[i].renewed));
	}
}

static int unpack(const char *name)
{
	return run_command("gzip -cd '%s/%s.data.gz' >%s.data", play.data, name, name);
}

/* The file that is replayed, in the scratch folder, which is the current one, and the others. */
static void make_data(const struct script *script, char *file, size_t size)
{
	int status;

	if (script->made[0] != '\0') {
		snprintf(file, size, "made.data");
		status = run_command("%s %s %s", play.large, file, script->made);
	} else {
		snprintf(file, size, "%s.data", script->data);
		status = unpack(script->data);
	}
	if (script->beside[0] != '\0' && status == 0)
		status = unpack(script->beside);
	if (script->against[0] != '\0' && status == 0)
		status = unpack(script->against);
	if (status != 0)
		errx(1, "%s: no recording", script->name);
}

static void run_program(struct script *script, const char *file)
{
	char line[512];
	char *arguments[ARGUMENTS_MAX] = {0};
	int count = 0;
	struct options options;
	struct error error = {0};
	char *rest = NULL;

	snprintf(line, sizeof(line), "perftop --no-config -i %s %s%s%s %s%s%s %s", file,
		 script->beside[0] != '\0' ? "-i " : "", script->beside,
		 script->beside[0] != '\0' ? ".data" : "",
		 script->against[0] != '\0' ? "--against " : "", script->against,
		 script->against[0] != '\0' ? ".data" : "", script->options);
	for (char *word = strtok_r(line, " ", &rest); word && count < ARGUMENTS_MAX - 1;
	     word = strtok_r(NULL, " ", &rest))
		arguments[count++] = word;
	if (!options_parse(&options, &all_views, count, arguments, &error) ||
	    app_run(&options, &error) != 0) {
		printf("FAILED: %s: %s\n", script->name, error.text);
		script->failures++;
	}
	options_fini(&options);
}

static bool play_script(const char *name)
{
	struct script script;
	char file[80];
	bool good;

	script_read(&script, name);
	make_data(&script, file, sizeof(file));
	simulated_show_styles(script.has_styles);
	simulated_begin(script.sizes[0].width, script.sizes[0].height, take_step, &script);
	run_program(&script, file);
	if (script.next <= script.count) {
		printf("FAILED: %s: ended before step %zu of %zu\n", name, script.next,
		       script.count);
		script.failures++;
	}
	unlink(file);
	good = script.failures == 0;
	if (good && play.renews)
		write_renewed(&script);
	script_fini(&script);
	return good;
}

static bool play_all(void)
{
	DIR *folder = opendir(play.kept);
	const struct dirent *entry;
	bool good = true;

	if (!folder)
		err(1, "%s", play.kept);
	while ((entry = readdir(folder))) {
		const size_t length = strlen(entry->d_name);
		char name[NAME_MAX + 1];

		if (length < 5 || strcmp(entry->d_name + length - 5, ".keys") != 0)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)length - 5, entry->d_name);
		good = play_script(name) && good;
	}
	closedir(folder);
	return good;
}

static const char *whole_path(const char *path)
{
	const char *whole = realpath(path, NULL);

	if (!whole)
		err(1, "%s", path);
	return whole;
}

static void make_scratch(void)
{
	const char *place = getenv("TMPDIR");

	snprintf(play.scratch, sizeof(play.scratch), "%s/golden.XXXXXX", place ? place : "/tmp");
	if (!mkdtemp(play.scratch) || chdir(play.scratch) < 0)
		err(1, "%s", play.scratch);
}

int main(int argc, char **argv)
{
	int next = 4;
	bool good = true;

	if (argc < 4)
		errx(2, "golden DATA KEPT LARGE [--renew] [NAME...]");
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	play.data = whole_path(argv[1]);
	play.kept = whole_path(argv[2]);
	play.large = whole_path(argv[3]);
	play.renews = argc > 4 && strcmp(argv[4], "--renew") == 0;
	next += play.renews;
	make_scratch();
	if (next == argc)
		good = play_all();
	for (; next < argc; next++)
		good = play_script(argv[next]) && good;
	simulated_fini();
	run_command("rm -rf '%s'", play.scratch);
	free((void *)play.data);
	free((void *)play.kept);
	free((void *)play.large);
	return good ? 0 : 1;
}
