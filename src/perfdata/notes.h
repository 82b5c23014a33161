#ifndef PERFTOP_PERFDATA_NOTES_H
#define PERFTOP_PERFDATA_NOTES_H

/*
 * What is in the notes of a recording (recording.h), as bytes (base/codec.h). A note is a head of 8
 * bytes and a body:
 *
 *	byte 0     kind (enum note_kind)
 *	byte 1     of a record its letter, of a text NOTE_ENDS when this is its last part
 *	byte 2, 3  zero
 *	byte 4-7   length of the body
 *
 * Zeros follow the body, since raw data is padded. Bytes are input: no more is read than is there,
 * and what does not fit together is not a note.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"
#include "source/target_pids.h"

#include "perfdata/recording.h"

enum {
	NOTE_ENDS = 1,
	NOTE_NAME =
		'm', /* in place of a letter: of the task that leaves in the switch that follows */
	NOTE_HEAD_BYTES = 8,
	NOTE_BODY_MAX = 65000 /* with all around it a record of perf.data */
};

/* Writes its head. */
void note_begin(struct strbuf *note, enum note_kind kind, unsigned char detail);

/* Completes the head. False: it is too long. */
bool note_end(struct strbuf *note);

/* All of a record, behind note_begin() with its letter. */
void note_put_record(struct strbuf *note, const struct record *record);
unsigned char note_letter(enum record_kind kind); /* 0: it is none for notes */
void note_put_tick(struct strbuf *note, const struct recording_interval *tick);
void note_put_user(struct strbuf *note, int64_t uid, const char *name);
void note_put_name(struct strbuf *note, const struct record *about, const char *name);

/* A note that is read; body points into the bytes. */
struct note_view {
	enum note_kind kind;
	unsigned char detail;
	const unsigned char *body;
	size_t size;
};

/* False: it is none. */
bool note_open(struct note_view *view, const void *bytes, size_t size);

/*
 * What the body holds; false: nothing that could be. Texts of the record point into the note, the
 * numbers of stalls into `numbers`.
 */
bool note_take_record(const struct note_view *view, struct record *record,
		      uint64_t numbers[static STALL_NUMBERS]);
bool note_take_tick(const struct note_view *view, struct recording_interval *tick);
bool note_take_user(const struct note_view *view, int64_t *uid, const char **name);
const char *note_take_name(const struct note_view *view,
			   struct record *about); /* in the note; NULL: it is none */

/*
 * Layout, session and scope as JSON, for the notes of a recording. Read back they are what they
 * were: texts keep their bytes, numbers their digits. What is read is input: a layout that comes
 * out has no index and no place that leads anywhere else, and follows the one before as
 * model_change_layout() wants it.
 */
/* leaders: for each group of the layout the number of its event in the file, by which its readings
 * are known. The text is to be freed. */
char *recording_json_layout(const struct layout *layout, uint32_t *leaders);
char *recording_json_session(const struct session *session);
char *recording_json_targets(const struct target_pids *targets);

/*
 * before: the layout that is replaced; one without groups: none. False: the text is none, and
 * nothing is owned. *leaders is to be freed.
 */
bool recording_parse_layout(const char *text, size_t size, const struct layout *before,
			    struct layout *layout, uint32_t **leaders);
bool recording_parse_session(const char *text, size_t size, struct session *session,
			     struct topology *topology);

/* *targets is to be given up with target_pids_fini(). */
bool recording_parse_targets(const char *text, size_t size, struct target_pids *targets);

#endif
