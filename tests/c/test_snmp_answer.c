/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is read of an answer to a management query. Messages are written down octet by octet from RFC 1157, RFC
 * 3416 and the basic encoding rules (X.690); lengths come from wrap(), checksums from sum(), which share nothing with
 * the code. Host 0 of port 0, 02:46:47:00:00:00, 198.18.1.2 and 2001:2:0:1::2, asked 02:50:aa:00:00:01, 198.18.1.1 and
 * 2001:2:0:1::1. */
#include <criterion/criterion.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/internet_checksum.h"
#include "host/traffic/protocols/snmp.h"

enum { TEXT_SIZE = 1200, IPV4 = 14, UDP = IPV4 + 20, MESSAGE = UDP + 8, ID = 0x12345678, UP_AND_IN = 3 };

#define ASKER "024647000000"
#define DEVICE "0250aa000001"
#define ASKER6 "20010002000000010000000000000002"
#define DEVICE6 "20010002000000010000000000000001"

/* A query for the first two variables, of interface 2. */
static struct management_query two(void)
{
	struct management_query query = {
	        .from = test_host(0, 0),
	        .to_mac = {0x02, 0x50, 0xAA, 0, 0, 1},
	        .to = {.ipv4 = {198, 18, 1, 1}, .ipv6 = {0x20, 0x01, 0, 2, 0, 0, 0, 1, [15] = 1}},
	        .tci = NEIGHBOUR_NO_TAG,
	        .version = MANAGEMENT_V2C,
	        .community = "public",
	        .variables = UP_AND_IN,
	        .interface = 2,
	        .request_id = ID,
	};
	return query;
}

__attribute__((format(printf, 2, 3))) static void put_text(char text[TEXT_SIZE], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	cr_assert_lt(vsnprintf(text, TEXT_SIZE, format, arguments), TEXT_SIZE);
	va_end(arguments);
}

/* Puts the tag and the length, in the short form, in front of contents in hex. */
static void wrap(char *hex, const char *tag)
{
	char inside[TEXT_SIZE];

	cr_assert_lt(strlen(hex) / 2, 128);
	strcpy(inside, hex);
	put_text(hex, "%s%02zx%s", tag, strlen(inside) / 2, inside);
}

struct parts {
	const char *version, *community, *pdu, *id, *status, *variables;
};

#define UP_TIME "300f06082b06010201010300430301e240"           /* 123456 ticks */
#define IN_OCTETS "3013060a2b060102010202010a02410500ffffffff" /* 2^32 - 1 */

static const struct parts RIGHT = {
        "020101", "04067075626c6963", "a2", "020412345678", "020100020100", UP_TIME IN_OCTETS,
};

static void message_of(const struct parts *parts, char hex[TEXT_SIZE])
{
	char list[TEXT_SIZE], pdu[TEXT_SIZE];

	strcpy(list, parts->variables);
	wrap(list, "30");
	put_text(pdu, "%s%s%s", parts->id, parts->status, list);
	wrap(pdu, parts->pdu);
	put_text(hex, "%s%s%s", parts->version, parts->community, pdu);
	wrap(hex, "30");
}

/* A frame in a block of its own, so that a sanitizer sees a read behind its end. */
static uint8_t *frame;
static unsigned frame_count;

static void tear_down(void)
{
	free(frame);
	frame = NULL;
}

TestSuite(snmp_answer, .fini = tear_down);

static void put(unsigned at, unsigned value)
{
	put_be16(frame + at, value);
}

/* Octets behind an Ethernet header, so that their checksums are right. */
static void make_sums_right(void)
{
	put(IPV4 + 10, 0);
	put(IPV4 + 10, internet_checksum(frame + IPV4, 20, 0));
	put(UDP + 6, 0);
	put(UDP + 6, internet_checksum(frame + UDP, frame_count - UDP,
	                               internet_sum(frame + IPV4 + 12, 8, 17 + frame_count - UDP)));
}

static void receive_hex(const char *hex)
{
	free(frame);
	frame_count = (unsigned)strlen(hex) / 2;
	frame = malloc(frame_count);
	cr_assert_not_null(frame);
	for (unsigned i = 0; i < frame_count; i++) {
		unsigned octet;

		cr_assert_eq(sscanf(hex + 2 * (size_t)i, "%2x", &octet), 1);
		frame[i] = (uint8_t)octet;
	}
}

/* The message in hex in a datagram from the device to the one who asked. */
static void receive_message(const char *message)
{
	char hex[TEXT_SIZE];
	const unsigned length = 8 + (unsigned)strlen(message) / 2;

	put_text(hex, ASKER DEVICE "08004500%04x0000000040110000c6120101c612010200a1c0a1%04x0000%s", 20 + length,
	         length, message);
	receive_hex(hex);
	make_sums_right();
}

static void receive(const struct parts *parts)
{
	char message[TEXT_SIZE];

	message_of(parts, message);
	receive_message(message);
}

static enum management_verdict verdict_on(uint32_t asked_times, struct management_answer *answer)
{
	const struct management_query asked = two();

	return management_read(&asked, asked_times, frame, frame_count, answer);
}

static void expect(enum management_verdict wanted, const char *what)
{
	struct management_answer answer;
	const enum management_verdict got = verdict_on(1, &answer);

	cr_expect_eq(got, wanted, "%s: %s, not: %s", what, MANAGEMENT_VERDICT_TEXTS[got],
	             MANAGEMENT_VERDICT_TEXTS[wanted]);
}

Test(snmp_answer, a_response_to_the_query_has_its_values)
{
	struct management_answer answer;

	receive(&RIGHT);
	cr_assert_eq(verdict_on(1, &answer), MANAGEMENT_ANSWERED);
	cr_expect_eq(answer.request_id, ID);
	cr_expect_eq(answer.values[MANAGEMENT_UP_TIME], 123456);
	cr_expect_eq(answer.values[MANAGEMENT_IN_OCTETS], UINT32_MAX);
	cr_expect_eq(answer.values[MANAGEMENT_OUT_OCTETS], 0);
}

Test(snmp_answer, over_ipv6_too_but_not_without_a_checksum)
{
	struct management_query asked = two();
	struct management_answer answer;
	char hex[TEXT_SIZE], message[TEXT_SIZE];
	unsigned length;

	asked.to.is_ipv6 = true;
	message_of(&RIGHT, message);
	length = 8 + (unsigned)strlen(message) / 2;
	put_text(hex, ASKER DEVICE "86dd60000000%04x1140" DEVICE6 ASKER6 "00a1c0a1%04x0000%s", length, length, message);
	receive_hex(hex);
	cr_expect_eq(management_read(&asked, 1, frame, frame_count, &answer), MANAGEMENT_UDP_CHECKSUM);
	put(54 + 6, internet_checksum(frame + 54, length, internet_sum(frame + 22, 32, 17 + length)));
	cr_expect_eq(management_read(&asked, 1, frame, frame_count, &answer), MANAGEMENT_ANSWERED);
	frame[14 + 6] = 44; /* a fragment header */
	cr_expect_eq(management_read(&asked, 1, frame, frame_count, &answer), MANAGEMENT_FRAGMENT);
	frame[14] = 0x40;
	cr_expect_eq(management_read(&asked, 1, frame, frame_count, &answer), MANAGEMENT_CUT);
}

Test(snmp_answer, ids_that_were_used_are_the_first_and_those_that_follow)
{
	static const struct {
		const char *id;
		uint32_t value;
		enum management_verdict verdict;
	} CASES[] = {
	        {"020412345677", ID - 1, MANAGEMENT_OTHER_REQUEST},
	        {"020412345678", ID, MANAGEMENT_ANSWERED},
	        {"02041234567a", ID + 2, MANAGEMENT_ANSWERED},
	        {"02041234567b", ID + 3, MANAGEMENT_OTHER_REQUEST},
	        {"0204edcba988", 0xEDCBA988, MANAGEMENT_OTHER_REQUEST},
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct parts parts = RIGHT;
		struct management_answer answer;

		parts.id = CASES[i].id;
		receive(&parts);
		cr_expect_eq(verdict_on(3, &answer), CASES[i].verdict, "%s", CASES[i].id);
		cr_expect_eq(answer.request_id, CASES[i].value, "%s", CASES[i].id);
	}
}

Test(snmp_answer, every_wrong_part_of_a_message_has_its_own_verdict)
{
	static const struct {
		struct parts parts;
		enum management_verdict verdict;
	} CASES[] = {
#define PARTS(...) {"020101", "04067075626c6963", "a2", "020412345678", "020100020100", __VA_ARGS__}
	        {{"020100", "04067075626c6963", "a2", "020412345678", "020100020100", UP_TIME IN_OCTETS},
	         MANAGEMENT_OTHER_VERSION},
	        {{"020103", "04067075626c6963", "a2", "020412345678", "020100020100", UP_TIME IN_OCTETS},
	         MANAGEMENT_OTHER_VERSION},
	        {{"020101", "04067075626c6964", "a2", "020412345678", "020100020100", UP_TIME IN_OCTETS},
	         MANAGEMENT_OTHER_COMMUNITY},
	        {{"020101", "04057075626c69", "a2", "020412345678", "020100020100", UP_TIME IN_OCTETS},
	         MANAGEMENT_OTHER_COMMUNITY},
	        {{"020101", "04067075626c6963", "a0", "020412345678", "020100020100", UP_TIME IN_OCTETS},
	         MANAGEMENT_NO_RESPONSE}, /* our own query, thrown back */
	        {{"020101", "04067075626c6963", "a8", "020412345678", "020100020100", UP_TIME IN_OCTETS},
	         MANAGEMENT_NO_RESPONSE}, /* a report */
	        {{"020101", "04067075626c6963", "a2", "020412345678", "020102020101", UP_TIME IN_OCTETS},
	         MANAGEMENT_ERROR_STATUS}, /* noSuchName, first variable */
	        {{"020101", "04067075626c6963", "a2", "0401ff", "020100020100", UP_TIME IN_OCTETS},
	         MANAGEMENT_MALFORMED}, /* a text as request id */
	        {PARTS(IN_OCTETS UP_TIME), MANAGEMENT_OTHER_VARIABLES},
	        {PARTS(UP_TIME), MANAGEMENT_OTHER_VARIABLES},
	        {PARTS(UP_TIME IN_OCTETS IN_OCTETS), MANAGEMENT_OTHER_VARIABLES},
	        {PARTS(""), MANAGEMENT_OTHER_VARIABLES},
	        {PARTS(UP_TIME "300f060a2b060102010202010a03410101"), MANAGEMENT_OTHER_VARIABLES}, /* interface 3 */
	        {PARTS(UP_TIME "300e060a2b060102010202010a020500"), MANAGEMENT_NO_VALUE},          /* NULL */
	        {PARTS(UP_TIME "300e060a2b060102010202010a028000"), MANAGEMENT_NO_VALUE},          /* noSuchObject */
	        {PARTS(UP_TIME "300e060a2b060102010202010a028100"), MANAGEMENT_NO_VALUE},          /* noSuchInstance */
	        {PARTS(UP_TIME "300e060a2b060102010202010a028200"), MANAGEMENT_NO_VALUE},          /* endOfMibView */
	        {PARTS(UP_TIME "300f060a2b060102010202010a02420101"), MANAGEMENT_OTHER_TYPE},      /* Gauge32 */
	        {PARTS(UP_TIME "300f060a2b060102010202010a02460101"), MANAGEMENT_OTHER_TYPE},      /* Counter64 */
	        {PARTS(UP_TIME "300f060a2b060102010202010a02040161"), MANAGEMENT_OTHER_TYPE},      /* a text */
	        {PARTS(UP_TIME "300f060a2b060102010202010a02410901"), MANAGEMENT_MALFORMED},       /* longer than all */
	        {PARTS(UP_TIME "3003060141"), MANAGEMENT_MALFORMED}, /* shorter than it says */
#undef PARTS
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		char what[32];

		snprintf(what, sizeof(what), "case %zu", i);
		receive(&CASES[i].parts);
		expect(CASES[i].verdict, what);
	}
}

Test(snmp_answer, an_error_says_which_and_where)
{
	struct parts parts = RIGHT;
	struct management_answer answer;

	parts.status = "020102020101"; /* noSuchName, of the first variable */
	receive(&parts);
	cr_expect_eq(verdict_on(1, &answer), MANAGEMENT_ERROR_STATUS);
	cr_expect_eq(answer.error_status, 2);
	cr_expect_eq(answer.error_index, 1);
}

Test(snmp_answer, every_wrong_header_has_its_own_verdict)
{
	static const struct {
		const char *what;
		unsigned octet;
		uint8_t value;
		bool right_sums;
		enum management_verdict verdict;
	} CASES[] = {
	        {"to another station", 5, 0x01, true, MANAGEMENT_ANOTHER_FRAME},
	        {"ARP", 13, 0x06, true, MANAGEMENT_ANOTHER_FRAME},
	        {"version 6 of IP", IPV4, 0x65, true, MANAGEMENT_CUT},
	        {"a header of 16 octets", IPV4, 0x44, true, MANAGEMENT_CUT},
	        {"longer than the frame", IPV4 + 2, 0x01, true, MANAGEMENT_CUT},
	        {"shorter than the datagram", IPV4 + 3, 0x50, true, MANAGEMENT_CUT},
	        {"the first fragment", IPV4 + 6, 0x20, true, MANAGEMENT_FRAGMENT},
	        {"a later fragment", IPV4 + 7, 0x08, true, MANAGEMENT_FRAGMENT},
	        {"TCP", IPV4 + 9, 6, true, MANAGEMENT_ANOTHER_FRAME},
	        {"a wrong header checksum", IPV4 + 8, 0x3F, false, MANAGEMENT_IP_CHECKSUM},
	        {"from another host", IPV4 + 15, 3, true, MANAGEMENT_OTHER_SENDER},
	        {"to another host", IPV4 + 19, 3, true, MANAGEMENT_ANOTHER_FRAME},
	        {"from another port", UDP + 1, 0xA2, true, MANAGEMENT_OTHER_SENDER},
	        {"to another port", UDP + 3, 0xA2, true, MANAGEMENT_ANOTHER_FRAME},
	        {"a datagram shorter than its header", UDP + 5, 7, true, MANAGEMENT_CUT},
	        {"a datagram longer than the packet", UDP + 4, 1, true, MANAGEMENT_CUT},
	        {"a datagram an octet longer than the packet", UDP + 5, 8 + 67 + 1, true, MANAGEMENT_CUT},
	        {"a wrong UDP checksum", MESSAGE + 8, 0x41, false, MANAGEMENT_UDP_CHECKSUM},
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		receive(&RIGHT);
		cr_assert_neq(frame[CASES[i].octet], CASES[i].value);
		frame[CASES[i].octet] = CASES[i].value;
		if (CASES[i].right_sums)
			make_sums_right();
		expect(CASES[i].verdict, CASES[i].what);
	}
}

Test(snmp_answer, a_datagram_without_a_checksum_is_believed_over_ipv4)
{
	receive(&RIGHT);
	put(UDP + 6, 0);
	expect(MANAGEMENT_ANSWERED, "without checksum");
}

Test(snmp_answer, an_answer_in_the_vlan_of_the_query_is_one_and_in_another_it_is_not)
{
	struct management_query asked = two();
	struct management_answer answer;
	uint8_t untagged[256];
	const uint8_t tag[] = {0x81, 0x00, 0x20, 0x05}; /* another priority */

	receive(&RIGHT);
	memcpy(untagged, frame, frame_count);
	frame = realloc(frame, frame_count + 4);
	cr_assert_not_null(frame);
	memcpy(frame + 12, tag, 4);
	memcpy(frame + 16, untagged + 12, frame_count - 12);
	asked.tci = 0x6005;
	cr_expect_eq(management_read(&asked, 1, frame, frame_count + 4, &answer), MANAGEMENT_ANSWERED);
	asked.tci = 6;
	cr_expect_eq(management_read(&asked, 1, frame, frame_count + 4, &answer), MANAGEMENT_ANOTHER_FRAME);
	asked.tci = NEIGHBOUR_NO_TAG;
	cr_expect_eq(management_read(&asked, 1, frame, frame_count + 4, &answer), MANAGEMENT_ANOTHER_FRAME);
}

Test(snmp_answer, no_frame_that_ends_early_and_no_wrong_bit_makes_an_answer)
{
	const struct management_query asked = two();
	struct management_answer answer;

	receive(&RIGHT);
	for (unsigned count = 0; count < frame_count; count++) {
		uint8_t *cut = malloc(count + 1);

		cr_assert_not_null(cut);
		memcpy(cut, frame, count);
		cr_expect_neq(management_read(&asked, 1, cut, count, &answer), MANAGEMENT_ANSWERED, "%u octets", count);
		free(cut);
	}
	for (unsigned bit = 0; bit < 8 * frame_count; bit++) {
		const bool of_source_mac = bit / 8 >= 6 && bit / 8 < 12; /* the device may have several */

		frame[bit / 8] ^= (uint8_t)(1 << bit % 8);
		cr_expect_eq(management_read(&asked, 1, frame, frame_count, &answer) == MANAGEMENT_ANSWERED,
		             of_source_mac, "bit %u", bit);
		frame[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}

/* The checksums are right, so that it is the message that is looked at. */
Test(snmp_answer, a_message_that_ends_early_or_late_is_malformed)
{
	char message[TEXT_SIZE];

	message_of(&RIGHT, message);
	for (size_t count = strlen(message) - 2; count > 0; count -= 2) {
		message[count] = 0;
		receive_message(message);
		expect(MANAGEMENT_MALFORMED, message);
	}
	receive_message("");
	expect(MANAGEMENT_MALFORMED, "nothing");
	message_of(&RIGHT, message);
	strcat(message, "00");
	receive_message(message);
	expect(MANAGEMENT_MALFORMED, "an octet behind");
}

Test(snmp_answer, padding_behind_the_packet_is_ignored)
{
	receive(&RIGHT);
	frame = realloc(frame, frame_count + 6);
	cr_assert_not_null(frame);
	memset(frame + frame_count, 0xEE, 6);
	frame_count += 6;
	expect(MANAGEMENT_ANSWERED, "padded");
}

Test(snmp_answer, every_verdict_has_a_text_of_its_own)
{
	for (unsigned i = 0; i < MANAGEMENT_VERDICTS; i++)
		for (unsigned j = 0; j < i; j++)
			cr_expect_str_neq(MANAGEMENT_VERDICT_TEXTS[i], MANAGEMENT_VERDICT_TEXTS[j]);
	for (unsigned i = 0; i < MANAGEMENT_VARIABLES; i++)
		cr_expect_not_null(MANAGEMENT_VARIABLE_NAMES[i]);
}

/* The kernel ends the process from here on at any system call but those of memory and of ending itself. */
static bool forbid_all_but_memory(void)
{
	static const unsigned ALLOWED[] = {__NR_brk,          __NR_mmap,      __NR_munmap,      __NR_mremap,
	                                   __NR_mprotect,     __NR_madvise,   __NR_futex,       __NR_sched_yield,
	                                   __NR_getpid,       __NR_gettid,    __NR_sigaltstack, __NR_rt_sigprocmask,
	                                   __NR_rt_sigaction, __NR_exit_group};
	enum { COUNT = sizeof(ALLOWED) / sizeof(ALLOWED[0]) };
	struct sock_filter program[COUNT + 3] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	const struct sock_fprog whole = {.len = COUNT + 3, .filter = program};

	for (unsigned i = 0; i < COUNT; i++)
		program[1 + i] =
		        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ALLOWED[i], (uint8_t)(COUNT - i), 0);
	program[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	program[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

enum { DID_ALL = 0, DID_NOT = 1, CANNOT_FORBID = 77 };

/* A query, a good answer and one that is malformed. */
static int use_library(void)
{
	const struct management_query asked = two();
	struct management_answer answer;
	struct datagram_frame built;
	unsigned at;

	if (!management_query_frame(&asked, &built, &at) ||
	    management_read(&asked, 1, frame, frame_count, &answer) != MANAGEMENT_ANSWERED)
		return DID_NOT;
	frame[MESSAGE + 16] = 0x7F;
	put(UDP + 6, 0);
	return management_read(&asked, 1, frame, frame_count, &answer) == MANAGEMENT_MALFORMED ? DID_ALL : DID_NOT;
}

Test(snmp_answer, the_library_opens_no_file_and_no_socket_and_prints_nothing)
{
	pid_t child;
	int status;

	receive(&RIGHT);
	child = fork();
	cr_assert_geq(child, 0);
	if (child == 0)
		_exit(forbid_all_but_memory() ? use_library() : CANNOT_FORBID);
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFEXITED(status), "ended by signal %d: a forbidden system call", WTERMSIG(status));
	if (WEXITSTATUS(status) == CANNOT_FORBID)
		cr_skip_test("no seccomp here");
	cr_expect_eq(WEXITSTATUS(status), DID_ALL);
}
