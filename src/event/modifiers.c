/*
 * The modifiers of events: letters read one by one, and what they mean for what is counted, which
 * is perf's meaning to the letter.
 */
#include "event/event.h"
#include "event/syntax.h"

static const struct letter {
	char letter;
	unsigned int bit;
} LETTERS[] = {
	/* clang-format off */
	{'u', MODIFIER_USER},
	{'k', MODIFIER_KERNEL},
	{'h', MODIFIER_HYPERVISOR},
	{'H', MODIFIER_HOST},
	{'G', MODIFIER_GUEST},
	{'I', MODIFIER_IDLE},
	/* clang-format on */
};

static unsigned int find_letter(char c)
{
	for (size_t i = 0; i < sizeof(LETTERS) / sizeof(LETTERS[0]); i++)
		if (LETTERS[i].letter == c)
			return LETTERS[i].bit;
	return 0;
}

static bool add_letter(char c, struct syntax_modifiers *modifiers, const char **message)
{
	unsigned int bit = find_letter(c);

	if (c == 'p') {
		*message = "there are at most three p (:ppp)";
		return ++modifiers->precise <= 3;
	}
	if (bit == 0) {
		*message = c == 'D' ? "D (pinned) is not possible: events are members of groups, "
				      "and only the leader of one can be pinned"
				    : "modifiers are letters of u, k, h, H, G, I and p";
		return false;
	}
	if (modifiers->letters & bit) {
		*message = "a modifier is given twice";
		return false;
	}
	modifiers->letters |= bit;
	return true;
}

bool syntax_modifiers_parse(struct syntax_piece letters, struct syntax_modifiers *modifiers,
			    const char **message)
{
	struct syntax_modifiers read = {0};

	*message = "modifiers are missing";
	if (letters.length == 0)
		return false;
	for (size_t i = 0; i < letters.length; i++)
		if (!add_letter(letters.text[i], &read, message))
			return false;
	*modifiers = read;
	return true;
}

static bool has_guest_letters(const struct syntax_modifiers *modifiers)
{
	return (modifiers->letters & (MODIFIER_HOST | MODIFIER_GUEST)) != 0;
}

static void apply_modes(unsigned int letters, struct event_spec *spec)
{
	if ((letters & (MODIFIER_USER | MODIFIER_KERNEL | MODIFIER_HYPERVISOR)) == 0)
		return;
	if (!spec->exclude_user && !spec->exclude_kernel && !spec->exclude_hv)
		spec->exclude_user = spec->exclude_kernel = spec->exclude_hv = true;
	spec->exclude_user = spec->exclude_user && !(letters & MODIFIER_USER);
	spec->exclude_kernel = spec->exclude_kernel && !(letters & MODIFIER_KERNEL);
	spec->exclude_hv = spec->exclude_hv && !(letters & MODIFIER_HYPERVISOR);
}

/* is_decided: modifiers or libpfm4 attributes have said already whether guests count. */
static void apply_guests(const struct syntax_modifiers *modifiers, bool is_decided,
			 struct event_spec *spec)
{
	if (has_guest_letters(modifiers)) {
		if (!is_decided)
			spec->exclude_host = spec->exclude_guest = true;
		spec->exclude_host = spec->exclude_host && !(modifiers->letters & MODIFIER_HOST);
		spec->exclude_guest = spec->exclude_guest && !(modifiers->letters & MODIFIER_GUEST);
	} else if (!is_decided &&
		   ((modifiers->letters & MODIFIER_USER) != 0 || modifiers->precise > 0)) {
		spec->exclude_guest = true;
	}
}

static void apply_one(const struct syntax_modifiers *modifiers, bool is_decided,
		      struct event_spec *spec)
{
	apply_modes(modifiers->letters, spec);
	apply_guests(modifiers, is_decided, spec);
	spec->exclude_idle = spec->exclude_idle || (modifiers->letters & MODIFIER_IDLE) != 0;
	spec->precise = (uint8_t)(spec->precise + modifiers->precise);
}

void syntax_modifiers_apply(const struct syntax_modifiers *own,
			    const struct syntax_modifiers *outer, struct event_spec *spec)
{
	bool is_decided = spec->exclude_host || spec->exclude_guest;

	if (!is_decided && own->letters == 0 && own->precise == 0)
		spec->exclude_guest = true;
	apply_one(own, is_decided, spec);
	is_decided = is_decided || has_guest_letters(own);
	apply_one(outer, is_decided, spec);
	is_decided = is_decided || has_guest_letters(outer);
	spec->guest_is_default = spec->exclude_guest && !is_decided;
}
