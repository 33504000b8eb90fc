/* Rules that put buffers into another order, leave some out, or change each a little. The last kind
   leaves buffers with a fixed offset as they are, since changed ones would collide. */

#include <inttypes.h>

#include "core/memory.h"
#include "datasets/perturb/perturb.h"
#include "planning/problem/copy.h"
#include "planning/problem/pair.h"
#include "planning/problem/unit.h"

static enum status shuffle(struct perturb_task *task, struct problem *made, struct error *error)
{
    uint32_t buffers = task->problem->buffers;
    SCOPED(memory_release) uint32_t *order = NULL;
    TRY(memory_create(&order, buffers, sizeof *order, error));
    for (uint32_t i = 0; i < buffers; i++)
        order[i] = i;
    random_shuffle(&task->random, order, buffers);
    for (uint32_t i = 0; i < buffers; i++)
        TRY(problem_add_copy(made, task->problem, order[i], error));
    return STATUS_OK;
}

/* Drops random buffers. Where that would leave none the last buffer stays, since a problem must
   have one. */
static enum status thin(struct perturb_task *task, struct problem *made, struct error *error)
{
    uint32_t buffers = task->problem->buffers;
    for (uint32_t b = 0; b < buffers; b++) {
        bool stays = random_below(&task->random, 100) >= task->value[0];
        if (stays || (b + 1 == buffers && !made->buffers))
            TRY(problem_add_copy(made, task->problem, b, error));
    }
    return STATUS_OK;
}

static const struct generate_option thin_options[] = {
    {"percent", 3, 0, 100, NULL, "of the buffers that are left out"}};

const struct perturb_rule perturb_shuffle = {
    .kind = {.name = "shuffle", .title = "the same buffers in another order"},
    .apply = shuffle,
};

const struct perturb_rule perturb_thin = {
    .kind = {.name = "thin",
             .title = "some buffers are left out",
             .option = thin_options,
             .options = 1},
    .apply = thin,
};

/* A share of a number above 0, in percent (at most 100), but at least 1. */
static uint64_t take_share(uint64_t number, uint64_t percent)
{
    uint64_t share = number / 100 * percent + number % 100 * percent / 100;
    return share ? share : 1;
}

static bool is_free_and_whole(const struct problem *problem, uint32_t buffer)
{
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (!problem_segment_is_whole(problem, buffer, s))
            return false;
    return problem_fixed_offset(problem, buffer) == PROBLEM_FREE;
}

/* A size that is a multiple of the unit stays one, and is at least one unit. */
static enum status jitter_sizes(struct perturb_task *task, struct problem *made,
                                struct error *error)
{
    const struct problem *problem = task->problem;
    uint64_t unit = problem_unit_bytes(problem);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        TRY(problem_add_copy(made, problem, b, error));
        if (!is_free_and_whole(problem, b))
            continue;
        uint64_t units = problem->size[b] / unit, most = take_share(units, task->value[0]);
        uint64_t drawn = units + random_below(&task->random, 2 * most + 1);
        problem_resize(made, made->buffers - 1, (drawn > most ? drawn - most : 1) * unit);
    }
    return STATUS_OK;
}

/* Whether a buffer is free and live in a single run of time steps, so that its times may change. */
static bool can_move(const struct problem *problem, uint32_t buffer)
{
    uint32_t segment = problem->first[buffer];
    return problem->first[buffer + 1] == segment + 1 &&
           problem->upper[segment] <= problem->line_end &&
           problem_fixed_offset(problem, buffer) == PROBLEM_FREE;
}

/* Draws a step at most `most` steps before or after the given one, within 0 .. last. */
static uint32_t draw_step(struct random_state *random, uint32_t step, uint64_t most, uint32_t last)
{
    uint64_t drawn = step + random_below(random, 2 * most + 1);
    uint64_t moved = drawn > most ? drawn - most : 0;
    return moved < last ? (uint32_t)moved : last;
}

static enum status add_moved(const struct problem *problem, uint32_t b,
                             struct problem_segment segment, struct problem *made,
                             struct error *error)
{
    const struct problem_buffer added = {names_get(&problem->names, b), problem->size[b],
                                         problem_alignment(problem, b), PROBLEM_FREE,
                                         problem_hint(problem, b)};
    TRY(problem_add_buffer(made, &added, error));
    return problem_add_segment(made, segment, error);
}

static enum status jitter_times(struct perturb_task *task, struct problem *made,
                                struct error *error)
{
    const struct problem *problem = task->problem;
    uint32_t end = problem_line_steps(problem);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (!can_move(problem, b)) {
            TRY(problem_add_copy(made, problem, b, error));
            continue;
        }
        uint32_t s = problem->first[b];
        struct problem_segment segment = {problem->lower[s], problem->upper[s],
                                          problem_window_lower(problem, s),
                                          problem_window_upper(problem, s)};
        uint64_t most = take_share(segment.upper - segment.lower, task->value[0]);
        uint32_t lower = draw_step(&task->random, segment.lower, most, end);
        uint32_t upper = draw_step(&task->random, segment.upper, most, end);
        if (lower < upper) {
            segment.lower = lower;
            segment.upper = upper;
        }
        TRY(add_moved(problem, b, segment, made, error));
    }
    return STATUS_OK;
}

/* Every size that may change becomes that of a random buffer among those, so that sizes have the
   distribution that they had. */
static enum status redraw_sizes(struct perturb_task *task, struct problem *made,
                                struct error *error)
{
    const struct problem *problem = task->problem;
    SCOPED(memory_release) uint64_t *size = NULL;
    uint32_t sizes = 0;
    TRY(memory_create(&size, problem->buffers, sizeof *size, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (is_free_and_whole(problem, b))
            size[sizes++] = problem->size[b];
    for (uint32_t b = 0; b < problem->buffers; b++) {
        TRY(problem_add_copy(made, problem, b, error));
        if (is_free_and_whole(problem, b))
            problem_resize(made, made->buffers - 1, size[random_below(&task->random, sizes)]);
    }
    return STATUS_OK;
}

/* Every lifetime that may change begins at any step from which it still ends within all steps. */
static enum status redraw_times(struct perturb_task *task, struct problem *made,
                                struct error *error)
{
    const struct problem *problem = task->problem;
    uint32_t end = problem_line_steps(problem);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (!can_move(problem, b)) {
            TRY(problem_add_copy(made, problem, b, error));
            continue;
        }
        uint32_t s = problem->first[b], life = problem->upper[s] - problem->lower[s];
        uint32_t lower = (uint32_t)random_below(&task->random, (uint64_t)(end - life) + 1);
        const struct problem_segment segment = {lower, lower + life,
                                                problem_window_lower(problem, s),
                                                problem_window_upper(problem, s)};
        TRY(add_moved(problem, b, segment, made, error));
    }
    return STATUS_OK;
}

/* A size s becomes c*n + d, n from 1 to most, with a drawn c and s at the greatest n. */
static enum status parametrise(struct perturb_task *task, struct problem *made, struct error *error)
{
    const struct problem *problem = task->problem;
    uint64_t most = task->value[0];
    TRY(sizes_create(&made->sizes, error));
    TRY(sizes_add_parameter(made->sizes, "n", 1, most, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        SCOPED(text_free) struct text text = {0};
        TRY(problem_add_copy(made, problem, b, error));
        if (!is_free_and_whole(problem, b)) {
            TRY(sizes_add_number(made->sizes, problem->size[b], error));
            continue;
        }
        uint64_t slope = random_below(&task->random, problem->size[b] / most + 1);
        text_append(&text, "%" PRIu64 "*n + %" PRIu64, slope, problem->size[b] - slope * most);
        TRY(text_check(&text, error));
        TRY(sizes_add(made->sizes, text.bytes, error));
    }
    return STATUS_OK;
}

static const struct generate_option parameter_options[] = {
    {"most", 16, 1, 1 << 20, NULL, "the greatest value of the parameter n"}};
static const struct generate_option size_options[] = {
    {"percent", 10, 0, 100, NULL, "of a size that it changes by at most, but a unit"}};
static const struct generate_option time_options[] = {
    {"percent", 10, 0, 100, NULL, "of a lifetime that its ends move by at most, but a step"}};

const struct perturb_rule perturb_parametrise = {
    .kind = {.name = "parametrise",
             .title = "sizes become c*n + d, as they were at the greatest n",
             .option = parameter_options,
             .options = 1},
    .apply = parametrise,
};

const struct perturb_rule perturb_jitter_sizes = {
    .kind = {.name = "jitter_sizes",
             .title = "sizes are a little larger or smaller, in the unit of all",
             .option = size_options,
             .options = 1},
    .apply = jitter_sizes,
};

const struct perturb_rule perturb_jitter_times = {
    .kind = {.name = "jitter_times",
             .title = "lifetimes begin and end a little earlier or later",
             .option = time_options,
             .options = 1},
    .apply = jitter_times,
};

const struct perturb_rule perturb_redraw_sizes = {
    .kind = {.name = "redraw_sizes", .title = "each size is that of some buffer, lives stay"},
    .apply = redraw_sizes,
};

const struct perturb_rule perturb_redraw_times = {
    .kind = {.name = "redraw_times", .title = "each life begins anywhere, as long as it was"},
    .apply = redraw_times,
};
