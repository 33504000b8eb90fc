#include "cli/options.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "datasets/csv_dialect.h"

enum { MOST_OPTIONS = 48, FIRST_LONG_KEY = 256, MOST_WORKERS = 256, MOST_DISABLED = 256 };

/* Sets its field from the value (NULL for a flag); false when the value is none. */
typedef bool set_option(struct arguments *arguments, const char *value);

static bool set_planners(struct arguments *arguments, const char *value)
{
    arguments->planners = value;
    return *value != '\0';
}

static bool set_policies(struct arguments *arguments, const char *value)
{
    arguments->policies = value;
    return *value != '\0';
}

static bool set_inplace(struct arguments *arguments, const char *value)
{
    arguments->inplace = value;
    return *value != '\0';
}

static bool set_disable_inplace(struct arguments *arguments, const char *value)
{
    arguments->disable_inplace = value;
    return *value != '\0' && strlen(value) <= MOST_DISABLED;
}

static bool set_suite(struct arguments *arguments, const char *value)
{
    arguments->suite = value;
    return true;
}

static bool set_output(struct arguments *arguments, const char *value)
{
    arguments->output = value;
    return *value != '\0';
}

static bool set_layout_report(struct arguments *arguments, const char *value)
{
    arguments->layout_report = value ? value : "-";
    return *arguments->layout_report != '\0';
}

static bool set_database(struct arguments *arguments, const char *value)
{
    arguments->database = value;
    return *value != '\0';
}

static bool set_format(struct arguments *arguments, const char *value)
{
    arguments->format = value;
    return true;
}

static bool set_run(struct arguments *arguments, const char *value)
{
    arguments->run = value;
    return *value != '\0';
}

static bool set_instance(struct arguments *arguments, const char *value)
{
    arguments->instance = value;
    return true;
}

static bool set_capacity(struct arguments *arguments, const char *value)
{
    return text_parse_bytes(value, &arguments->capacity_bytes);
}

static bool set_alignment(struct arguments *arguments, const char *value)
{
    return text_parse_bytes(value, &arguments->alignment_bytes) && arguments->alignment_bytes > 0;
}

static bool set_time_limit(struct arguments *arguments, const char *value)
{
    char *end;
    double seconds = strtod(value, &end);
    if (end == value || *end || !isfinite(seconds) || seconds < 0 || seconds > 1e9)
        return false;
    arguments->time_limit_ns = (uint64_t)(seconds * 1e9);
    return true;
}

static bool set_memory_limit(struct arguments *arguments, const char *value)
{
    return text_parse_bytes(value, &arguments->memory_limit_bytes) &&
           arguments->memory_limit_bytes > 0;
}

static bool set_seed(struct arguments *arguments, const char *value)
{
    return text_parse_u64(value, strlen(value), &arguments->seed) && arguments->seed <= INT64_MAX;
}

static bool set_workers(struct arguments *arguments, const char *value)
{
    return text_parse_u64(value, strlen(value), &arguments->workers) && arguments->workers > 0 &&
           arguments->workers <= MOST_WORKERS;
}

static bool set_threads(struct arguments *arguments, const char *value)
{
    return text_parse_u64(value, strlen(value), &arguments->threads) && arguments->threads > 0 &&
           arguments->threads <= MOST_WORKERS;
}

static bool set_bits(struct arguments *arguments, const char *value)
{
    return text_parse_u64(value, strlen(value), &arguments->bits) &&
           (arguments->bits == 4 || arguments->bits == 8);
}

static bool set_weights(struct arguments *arguments, const char *value)
{
    arguments->weights = value;
    return *value != '\0';
}

static bool add_bind(struct arguments *arguments, const char *value)
{
    if (arguments->binds == ARGUMENTS_MOST_BINDS)
        return false;
    arguments->bind[arguments->binds++] = value;
    return strchr(value, '=') != NULL;
}

static bool add_plugin(struct arguments *arguments, const char *value)
{
    if (arguments->plugins == MOST_BROUGHT)
        return false;
    arguments->plugin[arguments->plugins++] = value;
    return *value != '\0';
}

static bool add_external(struct arguments *arguments, const char *value)
{
    if (arguments->externals == MOST_BROUGHT)
        return false;
    arguments->external[arguments->externals++] = value;
    return strchr(value, '=') != NULL;
}

static bool set_assumed(struct arguments *arguments, const char *value)
{
    return text_parse_u64(value, strlen(value), &arguments->assume_dimension) &&
           arguments->assume_dimension > 0 && arguments->assume_dimension <= INT32_MAX;
}

static bool set_mode(struct arguments *arguments, const char *value)
{
    arguments->mode = value;
    return *value != '\0';
}

static bool set_hardware(struct arguments *arguments, const char *value)
{
    arguments->hardware = value;
    return *value != '\0';
}

static bool set_execute(struct arguments *arguments, const char *value)
{
    (void)value;
    return arguments->execute = true;
}

static bool set_instructions(struct arguments *arguments, const char *value)
{
    (void)value;
    return arguments->instructions = true;
}

static bool set_json(struct arguments *arguments, const char *value)
{
    (void)value;
    return arguments->json = true;
}

static bool set_every_policy(struct arguments *arguments, const char *value)
{
    (void)value;
    return arguments->every_policy = true;
}

static bool set_explain(struct arguments *arguments, const char *value)
{
    (void)value;
    return arguments->explain = true;
}

static bool set_ignore_offsets(struct arguments *arguments, const char *value)
{
    (void)value;
    return arguments->ignore_offsets = true;
}

static bool set_dialect(struct arguments *arguments, const char *value)
{
    arguments->dialect = value;
    return csv_dialect_find(value) != NULL;
}

static bool set_lifetimes(struct arguments *arguments, const char *value)
{
    enum csv_lifetimes ignored;
    arguments->lifetimes = value;
    return csv_lifetimes_find(value, &ignored);
}

static bool set_resume(struct arguments *arguments, const char *value)
{
    (void)value;
    return arguments->resume = true;
}

static bool set_setting(struct arguments *arguments, const char *name, const char *value)
{
    if (arguments->settings == MOST_SETTINGS)
        return false;
    arguments->setting[arguments->settings++] = (struct setting){name, value};
    return true;
}

static bool set_settings(struct arguments *arguments, const char *value)
{
    return set_setting(arguments, NULL, value);
}

/* The generator looks at the value. */
#define SETTER(name)                                                                               \
    static bool set_##name(struct arguments *arguments, const char *value)                         \
    {                                                                                              \
        return set_setting(arguments, #name, value);                                               \
    }

SETTER(buffers)
SETTER(live)
SETTER(steps)
SETTER(operators)
SETTER(depth)
SETTER(width)
SETTER(escape)
SETTER(loops)
SETTER(target)
SETTER(level)

/* Every option there is. To add one: a field in struct arguments and a row with its setter. */
static const struct option_row {
    const char *name;
    char letter; /* 0 for none */
    const char *value, *help;
    set_option *set;
} rows[] = {
    {"planner", 'p', "NAME", "planner (plan: default large_first; plot: any)", set_planners},
    {"planners", 'p', "NAMES", "planners, separated by commas (default: all)", set_planners},
    {"policy", 'q', "NAME", "control-flow policy of a graph (default flat; plot: any)",
     set_policies},
    {"policies", 'q', "NAMES",
     "policies, separated by commas (default: all where there is control flow, else flat)",
     set_policies},
    {"policies", 0, NULL, "load, naive and the best plan under every policy", set_every_policy},
    {"inplace", 0, "RULES",
     "which outputs of a graph's operators are written over inputs (default none; memplan list "
     "inplace)",
     set_inplace},
    {"disable-inplace", 0, "TYPES",
     "types of operators that write over no input: Add,Mul (at most 256 letters)",
     set_disable_inplace},
    {"suite", 's', "NAME", "the built-in instances of a suite", set_suite},
    {"capacity", 'c', "BYTES", "arena size: a number, or with k, M, G, KiB, MiB, GiB",
     set_capacity},
    {"explain", 0, NULL,
     "where the plan does not fit the capacity: which buffers do not, and what would", set_explain},
    {"alignment", 'a', "BYTES", "every offset is a multiple of this (default 1)", set_alignment},
    {"time-limit", 't', "SECONDS", "for each plan (default 60)", set_time_limit},
    {"memory-limit", 0, "BYTES", "that a planner may take (default: no limit)", set_memory_limit},
    {"seed", 0, "N", "seed of everything random (default 1)", set_seed},
    {"jobs", 'j', "N",
     "plans at a time (default 1, so that times mean something; one a processor where reproduce "
     "shows none)",
     set_workers},
    {"threads", 0, "N", "that a planner may use for one plan (default 1)", set_threads},
    {"mode", 'm', "MODE", "of weight transfers (default pingpong; memplan list modes)", set_mode},
    {"hardware", 0, "NAME|FILE.json", "profile of the chip (default luna; memplan list hardware)",
     set_hardware},
    {"execute", 0, NULL,
     "also run it: a thread copies cold weights, another computes; measured beside modelled times",
     set_execute},
    {"instructions", 0, NULL, "also the instructions of every region", set_instructions},
    {"bits", 0, "4|8", "of a quantised weight (default 8)", set_bits},
    {"weights", 0, "FILE",
     "raw values of all weights as the graph lists them (default: drawn from a normal "
     "distribution)",
     set_weights},
    {"output", 'o', "FILE", "where to write to", set_output},
    {"layout-report", 0, "FILE",
     "who uses which bytes from when to when and who reuses them, as a table or with --json as "
     "JSON, into FILE (default and -: standard output)",
     set_layout_report},
    {"db", 'd', "FILE", "results database (default memplan.db)", set_database},
    {"run", 'r', "LABEL", "label of the run (bench: \"run\"; else any)", set_run},
    {"instance", 'i', "NAME", "only results of this instance", set_instance},
    {"format", 'f', "FORM", "md, csv, tex or html (default md)", set_format},
    {"json", 0, NULL, "facts as JSON on standard output", set_json},
    {"ignore-offsets", 0, NULL, "buffers with a fixed offset in the file are free to move",
     set_ignore_offsets},
    {"dialect", 0, "minimalloc|idealloc|iree|xla",
     "tool that wrote the .csv files (default minimalloc); never guessed", set_dialect},
    {"lifetimes", 0, "half-open|inclusive|open",
     "what the times in .csv files mean (default: as the dialect does)", set_lifetimes},
    {"bind", 'b', "NAME=1,3,224,224", "shape of an input of an ONNX model; may be repeated",
     add_bind},
    {"assume-dim", 0, "N", "what an ONNX model's unknown dimensions are (default: an error)",
     set_assumed},
    {"plugin", 0, "FILE.so", "planners of a shared object, see memplan/plugin.h; may be repeated",
     add_plugin},
    {"external", 0, "NAME='PROGRAM {in} {out} {capacity}'",
     "a program as a planner, over MiniMalloc's CSV; may be repeated", add_external},
    {"set", 0, "NAME=VALUE,...", "any options of the generator", set_settings},
    {"buffers", 0, "N", "number of buffers (dma: of a ring, default 3)", set_buffers},
    {"live", 0, "N", "average number of buffers live at a step", set_live},
    {"steps", 0, "N", "number of steps", set_steps},
    {"operators", 0, "N", "number of operators", set_operators},
    {"depth", 0, "N", "regions inside regions", set_depth},
    {"width", 0, "N", "most branches of an If", set_width},
    {"escape", 0, "PERCENT", "results read again much later", set_escape},
    {"loops", 0, "PERCENT", "loops among operators with regions", set_loops},
    {"target", 0, "PLANNER", "the heuristic that fails", set_target},
    {"level", 0, "N", "how badly it fails", set_level},
    {"resume", 0, NULL, "leave out what the database already has for the same run", set_resume},
};

enum { ROWS = sizeof rows / sizeof *rows };

struct parse {
    const struct command *command;
    struct arguments *arguments;
};

static bool list_has(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* How a row is called in the lists of options of commands: two options of different commands may
   have one name. */
static const char *get_token(const struct option_row *row)
{
    return row->set == set_every_policy ? "every-policy" : row->name;
}

/* Its value may be left out. */
static bool is_optional(const struct option_row *row)
{
    return row->set == set_layout_report;
}

static int get_key(size_t row)
{
    return rows[row].letter ? rows[row].letter : FIRST_LONG_KEY + (int)row;
}

static const struct option_row *find_row(const struct command *command, int key)
{
    for (size_t i = 0; i < ROWS; i++)
        if (get_key(i) == key && list_has(command->options, get_token(&rows[i])))
            return &rows[i];
    return NULL;
}

static error_t check_operands(const struct parse *parse, struct argp_state *state)
{
    if (parse->arguments->operands < parse->command->least)
        argp_error(state, "%u operands, expected %s", parse->arguments->operands,
                   parse->command->operands);
    if (parse->arguments->operands > parse->command->most)
        argp_error(state, "unexpected '%s', expected %s",
                   parse->arguments->operand[parse->command->most], parse->command->operands);
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct parse *parse = state->input;
    const struct option_row *row = find_row(parse->command, key);
    if (row) {
        if (!row->set(parse->arguments, value))
            argp_error(state, "--%s '%s', expected %s: %s", row->name, value, row->value,
                       row->help);
        return 0;
    }
    if (key == 'h') {
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return 0;
    }
    if (key == ARGP_KEY_ARGS) {
        parse->arguments->operand = (const char *const *)(state->argv + state->next);
        parse->arguments->operands = (uint32_t)(state->argc - state->next);
        return 0;
    }
    return key == ARGP_KEY_END ? check_operands(parse, state) : ARGP_ERR_UNKNOWN;
}

static void select_options(const struct command *command, struct argp_option *options)
{
    for (size_t i = 0; i < ROWS; i++)
        if (list_has(command->options, get_token(&rows[i])))
            *options++ =
                (struct argp_option){.name = rows[i].name,
                                     .key = get_key(i),
                                     .arg = rows[i].value,
                                     .flags = is_optional(&rows[i]) ? OPTION_ARG_OPTIONAL : 0,
                                     .doc = rows[i].help};
    *options++ = (struct argp_option){.key = 'h', .flags = OPTION_HIDDEN, .doc = "this help"};
    *options = (struct argp_option){0};
}

static void append_help(const struct command *command, struct text *help)
{
    text_append(help, "memplan %s: %s.", command->name, command->summary);
    if (command->description)
        text_append(help, "\n%s", command->description);
    text_append(help, "\vExamples:\n");
    for (const char *at = command->examples; *at;) {
        size_t length = strcspn(at, "\n");
        text_append(help, "  %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

void options_parse(const struct command *command, int argc, char **argv,
                   struct arguments *arguments)
{
    struct argp_option options[MOST_OPTIONS + 2];
    struct parse parse = {command, arguments};
    struct text help = {0};
    char name[64];
    *arguments = (struct arguments){.capacity_bytes = UINT64_MAX,
                                    .alignment_bytes = 1,
                                    .time_limit_ns = UINT64_C(60000000000),
                                    .seed = 1,
                                    .threads = 1,
                                    .bits = 8,
                                    .format = "md",
                                    .mode = "pingpong",
                                    .hardware = "luna",
                                    .database = "memplan.db"};
    select_options(command, options);
    append_help(command, &help);
    snprintf(name, sizeof name, "memplan %s", command->name);
    argv[0] = name;
    argp_err_exit_status = STATUS_USAGE;
    struct argp parser = {options, parse_option, command->operands, help.bytes, NULL, NULL, NULL};
    argp_parse(&parser, argc, argv, 0, NULL, &parse);
    text_free(&help);
}
