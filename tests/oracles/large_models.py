"""Writes large.pte, .pt2, .hlo.pb, .xml, .onnx and .ort, whose times docs/bring-your-model.md gives.

Usage: large_models.py FOLDER [OPERATORS [MEGABYTES OF WEIGHTS]]

Only the first two hold weights.
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


def write_onnx(path, operators):
    """A model that says the type of its input and output alone."""
    def value(name):
        dimension = hlo.chunk(1, hlo.number(1, 64))
        return hlo.chunk(1, name) + hlo.chunk(2, hlo.chunk(1, hlo.number(1, 1) + hlo.chunk(2, 2 * dimension)))

    nodes = b"".join(hlo.chunk(1, hlo.chunk(1, f"x{a}") + hlo.chunk(1, f"x{b}") + hlo.chunk(2, f"x{i + 1}") + hlo.chunk(4, "Add"))
                     for i, (a, b) in enumerate(chain(operators)))
    graph = nodes + hlo.chunk(2, "large") + hlo.chunk(11, value("x0")) + hlo.chunk(12, value(f"x{operators}"))
    path.write_bytes(hlo.number(1, 8) + hlo.chunk(7, graph) + hlo.chunk(8, hlo.number(2, 15)))


def write_ort(path, operators):
    Table, Vector = executorch.Table, executorch.Vector
    lengths = [Table({0: Table({0: (1, 1), 1: (8, 64)})}) for _ in range(2)]
    kind = {1: (1, 1), 2: Table({0: (4, 1), 1: Table({0: Vector(lengths)})})}
    values = [Table({0: f"x{i}", 2: Table(kind)}) for i in range(operators + 1)]
    nodes = [Table({0: f"add{i}", 5: "Add", 8: Vector([f"x{a}", f"x{b}"]), 9: Vector([f"x{i + 1}"])})
             for i, (a, b) in enumerate(chain(operators))]
    graph = Table({1: Vector(values), 2: Vector(nodes), 5: Vector(["x0"]), 6: Vector([f"x{operators}"])})
    model = Table({1: Vector([Table({1: (8, 15)})]), 7: graph})
    path.write_bytes(executorch.serialize(Table({0: "6", 1: model}), b"ORTM"))


def main():
    folder = pathlib.Path(sys.argv[1])
    operators = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    write_pte(folder / "large.pte", operators, megabytes << 20)
    write_pt2(folder / "large.pt2", operators, megabytes << 20)
    write_hlo(folder / "large.hlo.pb", operators)
    write_xml(folder / "large.xml", operators)
    write_onnx(folder / "large.onnx", operators)
    write_ort(folder / "large.ort", operators)


if __name__ == "__main__":
    main()
