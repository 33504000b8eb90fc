"""client.py NAME DIGEST IN OUT: the program that memplan starts for a planner that is a Python function. It asks the process
that has the function, whose socket is $MEMPLAN_PYTHON, and ends as that says."""
import os
import socket
import sys

name, _, source, target = sys.argv[1:]
with socket.socket(socket.AF_UNIX) as server:
    server.connect(os.environ["MEMPLAN_PYTHON"])
    with server.makefile("rw") as lines:
        lines.write(f"{name}\n{source}\n{target}\n")
        lines.flush()
        code, _, said = (lines.readline() or "1 the function did not answer").strip().partition(" ")
if said:
    print(said, file=sys.stderr)
sys.exit(int(code))
