#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A tester of docs/exec-tester.md that is a model of a queue, and takes its time: SERVICE_FPS BUFFER_FRAMES PACE WAITS, with PACE seconds for
each second that it is asked to send, and with WAITS 1 drain and settle as well."""

import importlib.util
import json
import os
import sys
import time

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "examples", "exec_tester.py")


def load(path):
    spec = importlib.util.spec_from_file_location("exec_tester", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    service_fps, buffer_frames, pace, waits = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    example = load(EXAMPLE)
    for line in sys.stdin:
        request = json.loads(line)
        answer = example.answer(request, service_fps, buffer_frames)
        time.sleep(answer["duration_s"] * pace + waits * (request["drain_s"] + request["settle_s"]))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
