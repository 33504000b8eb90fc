#include "brute_force.h"

#include <string.h>

#include "support/testing.h"

enum { MOST_REGIONS = 24, MOST_STARTS = 24, MOST_STATES = 4096 };

/* A transfer that a region starts: before operator op waits (half 0) or computes (half 1), or after
   the last operator (op is the end). */
struct begin {
    uint32_t weighted, op, half;
};

struct list {
    struct begin begin[MOST_STARTS];
    uint32_t count;
};

struct brute {
    const struct schedule_space *space;
    struct list list[MOST_REGIONS]; /* what each region starts */
    uint32_t early;      /* bits of the weighted operators that start before their region */
    uint64_t load_bytes; /* of the run at hand */
    uint64_t most_runs;
    struct brute_answer *answer;
};

/* A machine on one path. Times count from when the region was entered. */
struct machine {
    double probability, passed_ns;        /* before this region */
    uint64_t now_ns, stretch_ns, work_ns; /* of this region */
    uint32_t queue[BRUTE_MOST_WEIGHTS];   /* [queued] weighted operators, in the channel's order */
    uint64_t arrival_ns[BRUTE_MOST_WEIGHTS]; /* of weighted operators */
    uint32_t queued;
    uint32_t held; /* bits of the weighted operators whose weights have a place on the chip */
};

struct machines {
    struct machine machine[MOST_STATES];
    uint32_t count;
};

static uint32_t get_operator(const struct brute *brute, uint32_t weighted)
{
    return brute->space->regions->weighted_op[weighted];
}

static const struct hardware *get_hardware(const struct brute *brute)
{
    return brute->space->costs->hardware;
}

static void stop_computing(struct machine *machine)
{
    machine->stretch_ns = machine->now_ns;
    machine->work_ns = 0;
}

static uint64_t get_free(const struct machine *machine)
{
    return machine->queued ? machine->arrival_ns[machine->queue[machine->queued - 1]] : 0;
}

static void start(const struct brute *brute, struct machine *machine, uint32_t weighted)
{
    machine->now_ns += get_hardware(brute)->dma_start_instruction_ns;
    uint64_t free_ns = get_free(machine);
    uint64_t begin_ns = free_ns > machine->now_ns ? free_ns : machine->now_ns;
    machine->arrival_ns[weighted] =
        begin_ns + brute->space->costs->transfer_ns[get_operator(brute, weighted)];
    machine->queue[machine->queued++] = weighted;
    machine->held |= (uint32_t)1 << weighted;
    stop_computing(machine);
}

/* Takes weights out of the channel's queue and returns what was behind them. */
static uint32_t leave_queue(struct machine *machine, uint32_t weighted)
{
    uint32_t i = 0;
    while (i < machine->queued && machine->queue[i] != weighted)
        i++;
    CU_ASSERT_FATAL(i < machine->queued);
    memmove(&machine->queue[i], &machine->queue[i + 1],
            (machine->queued - i - 1) * sizeof *machine->queue);
    machine->queued--;
    return i;
}

static void wait(const struct brute *brute, struct machine *machine, uint32_t weighted)
{
    uint64_t arrival_ns = machine->arrival_ns[weighted];
    leave_queue(machine, weighted);
    machine->now_ns = (arrival_ns > machine->now_ns ? arrival_ns : machine->now_ns) +
                      get_hardware(brute)->dma_wait_instruction_ns;
    stop_computing(machine);
}

/* What the channel would still have carried of it is saved by all behind it. */
static void cancel(const struct brute *brute, struct machine *machine, uint32_t weighted)
{
    uint64_t arrival_ns = machine->arrival_ns[weighted];
    uint64_t saved_ns = brute->space->costs->transfer_ns[get_operator(brute, weighted)];
    machine->now_ns += get_hardware(brute)->dma_wait_instruction_ns;
    uint64_t left_ns = arrival_ns > machine->now_ns ? arrival_ns - machine->now_ns : 0;
    saved_ns = left_ns < saved_ns ? left_ns : saved_ns;
    for (uint32_t k = leave_queue(machine, weighted); k < machine->queued; k++)
        machine->arrival_ns[machine->queue[k]] -= saved_ns;
    machine->held &= ~((uint32_t)1 << weighted);
    stop_computing(machine);
}

static void note_load(struct brute *brute, const struct machine *machine, uint32_t step)
{
    uint64_t bytes = brute->space->step_bytes[step];
    for (uint32_t w = 0; w < brute->space->regions->weighted_count; w++)
        if (machine->held >> w & 1)
            bytes += brute->space->regions->weight_bytes[get_operator(brute, w)];
    if (bytes > brute->load_bytes)
        brute->load_bytes = bytes;
}

/* The channel is busy until the last transfer arrives; while it is, computing is slower. */
static void compute(struct brute *brute, struct machine *machine, uint32_t o)
{
    uint64_t free_ns = get_free(machine);
    note_load(brute, machine, brute->space->liveness->enter_step[o]);
    machine->work_ns += brute->space->costs->compute_ns[o];
    machine->now_ns =
        machine->stretch_ns +
        hardware_contend(get_hardware(brute), machine->work_ns,
                         free_ns > machine->stretch_ns ? free_ns - machine->stretch_ns : 0);
}

static bool is_in_region(const struct brute *brute, uint32_t weighted, uint32_t r)
{
    const struct transfer_region *region = &brute->space->regions->region[r];
    return region->begin <= get_operator(brute, weighted) &&
           get_operator(brute, weighted) < region->end;
}

static void run_starts(const struct brute *brute, struct machine *machine, uint32_t r,
                       struct begin at)
{
    const struct list *list = &brute->list[r];
    for (uint32_t i = 0; i < list->count; i++)
        if (list->begin[i].op == at.op && list->begin[i].half == at.half)
            start(brute, machine, list->begin[i].weighted);
}

static void run_region(struct brute *brute, struct machine *machine, uint32_t r)
{
    const struct transfer_regions *regions = brute->space->regions;
    const struct transfer_region *region = &regions->region[r];

    /* Transfers left over from the region before count from here. */
    machine->passed_ns += (double)machine->now_ns;
    for (uint32_t i = 0; i < machine->queued; i++) {
        uint64_t *arrival_ns = &machine->arrival_ns[machine->queue[i]];
        *arrival_ns = *arrival_ns > machine->now_ns ? *arrival_ns - machine->now_ns : 0;
    }
    machine->now_ns = 0;
    stop_computing(machine);
    for (uint32_t w = 0; w < regions->weighted_count; w++)
        if (machine->held >> w & 1 && !is_in_region(brute, w, r))
            cancel(brute, machine, w);
    for (uint32_t o = region->begin, w = region->weighted.first; o < region->end; o++) {
        run_starts(brute, machine, r, (struct begin){.op = o});
        if (regions->weight_bytes[o])
            wait(brute, machine, w);
        run_starts(brute, machine, r, (struct begin){.op = o, .half = 1});
        compute(brute, machine, o);
        if (regions->weight_bytes[o])
            machine->held &= ~((uint32_t)1 << w++);
    }
    run_starts(brute, machine, r, (struct begin){.op = region->end});
}

static void run_graph_region(struct brute *brute, uint32_t g, struct machines *machines);

static void run_branches(struct brute *brute, uint32_t owner, struct machines *machines)
{
    const struct transfer_regions *regions = brute->space->regions;
    struct machines after = {.count = 0};
    for (uint32_t g = regions->graph->op[owner].first_region; g != GRAPH_NONE;
         g = regions->graph->region[g].next) {
        struct machines taken = *machines;
        for (uint32_t i = 0; i < taken.count; i++)
            taken.machine[i].probability *= regions->probability[g];
        run_graph_region(brute, g, &taken);
        CU_ASSERT_FATAL(after.count + taken.count <= MOST_STATES);
        memcpy(after.machine + after.count, taken.machine, taken.count * sizeof *taken.machine);
        after.count += taken.count;
    }
    *machines = after;
}

static void run_graph_region(struct brute *brute, uint32_t g, struct machines *machines)
{
    const struct transfer_regions *regions = brute->space->regions;
    for (uint32_t r = regions->first_of[g]; r != GRAPH_NONE; r = regions->region[r].next) {
        uint32_t owner = regions->region[r].owner;
        for (uint32_t i = 0; i < machines->count; i++)
            run_region(brute, &machines->machine[i], r);
        if (owner == GRAPH_NONE)
            continue;
        const struct graph_operator *op = &regions->graph->op[owner];
        int64_t turns = op->trip_count < 0 ? 1 : op->trip_count;
        if (!op->loop)
            run_branches(brute, owner, machines);
        for (int64_t turn = 0; op->loop && turn < turns; turn++)
            for (uint32_t b = op->first_region; b != GRAPH_NONE; b = regions->graph->region[b].next)
                run_graph_region(brute, b, machines);
        for (uint32_t i = 0; i < machines->count; i++)
            note_load(brute, &machines->machine[i], brute->space->liveness->leave_step[owner]);
    }
}

static void add_point(struct brute_front *front, struct brute_point point)
{
    uint32_t kept = 0, place = 0;
    for (uint32_t i = 0; i < front->count; i++)
        if (front->point[i].expected_ns <= point.expected_ns &&
            front->point[i].load_bytes <= point.load_bytes)
            return;
    for (uint32_t i = 0; i < front->count; i++)
        if (front->point[i].expected_ns < point.expected_ns ||
            front->point[i].load_bytes < point.load_bytes)
            front->point[kept++] = front->point[i];
    CU_ASSERT_FATAL(kept < sizeof front->point / sizeof *front->point);
    while (place < kept && front->point[place].expected_ns < point.expected_ns)
        place++;
    memmove(front->point + place + 1, front->point + place, (kept - place) * sizeof *front->point);
    front->point[place] = point;
    front->count = kept + 1;
}

/* Own transfers of each region, one after another. */
static bool is_in_order(const struct brute *brute)
{
    for (uint32_t r = 0; r < brute->space->regions->count; r++) {
        uint32_t last = 0;
        for (uint32_t i = 0; i < brute->list[r].count; i++) {
            uint32_t weighted = brute->list[r].begin[i].weighted;
            if (!is_in_region(brute, weighted, r) || brute->early >> weighted & 1)
                continue;
            if (weighted < last)
                return false;
            last = weighted;
        }
    }
    return true;
}

static bool run_lists(struct brute *brute)
{
    static struct machines machines;
    const struct schedule_space *space = brute->space;
    struct brute_point point = {0};
    if (brute->answer->runs++ == brute->most_runs)
        return false;
    machines.count = 1;
    machines.machine[0] = (struct machine){.probability = 1};
    brute->load_bytes = 0;
    for (uint32_t step = 0; step < space->liveness->steps; step++)
        if (space->step_bytes[step] > brute->load_bytes)
            brute->load_bytes = space->step_bytes[step];
    run_graph_region(brute, 0, &machines);
    for (uint32_t i = 0; i < machines.count; i++) {
        const struct machine *machine = &machines.machine[i];
        CU_ASSERT_EQUAL_FATAL(machine->held, 0);
        point.expected_ns += machine->probability * (machine->passed_ns + (double)machine->now_ns);
    }
    point.load_bytes = brute->load_bytes;
    add_point(&brute->answer->any, point);
    if (is_in_order(brute))
        add_point(&brute->answer->in_order, point);
    return true;
}

static bool list_next(struct brute *brute, uint32_t r);

/* Adds each of the transfers that are left to what region r starts, at each place from `from` on:
   its own until it needs them, those of another one anywhere, but its own for its next turn only
   after it has computed. */
static bool list_region(struct brute *brute, uint32_t r, uint32_t left, struct begin from)
{
    const struct transfer_regions *regions = brute->space->regions;
    uint32_t end = regions->region[r].end;
    struct list *list = &brute->list[r];
    if (!left)
        return list_next(brute, r + 1);
    for (struct begin at = from; at.op <= end; at.half ? at.op++ : 0, at.half = !at.half)
        for (at.weighted = 0; at.weighted < regions->weighted_count; at.weighted++) {
            uint32_t o = get_operator(brute, at.weighted);
            bool is_half = at.half && (at.op == end || !regions->weight_bytes[at.op]);
            bool may_begin = brute->early >> at.weighted & 1
                                 ? !is_in_region(brute, at.weighted, r) || at.op > o
                                 : at.op < o || (at.op == o && at.half == 0);
            if (is_half || !(left >> at.weighted & 1) || !may_begin)
                continue;
            list->begin[list->count++] = at;
            bool more = list_region(brute, r, left & ~((uint32_t)1 << at.weighted), at);
            list->count--;
            if (!more)
                return false;
        }
    return true;
}

/* Lists what region r has to start, and what the regions after it have to. */
static bool list_next(struct brute *brute, uint32_t r)
{
    const struct transfer_regions *regions = brute->space->regions;
    const struct transfer_borders *borders = brute->space->borders;
    uint32_t own = 0;
    if (r == regions->count)
        return run_lists(brute);
    for (uint32_t w = 0; w < regions->weighted_count; w++) {
        bool early = brute->early >> w & 1;
        if (!early && is_in_region(brute, w, r))
            own |= (uint32_t)1 << w;
        for (uint32_t l = borders->out_of[r]; early && l < borders->out_of[r + 1]; l++)
            if (is_in_region(brute, w, borders->border[borders->leaving[l]].to))
                own |= (uint32_t)1 << w;
    }
    brute->list[r].count = 0;
    return list_region(brute, r, own, (struct begin){.op = regions->region[r].begin});
}

bool brute_force(const struct schedule_space *space, uint64_t most_runs,
                 struct brute_answer *answer)
{
    struct brute brute = {.space = space, .most_runs = most_runs, .answer = answer};
    const struct transfer_regions *regions = space->regions;
    CU_ASSERT_FATAL(regions->weighted_count <= BRUTE_MOST_WEIGHTS);
    CU_ASSERT_FATAL(regions->count <= MOST_REGIONS);
    *answer = (struct brute_answer){0};
    uint32_t movable =
        0; /* the bits of the weighted operators that may start before their region */
    for (uint32_t w = 0; w < regions->weighted_count; w++)
        if (space->early_place[space->home[regions->weighted_op[w]]] != GRAPH_NONE)
            movable |= (uint32_t)1 << w;
    bool done = true;
    do {
        done = list_next(&brute, 0);
        brute.early = (brute.early - movable) & movable; /* the next subset */
    } while (done && brute.early);
    return done;
}

double brute_fastest(const struct brute_front *front, uint64_t load_bytes)
{
    for (uint32_t i = 0; i < front->count; i++)
        if (front->point[i].load_bytes <= load_bytes)
            return front->point[i].expected_ns;
    return -1;
}
