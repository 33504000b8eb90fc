#include <stddef.h>
#include <string.h>

#include "cli/arguments/command.h"

/* To add a command: its file, its declaration in command.h and a row here. */
static const struct command commands[] = {
    {.name = "list",
     .summary = "what there is: planners, policies, in-place rules, instances, suites, generators, "
                "modes and hardware of weight transfers, tables, plots",
     .operands =
         "[planners|policies|inplace|instances|suites|generators|modes|hardware|tables|plots]",
     .most = 1,
     .options = "json plugin external",
     .examples = "memplan list planners\nmemplan list instances --json",
     .run = command_list},
    {.name = "info",
     .summary = "facts about an instance: operators, tensors, buffers, load, naive",
     .operands = "INSTANCE",
     .least = 1,
     .most = 1,
     .options = "every-policy json ignore-offsets dialect lifetimes bind assume-dim",
     .examples = "memplan info zoo/resnet50\nmemplan info luna/denoise --json\n"
                 "memplan info luna/denoise --policies",
     .run = command_info},
    {.name = "plan",
     .summary = "plan one instance, verify and execute the plan, write it",
     .operands = "INSTANCE",
     .least = 1,
     .most = 1,
     .options =
         "planner policy inplace disable-inplace capacity explain alignment time-limit threads "
         "memory-limit "
         "seed output layout-report json ignore-offsets dialect lifetimes bind assume-dim "
         "plugin external",
     .description = "Exit code 1 when the plan does not fit the capacity; then the steps that are "
                    "over it are named.",
     .examples = "memplan plan patent/figure4 --planner glpk\n"
                 "memplan plan luna/denoise --policy recursive -o denoise.svg\n"
                 "memplan plan zoo/resnet50 -o resnet50.trace.json\n"
                 "memplan plan zoo/mobilenet_v2 --inplace nnvm --disable-inplace Add\n"
                 "memplan plan patent/figure4 --planner exclusive --layout-report\n"
                 "memplan plan problem.csv --planner large_first --capacity 1MiB -o plan.csv\n"
                 "memplan plan patent/figure4 --capacity 42M --explain",
     .run = command_plan},
    {.name = "verify",
     .summary = "check a plan against its instance; names the witness pair",
     .operands = "INSTANCE PLAN.csv|PLAN.json|SOLUTION.sol",
     .least = 2,
     .most = 2,
     .options = "inplace disable-inplace alignment output json ignore-offsets dialect lifetimes "
                "bind assume-dim",
     .description = "A graph's plan is checked along every path through its branches. .sol is what "
                    "a solver (CBC, GLPK, SCIP, HiGHS, Gurobi) found for the .lp or .mps that "
                    "convert wrote. A valid plan is written to the output. Exit code 1 when the "
                    "plan is wrong.",
     .examples = "memplan verify problem.csv plan.csv\n"
                 "memplan verify luna/denoise plan.json\n"
                 "memplan verify problem.csv problem.sol -o plan.csv",
     .run = command_verify},
    {.name = "execute",
     .summary = "run a graph on an arena of tagged bytes under a plan",
     .operands = "GRAPH PLAN.csv|PLAN.json|SOLUTION.sol",
     .least = 2,
     .most = 2,
     .options = "inplace disable-inplace json seed bind assume-dim",
     .description = "Every path through the branches is run when there are at most 4096, else 4096 "
                    "seeded samples. Exit code 1 when a value was overwritten.",
     .examples =
         "memplan execute luna/denoise plan.json\nmemplan execute zoo/mobilenet_v2 plan.csv",
     .run = command_execute},
    {.name = "bench",
     .summary = "run instances x policies x planners and store a row for each",
     .operands = "[INSTANCE...]",
     .most = UINT32_MAX,
     .options =
         "suite planners policies inplace disable-inplace jobs threads time-limit memory-limit "
         "capacity seed db run resume format ignore-offsets dialect lifetimes bind "
         "assume-dim plugin external",
     .description =
         "Every plan is made in a process of its own, verified, and executed where there is a "
         "graph, before it becomes a row. A stopped run is continued by the same command with "
         "--resume. Exit code 1 when a planner crashed, a plan was refused or two rows contradict "
         "each other.",
     .examples = "memplan bench --suite luna --planners large_first,short_first,sequential\n"
                 "memplan bench *.csv --planners naive,large_first,glpk -t 10 --db my.db",
     .run = command_bench},
    {.name = "table",
     .summary = "make a table from stored results",
     .operands = "NAME",
     .least = 1,
     .most = 1,
     .options = "db format output run",
     .examples = "memplan table summary --db my.db\nmemplan table gaps --format csv -o gaps.csv",
     .run = command_table},
    {.name = "plot",
     .summary = "draw a figure from stored results",
     .operands = "NAME",
     .least = 1,
     .most = 1,
     .options = "db output run instance policy planner",
     .description =
         "The extension of the output chooses the form: .svg, .pdf, .png, or .gp for the "
         "gnuplot script with its data.",
     .examples = "memplan plot gaps -o gaps.svg\n"
                 "memplan plot layout --instance luna/denoise --policy recursive -o layout.png",
     .run = command_plot},
    {.name = "report",
     .summary = "make a page of every table and figure that a database has results for",
     .operands = "",
     .options = "db output",
     .description =
         "The output is a folder, made if missing: index.html, and beside it every table "
         "as .md, .csv and .tex and every figure as .svg and .gp.",
     .examples = "memplan report -o report\nmemplan report --db my.db -o nightly",
     .run = command_report},
    {.name = "reproduce",
     .summary = "make the tables and figures of the papers, published beside measured",
     .operands = "[NAME...]",
     .most = UINT32_MAX,
     .options = "output jobs time-limit",
     .examples = "memplan reproduce\nmemplan reproduce luna-memory worked --output out",
     .run = command_reproduce},
    {.name = "quantise",
     .summary = "weights of a graph as int8 or int4: bytes, and what that loses",
     .operands = "GRAPH",
     .least = 1,
     .most = 1,
     .options = "bits weights seed output json bind assume-dim",
     .description = "The output is the graph with its quantised weights, .json. Weights that are "
                    "not floating point stay as they are.",
     .examples = "memplan quantise 'zoo/resnet18?dtype=float16'\n"
                 "memplan quantise zoo/mobilenet_v1 --bits 4 --seed 7 -o mobilenet_int4.json",
     .run = command_quantise},
    {.name = "dma",
     .summary = "what transfers of weights take beside computing, and which buffers they need",
     .operands = "GRAPH",
     .least = 1,
     .most = 1,
     .options = "mode hardware buffers capacity instructions execute planner policy time-limit "
                "seed output json "
                "bind assume-dim plugin external",
     .description =
         "Times are expected over the probabilities of the branches; on chip are the arena, by "
         "the planner, and the buffers; in mode planned the arena holds both, and the fastest "
         "point within the capacity is taken. Exit code 1 where it is too small. The output is the "
         "timeline of the likeliest path: "
         ".trace.json, or a Gantt chart as .svg, .pdf, .png or .gp.",
     .examples = "memplan dma luna/wake_up --mode sync\n"
                 "memplan dma luna/fusion_detect --mode ring --buffers 4 --instructions\n"
                 "memplan dma zoo/mobilenet_v1 --mode planned --hardware stm32h7 --capacity 8M\n"
                 "memplan dma zoo/mobilenet_v1 --hardware ethos_u55 --execute\n"
                 "memplan dma zoo/resnet50 --hardware ethos_u55 -o resnet50.trace.json",
     .run = command_dma},
    {.name = "generate",
     .summary = "make an instance by a rule: the same for the same seed and options",
     .operands = "KIND",
     .least = 1,
     .most = 1,
     .options = "seed output set buffers live capacity steps operators depth width escape loops "
                "target level",
     .description =
         "memplan list generators --json tells the kinds and their options. Problems are "
         "written as .csv or .json, graphs as .json. Every command also takes "
         "generate:KIND?NAME=VALUE&NAME=VALUE as an instance.",
     .examples = "memplan generate layered --buffers 10k --live 200 --seed 3 -o layered.csv\n"
                 "memplan generate tight --buffers 60 --capacity 1MiB --steps 40 -o tight.json\n"
                 "memplan generate control_flow --depth 4 --set escape=50 -o cf.json\n"
                 "memplan plan 'generate:gap?buffers=30&seed=7' --planner glpk",
     .run = command_generate},
    {.name = "convert",
     .summary = "read an instance in one format and write it in another",
     .operands = "INSTANCE OUT.json|OUT.csv|OUT.dot|OUT.lp|OUT.mps",
     .least = 2,
     .most = 2,
     .options = "policy capacity ignore-offsets dialect lifetimes bind assume-dim",
     .description = "A graph becomes a problem (.csv, .lp, .mps, or .json with a --policy) under "
                    "the policies flat, path and select. Graphviz draws .dot: a graph with its "
                    "regions, or a problem "
                    "with its conflicts. .lp and .mps are the integer program of glpk and cbc for "
                    "other solvers, without plans above --capacity; verify reads what they find.",
     .examples = "memplan convert problem.csv problem.json\n"
                 "memplan convert zoo/resnet50 resnet50.csv\n"
                 "memplan convert luna/denoise denoise.dot\n"
                 "memplan convert problem.csv problem.lp",
     .run = command_convert},
};

uint32_t commands_count(void)
{
    return sizeof commands / sizeof *commands;
}

const struct command *commands_at(uint32_t index)
{
    return &commands[index];
}

const struct command *commands_find(const char *name)
{
    for (uint32_t i = 0; i < commands_count(); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}
