#include "cli/arguments/option_rows.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "datasets/csv/dialect.h"

enum { MOST_WORKERS = 256, MOST_DISABLED = 256 };

static void *get_field(const struct option_row *row, struct arguments *arguments)
{
    return (char *)arguments + row->field;
}

static bool set_text(const struct option_row *row, struct arguments *arguments, const char *value)
{
    *(const char **)get_field(row, arguments) = value;
    return strlen(value) >= row->least && strlen(value) <= row->most;
}

static bool set_flag(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)value;
    return *(bool *)get_field(row, arguments) = true;
}

static bool set_number(const struct option_row *row, struct arguments *arguments, const char *value)
{
    uint64_t *number = get_field(row, arguments);
    return text_parse_u64(value, strlen(value), number) && *number >= row->least &&
           *number <= row->most;
}

static bool set_bytes(const struct option_row *row, struct arguments *arguments, const char *value)
{
    uint64_t *bytes = get_field(row, arguments);
    return text_parse_bytes(value, bytes) && *bytes >= row->least;
}

static bool set_time_limit(const struct option_row *row, struct arguments *arguments,
                           const char *value)
{
    char *end;
    double seconds = strtod(value, &end);
    (void)row;
    if (end == value || *end || !isfinite(seconds) || seconds < 0 || seconds > 1e9)
        return false;
    arguments->time_limit_ns = (uint64_t)(seconds * 1e9);
    return true;
}

static bool set_bits(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    return text_parse_u64(value, strlen(value), &arguments->bits) &&
           (arguments->bits == 4 || arguments->bits == 8);
}

static bool set_layout_report(const struct option_row *row, struct arguments *arguments,
                              const char *value)
{
    (void)row;
    arguments->layout_report = value ? value : "-";
    return *arguments->layout_report != '\0';
}

static bool add_bind(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    if (arguments->binds == ARGUMENTS_MOST_BINDS)
        return false;
    arguments->bind[arguments->binds++] = value;
    return strchr(value, '=') != NULL;
}

static bool add_plugin(const struct option_row *row, struct arguments *arguments, const char *value)
{
    (void)row;
    if (arguments->plugins == MOST_BROUGHT)
        return false;
    arguments->plugin[arguments->plugins++] = value;
    return *value != '\0';
}

static bool add_external(const struct option_row *row, struct arguments *arguments,
                         const char *value)
{
    (void)row;
    if (arguments->externals == MOST_BROUGHT)
        return false;
    arguments->external[arguments->externals++] = value;
    return strchr(value, '=') != NULL;
}

static bool set_dialect(const struct option_row *row, struct arguments *arguments,
                        const char *value)
{
    (void)row;
    arguments->dialect = value;
    return csv_dialect_find(value) != NULL;
}

static bool set_lifetimes(const struct option_row *row, struct arguments *arguments,
                          const char *value)
{
    enum csv_lifetimes ignored;
    (void)row;
    arguments->lifetimes = value;
    return csv_lifetimes_find(value, &ignored);
}

static bool add_setting(struct arguments *arguments, const char *name, const char *value)
{
    if (arguments->settings == MOST_SETTINGS)
        return false;
    arguments->setting[arguments->settings++] = (struct setting){name, value};
    return true;
}

static bool set_settings(const struct option_row *row, struct arguments *arguments,
                         const char *value)
{
    (void)row;
    return add_setting(arguments, NULL, value);
}

/* The generator looks at the value. */
static bool set_setting(const struct option_row *row, struct arguments *arguments,
                        const char *value)
{
    return add_setting(arguments, row->name, value);
}

#define FIELD(name) .field = offsetof(struct arguments, name)
#define RANGE(from, to) .least = from, .most = to
#define TEXT(name, from) .set = set_text, FIELD(name), RANGE(from, UINT64_MAX)
#define FLAG(name) .set = set_flag, FIELD(name)
#define NUMBER(name, from, to) .set = set_number, FIELD(name), RANGE(from, to)
#define BYTES(name, from) .set = set_bytes, FIELD(name), RANGE(from, UINT64_MAX)

/* To add an option: a field in struct arguments, and a row. */
static const struct option_row rows[] = {
    {"planner", 'p', "NAME", "planner (plan: default large_first; plot: any)", TEXT(planners, 1)},
    {"planners", 'p', "NAMES", "planners, separated by commas (default: all)", TEXT(planners, 1)},
    {"policy", 'q', "NAME", "control-flow policy of a graph (default flat; plot: any)",
     TEXT(policies, 1)},
    {"policies", 'q', "NAMES",
     "policies, separated by commas (default: all where there is control flow, else flat)",
     TEXT(policies, 1)},
    {"policies", 0, NULL, "load, naive and the best plan under every policy", FLAG(every_policy),
     .token = "every-policy"},
    {"inplace", 0, "RULES",
     "which outputs of a graph's operators are written over inputs (default none; memplan list "
     "inplace)",
     TEXT(inplace, 1)},
    {"disable-inplace", 0, "TYPES",
     "types of operators that write over no input: Add,Mul (at most 256 letters)", .set = set_text,
     FIELD(disable_inplace), RANGE(1, MOST_DISABLED)},
    {"suite", 's', "NAME", "the built-in instances of a suite", TEXT(suite, 0)},
    {"capacity", 'c', "BYTES", "arena size: a number, or with k, M, G, KiB, MiB, GiB",
     BYTES(capacity_bytes, 0)},
    {"explain", 0, NULL,
     "where the plan does not fit the capacity: which buffers do not, and what would",
     FLAG(explain)},
    {"alignment", 'a', "BYTES", "every offset is a multiple of this (default 1)",
     BYTES(alignment_bytes, 1)},
    {"time-limit", 't', "SECONDS", "for each plan (default 60)", .set = set_time_limit},
    {"memory-limit", 0, "BYTES", "that a planner may take (default: no limit)",
     BYTES(memory_limit_bytes, 1)},
    {"seed", 0, "N", "seed of everything random (default 1)", NUMBER(seed, 0, INT64_MAX)},
    {"jobs", 'j', "N",
     "plans at a time (default 1, so that times mean something; one a processor where reproduce "
     "shows none)",
     NUMBER(workers, 1, MOST_WORKERS)},
    {"threads", 0, "N", "that a planner may use for one plan (default 1)",
     NUMBER(threads, 1, MOST_WORKERS)},
    {"mode", 'm', "MODE", "of weight transfers (default pingpong; memplan list modes)",
     TEXT(mode, 1)},
    {"hardware", 0, "NAME|FILE.json", "profile of the chip (default luna; memplan list hardware)",
     TEXT(hardware, 1)},
    {"execute", 0, NULL,
     "also run it: a thread copies cold weights, another computes; measured beside modelled times",
     FLAG(execute)},
    {"instructions", 0, NULL, "also the instructions of every region", FLAG(instructions)},
    {"bits", 0, "4|8", "of a quantised weight (default 8)", .set = set_bits},
    {"weights", 0, "FILE",
     "raw values of all weights as the graph lists them (default: drawn from a normal "
     "distribution)",
     TEXT(weights, 1)},
    {"output", 'o', "FILE", "where to write to", TEXT(output, 1)},
    {"layout-report", 0, "FILE",
     "who uses which bytes from when to when and who reuses them, as a table or with --json as "
     "JSON, into FILE (default and -: standard output)",
     .set = set_layout_report, .optional = true},
    {"db", 'd', "FILE", "results database (default memplan.db)", TEXT(database, 1)},
    {"run", 'r', "LABEL", "label of the run (bench: \"run\"; else any)", TEXT(run, 1)},
    {"instance", 'i', "NAME", "only results of this instance", TEXT(instance, 0)},
    {"format", 'f', "FORM", "md, csv, tex or html (default md)", TEXT(format, 0)},
    {"json", 0, NULL, "facts as JSON on standard output", FLAG(json)},
    {"ignore-offsets", 0, NULL, "buffers with a fixed offset in the file are free to move",
     FLAG(ignore_offsets)},
    {"dialect", 0, "minimalloc|idealloc|iree|xla",
     "tool that wrote the .csv files (default minimalloc); never guessed", .set = set_dialect},
    {"lifetimes", 0, "half-open|inclusive|open",
     "what the times in .csv files mean (default: as the dialect does)", .set = set_lifetimes},
    {"bind", 'b', "NAME=1,3,224,224", "shape of an input of an ONNX model; may be repeated",
     .set = add_bind},
    {"assume-dim", 0, "N", "what an ONNX model's unknown dimensions are (default: an error)",
     NUMBER(assume_dimension, 1, INT32_MAX)},
    {"plugin", 0, "FILE.so", "planners of a shared object, see memplan/plugin.h; may be repeated",
     .set = add_plugin},
    {"external", 0, "NAME='PROGRAM {in} {out} {capacity}'",
     "a program as a planner, over MiniMalloc's CSV; may be repeated", .set = add_external},
    {"set", 0, "NAME=VALUE,...", "any options of the generator", .set = set_settings},
    {"buffers", 0, "N", "number of buffers (dma: of a ring, default 3)", .set = set_setting},
    {"live", 0, "N", "average number of buffers live at a step", .set = set_setting},
    {"steps", 0, "N", "number of steps", .set = set_setting},
    {"operators", 0, "N", "number of operators", .set = set_setting},
    {"depth", 0, "N", "regions inside regions", .set = set_setting},
    {"width", 0, "N", "most branches of an If", .set = set_setting},
    {"escape", 0, "PERCENT", "results read again much later", .set = set_setting},
    {"loops", 0, "PERCENT", "loops among operators with regions", .set = set_setting},
    {"target", 0, "PLANNER", "the heuristic that fails", .set = set_setting},
    {"level", 0, "N", "how badly it fails", .set = set_setting},
    {"resume", 0, NULL, "leave out what the database already has for the same run", FLAG(resume)},
};

uint32_t option_rows_count(void)
{
    return sizeof rows / sizeof *rows;
}

const struct option_row *option_rows_at(uint32_t index)
{
    return &rows[index];
}
