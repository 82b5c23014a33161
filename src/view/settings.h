#ifndef PERFTOP_VIEW_SETTINGS_H
#define PERFTOP_VIEW_SETTINGS_H

/*
 * Settings that are one of a few words. Their table is view/setting.def.
 */

#include <stddef.h>

enum {
	SETTING_UNSET = -1 /* not chosen; of an option: not given */
};

enum setting {
#define SETTING(member_, ...) SETTING_##member_,
#include "view/setting.def"
	SETTINGS
};

struct settings {
	union {
		struct {
#define SETTING(member_, ...) int member_;
#include "view/setting.def"
		};
		int all[SETTINGS]; /* by enum setting */
	};
};

struct setting_info {
	const char *name;
	const char *words; /* "on|off", "htop|top|vim" */
	int first;         /* or SETTING_UNSET */
	const char *said;  /* "keys of", "showing threads|showing processes"; NULL: nothing */
	enum setting number;
};

enum {
	SETTING_WORD_MAX = 32
};

extern const struct setting_info setting_table[SETTINGS];

/* All as at first, or all SETTING_UNSET. */
void settings_init(struct settings *settings);
void settings_unset(struct settings *settings);

/* What is set in `from` holds in *settings, too. */
void settings_override(struct settings *settings, const struct settings *from);

/* The value of a word, without regard to case; SETTING_UNSET: it is none. */
int setting_find(const struct setting_info *info, const char *word);

/* The value behind this one, in a ring. */
int setting_next(const struct setting_info *info, int value);

void setting_word(const struct setting_info *info, int value, char word[static SETTING_WORD_MAX]);

/* What is said when it has got this value; "": nothing. */
void setting_message(const struct setting_info *info, int value, char *text, size_t size);

#endif
