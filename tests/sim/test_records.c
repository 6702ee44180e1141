/* SPDX-License-Identifier: Apache-2.0 */
/* Records of frames in flight: a ring that grows loses none, and a jump makes them those of later frames. */
#include <criterion/criterion.h>

#include "sim/twin/play/records.h"

enum { FRAMES = 5000, OLDEST = 777 }; /* several sizes of the ring, and not from its first place on */

static struct records records;

static void begin(void)
{
	cr_assert_eq(records_init(&records), 0);
	cr_assert_eq(records_have_segments(&records, true), 0);
	records.oldest = OLDEST;
}

static void end(void)
{
	records_release(&records);
}

/* Frame `id` of flow id % 3, in flight with all others. */
static void add(uint64_t id)
{
	if (records_full(&records, id, 1))
		cr_assert_eq(records_drop(&records, OLDEST, id, 1), 0);
	records.ring[id & records.mask] =
	        (struct record){.start = 100 * id, .sequence = (id % 3) << RECORD_ENTRY_LSB | id};
	records.segments[id & records.mask] =
	        (struct record_segment){.is = id % 7 == 0, .port = (uint16_t)id, .port_octet = 36};
}

Test(records, a_ring_that_grows_keeps_every_record_and_segment, .init = begin, .fini = end)
{
	for (uint64_t id = OLDEST; id < OLDEST + FRAMES; id++)
		add(id);
	for (uint64_t id = OLDEST; id < OLDEST + FRAMES; id++) {
		const struct dut_frame frame = {.id = id};
		const struct record_segment *segment = records_segment(&records, &frame);

		cr_assert_eq(records_find(&records, &frame)->start, 100 * id);
		cr_assert_eq(segment != NULL, id % 7 == 0);
		cr_assert(segment == NULL || segment->port == (uint16_t)id);
	}
}

Test(records, frames_without_segments_have_none_however_the_ring_grows, .init = begin, .fini = end)
{
	cr_assert_eq(records_have_segments(&records, false), 0);
	cr_assert_eq(records_drop(&records, OLDEST, OLDEST + FRAMES, 1), 0);
	cr_assert_gt(records.mask, FRAMES);
	cr_assert_null(records_segment(&records, &(struct dut_frame){.id = OLDEST}));
}

Test(records, a_jump_moves_frames_by_as_many_frames_octet_times_and_numbers, .init = begin, .fini = end)
{
	static const uint64_t SENT[RECORD_ENTRIES] = {10, 20, 30};
	const struct records_leap leap = {
	        .oldest = OLDEST, .next = OLDEST + 9, .frames = 60, .by_ot = 6000, .periods = 2, .sent = SENT};

	for (uint64_t id = OLDEST; id < OLDEST + 9; id++)
		add(id);
	cr_assert(records_jump(&records, &leap));
	cr_assert_eq(records.oldest, OLDEST + 60);
	for (uint64_t id = OLDEST; id < OLDEST + 9; id++) {
		const struct record *moved = records_find(&records, &(struct dut_frame){.id = id + 60});

		cr_assert_eq(moved->start, 100 * id + 6000);
		cr_assert_eq(moved->sequence, (id % 3) << RECORD_ENTRY_LSB | (id + 2 * SENT[id % 3]));
	}
}

Test(records, a_tagged_frame_is_unique_and_keeps_all_from_jumping, .init = begin, .fini = end)
{
	static const uint64_t SENT[RECORD_ENTRIES] = {1};
	const struct records_leap leap = {
	        .oldest = OLDEST, .next = OLDEST + 2, .frames = 2, .by_ot = 8, .periods = 1, .sent = SENT};

	add(OLDEST);
	add(OLDEST + 1);
	records.ring[(OLDEST + 1) & records.mask].start |= RECORD_TAG;
	cr_assert(records_repeat(&records, OLDEST, OLDEST + 1));
	cr_assert_not(records_jump(&records, &leap));
	cr_assert_eq(records.oldest, OLDEST, "nothing has changed");
}
