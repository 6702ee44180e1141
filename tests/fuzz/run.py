#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one fuzzer for some seconds: first the seeds of its name, then inputs made from them. Ends with 1 when it found something.

    run.py [--seconds N] [--corpus DIR] FUZZER [OPTION-OF-LIBFUZZER...]

What it found is kept beside the fuzzer, in findings-NAME, and named in the output. Inputs that reached new code go to DIR; without
it they are forgotten, so that each run begins from the seeds alone.
"""

import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
LIMITS = ["-timeout=20", "-rss_limit_mb=2560", "-max_len=8192", "-print_final_stats=1"]


def name_of(fuzzer):
    return os.path.basename(fuzzer).removeprefix("fuzz_")


def findings_of(fuzzer):
    return os.path.join(os.path.dirname(os.path.abspath(fuzzer)), f"findings-{name_of(fuzzer)}")


def command_of(fuzzer, seconds, corpus, options=()):
    """seconds 0: until it finds something."""
    name, findings = name_of(fuzzer), findings_of(fuzzer)
    dictionary = os.path.join(HERE, f"{name}.dict")
    os.makedirs(findings, exist_ok=True)
    return [os.path.abspath(fuzzer), *LIMITS, f"-max_total_time={seconds}", f"-artifact_prefix={findings}/",
            *([f"-dict={dictionary}"] if os.path.exists(dictionary) else []), *options, corpus,
            os.path.join(HERE, "seeds", name)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--corpus")
    parser.add_argument("fuzzer")
    arguments, options = parser.parse_known_args()
    # Files of the fuzzer, in memory, go with this folder also when it is killed.
    with tempfile.TemporaryDirectory(prefix="fpgauge-", dir="/dev/shm") as scratch:
        corpus = arguments.corpus or os.path.join(scratch, "corpus")
        os.makedirs(corpus, exist_ok=True)
        return subprocess.run(command_of(arguments.fuzzer, arguments.seconds, corpus, options), check=False,
                              env=dict(os.environ, TMPDIR=scratch)).returncode != 0


if __name__ == "__main__":
    sys.exit(main())
