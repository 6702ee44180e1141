#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A tester for fpgauge that is a model: a device that forwards so many frames a second and holds so many in a buffer.

    device = { backend = "exec"; command = ["python3", "docs/examples/exec_tester.py", "40M", "500"]; };

Copy it, and put your generator in place of model(). What the lines mean: docs/exec-tester.md.
"""

import json
import math
import sys

LINE_OVERHEAD_OCTETS = 20  # preamble 8, gap 12


def model(offered, arrival_fps, service_fps, buffer_frames):
    """Frames received of `offered` that arrive evenly: the buffer takes what is not served while they come."""
    if arrival_fps <= service_fps:
        return offered
    served = math.floor((offered - 1) * service_fps / arrival_fps)
    return min(offered, buffer_frames + served)


def answer(request, service_fps, buffer_frames):
    if "burst_frames" in request:
        arrival_fps = request["link_bps"] / 8 / (request["frame_octets"] + LINE_OVERHEAD_OCTETS)
        offered = request["burst_frames"]
        duration_s = offered / arrival_fps
    else:
        arrival_fps = request["load_fps"]
        duration_s = request["duration_s"]
        offered = round(arrival_fps * duration_s)
    return {
        "trial": request["trial"],
        "offered_frames": offered,
        "received_frames": model(offered, arrival_fps, service_fps, buffer_frames),
        "duration_s": duration_s,
    }


def number(text):
    scale = {"k": 1e3, "M": 1e6, "G": 1e9}.get(text[-1])
    return float(text[:-1]) * scale if scale else float(text)


def main():
    service_fps, buffer_frames = number(sys.argv[1]), int(sys.argv[2])
    for line in sys.stdin:  # ends when fpgauge is done
        print(json.dumps(answer(json.loads(line), service_fps, buffer_frames)), flush=True)


if __name__ == "__main__":
    main()
