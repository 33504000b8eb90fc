"""Writes large.pte, large.pt2, large.hlo.pb and large.xml, whose times docs/bring-your-model.md gives.

Usage: large_models.py FOLDER [OPERATORS [MEGABYTES OF WEIGHTS]]

The last two hold no weights.
"""
import json
import pathlib
import random
import struct
import sys
import zipfile

import executorch
import hlo
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


def write_hlo(path, operators):
    """A module without a buffer assignment, in the order of its schedule."""
    shape = {"size": 4096, "space": 0}
    body = [{"id": 1, "name": "x", "op": "parameter", "shape": shape, "operands": []}]
    for i, (a, b) in enumerate(chain(operators)):
        body.append({"id": i + 2, "name": f"add.{i}", "op": "add", "shape": shape, "operands": [a + 1, b + 1]})
    entry = {"id": 7, "instructions": body, "root": body[-1]["id"], "order": [i["id"] for i in body]}
    path.write_bytes(hlo.encode({"computations": [entry], "entry": 7, "aliases": [], "buffers": None}))


def layer(number, kind, inputs, outputs, data=""):
    """A layer of OpenVINO, whose ports are numbered from its inputs on."""
    ports = [f'<port id="{port}" precision="FP32"><dim>64</dim><dim>64</dim></port>' for port in range(inputs + outputs)]
    return (f'<layer id="{number}" name="x{number}" type="{kind}" version="opset1">{data}'
            f'<input>{"".join(ports[:inputs])}</input><output>{"".join(ports[inputs:])}</output></layer>')


def write_xml(path, operators):
    layers = [layer(0, "Parameter", 0, 1, '<data shape="64,64" element_type="f32"/>')]
    edges = []
    for i, read in enumerate(chain(operators)):
        layers.append(layer(i + 1, "Add", 2, 1))
        edges += [f'<edge from-layer="{a}" from-port="{2 if a else 0}" to-layer="{i + 1}" to-port="{port}"/>'
                  for port, a in enumerate(read)]
    layers.append(layer(operators + 1, "Result", 1, 0))
    edges.append(f'<edge from-layer="{operators}" from-port="2" to-layer="{operators + 1}" to-port="0"/>')
    path.write_text("\n".join(['<net name="large" version="11">', "<layers>", *layers, "</layers>", "<edges>", *edges,
                               "</edges>", "</net>", ""]))


def main():
    folder = pathlib.Path(sys.argv[1])
    operators = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    write_pte(folder / "large.pte", operators, megabytes << 20)
    write_pt2(folder / "large.pt2", operators, megabytes << 20)
    write_hlo(folder / "large.hlo.pb", operators)
    write_xml(folder / "large.xml", operators)


if __name__ == "__main__":
    main()
