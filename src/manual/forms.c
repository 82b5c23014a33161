#include "manual/manual.h"

static const struct manual_form forms[] = {
	{"man", manual_write_page},
	{"bash", manual_write_bash},
	{"zsh", manual_write_zsh},
	{"fish", manual_write_fish},
};

const struct manual_form *manual_forms(size_t *count)
{
	*count = sizeof(forms) / sizeof(*forms);
	return forms;
}
