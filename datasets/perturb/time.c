/* Rules that move the steps: backwards, a part of them, or behind those of another problem. */

#include "core/text.h"
#include "datasets/perturb/perturb.h"
#include "planning/problem/segments.h"

/* Moves the time steps [lower, upper) of a problem to those from `to` on, maybe backwards, and
   drops all others; its conflict steps move to those from conflicts_to on. */
struct step_map {
    const struct problem *problem;
    uint32_t lower, upper, to, conflicts_to;
    bool backwards;
};

/* A map that leaves all time steps with live buffers where they are. */
static struct step_map start_map(const struct problem *problem)
{
    struct step_map map = {.problem = problem, .lower = problem->line_end};
    for (uint32_t s = 0; s < problem->segments; s++)
        if (problem->lower[s] < map.lower)
            map.lower = problem->lower[s];
    map.upper = problem_line_steps(problem);
    if (map.lower > map.upper)
        map.lower = map.upper;
    map.to = map.lower;
    map.conflicts_to = problem->line_end;
    return map;
}

/* Adds the steps [lower, upper) of a segment, those from `at` on then. */
static enum status add_steps(const struct step_map *map, uint32_t s, uint32_t lower, uint32_t upper,
                             uint32_t at, struct segment_joiner *joiner, struct problem *made,
                             struct error *error)
{
    const struct problem *from = map->problem;
    return segments_join(joiner, made,
                         (struct problem_segment){at, at + (upper - lower),
                                                  problem_window_lower(from, s),
                                                  problem_window_upper(from, s)},
                         error);
}

/* Adds a buffer of the problem under the name `name`, with its steps moved. */
static enum status add_mapped(const struct step_map *map, uint32_t buffer, const char *name,
                              struct problem *made, struct error *error)
{
    const struct problem *from = map->problem;
    uint32_t first = from->first[buffer], end = from->first[buffer + 1];
    const struct problem_buffer added = {name, from->size[buffer], problem_alignment(from, buffer),
                                         problem_fixed_offset(from, buffer),
                                         problem_hint(from, buffer)};
    struct segment_joiner joiner = {.pending = false};
    TRY(problem_add_buffer(made, &added, error));
    for (uint32_t i = first; i < end; i++) {
        uint32_t s = map->backwards ? end - 1 - (i - first) : i;
        uint32_t lower = from->lower[s] > map->lower ? from->lower[s] : map->lower;
        uint32_t upper = from->upper[s] < map->upper ? from->upper[s] : map->upper;
        if (lower < upper)
            TRY(add_steps(map, s, lower, upper,
                          map->to + (map->backwards ? map->upper - upper : lower - map->lower),
                          &joiner, made, error));
    }
    for (uint32_t s = first; s < end; s++) {
        uint32_t lower = from->lower[s] > from->line_end ? from->lower[s] : from->line_end;
        if (lower < from->upper[s])
            TRY(add_steps(map, s, lower, from->upper[s],
                          map->conflicts_to + (lower - from->line_end), &joiner, made, error));
    }
    return segments_end(&joiner, made, error);
}

static enum status mirror(struct perturb_task *task, struct problem *made, struct error *error)
{
    const struct problem *problem = task->problem;
    struct step_map map = start_map(problem);
    map.backwards = true;
    for (uint32_t b = 0; b < problem->buffers; b++)
        TRY(add_mapped(&map, b, names_get(&problem->names, b), made, error));
    return STATUS_OK;
}

/* Keeps a part of the time, which begins where a buffer begins, so that at least one is left. */
static enum status cut(struct perturb_task *task, struct problem *made, struct error *error)
{
    const struct problem *problem = task->problem;
    struct step_map map = start_map(problem);
    uint32_t end = map.upper, steps = map.upper - map.lower;
    uint32_t part = (uint32_t)(steps * task->value[0] / 100);
    uint32_t begin =
        problem_lower(problem, (uint32_t)random_below(&task->random, problem->buffers));
    if (begin < end)
        map.lower = map.to = begin;
    if (end - map.lower > part)
        map.upper = map.lower + (part ? part : 1);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        /* What is live at a step of that part stays, and what is live at no time step at all. */
        bool stays = problem->lower[problem->first[b]] >= problem->line_end;
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1] && !stays; s++)
            stays = problem->lower[s] < map.upper && problem->upper[s] > map.lower;
        if (stays)
            TRY(add_mapped(&map, b, names_get(&problem->names, b), made, error));
    }
    return STATUS_OK;
}

/* Adds all buffers with the position of their problem in front of their names, since both problems
   may use the same names. */
static enum status add_all(const struct step_map *map, int position, struct problem *made,
                           struct error *error)
{
    SCOPED(text_free) struct text name = {0};
    for (uint32_t b = 0; b < map->problem->buffers; b++) {
        name.length = 0;
        text_append(&name, "%d.%s", position, names_get(&map->problem->names, b));
        TRY(text_check(&name, error));
        TRY(add_mapped(map, b, name.bytes, made, error));
    }
    return STATUS_OK;
}

static uint32_t count_conflict_steps(const struct problem *problem)
{
    uint32_t steps = problem_steps(problem);
    return steps > problem->line_end ? steps - problem->line_end : 0;
}

static enum status join(struct perturb_task *task, struct problem *made, struct error *error)
{
    struct step_map first = start_map(task->problem), second = start_map(task->second);
    uint64_t shared = (uint64_t)(first.upper - first.lower) * task->value[0] / 100;
    second.to = first.upper - (uint32_t)shared;
    /* The conflict steps of the first problem come behind the time steps of both, and those of the
       second behind these. */
    uint64_t end = (uint64_t)second.to + (second.upper - second.lower);
    if (end < first.upper)
        end = first.upper;
    uint32_t one_conflicts = count_conflict_steps(first.problem);
    uint32_t two_conflicts = count_conflict_steps(second.problem);
    if (end + one_conflicts + two_conflicts >= PROBLEM_NO_LINE_END)
        return error_set(error, STATUS_BAD_INPUT, "found more than %u steps in both, expected less",
                         PROBLEM_NO_LINE_END - 1);
    first.conflicts_to = (uint32_t)end;
    second.conflicts_to = (uint32_t)(end + one_conflicts);
    made->line_end = one_conflicts || two_conflicts ? (uint32_t)end : PROBLEM_NO_LINE_END;
    TRY(add_all(&first, 1, made, error));
    return add_all(&second, 2, made, error);
}

static const struct generate_option cut_options[] = {
    {"percent", 50, 1, 100, NULL, "of the time steps that are kept at most"}};
static const struct generate_option join_options[] = {
    {"percent", 20, 0, 100, NULL, "of the first one's time steps that the second shares"}};

const struct perturb_rule perturb_mirror = {
    .kind = {.name = "mirror", .title = "time runs backwards"},
    .apply = mirror,
};

const struct perturb_rule perturb_cut = {
    .kind = {.name = "cut",
             .title = "what is live in a part of the time",
             .option = cut_options,
             .options = 1},
    .apply = cut,
};

const struct perturb_rule perturb_join = {
    .kind = {.name = "join",
             .title = "a second problem begins before the first one ends",
             .option = join_options,
             .options = 1},
    .takes_two = true,
    .apply = join,
};
