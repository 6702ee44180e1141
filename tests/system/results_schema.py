# SPDX-License-Identifier: Apache-2.0
"""What fpgauge insists on when it reads results, judged by an independent program: python3-jsonschema."""

import json
import os

from fpgauge_system import ROOT

try:
    import jsonschema
except ImportError as missing:
    raise SystemExit("python3-jsonschema is missing: tools/install-packages test") from missing


def reader_of_results(definition=None):
    """A validator of the published schema, or of one of its $defs if that is named, with x-essential in place of
    required. An integer must be written as one."""
    def reading(schema):
        if isinstance(schema, dict):
            # "required" in a condition tells which kind of document this is.
            schema = {key: value if key == "if" else reading(value) for key, value in schema.items()
                      if not (key == "required" and isinstance(value, list))}
            if isinstance(schema.get("x-essential"), list):
                schema["required"] = schema.pop("x-essential")
        return [reading(value) for value in schema] if isinstance(schema, list) else schema

    with open(os.path.join(ROOT, "docs", "results.schema.json"), encoding="utf-8") as file:
        schema = reading(json.load(file))
    if definition:
        schema = {"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]}
    base = jsonschema.Draft202012Validator
    strict = base.TYPE_CHECKER.redefine("integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool))
    return jsonschema.validators.extend(base, type_checker=strict)(schema)
