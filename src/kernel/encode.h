#ifndef PERFTOP_KERNEL_ENCODE_H
#define PERFTOP_KERNEL_ENCODE_H

/*
 * The other way round from decode.h: writes a record as the kernel would, where it is to stay:
 * encode_begin(), one body, encode_end(). The body of a sample is encode_sample() and the fields
 * behind it, in the order in which they are declared here; those that the format does not have are
 * left out. decode_record() finds what was given, but that raw data is padded with zeros to where a
 * word ends.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/decode.h"

enum {
	ENCODE_SIZE_MAX = 65528 /* a record's size is 16 bits wide, and a multiple of 8 */
};

/* A record that is being written. */
struct encoder {
	unsigned char *bytes; /* where it begins */
	unsigned char *at;    /* what comes next */
	const struct decode_format *format;
	struct decoded_id id;
	uint32_t type; /* enum decoded_type */
	uint16_t misc;
	bool is_full; /* something had no room, or the format has what cannot be written */
};

/* `bytes` has room for ENCODE_SIZE_MAX. misc: besides the bits that the body sets. */
void encode_begin(struct encoder *encoder, void *bytes, const struct decode_format *format,
		  const struct decoded_id *id, uint32_t type, uint16_t misc);

/* Returns the size; 0: it cannot be written, being too long or of such a format. */
size_t encode_end(struct encoder *encoder);

void encode_sample(struct encoder *encoder, uint64_t ip, uint64_t addr, uint64_t period);
/* Of a group, with encode_value() for each event; of a READ, too, behind its pid and tid. */
void encode_read(struct encoder *encoder, uint64_t count, uint64_t enabled_ns, uint64_t running_ns);
void encode_value(struct encoder *encoder, uint64_t value, uint64_t id);
/* Then encode_word() of each. False: there are none in such a sample. */
bool encode_chain(struct encoder *encoder, uint64_t count);
void encode_word(struct encoder *encoder, uint64_t word);
void encode_raw(struct encoder *encoder, const void *bytes, size_t size);
void encode_access(struct encoder *encoder, uint64_t weight, uint64_t data_src);

/* The other bodies; a SWITCH has none but what its header says. */
void encode_fork(struct encoder *encoder, const struct decoded_fork *fork); /* and EXIT */
void encode_comm(struct encoder *encoder, const struct decoded_comm *comm);
void encode_mmap2(struct encoder *encoder, const struct decoded_mmap *map);
void encode_ksymbol(struct encoder *encoder, const struct decoded_mmap *map);
void encode_lost(struct encoder *encoder, const struct decoded_lost *lost);
void encode_throttle(struct encoder *encoder, const struct decoded_throttle *throttle);
void encode_switch(struct encoder *encoder, const struct decoded_switch *ctx_switch);
void encode_task(struct encoder *encoder, int32_t pid, int32_t tid); /* of a READ */

#endif
