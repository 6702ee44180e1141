// SPDX-License-Identifier: Apache-2.0
/* The second thread, what it is given, and what it gives back. */
#include "sim/twin/play/relay.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sim/twin/play/exchange_port.h"
#include "sim/twin/play/play_state.h"

enum {
	LEAST_WINDOWS = 2,
	WORTH_WINDOWS = 16, /* the start and the end take about as long as two or three */
	MOST_WINDOWS = 128, /* then periods are looked for again */
	LOOKS = 4096,       /* looks before a thread goes to sleep: about as long as it takes to wake it up */
};

static unsigned processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

void relay_open(struct relay *relay, unsigned threads)
{
	const uint64_t by_itself = processors() > 1 ? WORTH_WINDOWS : UINT64_MAX;

	relay->least_windows = threads == 0 ? by_itself : threads > 1 ? LEAST_WINDOWS : UINT64_MAX;
}

/* -- from one thread to the other ---------------------------------------------------------------------------------- */

static void advance(struct relay *relay, _Atomic uint64_t *total)
{
	pthread_mutex_lock(&relay->lock);
	atomic_fetch_add_explicit(total, 1, memory_order_release);
	pthread_cond_broadcast(&relay->changed);
	pthread_mutex_unlock(&relay->lock);
}

/* Waits until there are more than so many. False: it is over. */
static bool await_more(struct relay *relay, _Atomic uint64_t *total, uint64_t than)
{
	for (unsigned i = 0; i < LOOKS; i++)
		if (atomic_load_explicit(total, memory_order_acquire) > than)
			return true;
	pthread_mutex_lock(&relay->lock);
	while (atomic_load_explicit(total, memory_order_acquire) <= than && !relay->over)
		pthread_cond_wait(&relay->changed, &relay->lock);
	pthread_mutex_unlock(&relay->lock);
	return atomic_load_explicit(total, memory_order_acquire) > than;
}

/* Room for more frames at the end; NULL: out of memory. */
static struct dut_frame *room(struct relay_frames *list, size_t more)
{
	struct dut_frame *frames;

	if (list->capacity - list->count >= more)
		return list->frames + list->count;
	frames = realloc(list->frames, 2 * (list->count + more) * sizeof(*frames));
	if (frames == NULL)
		return NULL;
	list->frames = frames;
	list->capacity = 2 * (list->count + more);
	return frames + list->count;
}

/* -- the second thread --------------------------------------------------------------------------------------------- */

static bool take_out(struct dut_device *device, unsigned port, struct relay_frames *out)
{
	size_t given;

	out->count = 0;
	do {
		struct dut_frame *frames = room(out, SENDER_BLOCK_FRAMES);

		if (frames == NULL)
			return false;
		given = dut_device_take(device, port, frames, SENDER_BLOCK_FRAMES);
		out->count += given;
	} while (given == SENDER_BLOCK_FRAMES);
	return true;
}

static void pass(struct play *play, struct relay_batch *batch)
{
	for (unsigned i = 0; i < play->port_count; i++)
		exchange_put(play, i, batch->port[i].in.frames, batch->port[i].in.count);
	dut_device_known(play->device, batch->end_ot);
	batch->failed = false;
	for (unsigned i = 0; i < play->port_count; i++)
		batch->failed = !take_out(play->device, i, &batch->port[i].out) || batch->failed;
	for (unsigned i = 0; i < play->port_count; i++)
		batch->port[i].oldest = dut_device_oldest_id(play->device, i);
	batch->failed = batch->failed || play->device->failed;
}

static void *work(void *context)
{
	struct play *play = context;
	struct relay *relay = &play->relay;
	uint64_t done = 0;

	while (await_more(relay, &relay->given, done)) {
		pass(play, &relay->batch[done++ % RELAY_BATCHES]);
		advance(relay, &relay->done);
	}
	return NULL;
}

/* Room for what is usual, all at once, so that it does not grow during a trial. */
static bool make_room(struct relay *relay, unsigned ports)
{
	bool made = true;

	for (unsigned i = 0; i < RELAY_BATCHES * ports; i++) {
		struct relay_port *port = &relay->batch[i / ports].port[i % ports];

		made = made && room(&port->in, SENDER_BLOCK_FRAMES) != NULL &&
		       room(&port->out, SENDER_BLOCK_FRAMES) != NULL;
	}
	return made;
}

/* Signals are for the threads of the program. False: no thread can be had. */
static bool begin(struct play *play)
{
	struct relay *relay = &play->relay;
	sigset_t all, before;

	if (relay->begun)
		return true;
	if (!make_room(relay, play->port_count) || pthread_mutex_init(&relay->lock, NULL) != 0)
		return false;
	if (pthread_cond_init(&relay->changed, NULL) == 0) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		relay->begun = pthread_create(&relay->thread, NULL, work, play) == 0;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		if (relay->begun)
			return true;
		pthread_cond_destroy(&relay->changed);
	}
	pthread_mutex_destroy(&relay->lock);
	return false;
}

void relay_close(struct relay *relay)
{
	if (relay->begun) {
		pthread_mutex_lock(&relay->lock);
		relay->over = true;
		pthread_cond_broadcast(&relay->changed);
		pthread_mutex_unlock(&relay->lock);
		pthread_join(relay->thread, NULL);
		pthread_cond_destroy(&relay->changed);
		pthread_mutex_destroy(&relay->lock);
		relay->begun = false;
	}
	for (unsigned i = 0; i < RELAY_BATCHES; i++)
		for (unsigned port = 0; port < DUT_MAX_PORTS; port++) {
			free(relay->batch[i].port[port].in.frames);
			free(relay->batch[i].port[port].out.frames);
		}
}

/* -- the first thread ---------------------------------------------------------------------------------------------- */

/* Does the same as exchange_send(), to a batch. */
static int make(struct play *play, unsigned port, uint64_t clock, struct relay_batch *batch)
{
	struct sender *sender = &play->directions[port].sender;
	struct relay_frames *in = &batch->port[port].in;
	size_t made;

	in->count = 0;
	do {
		struct dut_frame *frames = room(in, SENDER_BLOCK_FRAMES);

		if (frames == NULL || exchange_make_room(play, port, play->relay.oldest[port]) != 0)
			return -1;
		made = sender_make(sender, &play->records[port], batch->end_ot, SENDER_BLOCK_FRAMES, true);
		memcpy(frames, sender->block + sender->pending, made * sizeof(*frames));
		in->count += made;
		sender_measure(sender, made, clock);
	} while (made != 0);
	batch->port[port].next_id = sender->next_id;
	return 0;
}

static int make_all(struct play *play, uint64_t clock, struct relay_batch *batch)
{
	for (unsigned i = 0; i < play->port_count; i++)
		batch->port[i].in.count = 0;
	for (unsigned i = 0; i < play->port_count; i++)
		if (!play->looped[i] && make(play, i, clock, batch) != 0)
			return -1;
	return 0;
}

/* Does the same as exchange_receive(), from a batch. */
static int receive(struct play *play, unsigned port, uint64_t clock, const struct relay_frames *out)
{
	struct receiver *receiver = exchange_receiver(play, port);

	for (size_t i = 0; i < out->count; i += SENDER_BLOCK_FRAMES) {
		const size_t left = out->count - i, count = left < SENDER_BLOCK_FRAMES ? left : SENDER_BLOCK_FRAMES;
		struct dut_frame *queue = receiver_room(receiver, count);

		if (queue == NULL || exchange_admit(receiver, out->frames + i, count) != 0)
			return -1;
		memcpy(queue, out->frames + i, count * sizeof(*queue));
		receiver->end += count;
	}
	receiver_count(receiver, play->records, clock);
	return 0;
}

/* Takes the oldest batch back. */
static int collect(struct play *play, uint64_t clock)
{
	struct relay *relay = &play->relay;
	const struct relay_batch *batch = &relay->batch[relay->collected % RELAY_BATCHES];

	await_more(relay, &relay->done, relay->collected);
	relay->collected++;
	for (unsigned i = 0; i < play->port_count; i++) {
		const struct relay_port *port = &batch->port[i];

		relay->oldest[i] = port->oldest < port->next_id ? port->oldest : port->next_id;
		if (batch->failed || receive(play, i, clock, &port->out) != 0)
			return -1;
	}
	return 0;
}

/* All that was given is taken back in any case. */
static int collect_all(struct play *play, uint64_t clock)
{
	struct relay *relay = &play->relay;
	int status = 0;

	while (relay->collected != atomic_load_explicit(&relay->given, memory_order_relaxed))
		status = collect(play, clock) != 0 ? -1 : status;
	return status;
}

bool relay_is_worth(struct play *play, uint64_t until_ot)
{
	const uint64_t left_ot = until_ot > play->exchanged_ot ? until_ot - play->exchanged_ot : 0;

	return left_ot / EXCHANGE_WINDOW_OT >= play->relay.least_windows &&
	       exchange_window_end_ot(play, until_ot) != until_ot && exchange_is_plain(play) && begin(play);
}

int relay_play(struct play *play, uint64_t clock, uint64_t until_ot, uint64_t *end_ot)
{
	struct relay *relay = &play->relay;
	const uint64_t disturbances = exchange_disturbances(play);
	uint64_t windows = 0;

	for (unsigned i = 0; i < play->port_count; i++)
		relay->oldest[i] = exchange_oldest_inside(play, i);
	do {
		const uint64_t given = atomic_load_explicit(&relay->given, memory_order_relaxed);
		struct relay_batch *batch = &relay->batch[given % RELAY_BATCHES];

		if (given - relay->collected == RELAY_BATCHES && collect(play, clock) != 0)
			break;
		*end_ot = batch->end_ot = exchange_window_end_ot(play, until_ot);
		if (make_all(play, clock, batch) != 0)
			break;
		advance(relay, &relay->given);
		if (*end_ot == until_ot || ++windows == MOST_WINDOWS || exchange_disturbances(play) != disturbances)
			return collect_all(play, clock);
	} while (true);
	collect_all(play, clock);
	return -1;
}
