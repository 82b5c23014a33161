#ifndef PERFTOP_EVENT_PFM_LIB_H
#define PERFTOP_EVENT_PFM_LIB_H

/*
 * What libpfm4 is asked, in short, and how a name of its is made up: of pfm.c for pfm_refuse.c
 * alone. The library must be initialized.
 */

#include <stdbool.h>
#include <stddef.h>

/* In this order: libpfm4 brings definitions of its own where it does not find the kernel's. */
/* clang-format off */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
/* clang-format on */

struct error;

/* Between a PMU and its event. */
extern const char pfm_pmu_mark[];

/* Where the attributes begin: a mark or the end. */
const char *pfm_skip_event(const char *name);

/*
 * Short, and with few attributes; no other name may go to libpfm4: version 4.13 writes behind the
 * end of a table of 64 when there are more umasks.
 */
bool pfm_is_harmless(const char *name);

/* A code of libpfm4: PFM_SUCCESS, and *attr and *result are filled. */
int pfm_encode(const char *name, struct perf_event_attr *attr, pfm_perf_encode_arg_t *result);

/* By number, all false where there is none. */
bool pfm_get_pmu(int number, pfm_pmu_info_t *pmu);
bool pfm_get_event(int index, pfm_event_info_t *event);
bool pfm_get_attribute(const pfm_event_info_t *event, int index, pfm_event_attr_info_t *attribute);

bool pfm_is_umask(const pfm_event_attr_info_t *attribute);

/* What an event asks for that a count has no use for. */
bool pfm_is_for_sampling(const pfm_event_attr_info_t *attribute);

/* The event that `name` is about, whatever its attributes are worth. */
bool pfm_find_bare(const char *name, pfm_event_info_t *event);

/* One attribute as typed. */
struct pfm_word {
	const char *text;
	size_t length;      /* with its value */
	size_t name_length; /* without */
};

/* The attribute at *cursor, which goes on behind it; false: it is at the end. */
bool pfm_next_word(const char **cursor, struct pfm_word *word);

/* Whether the event has such an attribute. */
bool pfm_is_known_word(const pfm_event_info_t *event, const struct pfm_word *word);

/* Says what is wrong with a name that libpfm4 refuses for `reason` (its code); returns false. */
bool pfm_refuse(const char *name, int reason, struct error *error);

#endif
