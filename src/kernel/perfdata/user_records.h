#ifndef PERFTOP_KERNEL_PERFDATA_USER_RECORDS_H
#define PERFTOP_KERNEL_PERFDATA_USER_RECORDS_H

/*
 * Records that perf itself writes between those of the kernel (types from 64 on).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perfdata;

enum user_record {
	USER_RECORD_DONE,       /* understood or skipped, and counted where it was of no use */
	USER_RECORD_ROUND,      /* all rings were emptied once */
	USER_RECORD_COMPRESSED, /* its body is a piece of a zstd stream */
	USER_RECORD_STOP        /* what follows cannot be found */
};

bool user_record_is(uint32_t type);

/*
 * `bytes` are the record with its header, which is in our byte order where `type` and `size` are;
 * the body is in that of the file. is_inner: it came out of a compressed stream, where nothing can
 * lie behind a record.
 */
enum user_record user_record_take(struct perfdata *file, uint32_t type, const unsigned char *bytes,
				  size_t size, bool is_inner);

/* Of a compressed record: the piece. */
void user_record_piece(const struct perfdata *file, uint32_t type, const unsigned char *bytes,
		       size_t size, const unsigned char **piece, size_t *piece_size);

#endif
