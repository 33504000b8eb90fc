"""The problem of plan.c from Python: plan.py [libmemplan.so.0]"""
import ctypes as c
import sys

WORDS, STEPS = c.POINTER(c.c_uint64), c.POINTER(c.c_uint32)


class Problem(c.Structure):  # struct memplan_problem of memplan/types.h
    _fields_ = [("struct_bytes", c.c_size_t), ("buffers", c.c_uint32), ("segments", c.c_uint32),
                ("size", WORDS), ("alignment", WORDS), ("fixed_offset", WORDS), ("first", STEPS),
                ("lower", STEPS), ("upper", STEPS), ("window_lower", WORDS), ("window_upper", WORDS),
                ("capacity_bytes", c.c_uint64), ("time_limit_ns", c.c_uint64), ("seed", c.c_uint64),
                ("threads", c.c_uint32)]


class Answer(c.Structure):  # struct memplan_answer
    _fields_ = [("struct_bytes", c.c_size_t), ("offset", WORDS), ("lower_bound_bytes", c.c_uint64),
                ("nodes", c.c_uint64), ("message", c.c_char * 256), ("peak_bytes", c.c_uint64)]


memplan = c.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libmemplan.so.0")
memplan.memplan_result_name.restype = c.c_char_p
offset = (c.c_uint64 * 3)()
problem = Problem(c.sizeof(Problem), buffers=3, size=(c.c_uint64 * 3)(4096, 1024, 4096),
                  lower=(c.c_uint32 * 3)(0, 0, 1), upper=(c.c_uint32 * 3)(1, 2, 2))
answer = Answer(c.sizeof(Answer), offset=offset)
result = memplan.memplan_plan(b"exact", c.byref(problem), c.byref(answer))
name = memplan.memplan_result_name(result).decode()
if name not in ("found", "optimal"):
    sys.exit(f"{name}: {answer.message.decode()}")
for buffer in range(problem.buffers):
    print(f"buffer {buffer} at {offset[buffer]}")
print(f"{name}, peak {answer.peak_bytes} bytes")
