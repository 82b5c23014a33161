#include "mode/complete_files.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"

#include "mode/complete.h"

/* What is looked for in one folder. */
struct search {
	struct complete *complete;
	const char *before; /* what precedes the names in the text */
	size_t before_length;
	bool with_dots;  /* names that begin with one */
	bool for_shell;  /* nothing that would have to be quoted */
	bool must_run;   /* programs and folders only */
	bool no_folders; /* programs of PATH */
};

/* Whether it can be typed: no control characters, well-formed UTF-8. */
static bool is_harmless(const char *name)
{
	char safe[NAME_MAX * 4 + 1];

	text_safe(safe, sizeof(safe), name, false);
	return strcmp(safe, name) == 0;
}

static bool is_plain_word(const char *name)
{
	static const char quoted[] = " \t\\'\"`$&|;<>()[]{}*?!#~";

	return !strpbrk(name, quoted);
}

static bool is_folder(const char *path, mode_t *mode)
{
	struct stat file;

	*mode = 0;
	if (stat(path, &file) != 0)
		return false;
	*mode = file.st_mode;
	return S_ISDIR(file.st_mode);
}

static void offer_entry(const struct search *search, const char *folder, const char *entry)
{
	struct strbuf name = {0}, path = {0};
	bool leads_on, is_wanted;
	mode_t mode;

	strbuf_add_bytes(&name, search->before, search->before_length);
	strbuf_add(&name, entry);
	if (is_harmless(entry) && (!search->for_shell || is_plain_word(entry)) &&
	    complete_wants(search->complete, strbuf_text(&name))) {
		strbuf_printf(&path, "%s/%s", folder, entry);
		leads_on = is_folder(strbuf_text(&path), &mode);
		is_wanted = leads_on ? !search->no_folders
				     : !search->must_run || (S_ISREG(mode) &&
							     access(strbuf_text(&path), X_OK) == 0);
		strbuf_add(&name, leads_on ? "/" : "");
		if (is_wanted)
			complete_add(search->complete, strbuf_text(&name), "");
	}
	strbuf_fini(&name);
	strbuf_fini(&path);
}

static void offer_folder(const struct search *search, const char *folder)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	if (!entries)
		return;
	while ((entry = readdir(entries))) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
		    (name[0] != '.' || search->with_dots))
			offer_entry(search, folder, name);
	}
	closedir(entries);
}

static int compare_words(const void *a, const void *b)
{
	const struct complete_word *first = a, *second = b;

	return strcmp(first->name, second->name);
}

/* In order, each once: folders of PATH have names in common. */
static void put_in_order(struct complete *complete)
{
	size_t kept = 0;

	if (complete->count == 0)
		return;
	qsort(complete->words, complete->count, sizeof(*complete->words), compare_words);
	for (size_t i = 1; i < complete->count; i++) {
		struct complete_word *word = &complete->words[i];

		if (strcmp(word->name, complete->words[kept].name) != 0) {
			complete->words[++kept] = *word;
			continue;
		}
		free(word->name);
		free(word->help);
	}
	complete->count = kept + 1;
}

/* The files beside what is typed. */
static void offer_beside(struct search *search, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *typed, *folder;

	search->before = path;
	search->before_length = slash ? (size_t)(slash - path) + 1 : 0;
	search->with_dots = path[search->before_length] == '.';
	typed = xstrndup(path, search->before_length);
	folder = text_expand_home(typed);
	offer_folder(search, folder[0] != '\0' ? folder : ".");
	put_in_order(search->complete);
	free(typed);
	free(folder);
}

void complete_files(struct complete *complete, const char *path)
{
	struct search search = {.complete = complete};

	offer_beside(&search, path);
}

static void offer_path(struct complete *complete, const char *word)
{
	struct search search = {
		.complete = complete,
		.before = "",
		.with_dots = word[0] == '.',
		.for_shell = true,
		.must_run = true,
		.no_folders = true,
	};
	const char *folders = getenv("PATH");

	while (folders && *folders != '\0') {
		const size_t length = strcspn(folders, ":");
		char *folder = length > 0 ? xstrndup(folders, length) : xstrdup(".");

		offer_folder(&search, folder);
		free(folder);
		folders += length + (folders[length] == ':');
	}
	put_in_order(complete);
}

void complete_programs(struct complete *complete, const char *line)
{
	struct search search = {.complete = complete, .for_shell = true};
	const char *word = line + strlen(line);

	while (word > line && !strchr(" \t", word[-1]))
		word--;
	complete->begin += (size_t)(word - complete->prefix);
	complete->prefix = word;
	search.must_run = line[strspn(line, " \t")] == '\0' || word == line + strspn(line, " \t");
	if (search.must_run && !strchr(word, '/'))
		offer_path(complete, word);
	else
		offer_beside(&search, word);
}
