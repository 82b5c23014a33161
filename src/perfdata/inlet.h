#ifndef PERFTOP_PERFDATA_INLET_H
#define PERFTOP_PERFDATA_INLET_H

/*
 * The bytes of a recording, in portions of fixed memory: a regular file is read by offset and can
 * be begun again, of anything else the bytes come once and when they come.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

enum {
	INLET_ROOM = 512 * 1024, /* bytes that are kept; more than the largest record */
};

enum inlet_result {
	INLET_READY,
	INLET_WAIT, /* not there yet */
	INLET_END   /* there is less than was asked for, and will not be more */
};

struct inlet {
	int fd;
	bool is_file;          /* regular: can be sought */
	bool is_ended;         /* nothing more can be read */
	int failure;           /* errno of a read that failed; 0: none */
	uint64_t size;         /* of a regular file when it was opened */
	uint64_t limit;        /* nothing at or behind this offset is read ahead of time */
	uint64_t offset;       /* in the file, of the next byte that is given */
	unsigned char *buffer; /* INLET_ROOM, owned */
	size_t start, fill;    /* of the buffer: the bytes that were read and not given */
};

/* "-" is standard input. A directory and a terminal are refused. */
bool inlet_open(struct inlet *inlet, const char *path, struct error *error);
void inlet_close(struct inlet *inlet);

/* What lies at inlet_bytes(): good until the next call of inlet_need(). */
static inline const unsigned char *inlet_bytes(const struct inlet *inlet)
{
	return inlet->buffer + inlet->start;
}

static inline size_t inlet_available(const struct inlet *inlet)
{
	return inlet->fill - inlet->start;
}

/* Reads until `count` bytes lie there. */
enum inlet_result inlet_fetch(struct inlet *inlet, size_t count);

/* Sees to it that `count` bytes (INLET_ROOM at most) lie at inlet_bytes(). */
static inline enum inlet_result inlet_need(struct inlet *inlet, size_t count)
{
	return inlet_available(inlet) >= count ? INLET_READY : inlet_fetch(inlet, count);
}

/* The same, waiting for them however long it takes. */
enum inlet_result inlet_await(struct inlet *inlet, size_t count);

/* Goes `count` bytes on, of those that are available. */
static inline void inlet_advance(struct inlet *inlet, size_t count)
{
	assert(count <= inlet_available(inlet));
	inlet->start += count;
	inlet->offset += count;
}

/* Goes on by as many as can be done now without reading them; returns how many those were. */
uint64_t inlet_skip(struct inlet *inlet, uint64_t count);

/* Reads at an offset of a regular file, whatever was given before; returns how many bytes. */
size_t inlet_at(const struct inlet *inlet, uint64_t offset, void *bytes, size_t size);

/* Next comes the byte at this offset of a regular file. */
void inlet_seek(struct inlet *inlet, uint64_t offset);

/* The most that is kept of a pipe. */
static const uint64_t INLET_SPOOL_MAX = UINT64_C(4) << 30;

/*
 * For a recording that must be read as a file and comes through a pipe (cat, zcat, ssh): its end
 * says what is at its beginning, so all of it is waited for, and kept in a file without a name in
 * TMPDIR or /tmp, which goes when its descriptor does.
 *
 * What is still to come through the inlet, from the byte on that it gives next, is a regular file
 * afterwards, and that byte its first. False: there is more than `most` bytes, or no room; the
 * inlet is to be closed.
 */
bool inlet_spool(struct inlet *inlet, uint64_t most, const char *path, struct error *error);

#endif
