"""Static memory planning: which buffer gets which address in one arena, so that the peak is least.

    import memplan
    plan = memplan.plan([4096, 1024, 4096], lower=[0, 0, 1], upper=[1, 2, 2])
    plan.peak, plan.offsets          # 5120, [0, 4096, 0]

Lists and numpy arrays are both fine. ``plan_graph`` plans a graph, ``plan_memories`` a problem or a graph with several
memories, ``plan_family`` makes one plan for all sizes; ``verify`` and its likes check plans of any origin, ``bench`` compares
planners, among them functions of one's own, and ``results`` reads the rows of a database.
"""
from .bench import Problem, bench, results
from .families import FamilyPlan, plan_family, verify_family
from .graphs import GraphPlan, plan_graph, verify_graph
from .library import MemplanError, Planner, planners, version
from .memories import MemoriesPlan, plan_memories, verify_memories
from .problems import Plan, plan, verify

__all__ = ["FamilyPlan", "GraphPlan", "MemoriesPlan", "MemplanError", "Plan", "Planner", "Problem", "bench", "plan", "plan_family",
           "plan_graph", "plan_memories", "planners", "results", "verify", "verify_family", "verify_graph", "verify_memories", "version"]
__version__ = "0.1.0"
