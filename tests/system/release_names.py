# SPDX-License-Identifier: Apache-2.0
"""The names that users write or read, one a line: commands and options, keys of plans, keys of results with their types, keys of events.

    python3 tests/system/release_names.py FPGAUGE EVENTS     prints those of this program, and of the events that a run of it wrote
"""

import json
import re
import subprocess
import sys


def option_names(text):
    """`run --json FILE` has the command and the option. An argument has no name that anybody writes."""
    lines = (line.split() for line in text.splitlines())
    return {f"option {words[0]} {words[1] if words[1].startswith('-') else 'ARGUMENT'}" for words in lines if len(words) > 1}


def plan_names(text):
    """A heading names the group, and the tests or backends that have the keys below it: each key of each is a name."""
    places, names = [], set()
    for line in text.splitlines():
        if line.startswith("#"):
            group = line.lstrip("# ").split(" ")[0]
            places = [f"{group} {word}" for word in re.findall(r'"([^"]+)"', line)] or [group]
        key = re.match(r"- `([^`]+)`", line)
        if key:
            names |= {f"plan {place}: {key[1]}" for place in places}
    return names


def result_names(node, place="results"):
    """Keys of objects, through lists and references by name."""
    names = set()
    if isinstance(node, dict):
        for key, value in node.get("properties", {}).items():
            names.add(f"{place}.{key} {json.dumps(value.get('type', value.get('$ref', '')))}")
            names |= result_names(value, f"{place}.{key}")
        for key, value in node.items():
            if key == "$defs":
                for name, one in value.items():
                    names |= result_names(one, name)
            elif key != "properties":
                names |= result_names(value, place)
    elif isinstance(node, list):
        for one in node:
            names |= result_names(one, place)
    return names


def event_names(text):
    """Without `live`, of which a short run has none or some, with the keys of where it is."""
    events = (json.loads(line) for line in text.splitlines())
    return {f"event {event['event']}: {key}" for event in events for key in event if event["event"] != "live"}


def names(fpgauge, events):
    def helped(topic):
        return subprocess.run([fpgauge, "help", topic], capture_output=True, text=True, check=True).stdout

    return option_names(helped("options")) | plan_names(helped("plan")) | result_names(json.loads(helped("results-schema"))) | event_names(events)


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        print("\n".join(sorted(names(sys.argv[1], file.read()))))
