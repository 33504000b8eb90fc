"""Writes large.pte and large.pt2, whose times docs/bring-your-model.md gives.

Usage: large_models.py FOLDER [OPERATORS [MEGABYTES OF WEIGHTS]]
"""
import json
import pathlib
import random
import struct
import sys
import zipfile

import executorch
import models


def chain(operators):
    """The two values that each operator reads: the one before it, and one of the last twenty."""
    draw = random.Random(1)
    return [(i, max(0, i - draw.randint(1, 20))) for i in range(operators)]


def write_pte(path, operators, weights):
    """A program whose tensors lie one behind the other, before a segment with the weights."""
    names = [f"x{i}" for i in range(operators + 1)]
    body = [("call", "aten::add", [names[a], names[b]], [names[i + 1]], "twice") for i, (a, b) in enumerate(chain(operators))]
    kinds = {name: "other" for name in names}
    kinds[names[0]] = "input"
    program = bytes.fromhex(executorch.encode({"kinds": kinds, "body": body, "outputs": [names[-1]]}))
    root = struct.unpack_from("<I", program)[0] + 24
    length = len(program) + 24
    segments = -(-length // 4096) * 4096
    head = struct.pack("<I", root) + program[4:8] + b"eh00" + struct.pack("<IQQ", 24, length, segments)
    path.write_bytes((head + program[8:]).ljust(segments, b"\0") + bytes(weights))


def write_pt2(path, operators, weights):
    made = models.Program(None, None, "v", 0)
    names = [made.name(models.Value([64, 64])) for _ in range(operators + 2)]
    made.inputs = [names[0], names.pop()]
    for i, (a, b) in enumerate(chain(operators)):
        made.node("torch.ops.aten.add.Tensor", [made.argument("as_tensor", names[k]) for k in (a, b)],
                  [{"as_tensor": {"name": names[i + 1]}}])
    specs = [{"user_input": {"arg": {"as_tensor": {"name": names[0]}}}},
             {"parameter": {"arg": {"name": made.inputs[1]}, "parameter_name": "weight"}}]
    results = [{"user_output": {"arg": {"as_tensor": {"name": names[-1]}}}}]
    program = {"graph_module": {"graph": made.json([names[-1]]), "module_call_graph": [],
                                "signature": {"input_specs": specs, "output_specs": results}},
               "range_constraints": {}, "schema_version": {"major": 8, "minor": 1}, "opset_version": {"aten": 10}}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("large/archive_format", "pt2")
        archive.writestr("large/models/model.json", json.dumps(program))
        archive.writestr("large/data/weights/weight_0", bytes(weights))


def main():
    folder = pathlib.Path(sys.argv[1])
    operators = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    write_pte(folder / "large.pte", operators, megabytes << 20)
    write_pt2(folder / "large.pt2", operators, megabytes << 20)


if __name__ == "__main__":
    main()
