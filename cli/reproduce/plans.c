/* The reproductions that need only plans: instances, planners and policies, and the tables and
   figures of the results. */
#include "cli/reproduce/reproduction.h"

const struct reproduction reproduction_luna_memory = {
    .name = "luna-memory",
    .title = "Memory of the LUNA models before control-flow optimisation",
    .paragraph =
        "Wang et al., J. NUDT 47(6), 2025, Table 1. The models were never published: these are "
        "reconstructions, made so that the ordinary planners give the printed bytes.",
    .suite = "luna",
    .planners = "naive,sequential,large_first,short_first,glpk,exact",
    .policies = "flat",
    .tables = NAMES("luna-memory"),
};

const struct reproduction reproduction_luna_control_flow = {
    .name = "luna-control-flow",
    .title = "Memory of the LUNA models with recursive reuse across branches",
    .paragraph = "Wang et al., Table 2 and Figures 5 and 6, on the same reconstructions.",
    .suite = "luna",
    .planners = "naive,sequential,large_first,short_first,glpk,exact",
    .tables = NAMES("luna-control-flow"),
    .plots = NAMES("bars-fusion-detect", "bars-denoise", "figure6a", "figure6b"),
};

const struct reproduction reproduction_worked = {
    .name = "worked",
    .title = "Worked examples of the sources",
    .paragraph =
        "Wang et al., Figures 1 and 2; CN patent on mutually exclusive operators, Figures 4 and 5; "
        "Graph Engine (GE) sections 3 and 6. Each with what the source prints and a proven "
        "optimum.",
    .suite = "worked",
    .planners = "naive,sequential,large_first,short_first,exclusive,glpk",
    .tables = NAMES("worked"),
    .plots = NAMES("figure1", "figure2"),
};

const struct reproduction reproduction_optimality = {
    .name = "optimality",
    .title = "Exact: the integer program and the optimum",
    .paragraph =
        "Small instances whose optimum is above the load: what GLPK, CBC and our own search "
        "prove in half a second each, and how far the paper's strategies are above it.",
    .suite = "gap",
    .planners = "sequential,large_first,short_first,glpk,cbc,exact",
    .time_limit_ns = UINT64_C(500000000),
    .page = "exact",
    .tables = NAMES("optimality"),
    .plots = NAMES("cactus", "scaling"),
    .shows_times = true,
};

const struct reproduction reproduction_policies = {
    .name = "policies",
    .is_apart = true,
    .title = "Seven ways to treat control flow",
    .paragraph =
        "How good each way of treating branches and loops is, whether it is safe, and how far from "
        "the optimum: policy path has the least peak with static addresses, select the least of "
        "all.",
    .suite = "control_flow",
    .planners = "sequential,large_first,short_first,exact",
    .tables = NAMES("policies"),
    .plots = NAMES("policies"),
};

const struct reproduction reproduction_zoo = {
    .name = "zoo",
    .is_apart = true,
    .title = "Networks built from their published architecture",
    .paragraph = "Every planner on real networks, with the gap to the best known lower bound.",
    .suite = "zoo",
    .tables = NAMES("summary", "gaps"),
    .plots = NAMES("gaps"),
    .shows_times = true,
};
