#include "dma/planned/schedule_program.h"

#include <assert.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/memory.h"

/* A transfer that starts in the region for which instructions are being written. */
struct begin {
    uint32_t op;   /* the operator before which it starts, or the end of the region */
    uint32_t rank; /* among those that start before the same operator */
    bool early;
    uint32_t weighted; /* number of the weighted operator */
};

struct writer {
    const struct schedule_space *space;
    const uint32_t *start;
    struct transfer_program *program;
    struct begin *begin; /* [begins] transfers that start in the region */
    uint32_t begins;
    uint32_t *kept; /* [kept_count] numbers of the weighted operators whose weights are kept */
    uint32_t kept_count;
    size_t capacity;
    struct error *error;
};

/* Adds an instruction for a weighted operator, given by its number. */
static enum status add(struct writer *writer, enum transfer_action action, uint32_t weighted)
{
    return transfer_program_add(writer->program, action,
                                writer->space->regions->weighted_op[weighted], weighted,
                                writer->error);
}

/* Cancels the transfers that the region before this one has started for other regions. Where
   several regions may run before this one, all of them have started the same, since weights of a
   region that follows a loop are never early. */
static enum status cancel_others(struct writer *writer, uint32_t r)
{
    const struct schedule_space *space = writer->space;
    const struct transfer_borders *borders = space->borders;
    if (borders->into[r] == borders->into[r + 1])
        return STATUS_OK;
    uint32_t from = borders->border[borders->into[r]].from;
    for (uint32_t l = borders->out_of[from]; l < borders->out_of[from + 1]; l++) {
        uint32_t to = borders->border[borders->leaving[l]].to;
        const struct span weighted = space->regions->region[to].weighted;
        for (uint32_t n = 0; to != r && n < weighted.count; n++)
            if (schedule_is_early(space, writer->start, to, n))
                TRY(add(writer, TRANSFER_CANCEL, weighted.first + n));
    }
    return STATUS_OK;
}

static enum status add_begin(struct writer *writer, struct begin begin)
{
    TRY(memory_reserve(&writer->begin, &writer->capacity, (size_t)writer->begins + 1,
                       sizeof *writer->begin, writer->error));
    writer->begin[writer->begins++] = begin;
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_begins, struct begin, op, rank, early, weighted)

/* Lists all transfers that start in a region, in the order in which they start: those of weights
   that are kept, the region's own, and those that start early for the regions behind it. */
static enum status list_begins(struct writer *writer, uint32_t r)
{
    const struct schedule_space *space = writer->space;
    const struct transfer_borders *borders = space->borders;
    const struct span own = space->regions->region[r].weighted;
    const uint32_t *start = writer->start;
    writer->begins = 0;
    for (uint32_t i = 0; i < writer->kept_count; i++) {
        uint32_t w = writer->kept[i];
        if (space->home[start[w]] == r)
            TRY(add_begin(writer, (struct begin){start[w], 0, false, w}));
    }
    for (uint32_t w = own.first; w < own.first + own.count; w++) {
        uint32_t rank = start[schedule_own_rank(space, w)];
        if (start[w] != SCHEDULE_EARLY && !schedule_is_kept(space, start, w))
            TRY(add_begin(writer, (struct begin){start[w], rank, false, w}));
    }
    for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++) {
        uint32_t border = borders->leaving[l], to = borders->border[border].to;
        const struct span weighted = space->regions->region[to].weighted;
        for (uint32_t n = 0; n < weighted.count; n++) {
            if (!schedule_is_early(space, start, to, n))
                continue;
            const uint32_t *place = &start[schedule_place(space, to, n, border)];
            TRY(add_begin(
                writer, (struct begin){place[0], place[SCHEDULE_RANK], true, weighted.first + n}));
        }
    }
    if (writer->begins)
        qsort(writer->begin, writer->begins, sizeof *writer->begin, compare_begins);
    return STATUS_OK;
}

static enum status write_region(struct writer *writer, uint32_t r)
{
    const struct schedule_space *space = writer->space;
    const struct transfer_region *region = &space->regions->region[r];
    uint32_t w = region->weighted.first, next = 0;
    TRY(cancel_others(writer, r));

    /* Where the region follows a loop, the weights that were kept for that loop are dropped. */
    for (uint32_t i = 0; i < writer->kept_count; i++)
        if (space->regions->region[space->home[writer->start[writer->kept[i]]]].next == r)
            TRY(add(writer, TRANSFER_DROP, writer->kept[i]));
    TRY(list_begins(writer, r));
    for (uint32_t o = region->begin; o <= region->end; o++) {
        for (; next < writer->begins && writer->begin[next].op == o; next++)
            TRY(add(writer, TRANSFER_START, writer->begin[next].weighted));
        if (o == region->end)
            break;
        if (!space->regions->weight_bytes[o]) {
            TRY(transfer_program_add(writer->program, TRANSFER_COMPUTE, o, 0, writer->error));
            continue;
        }
        assert(space->regions->weighted_op[w] == o);
        if (writer->start[w] == SCHEDULE_EARLY || !schedule_is_kept(space, writer->start, w))
            TRY(add(writer, TRANSFER_WAIT, w));
        TRY(add(writer, TRANSFER_COMPUTE, w++));
    }

    /* Where it ends with a loop, it waits for the weights that are kept for that loop. */
    for (uint32_t i = 0; i < writer->kept_count; i++)
        if (space->home[writer->start[writer->kept[i]]] == r)
            TRY(add(writer, TRANSFER_KEEP, writer->kept[i]));
    assert(next == writer->begins && w == region->weighted.first + region->weighted.count);
    transfer_program_end_region(writer->program);
    return STATUS_OK;
}

static void clear_writer(struct writer *writer)
{
    memory_free_all(writer->begin, writer->kept);
    transfer_program_free(writer->program);
}

enum status schedule_program(const struct schedule_space *space, const uint32_t *start,
                             struct transfer_program **created, struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    uint32_t count = regions->weighted_count;
    SCOPED(clear_writer)
    struct writer writer = {.space = space, .start = start, .error = error};

    /* Operators without weights name buffer 0, so that there is always one. */
    TRY(transfer_program_create(regions, count ? count : 1, &writer.program, error));
    TRY(memory_create(&writer.kept, count, sizeof *writer.kept, error));
    for (uint32_t w = 0; w < count; w++)
        if (schedule_is_kept(space, start, w))
            writer.kept[writer.kept_count++] = w;
    for (uint32_t r = 0; r < regions->count; r++)
        TRY(write_region(&writer, r));
    HAND_OVER(writer.program, created);
}

/* Makes an operator of another region early whose transfer the program starts in region r. Where
   that region's operators may not be early, the transfer stays where schedule_sync has put it. */
static void take_early(const struct schedule_space *space, uint32_t r, struct begin begin,
                       uint32_t *start)
{
    const struct transfer_borders *borders = space->borders;
    uint32_t to = space->home[space->regions->weighted_op[begin.weighted]], l = borders->out_of[r];
    while (borders->border[borders->leaving[l]].to != to)
        l++;
    assert(l < borders->out_of[r + 1]);
    if (space->early_place[to] == GRAPH_NONE)
        return;
    uint32_t n = begin.weighted - space->regions->region[to].weighted.first;
    uint32_t *place = &start[schedule_place(space, to, n, borders->leaving[l])];
    start[begin.weighted] = SCHEDULE_EARLY;
    place[0] = begin.op;
    place[SCHEDULE_RANK] = begin.rank;
}

enum status schedule_guess(struct schedule_space *space, const struct transfer_program *program,
                           struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    assert(!space->guess && program->regions == regions);
    TRY(memory_create(&space->guess, space->places, sizeof *space->guess, error));
    schedule_sync(space, space->guess);
    for (uint32_t r = 0; r < regions->count; r++) {
        uint32_t next = regions->region[r].begin;
        for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
            uint32_t o = program->instruction[i].op;
            if (program->instruction[i].action == TRANSFER_COMPUTE)
                next = o + 1;
            if (program->instruction[i].action != TRANSFER_START)
                continue;
            uint32_t w =
                BINARY_SEARCH(at, 0, regions->weighted_count, regions->weighted_op[at] >= o);
            if (next <= o && o < regions->region[r].end)
                space->guess[w] = next;
            else
                take_early(space, r, (struct begin){next, i, true, w}, space->guess);
        }
    }
    return STATUS_OK;
}

enum status schedule_run_fill(const struct schedule_space *space, const uint32_t *start,
                              struct schedule_run *run, struct transfer_times *times,
                              struct error *error)
{
    *run = (struct schedule_run){0};
    TRY(schedule_program(space, start, &run->program, error));
    TRY(region_times_create(run->program, space->costs, &run->region_times, error));
    return transfer_times_compose(run->region_times, NULL, times, error);
}

void schedule_run_clear(struct schedule_run *run)
{
    region_times_free(run->region_times);
    transfer_program_free(run->program);
    *run = (struct schedule_run){0};
}
