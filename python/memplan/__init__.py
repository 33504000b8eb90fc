"""Static memory planning: which buffer gets which address in one arena, so that the peak is least.

    import memplan
    plan = memplan.plan([4096, 1024, 4096], lower=[0, 0, 1], upper=[1, 2, 2])
    plan.peak, plan.offsets          # 5120, [0, 4096, 0]

Lists and numpy arrays are both fine. ``plan_graph`` plans a graph, ``plan_family`` makes one plan for all sizes,
``verify``, ``verify_graph`` and ``verify_family`` check plans of any origin, ``bench`` compares planners, among them functions of one's own, and ``results`` reads the rows of a database.
"""
from .bench import Problem, bench, results
from .families import FamilyPlan, plan_family, verify_family
from .graphs import GraphPlan, plan_graph, verify_graph
from .library import MemplanError, Planner, planners, version
from .problems import Plan, plan, verify

__all__ = ["FamilyPlan", "GraphPlan", "MemplanError", "Plan", "Planner", "Problem", "bench", "plan", "plan_family",
           "plan_graph", "planners", "results", "verify", "verify_family", "verify_graph", "version"]
__version__ = "0.1.0"
