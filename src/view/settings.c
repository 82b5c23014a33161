#include "view/settings.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct setting_info setting_table[SETTINGS] = {
#define SETTING(member_, name_, words_, first_, help_, said_, ...)                                 \
	{name_, words_, first_, said_, SETTING_##member_},
#include "view/setting.def"
};

void settings_init(struct settings *settings)
{
	for (size_t i = 0; i < SETTINGS; i++)
		settings->all[i] = setting_table[i].first;
}

void settings_unset(struct settings *settings)
{
	for (size_t i = 0; i < SETTINGS; i++)
		settings->all[i] = SETTING_UNSET;
}

void settings_override(struct settings *settings, const struct settings *from)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (from->all[i] != SETTING_UNSET)
			settings->all[i] = from->all[i];
}

/* The part of "a|b|c" with this index; its length is 0 behind the last. */
static const char *part_of(const char *parts, int index, size_t *length)
{
	for (; index > 0; index--)
		parts += strcspn(parts, "|") + (parts[strcspn(parts, "|")] == '|');
	*length = strcspn(parts, "|");
	return parts;
}

/* Of "on|off" on is 1; what is a value becomes an index, and the other way round. */
static int turn(const struct setting_info *info, int value)
{
	return strcmp(info->words, "on|off") == 0 ? 1 - value : value;
}

static int count_of(const struct setting_info *info)
{
	int count = 1;

	for (const char *bar = strchr(info->words, '|'); bar; bar = strchr(bar + 1, '|'))
		count++;
	return count;
}

int setting_find(const struct setting_info *info, const char *word)
{
	for (int i = 0; i < count_of(info); i++) {
		size_t length;
		const char *part = part_of(info->words, i, &length);

		if (strlen(word) == length && strncasecmp(part, word, length) == 0)
			return turn(info, i);
	}
	return SETTING_UNSET;
}

int setting_next(const struct setting_info *info, int value)
{
	return (value + 1) % count_of(info);
}

void setting_word(const struct setting_info *info, int value, char word[static SETTING_WORD_MAX])
{
	size_t length;
	const char *part = part_of(info->words, turn(info, value), &length);

	snprintf(word, SETTING_WORD_MAX, "%.*s", (int)length, part);
}

void setting_message(const struct setting_info *info, int value, char *text, size_t size)
{
	char word[SETTING_WORD_MAX];
	size_t length;
	const char *part;

	setting_word(info, value, word);
	if (!info->said) {
		text[0] = '\0';
	} else if (strchr(info->said, '|')) {
		part = part_of(info->said, turn(info, value), &length);
		snprintf(text, size, "%.*s", (int)length, part);
	} else {
		snprintf(text, size, "%s %s", info->said, word);
	}
}
