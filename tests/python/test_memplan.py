"""The package memplan: $MEMPLAN is the program, $MEMPLAN_LIBRARY the library."""
import os
import random
import tempfile
import threading
import unittest
import xml.dom.minidom

import memplan

SIZES, LOWER, UPPER = [60, 40, 60, 10], [0, 0, 2, 3], [2, 4, 4, 4]
GRAPH = {"format": "memplan-graph/1", "name": "g", "inputs": ["in"], "outputs": ["out"],
         "tensors": [{"name": "in", "shape": [3], "dtype": "int8"}, {"name": "a", "shape": [10], "dtype": "float32"},
                     {"name": "b", "shape": [10], "dtype": "float32"}, {"name": "out", "bytes": 8}],
         "ops": [{"name": "x", "type": "Op", "inputs": ["in"], "outputs": ["a"]},
                 {"name": "y", "type": "Relu", "inputs": ["a"], "outputs": ["b"]},
                 {"name": "z", "type": "Op", "inputs": ["b"], "outputs": ["out"]}]}


def stack(problem):
    """Everything above everything."""
    offsets, end = [], 0
    for size, alignment in zip(problem.sizes, problem.alignment):
        offsets.append(-(-end // alignment) * alignment)
        end = offsets[-1] + size
    return offsets


class Problems(unittest.TestCase):
    def test_plan(self):
        for planner in (None, "exact", "large_first", "nnvm?match_range=4"):
            plan = memplan.plan(SIZES, LOWER, UPPER, planner=planner)
            self.assertTrue(plan)
            self.assertEqual(plan.lower_bound, 110)
            self.assertEqual(plan.peak, max(o + s for o, s in zip(plan.offsets, SIZES)))
            self.assertEqual(plan.status == "optimal", plan.peak == 110)
            self.assertEqual(memplan.verify(SIZES, LOWER, UPPER, offsets=plan.offsets).status, "found")

    def test_random_problems(self):
        """Every plan is right by a check of its own: no two live together share a byte."""
        draw = random.Random(1)
        for _ in range(200):
            count = draw.randint(1, 8)
            sizes = [draw.randint(1, 50) for _ in range(count)]
            alignment = [draw.choice((1, 2, 8)) for _ in range(count)]
            segments = []
            for _ in range(count):
                ends = sorted(draw.sample(range(12), draw.choice((2, 2, 4))))
                segments.append(list(zip(ends[::2], ends[1::2])))
            plan = memplan.plan(sizes, segments=segments, alignment=alignment, planner=draw.choice(("exact", "tflite_greedy_by_size")))
            self.assertTrue(plan)
            for a in range(count):
                self.assertEqual(plan.offsets[a] % alignment[a], 0)
                for b in range(a):
                    if any(p[0] < q[1] and q[0] < p[1] for p in segments[a] for q in segments[b]):
                        self.assertFalse(plan.offsets[a] < plan.offsets[b] + sizes[b] and
                                         plan.offsets[b] < plan.offsets[a] + sizes[a])

    def test_constraints(self):
        plan = memplan.plan(SIZES, LOWER, UPPER, alignment=[1, 32, 64, 1], fixed_offset=[None, None, 128, None])
        self.assertEqual((plan.offsets[1] % 32, plan.offsets[2], plan.peak), (0, 128, 188))
        windows = memplan.plan([10, 100, 100, 50], planner="exact", segments=[
            [(0, 1)], [(0, 2), (4, 5, 0, 50)], [(2, 4)], [(4, 5)]])
        self.assertEqual((windows.status, windows.peak), ("optimal", 110))

    def test_what_does_not_fit(self):
        plan = memplan.plan(SIZES, LOWER, UPPER, capacity=109)
        self.assertEqual((plan.status, plan.offsets, plan.witness, plan.step), ("infeasible", None, (2, 1), 3))
        self.assertFalse(plan)
        wrong = memplan.verify(SIZES, LOWER, UPPER, offsets=[0, 50, 0, 200])
        self.assertEqual((wrong.status, wrong.witness, wrong.step), ("wrong", (0, 1), 0))
        self.assertIn("share bytes at step 0", wrong.message)

    def test_bad_input(self):
        for arguments, said in (
                (([], [], []), "found 0 buffers"), (([0], [0], [1]), "has size 0"), (([1], [2], [1]), "lives in"),
                (([1], [0], [1, 2]), "1 lower and 2 upper"), (([1], [0]), "no upper"), (([-1], [0], [1]), "sizes: found"),
                (([1.5], [0], [1]), "sizes: found 1.5"), ((["a"], [0], [1]), "sizes: found 'a'"),
                (([1], [0.5], [1.5]), "lifetimes: found 0.5")):
            with self.assertRaisesRegex(ValueError, said):
                memplan.plan(*arguments)
        with self.assertRaisesRegex(ValueError, "no planner 'x'"):
            memplan.plan([1], [0], [1], planner="x")
        with self.assertRaisesRegex(ValueError, "time limit"):
            memplan.plan([1], [0], [1], time_limit=0)

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        plan = memplan.plan(numpy.array(SIZES), numpy.array(LOWER), numpy.array(UPPER, dtype="int32"))
        self.assertEqual(plan.peak, 110)
        self.assertTrue(memplan.verify(SIZES, LOWER, UPPER, offsets=numpy.array(plan.offsets)))

    def test_picture(self):
        plan = memplan.plan(SIZES, LOWER, UPPER)
        picture = xml.dom.minidom.parseString(plan.svg())
        self.assertEqual(len(picture.getElementsByTagName("title")), 4)
        self.assertEqual(plan._repr_svg_(), plan.svg())
        self.assertIsNone(memplan.plan(SIZES, LOWER, UPPER, capacity=1)._repr_svg_())

    def test_planners(self):
        exact = [planner for planner in memplan.planners() if planner.name == "exact"][0]
        self.assertTrue(exact.exact and exact.title and exact.source)
        self.assertRegex(memplan.version(), r"^\d+\.\d+\.\d+")


class Families(unittest.TestCase):
    FAMILY = {"format": "memplan-problem/1", "name": "f", "parameters": {"n": [1, 64], "m": [1, 3]},
              "buffers": [{"name": "a", "size": "4*n", "segments": [[0, 2]]},
                          {"name": "b", "size": "n*m", "segments": [[1, 3]], "alignment": 16},
                          {"name": "c", "size": "4*n", "segments": [[2, 3]]}]}

    def test_plan(self):
        plan = memplan.plan_family(self.FAMILY, planner="exact")
        self.assertEqual((plan.status, plan.peak, plan.lower_bound), ("optimal", 448, 448))
        self.assertEqual((plan.worst_ratio, plan.proved_ratio), (1.0, 1.0))
        self.assertEqual(plan.peaks([{"n": 10, "m": 2}, {"n": 100, "m": 9}]), [60, 1300])
        offsets = plan.offsets(n=10, m=2)
        self.assertEqual(offsets["a"], offsets["c"])
        self.assertEqual(memplan.verify_family(self.FAMILY, plan.below).status, "found")
        self.assertTrue(memplan.plan_family(self.FAMILY, worst_first=True))

    def test_wrong(self):
        wrong = memplan.verify_family(self.FAMILY, {"b": ["a"]})
        self.assertEqual(wrong.status, "wrong")
        self.assertIn("'c' and 'b' conflict", wrong.message)
        with self.assertRaisesRegex(ValueError, "'c' and 'b' conflict"):
            wrong.offsets(n=1, m=1)
        with self.assertRaisesRegex(ValueError, "expected one for each of"):
            memplan.plan_family(self.FAMILY).offsets(n=1)
        with self.assertRaisesRegex(ValueError, "expected buffers of the problem"):
            memplan.verify_family(self.FAMILY, {"b": ["x"]})
        with self.assertRaisesRegex(ValueError, "found no parameters"):
            memplan.plan_family({**self.FAMILY, "parameters": {}})
        with self.assertRaisesRegex(ValueError, "json:1: "):
            memplan.plan_family({**self.FAMILY, "parameters": {"n": [5, 1], "m": [1, 3]}})


class Memories(unittest.TestCase):
    KERNEL = {"format": "memplan-memories/1", "name": "kernel",
              "memories": [{"name": "fast", "capacity": 8}, {"name": "slow", "read_ns_per_byte": 0.5, "write_ns_per_byte": 1}],
              "buffers": [{"name": "a", "size": 5, "segments": [[0, 3]]}, {"name": "b", "size": 4, "segments": [[1, 3]]}]}
    CHIP = {"format": "memplan-hardware/1", "name": "chip", "dma_bytes_per_second": 1, "memories": KERNEL["memories"]}

    def test_plan(self):
        plan = memplan.plan_memories(self.KERNEL)
        self.assertEqual((plan.status, plan.cost, plan.cost_bound), ("optimal", 6.0, 6.0))
        self.assertEqual((plan.places, plan.peaks), ({"a": ("fast", 0), "b": ("slow", 0)}, {"fast": 5, "slow": 4}))
        again = memplan.verify_memories(self.KERNEL, plan.places)
        self.assertEqual((again.status, again.cost, again.peaks), ("found", 6.0, plan.peaks))
        wrong = memplan.verify_memories(self.KERNEL, {"a": ("fast", 0), "b": ("fast", 4)})
        self.assertEqual((wrong.status, bool(wrong)), ("wrong", False))
        self.assertIn("'a' and 'b' share bytes", wrong.message)

    def test_what_does_not_fit(self):
        plan = memplan.plan_memories({**self.KERNEL, "memories": self.KERNEL["memories"][:1]})
        self.assertEqual((plan.status, plan.places, plan.tight, plan.step, plan.enough),
                         ("infeasible", None, ["a", "b"], 1, {"fast": 9}))

    def test_graphs(self):
        chip = {**self.CHIP, "memories": [{"name": "fast", "capacity": 48}, self.KERNEL["memories"][1]]}
        plan = memplan.plan_memories(chip, graph=GRAPH)
        self.assertEqual((plan.status, plan.cost), ("optimal", 60.0))
        self.assertEqual(sorted(memory for memory, _ in plan.places.values()), ["fast", "fast", "fast", "slow"])
        self.assertEqual(memplan.verify_memories(chip, plan.places, graph=GRAPH).cost, 60.0)
        self.assertEqual(memplan.plan_memories(chip, graph=GRAPH, inplace="declared").cost, 0.0)

    def test_bad_input(self):
        for call, said in ((lambda: memplan.plan_memories({}), "json:1: "),
                           (lambda: memplan.plan_memories("imxrt", graph=GRAPH), "did you mean imxrt1060"),
                           (lambda: memplan.plan_memories(self.KERNEL, planner="x"), "no planner of several memories 'x'"),
                           (lambda: memplan.verify_memories(self.KERNEL, {"c": ("fast", 0)}), "the place of 'c'"),
                           (lambda: memplan.verify_memories(self.KERNEL, {"a": ("quick", 0)}), "memory 'quick'")):
            with self.assertRaisesRegex(ValueError, said):
                call()


class Graphs(unittest.TestCase):
    def test_options(self):
        for options, peak in (({}, 80), ({"inplace": "declared"}, 48), ({"inplace": "declared", "disable_inplace": "Relu"}, 80),
                              ({"pin_io": True}, 92), ({"pin_io": True, "alignment": 1}, 91)):
            plan = memplan.plan_graph(GRAPH, planner="exact", **options)
            self.assertTrue(plan)
            self.assertEqual(plan.peak, peak, options)
            self.assertEqual(plan.status == "optimal", peak != 92)  # the byte before the floats may be of use
            kept = {key: value for key, value in options.items() if key != "pin_io"}
            self.assertEqual(memplan.verify_graph(GRAPH, plan.offsets, **kept).status, "found")
        self.assertEqual(memplan.plan_graph(GRAPH, capacity=79).witness, ("a", "b"))

    def test_wrong(self):
        places = {"in": 0, "a": 2, "b": 42, "out": 0}
        wrong = memplan.verify_graph(GRAPH, places, alignment=1)
        self.assertEqual((wrong.status, wrong.witness, wrong.step), ("wrong", ("in", "a"), 0))
        with self.assertRaisesRegex(ValueError, "'c', expected tensors of the graph"):
            memplan.verify_graph(GRAPH, {"c": 0})
        with self.assertRaisesRegex(ValueError, "format"):
            memplan.plan_graph({})
        with self.assertRaisesRegex(ValueError, "json:1: "):
            memplan.plan_graph({**GRAPH, "ops": [{}]})
        with self.assertRaisesRegex(ValueError, "no policy 'x'"):
            memplan.plan_graph(GRAPH, policy="x")

    def test_files(self):
        with self.assertRaisesRegex(ValueError, "no instance 'zoo/x'"):
            memplan.plan_graph("zoo/x")
        flat, path = (memplan.plan_graph("luna/denoise", policy=policy) for policy in ("flat", "path"))
        self.assertEqual((flat.peak, path.peak), (96768, 95232))


class Bench(unittest.TestCase):
    def test_functions(self):
        def broken(problem):
            return [problem.sizes["x"]]

        functions = {"stack": stack, "none": lambda problem: None, "broken": broken, "few": lambda problem: []}
        with tempfile.TemporaryDirectory() as folder:
            database = os.path.join(folder, "results.db")
            rows = memplan.bench(["patent/figure4"], planners=["naive"], functions=functions, database=database)
            self.assertEqual(rows, memplan.results(database))
        self.assertNotIn("memplan functions", [thread.name for thread in threading.enumerate()])
        found = {row["planner"]: row for row in rows}
        self.assertEqual(found["stack"]["peak_bytes"], found["naive"]["peak_bytes"])
        self.assertEqual(found["none"]["status"], "gave_up")
        self.assertIn("TypeError: list indices must be", found["broken"]["stop_reason"])
        self.assertIn("found 0 offsets, expected 8", found["few"]["stop_reason"])

    def test_errors(self):
        with self.assertRaisesRegex(memplan.MemplanError, "no instance 'nothing'"):
            memplan.bench(["nothing"])
        with self.assertRaisesRegex(memplan.MemplanError, "expected"):
            memplan.bench(["patent/figure4"], functions={"Not a name": stack})


if __name__ == "__main__":
    unittest.main()
