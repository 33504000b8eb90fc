/* A search for problems with one memory that is limited, and others that are not. What lies in the
   limited one is kept as an order in which buffers lie above one another, not as offsets (pile.h):
   a node fits between others where the heaviest chain through it is within the capacity, so all
   below and above make room for it. Around one that lies elsewhere, some that lie above one another
   are taken out; then these and others are put in where there is room, those first that gain most,
   changed by chance. What comes out is kept if it costs no more, or a little more at first
   (simulated annealing, Kirkpatrick, Gelatt and Vecchi, Science 220, 1983). */

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/sort.h"
#include "heuristics/memories/place.h"
#include "solvers/family/pile.h"
#include "solvers/memories/rows.h"

enum {
    MOST_REMOVED = 8,
    FILLERS = 12,
    MOST_OUT = MOST_REMOVED + 1 + FILLERS,
    MOST_STEPS = MOST_REMOVED + MOST_OUT,
    DRAWS = 50,
    ROUNDS_OF_NODE = 100
};

struct step {
    uint32_t node, rank;
    bool put; /* or taken out */
};

struct swaps {
    const struct memory_model *model;
    struct pile pile;
    struct random_state random;
    uint32_t limited;    /* the arena with a capacity */
    double capacity;     /* of it, a multiple of the alignment */
    uint64_t *size;      /* [nodes] rounded up to the alignment */
    uint32_t *elsewhere; /* [nodes] its cheapest other arena, or MEMORY_NONE */
    uint64_t *gain; /* [nodes] what it saves to lie in the limited one; UINT64_MAX: it has to */
    double *above;  /* [most_near] the chains above the places of a node */
    uint64_t lost, least_lost; /* the gains of those that lie elsewhere; of the best plan */
    double *best_end;          /* [nodes] where each ends in it, 0: it lies elsewhere */
    struct step step[MOST_STEPS];
    uint32_t steps, out[MOST_OUT], outs;
};

static double get_reach(const struct swaps *swaps, uint32_t side, uint32_t node)
{
    return swaps->pile.reach[side][node][0];
}

static double get_greater(double a, double b)
{
    return a > b ? a : b;
}

/* Among the places of a node that is out finds the one whose chain is the lightest, and says
   whether that is within the capacity. */
static bool find_place(struct swaps *swaps, uint32_t node, uint32_t *place)
{
    struct pile *pile = &swaps->pile;
    double below = 0, least = HUGE_VAL, *above = swaps->above;
    assert(!pile_has(pile, node));
    pile_list_near(pile, node);
    above[pile->nears] = 0;
    for (uint32_t k = pile->nears; k-- > 0;)
        above[k] = get_greater(above[k + 1], get_reach(swaps, PILE_ABOVE, pile->near[k]));
    for (uint32_t k = 0; k <= pile->nears; k++) {
        if (k)
            below = get_greater(below, get_reach(swaps, PILE_BELOW, pile->near[k - 1]));
        if (below + above[k] >= least)
            continue;
        least = below + above[k];
        *place = k;
    }
    assert(*place <= pile->nears && least < HUGE_VAL);
    return least + (double)swaps->size[node] <= swaps->capacity;
}

static void put(struct swaps *swaps, uint32_t node, uint32_t place)
{
    assert(swaps->steps < MOST_STEPS && swaps->lost >= swaps->gain[node]);
    swaps->step[swaps->steps++] = (struct step){node, swaps->pile.rank[node], true};
    pile_put(&swaps->pile, node, place);
    swaps->lost -= swaps->gain[node];
}

static void take_out(struct swaps *swaps, uint32_t node)
{
    assert(swaps->steps < MOST_STEPS && swaps->outs < MOST_OUT);
    assert(swaps->gain[node] != UINT64_MAX);
    swaps->step[swaps->steps++] = (struct step){node, swaps->pile.rank[node], false};
    pile_take_out(&swaps->pile, node);
    swaps->lost += swaps->gain[node];
    swaps->out[swaps->outs++] = node;
}

static void undo(struct swaps *swaps)
{
    while (swaps->steps) {
        const struct step *step = &swaps->step[--swaps->steps];
        if (step->put) {
            pile_take_out(&swaps->pile, step->node);
            pile_set_rank(&swaps->pile, step->node, step->rank);
        } else {
            pile_return(&swaps->pile, step->node);
        }
    }
}

/* Takes up to `most` of those near a node that is out, around a drawn place among them, out; and
   lists these, the node, and some others that conflict with it and lie elsewhere. */
static void ruin(struct swaps *swaps, uint32_t node, uint64_t most)
{
    const struct memory_model *model = swaps->model;
    struct pile *pile = &swaps->pile;
    uint64_t first = model->first[node], conflicts = model->first[node + 1] - first;
    uint32_t removed[MOST_REMOVED], count = 0;
    pile_list_near(pile, node);
    uint32_t above = (uint32_t)random_below(&swaps->random, pile->nears + 1), below = above;
    while (count < most && (below > 0 || above < pile->nears)) {
        bool down = above == pile->nears || (below > 0 && random_next(&swaps->random) & 1);
        removed[count++] = pile->near[down ? --below : above++];
    }
    swaps->steps = swaps->outs = 0;
    for (uint32_t i = 0; i < count; i++)
        if (swaps->gain[removed[i]] != UINT64_MAX)
            take_out(swaps, removed[i]);
    swaps->out[swaps->outs++] = node;
    for (int i = 0; i < FILLERS && conflicts; i++) {
        uint32_t other = model->other[first + random_below(&swaps->random, conflicts)];
        if (swaps->gain[other] && !pile_has(pile, other))
            swaps->out[swaps->outs++] = other;
    }
    assert(swaps->outs <= MOST_OUT);
}

/* Puts what is listed in where there is room, those first that gain most, changed by chance. */
static void fill(struct swaps *swaps)
{
    double rank[MOST_OUT];
    for (uint32_t i = 0; i < swaps->outs; i++) {
        uint32_t n = swaps->out[i], k = i;
        double own = (double)swaps->gain[n] * (0.5 + random_unit(&swaps->random));
        for (; k > 0 && rank[k - 1] < own; k--) {
            rank[k] = rank[k - 1];
            swaps->out[k] = swaps->out[k - 1];
        }
        rank[k] = own;
        swaps->out[k] = n;
    }
    for (uint32_t i = 0; i < swaps->outs; i++) {
        uint32_t place = 0;
        if (!pile_has(&swaps->pile, swaps->out[i]) && find_place(swaps, swaps->out[i], &place))
            put(swaps, swaps->out[i], place);
    }
}

static void keep_best(struct swaps *swaps)
{
    swaps->least_lost = swaps->lost;
    for (uint32_t n = 0; n < swaps->model->classes.count; n++)
        swaps->best_end[n] = get_reach(swaps, PILE_BELOW, n);
}

/* One round, in which a plan that costs up to `slack` more is kept. */
static void try_round(struct swaps *swaps, uint64_t slack)
{
    uint32_t nodes = swaps->model->classes.count;
    uint32_t node = (uint32_t)random_below(&swaps->random, nodes);
    uint64_t before = swaps->lost;
    for (int i = 0; i < DRAWS && (!swaps->gain[node] || pile_has(&swaps->pile, node)); i++)
        node = (uint32_t)random_below(&swaps->random, nodes);
    if (!swaps->gain[node] || pile_has(&swaps->pile, node))
        return;
    assert(swaps->gain[node] != UINT64_MAX && before >= swaps->gain[node]);
    ruin(swaps, node, 1 + random_below(&swaps->random, MOST_REMOVED));
    fill(swaps);
    if (swaps->lost > before + slack) {
        undo(swaps);
        swaps->lost = before;
    } else if (swaps->lost < swaps->least_lost) {
        keep_best(swaps);
    }
}

/* Whether conflicts are all by time, and one memory alone is limited, in one piece. */
static bool is_fit(struct swaps *swaps)
{
    const struct memory_model *model = swaps->model;
    const struct memory_problem *problem = model->problem;
    uint32_t limited = 0;
    for (uint32_t a = 0; a < model->arenas; a++)
        if (model->arena[a].capacity != UINT64_MAX) {
            swaps->limited = a;
            limited++;
        }
    return limited == 1 && model->arenas > 1 && !model->by_pairs && !model->edges &&
           !problem->pins && !problem->separations && !problem->reserved_ranges &&
           model->nodes->segments >= model->classes.count;
}

/* Rounds sizes up to one alignment of all; false where there is none that all divide. */
static bool round_sizes(struct swaps *swaps)
{
    const struct memory_model *model = swaps->model;
    uint64_t alignment = 1;
    for (uint32_t n = 0; n < model->classes.count; n++)
        if (memory_model_alignment(model, n, swaps->limited) > alignment)
            alignment = memory_model_alignment(model, n, swaps->limited);
    for (uint32_t n = 0; n < model->classes.count; n++)
        if (alignment % memory_model_alignment(model, n, swaps->limited) ||
            !checked_align(model->nodes->size[n], alignment, &swaps->size[n]))
            return false;
    uint64_t capacity = model->arena[swaps->limited].capacity;
    swaps->capacity = (double)(capacity - capacity % alignment);
    return true;
}

static void find_gains(struct swaps *swaps)
{
    const struct memory_model *model = swaps->model;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        uint64_t here = memory_model_traffic(model, n, swaps->limited), least = UINT64_MAX;
        swaps->elsewhere[n] = MEMORY_NONE;
        for (uint32_t a = 0; a < model->arenas; a++)
            if (a != swaps->limited && memory_model_traffic(model, n, a) < least) {
                least = memory_model_traffic(model, n, a);
                swaps->elsewhere[n] = a;
            }
        assert(here != UINT64_MAX || least != UINT64_MAX); /* it may lie somewhere */
        swaps->gain[n] = here >= least || (double)swaps->size[n] > swaps->capacity ? 0
                         : least == UINT64_MAX                                     ? least
                                                                                   : least - here;
    }
}

/* Begins with what the start, if there is one, has in the limited memory, the lowest first; *fits
   is false where sizes that were rounded are too large for it, or something has to lie there that
   does not. */
static enum status begin(struct swaps *swaps, const struct memory_plan *start,
                         struct scratch *scratch, bool *fits, struct error *error)
{
    const struct memory_model *model = swaps->model;
    uint32_t nodes = model->classes.count, *arena, *order;
    uint64_t *offset;
    TRY(scratch_take(scratch, &arena, nodes, sizeof *arena, error));
    TRY(scratch_take(scratch, &order, nodes, sizeof *order, error));
    TRY(scratch_take(scratch, &offset, nodes, sizeof *offset, error));
    memset(arena, 0xff, nodes * sizeof *arena);
    if (start)
        memory_model_read(model, start, arena, offset);
    const struct sort_key keys[SORT_MOST_KEYS] = {{SORT_ARRAY(offset)}};
    TRY(sort_by_keys(keys, NULL, nodes, order, error));
    pile_clear(&swaps->pile);
    *fits = true;
    for (uint32_t i = 0; i < nodes; i++) {
        bool stays = arena[order[i]] == swaps->limited;
        if (stays) {
            pile_list_near(&swaps->pile, order[i]);
            pile_put(&swaps->pile, order[i], swaps->pile.nears);
            *fits &= get_reach(swaps, PILE_BELOW, order[i]) <= swaps->capacity;
        } else {
            swaps->lost += swaps->gain[order[i]];
            *fits &= swaps->elsewhere[order[i]] != MEMORY_NONE;
        }
    }
    keep_best(swaps);
    return STATUS_OK;
}

/* Makes the plan of the best order, and finds places in the other arenas. */
static enum status read_best(struct swaps *swaps, struct memory_plan *plan, struct scratch *scratch,
                             struct error *error)
{
    struct placing placing;
    TRY(placing_create(swaps->model, scratch, &placing, error));
    for (uint32_t n = 0; n < swaps->model->classes.count; n++) {
        assert(swaps->best_end[n] <= swaps->capacity);
        placing_put(&placing, n,
                    swaps->best_end[n] > 0
                        ? (struct place_found){swaps->limited,
                                               (uint64_t)swaps->best_end[n] - swaps->size[n], 0}
                        : placing_find_lowest(&placing, n, swaps->elsewhere[n]));
    }
    placing_read(&placing, plan);
    return STATUS_OK;
}

static void search(struct swaps *swaps, const struct memory_task *task)
{
    static const double first_heat = 0.1;
    uint64_t began_ns = clock_monotonic_ns(), limit_ns = clock_left_ns(task->deadline_ns);
    uint64_t nodes = swaps->model->classes.count;
    uint64_t rounds = task->rounds || limit_ns < UINT64_MAX ? task->rounds : ROUNDS_OF_NODE * nodes;
    double sum = 0, heat = 0;
    for (uint32_t n = 0; n < nodes; n++)
        sum += swaps->gain[n] == UINT64_MAX ? 0 : (double)swaps->gain[n];
    for (uint64_t round = 0; swaps->least_lost; round++) {
        if (round % 64 == 0) {
            double timed = (double)(clock_monotonic_ns() - began_ns) / ((double)limit_ns + 1);
            double done = rounds ? fmax(timed, (double)round / (double)rounds) : timed;
            if (done >= 1)
                break;
            heat = first_heat * sum / (double)nodes * (1 - done);
        }
        try_round(swaps, (uint64_t)(heat * -log(random_unit(&swaps->random) + 1e-12)));
        assert(swaps->least_lost <= swaps->lost);
    }
}

static enum status plan_swaps(struct swaps *swaps, const struct memory_task *task,
                              struct memory_plan *plan, struct error *error)
{
    const struct memory_model *model = task->model;
    struct scratch *scratch = task->scratch;
    size_t nodes = model->classes.count;
    SCOPED(timeline_free) struct timeline timeline = {0};
    SCOPED(orienter_free) struct orienter orienter = {0};
    bool fits;
    plan->status = PLAN_UNSUPPORTED;
    TRY(scratch_take(scratch, &swaps->size, nodes, sizeof(uint64_t), error));
    if (!is_fit(swaps) || !round_sizes(swaps))
        return STATUS_OK;
    plan->status = PLAN_GAVE_UP;
    TRY(scratch_take(scratch, &swaps->elsewhere, nodes, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &swaps->gain, nodes, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &swaps->best_end, nodes, sizeof(double), error));
    find_gains(swaps);
    TRY(timeline_create(model->nodes, &timeline, error));
    TRY(orienter_create(model->nodes, &timeline, &orienter, error));
    const struct conflicts conflicts = {model->first, model->other};
    uint64_t bytes = 1;
    struct family family = {.problem = model->nodes};
    const struct size_vectors vectors = {
        .family = &family, .count = 1, .size = swaps->size, .load = &bytes};
    TRY(pile_create(&vectors, &orienter, &swaps->pile, error));
    swaps->pile.conflicts = &conflicts;
    TRY(scratch_take(scratch, &swaps->above, swaps->pile.most_near, sizeof(double), error));
    TRY(begin(swaps, task->start, scratch, &fits, error));
    if (!fits)
        return STATUS_OK;
    search(swaps, task);
    return read_best(swaps, plan, scratch, error);
}

static enum status plan_push_and_swap(const struct memory_task *task, struct memory_plan *plan,
                                      struct error *error)
{
    struct swaps swaps = {.model = task->model, .random = random_seed(task->seed)};
    enum status status = plan_swaps(&swaps, task, plan, error);
    pile_free(&swaps.pile);
    return status;
}

const struct memory_planner memory_planner_push_and_swap = {
    .name = "push_and_swap",
    .title = "takes buffers out of the fast memory and puts others in, for which all make room",
    .source = "ours",
    .flags = MEMORY_PLANNER_SEARCHES | MEMORY_PLANNER_WANTS_START,
    .plan = plan_push_and_swap};
