/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between decisions and machinery: a benchmark or a search asks a tester for a trial and gets a result.
 * Behind it is a device (device/tester.h) or an external program (exec/tester.h). */
#ifndef FPGAUGE_TRIAL_TESTER_H
#define FPGAUGE_TRIAL_TESTER_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/device.h"
#include "host/base/error.h"
#include "host/base/port_counters.h"
#include "host/base/rate.h"
#include "host/traffic/protocols/foreign_frame.h"
#include "host/traffic/shape.h"
#include "host/trial/octaves.h"

enum trial_kind {
	TRIAL_LOAD,  /* constant load for a given time */
	TRIAL_BURST, /* one burst from idle at the minimum gap, or several, equally far apart */
};

/* The reset of the device under test in mid-trial. */
enum trial_reset {
	TRIAL_LEFT_ALONE,
	TRIAL_RESET_DEVICE,  /* a simulated one is told to reset: device_reset_dut() */
	TRIAL_RESET_COMMAND, /* a program of the user does it */
};

struct traffic;

/* TCP connections of a trial, from ports that send to one that receives (docs/tcp.md): connection c of the n-th sending
 * port, by its number, is connection n x connections + c of the receiving one. All begin with the trial. Ports with
 * connections send nothing else. */
struct trial_tcp {
	unsigned senders;          /* bit p: port p opens connections; 0: there are none in the trial */
	unsigned receiver;         /* port */
	unsigned connections;      /* connections of each sending port */
	unsigned mss;              /* octets of the stream in a segment */
	unsigned window;           /* receive window, octets: a multiple of 2^window_scale, at most 65535 of them */
	unsigned window_scale;     /* 0 to 14; the option is always offered */
	unsigned initial_segments; /* initial congestion window; 0: as RFC 5681 section 3.1 has it */
	unsigned ack_every;        /* segments per acknowledgement, 1 to 3 */
	unsigned octets;           /* octets that each connection sends; 0: as many as it can */
	uint64_t ack_delay_ot;     /* longest delay of an acknowledgement */
	uint64_t rto_min_ot;       /* least retransmission timeout */
	uint64_t rto_initial_ot;   /* timeout before a round trip was measured, if more than the least; 0: the least */
	uint64_t lead_ot;          /* time from the start until all must be open, and other ports begin */
	uint64_t duration_ot;      /* then, over which goodput is measured; with octets, from the start on */
};

/* A program of the user that sets the filters of the device under test (RFC 2544 section 11.4). It gets them on its
 * standard input; if there are to be none, nothing, or what removes them. */
struct trial_filter_program {
	const char *const *command;    /* program and arguments, ends with NULL */
	bool nft;                      /* it reads them as "nft -f" does, else as text */
	const char *const *interfaces; /* nft: interfaces of the device, by port; ends with NULL; NULL: not named */
};

struct trial_request {
	enum trial_kind kind;
	struct traffic_shape shape;
	uint32_t gap_octets;   /* minimum average gap: 12; 11 for RFC 2889 5.6.3.2 */
	struct rate load;      /* TRIAL_LOAD: frames per second, per sending port */
	uint64_t duration_ot;  /* TRIAL_LOAD: time in which frames begin */
	uint64_t next_load_ot; /* TRIAL_LOAD: when the load changes, after the start; 0: it does not */
	struct rate next_load; /* the load it changes to, per sending port; 0 / 0 if it does not change */
	uint64_t reset_ot;     /* TRIAL_LOAD: when the device under test is reset, after the start */
	enum trial_reset reset;
	const char *const *reset_command; /* TRIAL_RESET_COMMAND: program and arguments, ends with NULL; not recorded */
	uint64_t burst_frames;            /* TRIAL_BURST: frames of a burst, per sending port */
	uint64_t bursts;                  /* TRIAL_BURST: how many bursts; 0: one */
	uint64_t burst_gap_octets;        /* several bursts: gap from the last frame of one to the first of the next */
	uint64_t drain_ot;                /* longest wait for the last frame sent to come back */
	uint64_t settle_ot;               /* wait after the last frame came back, before the next trial may begin */
	uint64_t tag_after_ot; /* TRIAL_LOAD: the first frame of each sending port that begins this long after the
	                          first, or later, is tagged; 0: none is */
	const struct trial_filter_program *filters; /* NULL: nothing is done about filters; not recorded */
	const struct traffic *traffic; /* traffic of a device, if it is more than the shape says; else NULL */
	uint64_t pause_ot;             /* device time that passes before anything is sent: addresses are forgotten */
	bool listens;                  /* unexpected frames are read, also if none has come before; not recorded */
	bool obeys_pause; /* TRIAL_LOAD that does not change: pause frames (IEEE 802.3 annex 31B) hold the ports */
	/* A trial that is made just before this one, and leaves the device under test in the state that this one is
	 * about; it has traffic. Not recorded: it is made again with this one. If it is INVALID, this one is. */
	const struct trial_request *before;
	struct trial_tcp tcp;
};

/* The counts of the trial before a trial. */
struct trial_before {
	uint64_t offered_frames;
	uint64_t received_frames;   /* where they must arrive, without duplicates */
	uint64_t wrong_port_frames; /* frames at any other port: the largest count of a port */
	uint64_t last_ot;           /* start of the last frame sent, of any port */
};

/* Gaps from the end of the FCS to the next preamble, measured at the line; null if gaps is 0 (frames < 2). */
struct gap_stats {
	uint64_t gaps;
	uint64_t min_octets;
	uint64_t max_octets;
	uint64_t sum_octets;
};

/* Start to start, first octet in to first octet out (FIFO). Meaningless if frames is 0. */
struct latency_stats {
	uint64_t frames;
	uint64_t min_ot;
	uint64_t max_ot;
	double mean_ot;
};

enum { TRIAL_MAX_PORTS = 16, TRIAL_MAX_FLOWS = 256, TRIAL_MAX_CONNECTIONS = 64 };

/* A count that the tester does not know: an external program need not count everything. */
#define COUNT_UNKNOWN UINT64_MAX

struct trial_port {
	bool sent;               /* took part as a sender */
	uint64_t offered_frames; /* counted where they left */
	uint64_t tx_first_ot, tx_last_ot;
	struct gap_stats tx_gap;
	uint64_t received_frames; /* test frames of this trial, duplicates included */
	PORT_COUNTERS(COUNTER_MEMBER)
	uint64_t foreign[FOREIGN_KINDS]; /* foreign_frames that were read, by kind */
	uint64_t foreign_unread_frames;  /* foreign_frames of unknown kind, for want of room */
	uint64_t host_frames;            /* sent by the slow path; none of offered_frames */
	/* Frames of a modifier, in none of the counts above: sent; those of others that must arrive here, and did. */
	uint64_t broadcast_offered_frames, broadcast_expected_frames, broadcast_received_frames;
	uint64_t management_queries, management_answers; /* a modifier's queries sent; distinct right answers */
	uint64_t management_wrong_frames,
	        management_verdict; /* frames to who asked that are no answer; why the first */
	uint64_t routing_updates;   /* a modifier's updates sent */
	uint64_t new_network_offered_frames, new_network_received_frames; /* its tagged frame, if that goes to a new
	                                                                     network: sent, and arrived */
	/* Frames of TCP connections, in none of the counts above: sent, arrived whole, and of those with a wrong length
	 * or checksum. */
	uint64_t tcp_offered_frames, tcp_received_frames, tcp_bad_frames;
	uint64_t rx_first_ot, rx_last_ot, last_loss_ot, silence_max_ot;
	uint64_t next_load_ot; /* start of the first frame that it sent at the next load; 0: none */
	uint64_t silence_ot;   /* start of the received frame before the longest silence; 0: not read */
	/* Pause frames that a trial obeyed: those that acted, those of them with 0 quanta, and how long frames were due
	 * and held, all together: by so much what followed was sent later. */
	uint64_t obeyed_pause_frames, obeyed_resume_frames, held_ot;
	struct gap_stats rx_gap;
	struct latency_stats latency;
	uint64_t tagged_frames;             /* frames that this port tagged and that came back, at whatever port */
	uint64_t tagged_latency_ot;         /* latency of the tagged frame; meaningless if none came back */
	struct histogram latency_histogram; /* measured at loads without loss; octet times */
	struct octaves latency_octaves;     /* the same latencies, where bins of equal width are too wide or end */
	struct histogram
	        tx_gap_histogram; /* gaps of a burst; those within bursts where several can be told apart; octets */
	struct histogram
	        rx_gap_histogram; /* all gaps that came in here, for a load with gaps below the minimum; octets */
};

/* A flow of a port: what it sent, and what of it arrived where it must, over all ports where that is. */
struct trial_flow {
	unsigned port, flow;
	unsigned arrives; /* bit p: its frames must arrive at port p */
	uint64_t offered_frames;
	uint64_t received_frames; /* frames without duplicates and late ones */
	uint64_t lost_frames;
	FLOW_COUNTERS(COUNTER_MEMBER)
	uint64_t wrong_port_frames; /* frames that came to any other port */
	struct latency_stats latency;
};

/* A TCP connection, as its two ends counted. */
struct trial_connection {
	unsigned port, connection; /* the sending end */
	unsigned receiver, receiving_connection;
	uint64_t goodput_octets;           /* arrived in order in the time that was measured */
	uint64_t octets;                   /* arrived in order until it was closed: all that were sent */
	uint64_t segments, again_segments; /* sent by that port; of those, again */
};

/* Sums over ports, and what every port counted. */
struct trial_result {
	bool valid; /* false: a fault of the tester, never an answer about the DUT */
	char why_invalid[256];
	uint64_t intended_frames; /* frames that the request asks for, over all senders */
	double intended_fps;      /* the rate actually programmed, per sending port: at most the requested one */
	uint64_t offered_frames;
	uint64_t received_frames; /* frames without duplicates */
	uint64_t lost_frames;     /* sum over all ports: frames that must have arrived - received */
	FLOW_COUNTERS(COUNTER_MEMBER)
	uint64_t far_reordered_frames; /* reordered_frames that the device counted late (judging/late.h) */
	struct gap_stats tx_gap;
	bool gaps_unproven; /* the gaps sent were not measured: an external program did not report any */
	struct latency_stats latency;
	double forwarding_rate_fps; /* received frames over the time in which they came, per receiving port; 0 below 2
	                               frames */
	double duration_s;          /* first to last start sent, plus one period */
	uint64_t truncated_ot;      /* how long receiving went on after sending ended */
	uint64_t reset_ot;          /* device time at which the device under test was told to reset; 0: it was not */
	struct trial_before before; /* all 0 without one */
	unsigned ports;             /* 1 for an external program: port[0] has the sums of all, and no times */
	uint64_t flow_count;        /* how many flows there are; COUNT_UNKNOWN for an external program */
	unsigned flows;             /* entries below: all flows in order, or those that lost most */
	struct trial_port port[TRIAL_MAX_PORTS];
	struct trial_flow flow[TRIAL_MAX_FLOWS];
	uint64_t tcp_ot;      /* time in which the goodput of connections was measured; 0: there were none */
	unsigned connections; /* entries below */
	struct trial_connection connection[TRIAL_MAX_CONNECTIONS];
};

struct tester_info {
	const struct device_identity *device; /* NULL for an external program */
	uint64_t link_bps;
	unsigned senders; /* ports that send in a bidirectional trial; for an external program, in any trial */
};

struct tester;

struct tester_ops {
	int (*run)(struct tester *tester, const struct trial_request *request, struct trial_result *result,
	           struct error *error);
	bool (*truth)(struct tester *tester, uint32_t frame_octets, struct dut_truth *truth);
	/* Device time for which the current trial has been sending; may be called from any thread. NULL: not known. */
	uint64_t (*sent_ot)(const struct tester *tester);
	/* Told of a trial that is answered from a record instead of run: numbering goes on as if it had been run. NULL:
	 * not needed. */
	void (*skip)(struct tester *tester);
	/* Returns how many of the trials to come it wants to know beforehand, because it can run them at the same time.
	 * NULL: 0. */
	unsigned (*looks_ahead)(const struct tester *tester);
	/* Told of them before it is asked for the first: that one is certain, each later one is likely if all before it
	 * come. They are answered only when they are asked for. */
	void (*expect)(struct tester *tester, const struct trial_request *requests, unsigned count);
	void (*close)(struct tester *tester);
};

struct tester {
	const struct tester_ops *ops;
	struct tester_info info;
};

/* True for the same trial: all that comes of one comes of the other. */
bool trial_request_equal(const struct trial_request *a, const struct trial_request *b);

/* Returns how many bursts a request is for. */
static inline uint64_t trial_bursts(const struct trial_request *request)
{
	return request->bursts ? request->bursts : 1;
}

/* Runs one trial. 0 with *result filled (valid or not), or a negative error: the device failed, or ERROR_CANCELLED. */
static inline int tester_run(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                             struct error *error)
{
	return tester->ops->run(tester, request, result, error);
}

static inline unsigned tester_looks_ahead(const struct tester *tester)
{
	return tester->ops->looks_ahead ? tester->ops->looks_ahead(tester) : 0;
}

static inline void tester_expect(struct tester *tester, const struct trial_request *requests, unsigned count)
{
	if (tester->ops->expect)
		tester->ops->expect(tester, requests, count);
}

void tester_close(struct tester *tester); /* NULL is allowed */

#endif
