/* SPDX-License-Identifier: Apache-2.0 */
/* Invalid plans: each ends in one line that names file, line, value and limit. */
#include <string.h>
#include <sys/stat.h>

#include "host/base/quantity.h"
#include "host/bench/benchmark.h"
#include "tests/c/plan_files.h"

TestSuite(plan_errors, .init = enter_plan_directory, .fini = leave_plan_directory);

static void expect_complaint(const char *path, const char *const *overrides, size_t count, const char *expected)
{
	struct plan *plan = (struct plan *)1;
	struct error error = {0};
	int result = plan_read(path, &BENCHMARK_KEYS, overrides, count, &plan, &error);

	cr_expect_eq(result, ERROR_PLAN, "%s: result %d", expected, result);
	cr_expect_eq(error.code, ERROR_PLAN);
	cr_expect_null(plan);
	cr_expect_str_eq(error.text, expected, "\n  got:      %s\n  expected: %s", error.text, expected);
}

static void expect_text_complaint(const char *text, const char *expected)
{
	write_octets("lab.cfg", text, strlen(text));
	expect_complaint("lab.cfg", NULL, 0, expected);
}

struct wrong {
	const char *text, *complaint;
};

#define D "device = { backend = \"sim\"; };\n"
#define C(backend, settings) "device = { backend = \"" backend "\"; " settings "}; run = ({test=\"throughput\";});"
#define E(settings) "device = { backend = \"exec\"; command = [\"x\"]; " settings "}; run = ({test=\"throughput\";});"
#define T(settings) D "run = ({ test = \"throughput\"; " settings " });"
#define M(settings) D "run = ({ test = \"mlrsearch\"; " settings " });"
#define B(settings) D "run = ({ test = \"back_to_back\"; " settings " });"

/* The benchmarks of RFC 2889 in the order of the table. */
#define OF_RFC2889(quote, then, last)                                                                                  \
	quote "rfc2889.full_mesh" then quote "rfc2889.one_to_many" then quote "rfc2889.many_to_one" then quote         \
	      "rfc2889.multiple_devices" then quote "rfc2889.unidirectional_mesh" then quote                           \
	      "rfc2889.congestion_control" then quote "rfc2889.maximum_forwarding_rate" then quote                     \
	      "rfc2889.forward_pressure" then quote "rfc2889.address_caching" then quote                               \
	      "rfc2889.learning_rate" then quote "rfc2889.errored_frames" then quote                                   \
	      "rfc2889.broadcast_forwarding" then quote "rfc2889.broadcast_latency" then quote                         \
	      "rfc8239.line_rate" then quote "rfc8239.microburst" then quote                                           \
	      "rfc8239.head_of_line_blocking" then quote "rfc8239.buffer_efficiency" then quote                        \
	      "rfc8239.port_buffer" then quote "rfc8239.port_pair_buffer" then quote                                   \
	      "rfc8239.device_buffer" last quote "rfc8239.incast\""
#define OF_A_RESOLUTION                                                                                                \
	"bursty_traffic, rfc2889.full_mesh, rfc2889.one_to_many, rfc2889.many_to_one, rfc2889.multiple_devices, "      \
	"rfc2889.unidirectional_mesh, rfc2889.maximum_forwarding_rate"
#define OF_A_SEARCH                                                                                                    \
	OF_A_RESOLUTION ", rfc2889.broadcast_forwarding, rfc8239.microburst, rfc8239.buffer_efficiency, "              \
	                "rfc8239.port_buffer, rfc8239.port_pair_buffer and rfc8239.device_buffer"

static const struct wrong NUMBERS[] = {
        {D "dut = { x = 100000000000; };",
         "lab.cfg:2: x = 100000000000: must be -2147483648 to 2147483647 (write larger numbers as text, in quotes)"},
        {D "dut = { x = 4294967296; };",
         "lab.cfg:2: x = 4294967296: must be -2147483648 to 2147483647 (write larger numbers as text, in quotes)"},
        {D "dut = { x = 2147483648; };",
         "lab.cfg:2: x = 2147483648: must be -2147483648 to 2147483647 (write larger numbers as text, in quotes)"},
        {D "dut = { x = -2147483649; };",
         "lab.cfg:2: x = -2147483649: must be -2147483648 to 2147483647 (write larger numbers as text, in quotes)"},
        {D "dut = { x = 0xFFFFFFFF; };",
         "lab.cfg:2: x = 0xFFFFFFFF: must be -2147483648 to 2147483647 (write larger numbers as text, in quotes)"},
        {D "dut = { x = 9223372036854775808L; };",
         "lab.cfg:2: x = 9223372036854775808L: must be -9223372036854775808 to 9223372036854775807 (write larger "
         "numbers as text, in quotes)"},
        {D "dut = { x = 99999999999999999999999999; };",
         "lab.cfg:2: x = 99999999999999999999999999: must be -2147483648 to 2147483647 (write larger numbers as text, "
         "in quotes)"},
        {D "dut = { x = 1e400; };",
         "lab.cfg:2: x = 1e400: must be a number that a double can hold, 2.3e-308 to 1.8e308"},
        {D "dut = { x = 1e-400; };",
         "lab.cfg:2: x = 1e-400: must be a number that a double can hold, 2.3e-308 to 1.8e308"},
        {D "dut = { x = 0100; };", "lab.cfg:2: x = 0100: must not begin with 0 (octal or decimal?)"},
        {D "link = { speed = 100G; };",
         "lab.cfg:2: speed = 100G: must be a number (write a number with a unit as text, in quotes: \"100G\")"},
        {D "dut = { x = 1.2.3; };",
         "lab.cfg:2: x = 1.2.3: must be a number (write a number with a unit as text, in quotes: \"100G\")"},
        {D "dut = { x = 0x; };", "lab.cfg:2: x = 0x: must be a number"},
        {D "run = ({ test = \"throughput\"; frame_sizes = [64,\n 4294967296]; });",
         "lab.cfg:3: frame_sizes = 4294967296: must be -2147483648 to 2147483647 (write larger numbers as text, in "
         "quotes)"},
};

Test(plan_errors, numbers_that_libconfig_would_corrupt)
{
	for (size_t i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++)
		expect_text_complaint(NUMBERS[i].text, NUMBERS[i].complaint);
}

static const struct wrong GRAMMAR[] = {
        {"", "lab.cfg: device must be given"},
        {D, "lab.cfg: run must be given"},
        {"\n\n/* never closed\n" D, "lab.cfg:3: comment is not closed: */ is missing"},
        {"device = { backend = \"sim; };\n", "lab.cfg:1: text is not closed: \" is missing"},
        {"device = { backend = \"si\\qm\"; };\n",
         "lab.cfg:1: escape \\q: must be \\\\ \\\" \\n \\r \\t \\f or \\xHH of a printable ASCII character"},
        {"device = { backend = \"\\x01\"; };\n",
         "lab.cfg:1: escape \\x: must be \\\\ \\\" \\n \\r \\t \\f or \\xHH of a printable ASCII character"},
        {D "run = ({ test \"throughput\"; });",
         "lab.cfg:2: syntax error at or before: run = ({ test \"throughput\"; });"},
        {D "run = ({ test = \"throughput\"; }\n",
         "lab.cfg:3: syntax error at the end: a bracket or a value is missing"},
        {D "dut = { x = 5 5; };", "lab.cfg:2: syntax error: a comma or semicolon is missing beside a number"},
        {D "dut = { x = 5 \"a\"; };", "lab.cfg:2: syntax error: a comma or semicolon is missing beside a number"},
        {D "dut = { x = 5-3; };", "lab.cfg:2: syntax error: a comma or semicolon is missing beside a number"},
        {D "dut = { x = sim; };", "lab.cfg:2: syntax error at or before: dut = { x = sim; };"},
        {D "dut = { x = $; };", "lab.cfg:2: $;: is not allowed here (text belongs in quotes)"},
        {D "dut = { x = 1; y = 2;\n x = 3; };", "lab.cfg:3: duplicate key, each may appear only once: x = 3; };"},
        {D D, "lab.cfg:2: duplicate key, each may appear only once: device = { backend = \"sim\"; };"},
        {D "dut = { x = ((((((((((((((((1)))))))))))))))); };", "lab.cfg:2: (: must be at most 16 brackets deep"},
};

Test(plan_errors, grammar)
{
	for (size_t i = 0; i < sizeof(GRAMMAR) / sizeof(GRAMMAR[0]); i++)
		expect_text_complaint(GRAMMAR[i].text, GRAMMAR[i].complaint);
}

static const struct wrong SECTIONS[] = {
        {"devise = { };",
         "lab.cfg:1: devise = {...}: unknown key; must be device, link, dut, info, traffic, run or trial_log"},
        {"device = \"sim\"; run = ({test=\"throughput\";});", "lab.cfg:1: device = \"sim\": must be a group, { ... }"},
        {"device = { }; run = ({test=\"throughput\";});",
         "lab.cfg:1: device: backend must be given, such as backend = \"sim\""},
        {"device = { backend = \"simm\"; }; run = ({test=\"throughput\";});",
         "lab.cfg:1: device.backend = \"simm\": must be \"sim\" or \"xrt\" or \"pci\" or \"exec\""},
        {"device = { backend = \"sim\"; library = 5; }; run = ({test=\"throughput\";});",
         "lab.cfg:1: device.library = 5: must be text, in quotes"},
        {"device = { backend = \"sim\"; ports = 17; }; run = ({test=\"throughput\";});",
         "lab.cfg:1: device.ports = 17: must be a whole number, 2 to 16"},
        {"device = { backend = \"exec\"; }; run = ({test=\"throughput\";});",
         "lab.cfg:1: device: command must be given with backend = \"exec\", such as command = [\"python3\", "
         "\"my-tester.py\"]"},
        {E("timeout = 5; "), "lab.cfg:1: device.timeout = 5: must be a time with its unit, 1ms to 604800s"},
        {E("senders = 17; "), "lab.cfg:1: device.senders = 17: must be a whole number, 1 to 16 ports"},
        {E("offered_tolerance = \"11%\"; "), "lab.cfg:1: device.offered_tolerance = \"11%\": must be 0% to 10%"},
        {E("time_out = \"5s\"; "), "lab.cfg:1: device.time_out = \"5s\": unknown key; did you mean \"timeout\"?"},
        {E("library = \"rtl\"; "),
         "lab.cfg:1: device.library = \"rtl\": is not a key of backend = \"exec\", only of \"sim\""},
        {E("card = 0; "),
         "lab.cfg:1: device.card = 0: is not a key of backend = \"exec\", only of \"xrt\" and \"pci\""},
        {E("ports = 2; "), "lab.cfg:1: device.ports = 2: is not a key of backend = \"exec\", only of \"sim\""},
        {C("xrt", "ports = 2; "), "lab.cfg:1: device.ports = 2: is not a key of backend = \"xrt\", only of \"sim\""},
        {C("pci", "ports = 4; "), "lab.cfg:1: device.ports = 4: is not a key of backend = \"pci\", only of \"sim\""},
        {C("sim", "xclbin = \"x.xclbin\"; "),
         "lab.cfg:1: device.xclbin = \"x.xclbin\": is not a key of backend = \"sim\", only of \"xrt\""},
        {C("xrt", "bar = 2; "), "lab.cfg:1: device.bar = 2: is not a key of backend = \"xrt\", only of \"pci\""},
        {C("xrt", "library = \"rtl\"; "),
         "lab.cfg:1: device.library = \"rtl\": is not a key of backend = \"xrt\", only of \"sim\""},
        {C("xrt", "xlcbin = \"x.xclbin\"; "),
         "lab.cfg:1: device.xlcbin = \"x.xclbin\": unknown key; did you mean \"xclbin\"?"},
        {C("xrt", "xclbin = \"x.xclbin\"; card = true; "),
         "lab.cfg:1: device.card = true: must be text, in quotes, or a number"},
        {C("xrt", ""), "lab.cfg:1: device: xclbin or manifest must be given with backend = \"xrt\", such as manifest = "
                       "\"bitstreams/u55c/manifest.cfg\""},
        {C("xrt", "xclbin = \"x.xclbin\"; manifest = \"m.cfg\"; "),
         "lab.cfg:1: device.manifest = \"m.cfg\": cannot be combined with xclbin: the manifest names the file"},
        {C("pci", "bar = 6; "), "lab.cfg:1: device.bar = 6: must be a whole number, 0 to 5"},
        {C("pci", "capture = \"x.pcapng\"; "),
         "lab.cfg:1: device.capture = \"x.pcapng\": unknown key; `fpgauge help plan` lists all"},
        {"device = { backend = \"pci\"; }; dut = { model = \"wire\"; }; run = ({test=\"throughput\";});",
         "lab.cfg:1: dut = {...}: is for a simulation; a card has a real device at its ports"},
        {E(""), "lab.cfg:1: link.speed must be given with backend = \"exec\", such as link = { speed = \"100G\"; }"},
        {D "link = { sped = \"100G\"; }; run = ({test=\"throughput\";});",
         "lab.cfg:2: link.sped = \"100G\": unknown key; did you mean \"speed\"?"},
        {D "link = { speed = \"fast\"; }; run = ({test=\"throughput\";});",
         "lab.cfg:2: link.speed = \"fast\": must be 10M to 800G bits a second"},
        {D "link = { speed = \"100Gb\"; }; run = ({test=\"throughput\";});",
         "lab.cfg:2: link.speed = \"100Gb\": must be 10M to 800G bits a second (" QUANTITY_UNKNOWN_UNIT ")"},
        {D "link = { speed = \"10000000.5\"; }; run = ({test=\"throughput\";});",
         "lab.cfg:2: link.speed = \"10000000.5\": must be a whole number of bits a second"},
        {D "dut = { x = [1]; }; run = ({test=\"throughput\";});", "lab.cfg:2: dut.x = [...]: must be a single value"},
        {D "run = ();", "lab.cfg:2: run = []: must be a list of 1 to 100 tests, ( { test = ...; }, ... )"},
        {D "run = { test = \"throughput\"; };",
         "lab.cfg:2: run = {...}: must be a list of 1 to 100 tests, ( { test = ...; }, ... )"},
        {D "run = (5);", "lab.cfg:2: run = 5: must be a group, { ... }"},
        {D "run = ({});", "lab.cfg:2: test must be given: \"throughput\", \"back_to_back\", \"mlrsearch\", "
                          "\"frame_loss_rate\", \"latency\", "
                          "\"system_recovery\", \"reset\", \"bursty_traffic\", " OF_RFC2889("\"", "\", ", "\" or ")},
        {D "run = ({ test = \"jitter\"; });",
         "lab.cfg:2: test = \"jitter\": must be \"throughput\" or \"back_to_back\" or \"mlrsearch\" or "
         "\"frame_loss_rate\" or \"latency\" or \"system_recovery\" or \"reset\" or \"bursty_traffic\" or " OF_RFC2889(
                 "\"", "\" or ", "\" or ")},
};

Test(plan_errors, sections)
{
	for (size_t i = 0; i < sizeof(SECTIONS) / sizeof(SECTIONS[0]); i++)
		expect_text_complaint(SECTIONS[i].text, SECTIONS[i].complaint);
}

static const struct wrong SETTINGS[] = {
        {B("repetition = 5;"), "lab.cfg:2: repetition = 5: unknown key; did you mean \"repetitions\"?"},
        {B("colour = 5;"), "lab.cfg:2: colour = 5: unknown key; `fpgauge help plan` lists all"},
        {T("repetitions = 5;"),
         "lab.cfg:2: repetitions = 5: is not a key of throughput, only of back_to_back, latency, system_recovery, "
         "reset, rfc2889.broadcast_latency, rfc8239.line_rate, rfc8239.microburst, rfc8239.head_of_line_blocking, "
         "rfc8239.buffer_efficiency, rfc8239.port_buffer, rfc8239.port_pair_buffer, rfc8239.device_buffer and "
         "rfc8239.incast"},
        {B("trial_duration = \"1s\";"),
         "lab.cfg:2: trial_duration = \"1s\": is not a key of back_to_back, only of throughput, "
         "mlrsearch, frame_loss_rate, latency, bursty_traffic, rfc2889.full_mesh, rfc2889.one_to_many, "
         "rfc2889.many_to_one, rfc2889.multiple_devices, rfc2889.unidirectional_mesh, rfc2889.congestion_control, "
         "rfc2889.maximum_forwarding_rate, rfc2889.forward_pressure, rfc2889.errored_frames, "
         "rfc2889.broadcast_forwarding, rfc8239.line_rate, rfc8239.head_of_line_blocking and rfc8239.incast"},
        {B("repetitions = 0;"), "lab.cfg:2: repetitions = 0: must be a whole number, 1 to 100000 searches"},
        {B("repetitions = -5;"), "lab.cfg:2: repetitions = -5: must be a whole number, 1 to 100000 searches"},
        {B("repetitions = 1.5;"), "lab.cfg:2: repetitions = 1.5: must be a whole number, 1 to 100000 searches"},
        {B("repetitions = \"50\";"), "lab.cfg:2: repetitions = \"50\": must be a whole number, 1 to 100000 searches"},
        {B("repetitions = [50];"), "lab.cfg:2: repetitions = [...]: must be a whole number, 1 to 100000 searches"},
        {B("test_all_sizes = 1;"), "lab.cfg:2: test_all_sizes = 1: must be true or false"},
        {T("frame_sizes = [];"), "lab.cfg:2: frame_sizes = []: must be a list of 64 to 9216 octets"},
        {T("frame_sizes = 64;"), "lab.cfg:2: frame_sizes = 64: must be a list of 64 to 9216 octets"},
        {T("frame_sizes = [64,\n63];"), "lab.cfg:3: frame_sizes[1] = 63: must be 64 to 9216 (octets, FCS included)"},
        {T("frame_sizes = [9217];"), "lab.cfg:2: frame_sizes[0] = 9217: must be 64 to 9216 (octets, FCS included)"},
        {T("frame_sizes = [64.5];"), "lab.cfg:2: frame_sizes[0] = 64.5: must be 64 to 9216 (octets, FCS included)"},
        {T("frame_sizes = [\"64\"];"), "lab.cfg:2: frame_sizes[0] = \"64\": must be 64 to 9216 (octets, FCS included)"},
        {T("frame_sizes = [64, 128, 64];"),
         "lab.cfg:2: frame_sizes[2] = 64: must appear only once; frame_sizes[0] is the same"},
        {B("frame_sizes = ([64, 1518]);"),
         "lab.cfg:2: frame_sizes = [...]: must be a list of single sizes: mixed sizes "
         "(IMIX) are not for back_to_back (RFC 9004 section 3)"},
        {B("frame_mix = [64, 1518];"), "lab.cfg:2: frame_mix = [...]: must be a list of single sizes: mixed sizes "
                                       "(IMIX) are not for back_to_back (RFC 9004 section 3)"},
        {B("frame_sizes = \"IMIX\";"), "lab.cfg:2: frame_sizes = \"IMIX\": must be a list of single sizes: mixed sizes "
                                       "(IMIX) are not for back_to_back (RFC 9004 section 3)"},
        {T("imix = \"7:4:1\";"), "lab.cfg:2: imix = \"7:4:1\": must be a list of single sizes: traffic = { sizes = "
                                 "...; } mixes them within a trial"},
        {T("search = \"linear\";"),
         "lab.cfg:2: search = \"linear\": must be \"binary\" or \"loss_verification\" or \"mlrsearch\""},
        {T("search = true;"), "lab.cfg:2: search = true: must be \"binary\" or \"loss_verification\" or \"mlrsearch\""},
        {T("direction = \"both\";"),
         "lab.cfg:2: direction = \"both\": must be \"unidirectional\" or \"bidirectional\""},
        {T("resolution = 0;"), "lab.cfg:2: resolution = 0: must be 0.0001% to 50%, or 1 to 1T frames a second"},
        {T("resolution = \"0%\";"),
         "lab.cfg:2: resolution = \"0%\": must be 0.0001% to 50%, or 1 to 1T frames a second"},
        {T("resolution = \"1s\";"),
         "lab.cfg:2: resolution = \"1s\": must be 0.0001% to 50%, or 1 to 1T frames a second"},
        {B("resolution = 0;"), "lab.cfg:2: resolution = 0: must be 1 to 1G frames"},
        {B("resolution = \"1.5 frames\";"), "lab.cfg:2: resolution = \"1.5 frames\": must be whole frames"},
        {T("settle = 2;"), "lab.cfg:2: settle = 2: must be a time with its unit, 0s to 604800s"},
        {T("settle = \"2\";"), "lab.cfg:2: settle = \"2\": must be a time with its unit, 0s to 604800s"},
        {T("settle = \"2 min\";"),
         "lab.cfg:2: settle = \"2 min\": must be a time with its unit, 0s to 604800s (" QUANTITY_UNKNOWN_UNIT ")"},
        {T("settle = \"-2s\";"), "lab.cfg:2: settle = \"-2s\": must be a time with its unit, 0s to 604800s"},
        {T("trial_duration = \"1000.5ns\";"), "lab.cfg:2: trial_duration = \"1000.5ns\": must be whole nanoseconds"},
        {T("trial_duration = \"2s\"; search_trial_duration = \"3s\";"),
         "lab.cfg:2: search_trial_duration = \"3s\": must be at most trial_duration, 2 s"},
        {B("search = \"mlrsearch\";"), "lab.cfg:2: search = \"mlrsearch\": must be \"binary\" or \"loss_verification\" "
                                       "(RFC 9004 section 6.2)"},
        {M("search = \"binary\";"), "lab.cfg:2: search = \"binary\": must be \"mlrsearch\" in this test"},
        {M("max_trials = 3;"),
         "lab.cfg:2: max_trials = 3: is not a key of mlrsearch, only of throughput, back_to_back, " OF_A_SEARCH},
        {M("resolution = \"1%\";"), "lab.cfg:2: resolution = \"1%\": is not a key of mlrsearch, only of throughput, "
                                    "back_to_back, " OF_A_RESOLUTION " and rfc2889.broadcast_forwarding"},
        {T("width = 0.01;"), "lab.cfg:2: width = 0.01: requires search = \"mlrsearch\""},
        {T("search = \"mlrsearch\"; resolution = \"1%\";"),
         "lab.cfg:2: resolution = \"1%\": requires search = \"binary\" or \"loss_verification\"; MLRsearch has "
         "width"},
        {T("search = \"loss_verification\"; max_trials = 3; max_repeats = 2;"),
         "lab.cfg:2: max_repeats = 2: cannot be combined with max_trials: both set the same limit"},
        {T("search = \"mlrsearch\"; goals = ( { loss_ratio = \"0.5%\"; }, { loss_ratio = 0; } ); require = { "
           "throughput_fps = \"70M\"; };"),
         "lab.cfg:2: require.throughput_fps = \"70M\": must be conditional_throughput_fps here: with these settings "
         "the "
         "test finds conditional throughput (RFC 9971; its goal allows loss, so it is not the throughput of RFC 2544)"},
        {T("search = \"mlrsearch\"; goals = ( { loss_ratio = 0; }, { loss_ratio = \"0.5%\"; } ); require = { "
           "conditional_throughput_fps = \"70M\"; };"),
         "lab.cfg:2: require.conditional_throughput_fps = \"70M\": must be throughput_fps here: with these settings "
         "the "
         "test finds throughput (RFC 2544 section 26.1)"},
        {T("require = { conditional_throughput_percent = \"99%\"; };"),
         "lab.cfg:2: require.conditional_throughput_percent = \"99%\": must be throughput_percent here: with these "
         "settings the test finds throughput (RFC 2544 section 26.1)"},
        {T("require = { relevant_lower_bound_fps = 1; };"), "lab.cfg:2: require.relevant_lower_bound_fps = 1: must be "
                                                            "throughput_fps here: with these settings the test finds "
                                                            "throughput (RFC 2544 section 26.1)"},
        {T("require = { latency_p99_ns = 5; };"),
         "lab.cfg:2: require.latency_p99_ns = 5: must be a time with its unit, such as \"20us\", taken as a maximum "
         "unless <= or >= stands before it"},
        {T("require = { frame_octets = 64; };"),
         "lab.cfg:2: require.frame_octets = 64: is not a key of the results of throughput that can have a limit; must "
         "be one of throughput_fps, throughput_percent, forwarding_rate_fps, layer_1_gbps, layer_2_gbps, "
         "latency_min_ns, latency_mean_ns, latency_p50_ns, latency_p90_ns, latency_p99_ns, latency_p99_9_ns, "
         "latency_max_ns"},
        {B("require = { values_frames = 64; };"),
         "lab.cfg:2: require.values_frames = 64: is not a key of the results of back_to_back that can have a limit; "
         "must be one of average_frames, min_frames, max_frames, stddev_frames, forwarding_rate_fps, implied_buffer_s, "
         "corrected_buffer_s, actual_buffer_s, buffer_frames, buffer_octets"},
        {M("preset = \"ndr\";"), "lab.cfg:2: preset = \"ndr\": must be \"rfc2544\" or \"tst009\" or \"ndrpdr\""},
        {M("width = 0;"), "lab.cfg:2: width = 0: must be 0.0001% to 50%, or 0.000001 to 0.5"},
        {M("width = \"0.00015%\";"), "lab.cfg:2: width = \"0.00015%\": must be whole parts per million, 0.0001% steps"},
        {M("goals = ();"), "lab.cfg:2: goals = []: must be a list of 1 to 16 goals, ( { loss_ratio = ...; }, ... )"},
        {M("goals = { loss_ratio = 0; };"),
         "lab.cfg:2: goals = {...}: must be a list of 1 to 16 goals, ( { loss_ratio = ...; }, ... )"},
        {M("goals = (5);"), "lab.cfg:2: goals[0] = 5: must be a group, { ... }"},
        {M("goals = ({},\n{ loss = 0; });"),
         "lab.cfg:3: goals[1].loss = 0: unknown key; `fpgauge help plan` lists all"},
        {M("goals = ({ loss_ratio = 1; });"),
         "lab.cfg:2: goals[0].loss_ratio = 1: must be 0% to 99.9999%, or 0 to 0.999999"},
        {M("goals = ({ loss_ratio = 0.0000001; });"),
         "lab.cfg:2: goals[0].loss_ratio = 0.0000001: must be whole parts per million, 0.0001% steps"},
        {M("goals = ({ final_trial_duration = \"1s\"; initial_trial_duration = \"2s\"; });"),
         "lab.cfg:2: goals[0].initial_trial_duration = \"2s\": must be at most final_trial_duration, 1 s"},
        {M("goals = ({}); preset = \"tst009\";"),
         "lab.cfg:2: preset = \"tst009\": cannot be combined with goals, which replace it"},
        {M("goals = ({}); trial_duration = \"1s\";"),
         "lab.cfg:2: trial_duration = \"1s\": cannot be combined with goals, which replace it"},
        {"link = { speed = \"100G\"; };" M("min_load = \"50%\"; max_load = \"10%\"; frame_sizes = [64];"),
         "lab.cfg:2: min_load = \"50%\": must be below max_load: they are 74404761.9 and 14880952.4 frames a second of "
         "64 octets"},
        {"link = { speed = \"100G\"; };" M("max_load = \"200M\"; frame_sizes = [64];"),
         "lab.cfg:2: max_load = \"200M\": must be at most the line rate, 148809523.8 frames a second of 64 octets"},
        {"link = { speed = \"100G\"; };" T("min_load = \"50%\"; max_load = \"10%\"; frame_sizes = [64];"),
         "lab.cfg:2: min_load = \"50%\": must be below max_load: they are 74404761.9 and 14880952.4 frames a second of "
         "64 octets"},
        {"link = { speed = \"100G\"; };" T("frame_sizes = [64, 128];\n max_load = \"100M\";"),
         "lab.cfg:3: max_load = \"100M\": must be at most the line rate, 84459459.5 frames a second of 128 octets"},
        {T("max_load = \"101%\";"),
         "lab.cfg:2: max_load = \"101%\": must be 0.0001% to 100%, or 1 to 1T frames a second"},
        {B("max_load = \"80%\";"),
         "lab.cfg:2: max_load = \"80%\": is not a key of back_to_back, only of throughput, mlrsearch, "
         "frame_loss_rate, rfc2889.full_mesh, rfc2889.one_to_many, rfc2889.many_to_one, rfc2889.multiple_devices, "
         "rfc2889.unidirectional_mesh, rfc2889.maximum_forwarding_rate and rfc2889.broadcast_forwarding"},
        {T("max_trials = 3;"), "lab.cfg:2: max_trials = 3: requires search = \"loss_verification\""},
        {B("loss_verification_z = 3;"), "lab.cfg:2: loss_verification_z = 3: requires search = \"loss_verification\""},
        {B("max_burst = \"2h\";"),
         "lab.cfg:2: max_burst = \"2h\": must be 1us to 3600s, or 1 to 1T frames (" QUANTITY_UNKNOWN_UNIT ")"},
        {B("max_burst = \"0s\";"), "lab.cfg:2: max_burst = \"0s\": must be 1us to 3600s, or 1 to 1T frames"},
        {B("max_burst = 100; first_burst = 101;"),
         "lab.cfg:2: first_burst = 101: must be at most max_burst, 100 frames"},
        {B("max_burst = 100; resolution = 101;"), "lab.cfg:2: resolution = 101: must be at most max_burst, 100 frames"},
        {B("actual_rate = \"101%\";"),
         "lab.cfg:2: actual_rate = \"101%\": must be 0.0001% to 100%, or 1 to 1T frames a second"},
        {"link = { speed = \"100G\"; };" B("frame_sizes = [64, 128];\n actual_rate = \"100M\";"),
         "lab.cfg:3: actual_rate = \"100M\": must be at most the line rate, 84459459.5 frames a second of 128 octets"},
        {D "run = (\n{test=\"throughput\";},\n{test=\"back_to_back\";\ndirection=\"unidirectional\";});",
         "lab.cfg:5: direction = \"unidirectional\": must be that of the throughput test of line 3, "
         "\"bidirectional\" (RFC 9004 section 5)"},
        {D "run = (\n{test=\"throughput\"; traffic = { addresses = 4; };},\n{test=\"back_to_back\";});",
         "lab.cfg:4: traffic.addresses = 1: must be that of the throughput test of line 3, 4 (RFC 9004 section 5)"},
};

Test(plan_errors, settings_of_a_test)
{
	for (size_t i = 0; i < sizeof(SETTINGS) / sizeof(SETTINGS[0]); i++)
		expect_text_complaint(SETTINGS[i].text, SETTINGS[i].complaint);
}

Test(plan_errors, files)
{
	char *large = malloc((1 << 20) + 2);

	expect_complaint("missing.cfg", NULL, 0, "missing.cfg: cannot be read: No such file or directory");
	mkdir("folder", 0777);
	expect_complaint("folder", NULL, 0, "folder: cannot be read: Is a directory");
	write_octets("nul.cfg", "device = {\n\0 };", 15);
	expect_complaint("nul.cfg", NULL, 0, "nul.cfg:2: octet 0x00: must be text, without NUL octets");
	write_octets("control.cfg", "x\n\ny\033[31m", 9);
	expect_complaint("control.cfg", NULL, 0, "control.cfg:3: octet 0x1b: must be text, without control characters");
	write_octets("latin1.cfg",
	             "# stra\xdf"
	             "e",
	             8);
	expect_complaint("latin1.cfg", NULL, 0, "latin1.cfg:1: octet 0xdf: must be UTF-8");
	memset(large, '#', (1 << 20) + 1);
	write_octets("large.cfg", large, (1 << 20) + 1);
	expect_complaint("large.cfg", NULL, 0, "large.cfg: must be at most 1048576 octets, with all that is included");
	free(large);
	write_octets("secret.cfg", "", 0);
	chmod("secret.cfg", 0);
	if (geteuid() != 0)
		expect_complaint("secret.cfg", NULL, 0, "secret.cfg: cannot be read: Permission denied");
}

Test(plan_errors, includes)
{
	char text[64];

	expect_text_complaint("\n@include \"none.cfg\"\n",
	                      "lab.cfg:2: @include: none.cfg: cannot be read: No such file or directory");
	/* Nobody writes into it: whoever waits for it waits forever. */
	cr_assert_eq(mkfifo("pipe.cfg", 0600), 0);
	expect_text_complaint("\n@include \"pipe.cfg\"\n",
	                      "lab.cfg:2: @include: pipe.cfg: must be a regular file, because it is included");
	expect_text_complaint("x = 1; @include \"none.cfg\"\n",
	                      "lab.cfg:1: @include: is not allowed here (text belongs in quotes)");
	expect_text_complaint("@include none.cfg\n", "lab.cfg:1: @: must be @include \"file\" on a line of its own");
	for (size_t length = 1; length <= strlen("@include");
	     length++) { /* AddressSanitizer sees a look behind the end */
		char cut[9] = {0};

		memcpy(cut, "@include", length);
		expect_text_complaint(cut, "lab.cfg:1: @: must be @include \"file\" on a line of its own");
	}
	expect_text_complaint("@include \"lab.cfg\"\n",
	                      "lab.cfg:1: @include \"lab.cfg\": must not include itself, here or through others");
	write_octets("a.cfg", "\n@include \"b.cfg\"\n", 18);
	write_octets("b.cfg", "\n\n@include \"./a.cfg\"\n", 21);
	expect_complaint("a.cfg", NULL, 0,
	                 "b.cfg:3: @include \"./a.cfg\": must not include itself, here or through others");
	write_octets("big.cfg", D "\ndut = { x = 4294967296; };", strlen(D) + 27);
	expect_text_complaint("@include \"big.cfg\"\n",
	                      "big.cfg:3: x = 4294967296: must be -2147483648 to 2147483647 (write "
	                      "larger numbers as text, in quotes)");
	expect_text_complaint("@include \"/tmp\"\n", "lab.cfg:1: @include: /tmp: cannot be read: Is a directory");
	for (int i = 0; i < 12; i++) {
		char name[24];

		snprintf(name, sizeof(name), "d%d.cfg", i);
		snprintf(text, sizeof(text), "@include \"d%d.cfg\"\n", i + 1);
		write_octets(name, text, strlen(text));
	}
	expect_complaint("d0.cfg", NULL, 0, "d10.cfg:1: @include \"d11.cfg\": must be at most 10 files deep");
}

static const struct wrong OVERRIDES[] = {
        {"dut", "--set dut: must be path=value, such as dut.buffer_frames=64 or run[1].repetitions=5"},
        {"=5", "--set =5: must be path=value, such as dut.buffer_frames=64 or run[1].repetitions=5"},
        {"dut.=5", "--set dut.=5: path must not end with a point"},
        {".dut=5", "--set .dut=5: must be path=value, such as dut.buffer_frames=64 or run[1].repetitions=5"},
        {"dut..x=5", "--set dut..x=5: must be path=value, such as dut.buffer_frames=64 or run[1].repetitions=5"},
        {"du t=5", "--set du t=5: must be path=value, such as dut.buffer_frames=64 or run[1].repetitions=5"},
        {"run[x]=5", "--set run[x]=5: must have a whole number in [ ]"},
        {"run[99999999999]=5", "--set run[99999999999]=5: must have a whole number in [ ]"},
        {"run[1].settle=1s", "--set run[1].settle=1s: [1]: the list has 1 elements, counted from 0"},
        {"run.settle=1s", "--set run.settle=1s: settle: must follow a group (a list takes [0], [1] ...)"},
        {"device[0]=1", "--set device[0]=1: [0]: must follow a list"},
        {"device.backend.x=1", "--set device.backend.x=1: x: must follow a group (a list takes [0], [1] ...)"},
        {"run[0].repetitions=0",
         "--set run[0].repetitions=0: repetitions = 0: must be a whole number, 1 to 100000 searches"},
        {"run[0].repetitions=many",
         "--set run[0].repetitions=many: repetitions = \"many\": must be a whole number, 1 to 100000 searches"},
        {"run[0].repetitions=4294967346",
         "--set run[0].repetitions=4294967346: repetitions = 4294967346: must be a whole "
         "number, 1 to 100000 searches"},
        {"run[0].repetitons=5",
         "--set run[0].repetitons=5: repetitons = 5: unknown key; did you mean \"repetitions\"?"},
        {"run[0].frame_sizes=[64,63]",
         "--set run[0].frame_sizes=[64,63]: frame_sizes[1] = 63: must be 64 to 9216 (octets, FCS included)"},
        {"run[0].frame_sizes=[64", "--set run[0].frame_sizes=[64: syntax error in the value"},
        {"run[0].frame_sizes=[64]; x = 5", "--set run[0].frame_sizes=[64]; x = 5: must have one value"},
        {"dut.x=\"open", "--set dut.x=\"open: text is not closed: \" is missing"},
        {"dut.x=a\tb\033", "--set dut.x=a\\x09b\\x1b: must be text, without control characters"},
        {"link.speed=5", "--set link.speed=5: link.speed = 5: must be 10M to 800G bits a second"},
};

Test(plan_errors, overrides)
{
	write_octets("lab.cfg", B(""), strlen(B("")));
	for (size_t i = 0; i < sizeof(OVERRIDES) / sizeof(OVERRIDES[0]); i++)
		expect_complaint("lab.cfg", &OVERRIDES[i].text, 1, OVERRIDES[i].complaint);
}
