#ifndef PERFTOP_TESTS_BIG_ENDIAN_H
#define PERFTOP_TESTS_BIG_ENDIAN_H

/*
 * A recording as perf on a 64-bit big-endian machine writes it: every byte of it stands here, put
 * down by hand from perf.data-file-format and perf_event_open(2), and by no code of perftop's. A
 * record of each of the kernel's types, samples of two events, and the features that tell most.
 *
 * Offsets: ids 104, attributes 120, data 376 (1464 bytes), places of the features 1840, they
 * themselves 2000. perf of Linux prints the same values, but for types 17 to 20, which it does not
 * turn.
 */

/* clang-format off */
#define U16(value) (value) >> 8 & 0xff, (value) & 0xff
#define U32(value) U16((value) >> 16), U16((value) & 0xffff)
#define U64(high, low) U32(high), U32(low)
#define W(low) U64(0, low)
#define RECORD(type, misc, size) U32(type), U16(misc), U16(size)
#define TRAILER(second) U32(4660), U32(4661), U64(1, 1000 + (second)), U32(3), U32(0), U64(0x01020304, 0x05060708)
#define DUMMYS_TRAILER(second) U32(4660), U32(4661), U64(1, 1000 + (second)), U32(3), U32(0), W(9)
#define READING W(2), W(7000), W(6000), W(123456), U64(0x01020304, 0x05060708), W(654321), W(9)

/* IDENTIFIER IP TID TIME ADDR CPU PERIOD READ CALLCHAIN RAW BRANCH_STACK DATA_SRC; inherit mmap comm freq
   task sample_id_all use_clockid, each a bit from the left; CLOCK_MONOTONIC. */
#define CYCLES U32(0), U32(112), W(0), W(4000), W(0x18dbf), W(15), \
	0x40, 0xe4, 0x20, 0x40, 0, 0, 0, 0, \
	U32(0), U32(0), W(0), W(0), W(8), W(0), U32(0), U32(1), W(0), U32(0), U16(0), U16(0)
/* IDENTIFIER TID TIME CPU; sample_id_all, context_switch. */
#define DUMMY U32(1), U32(112), W(9), W(1), W(0x10086), W(15), \
	0, 0, 0x20, 0x20, 0, 0, 0, 0, \
	U32(0), U32(0), W(0), W(0), W(0), W(0), U32(0), U32(0), W(0), U32(0), U16(0), U16(0)

static const unsigned char BIG_ENDIAN_FILE[] = {
	'2', 'E', 'L', 'I', 'F', 'R', 'E', 'P',
	W(104), W(128),
	W(120), W(256), /* attributes */
	W(376), W(1464), /* data */
	W(0), W(0),
	W(0x202019f8), W(0), W(0), W(0), /* features 3 to 8, 11, 12, 21, 29 */

	U64(0x01020304, 0x05060708),
	W(9),

	CYCLES, W(104), W(8),
	DUMMY, W(112), W(8),

	RECORD(1, 2, 88), U32(4660), U32(4661), U64(0x3ff, 0x80001000), W(0x2000), W(0x3000),
	'/', 'b', 'i', 'n', '/', 'c', 'a', 't', 0, 0, 0, 0, 0, 0, 0, 0, TRAILER(1),
	RECORD(10, 2, 112), U32(4660), U32(4661), U64(0x3ff, 0x90001000), W(0x4000), W(0x5000),
	U32(8), U32(1), W(77), W(88), U32(5), U32(2), 'l', 'i', 'b', '.', 's', 'o', 0, 0, TRAILER(2),
	RECORD(2, 0, 56), U64(0x01020304, 0x05060708), W(99), TRAILER(3),
	RECORD(3, 1 << 13, 64), U32(4660), U32(4661),
	's', '3', '9', '0', ' ', 'm', 'a', 'i', 'n', 0, 0, 0, 0, 0, 0, 0, TRAILER(4),
	RECORD(7, 0, 64), U32(4662), U32(4660), U32(4663), U32(4661), U64(1, 1005), TRAILER(5),
	RECORD(4, 0, 64), U32(4662), U32(4660), U32(4663), U32(4661), U64(1, 1006), TRAILER(6),
	RECORD(5, 0, 64), U64(1, 1007), U64(0x01020304, 0x05060708), W(11), TRAILER(7),
	RECORD(8, 0, 104), U32(4660), U32(4661), READING, TRAILER(8),
	RECORD(11, 0, 64), W(0x6000), W(0x7000), W(1), TRAILER(9),
	RECORD(12, 0, 48), U32(4660), U32(4661), TRAILER(10),
	RECORD(13, 0, 48), W(98), TRAILER(11),
	RECORD(14, 1 << 13, 40), DUMMYS_TRAILER(12),
	RECORD(15, 0, 48), U32(4664), U32(4665), DUMMYS_TRAILER(13),
	RECORD(16, 0, 72), U32(4660), U32(4661), W(1), W(0x11), W(0x22), TRAILER(14),
	RECORD(17, 0, 64), U64(0x3ff, 0xa0000000), U32(0x44), U16(1), U16(2), 'b', 'p', 'f', '_', 'x', 0, 0, 0, TRAILER(15),
	RECORD(18, 0, 56), U16(1), U16(3), U32(66), 1, 2, 3, 4, 5, 6, 7, 8, TRAILER(16),
	RECORD(19, 0, 56), W(67), '/', 'u', 's', 'e', 'r', 0, 0, 0, TRAILER(17),
	RECORD(20, 0, 56), U64(0x3ff, 0xb0000000), U16(2), U16(2), 0xc0, 0x04, 0xc0, 0xf4, TRAILER(18),
	RECORD(21, 0, 48), W(68), TRAILER(19),
	RECORD(9, 2, 200), U64(0x01020304, 0x05060708), U64(0x3ff, 0x80001234), U32(4660), U32(4661), U64(1, 1020),
	U64(0x3ff, 0xc0000000), U32(3), U32(0), W(4001), READING,
	W(2), U64(0xffffffff, 0xfffffe00), U64(0x3ff, 0x80001234), /* PERF_CONTEXT_USER, and where */
	U32(12), 'r', 'a', 'w', 1, 2, 3, 4, 5, 6, 7, 8, 9,
	W(1), U64(0x3ff, 0x80001000), U64(0x3ff, 0x80001200), 0x40, 0, 0x50, 0, 0, 0, 0, 0, /* predicted, 5 cycles */
	W(0x21),
	RECORD(9, 2, 40), W(9), U32(4660), U32(4661), U64(1, 1021), U32(3), U32(0),
	RECORD(68, 0, 8),

	W(2000), W(12), W(2012), W(12), W(2024), W(12), W(2036), W(12), W(2048), W(8), W(2056), W(12),
	W(2068), W(28), W(2096), W(280), W(2376), W(16), W(2392), W(24),

	U32(8), 'z', 's', 'e', 'r', 'i', 'e', 's', 0,
	U32(8), '6', '.', '1', '.', '0', '-', 'z', 0,
	U32(8), '6', '.', '1', '.', '9', '9', 0, 0,
	U32(8), 's', '3', '9', '0', 'x', 0, 0, 0,
	U32(6), U32(4),
	U32(8), 'I', 'B', 'M', ' ', 'z', '1', '4', 0,
	U32(2), U32(8), 'p', 'e', 'r', 'f', 0, 0, 0, 0, U32(8), 'r', 'e', 'c', 'o', 'r', 'd', 0, 0,
	U32(2), U32(112),
	CYCLES, U32(1), U32(8), 'c', 'y', 'c', 'l', 'e', 's', 0, 0, U64(0x01020304, 0x05060708),
	DUMMY, U32(1), U32(8), 'd', 'u', 'm', 'm', 'y', ':', 'u', 0, W(9),
	U64(1, 1001), U64(1, 1021),
	U32(1), U32(1), U64(0x17979cfe, 0x362a0000), U64(1, 1000), /* 1.7e18 */
};

#undef U16
#undef U32
#undef U64
#undef W
#undef RECORD
#undef TRAILER
#undef DUMMYS_TRAILER
#undef READING
#undef CYCLES
#undef DUMMY
/* clang-format on */

#endif
