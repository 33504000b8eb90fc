#!/usr/bin/env python3
"""Of the operators that may run, the one that writes least. Usage: order.py GRAPH OUT"""
import json
import sys

with open(sys.argv[1]) as file:
    graph = json.load(file)
size = {t["name"]: 0 if t.get("external") else t["bytes"] for t in graph["tensors"]}
producer = {name: op["name"] for op in graph["ops"] for name in op["outputs"]}
waits = {op["name"]: {producer[name] for name in op["inputs"] if name in producer} | set(op.get("after", []))
         for op in graph["ops"]}
written = {op["name"]: sum(size[name] for name in op["outputs"]) for op in graph["ops"]}

with open(sys.argv[2], "w") as file:
    while waits:
        op = min((name for name in waits if not waits[name]), key=written.get)
        del waits[op]
        file.write(op + "\n")
        for others in waits.values():
            others.discard(op)
