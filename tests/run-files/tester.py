#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The external tester of exec.cfg: a FIFO of 500 frames that serves 40 million frames/s, worked out per trial. It tells no more
than it must, so that what an external tester does not know is in the run files, too."""

import json
import math
import sys

for line in sys.stdin:
    request = json.loads(line)
    load = request.get("load_fps", request["link_bps"] / 8 / (request["frame_octets"] + 20))
    duration = request.get("duration_s", request.get("burst_frames", 0) / load)
    offered = request.get("burst_frames", round(load * duration))
    received = offered if load <= 40e6 else min(offered, 500 + math.floor((offered - 1) * 40e6 / load))
    print(json.dumps({"trial": request["trial"], "offered_frames": offered, "received_frames": received,
                      "duration_s": duration}), flush=True)
