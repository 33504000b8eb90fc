#include "dma/planned/schedule_program.h"

#include <assert.h>
#include <stdlib.h>

#include "core/binary_search.h"
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

/* Adds the transfers that the region before a border starts early for the region behind it. */
static enum status add_early(struct writer *writer, uint32_t border)
{
    const struct schedule_space *space = writer->space;
    uint32_t to = space->borders->border[border].to;
    const struct span weighted = space->regions->region[to].weighted;
    for (uint32_t n = 0; n < weighted.count; n++) {
        if (!schedule_is_early(space, writer->start, to, n))
            continue;
        const uint32_t *place = &writer->start[schedule_place(space, to, n, border)];
        TRY(add_begin(writer,
                      (struct begin){place[0], place[SCHEDULE_RANK], true, weighted.first + n}));
    }
    return STATUS_OK;
}

static int compare_begins(const void *left, const void *right)
{
    const struct begin *a = left, *b = right;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->early != b->early)
        return a->early ? 1 : -1;
    return (a->weighted > b->weighted) - (a->weighted < b->weighted);
}

/* Lists all transfers that start in a region, in the order in which they start. */
static enum status list_begins(struct writer *writer, uint32_t r)
{
    const struct schedule_space *space = writer->space;
    const struct transfer_borders *borders = space->borders;
    const struct span weighted = space->regions->region[r].weighted;
    writer->begins = 0;
    for (uint32_t i = 0; i < writer->kept_count; i++)
        if (space->home[writer->start[writer->kept[i]]] == r)
            TRY(add_begin(
                writer, (struct begin){writer->start[writer->kept[i]], 0, false, writer->kept[i]}));
    for (uint32_t w = weighted.first; w < weighted.first + weighted.count; w++)
        if (writer->start[w] != SCHEDULE_EARLY && !schedule_is_kept(space, writer->start, w))
            TRY(add_begin(writer,
                          (struct begin){writer->start[w],
                                         writer->start[schedule_own_rank(space, w)], false, w}));
    for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++)
        TRY(add_early(writer, borders->leaving[l]));
    if (writer->begins)
        qsort(writer->begin, writer->begins, sizeof *writer->begin, compare_begins);
    return STATUS_OK;
}

/* Where a region follows a loop, drops the weights that were kept for that loop. */
static enum status drop_kept(struct writer *writer, uint32_t r)
{
    const struct schedule_space *space = writer->space;
    for (uint32_t i = 0; i < writer->kept_count; i++)
        if (space->regions->region[space->home[writer->start[writer->kept[i]]]].next == r)
            TRY(add(writer, TRANSFER_DROP, writer->kept[i]));
    return STATUS_OK;
}

/* Where a region ends with a loop, waits for the weights that are kept for that loop. */
static enum status keep_begun(struct writer *writer, uint32_t r)
{
    const struct schedule_space *space = writer->space;
    for (uint32_t i = 0; i < writer->kept_count; i++)
        if (space->home[writer->start[writer->kept[i]]] == r)
            TRY(add(writer, TRANSFER_KEEP, writer->kept[i]));
    return STATUS_OK;
}

static enum status write_operator(struct writer *writer, uint32_t o, uint32_t *own)
{
    const struct schedule_space *space = writer->space;
    if (!space->regions->weight_bytes[o])
        return transfer_program_add(writer->program, TRANSFER_COMPUTE, o, 0, writer->error);
    uint32_t w = (*own)++;
    if (writer->start[w] == SCHEDULE_EARLY || !schedule_is_kept(space, writer->start, w))
        TRY(add(writer, TRANSFER_WAIT, w));
    return add(writer, TRANSFER_COMPUTE, w);
}

static enum status write_region(struct writer *writer, uint32_t r)
{
    const struct transfer_region *region = &writer->space->regions->region[r];
    uint32_t own = region->weighted.first, next = 0;
    TRY(cancel_others(writer, r));
    TRY(drop_kept(writer, r));
    TRY(list_begins(writer, r));
    for (uint32_t o = region->begin; o <= region->end; o++) {
        for (; next < writer->begins && writer->begin[next].op == o; next++)
            TRY(add(writer, TRANSFER_START, writer->begin[next].weighted));
        if (o < region->end)
            TRY(write_operator(writer, o, &own));
    }
    TRY(keep_begun(writer, r));
    assert(next == writer->begins);
    transfer_program_end_region(writer->program);
    return STATUS_OK;
}

static enum status write_regions(struct writer *writer)
{
    uint32_t count = writer->space->regions->weighted_count;
    TRY(memory_create(&writer->kept, count, sizeof *writer->kept, writer->error));
    for (uint32_t w = 0; w < count; w++)
        if (schedule_is_kept(writer->space, writer->start, w))
            writer->kept[writer->kept_count++] = w;
    for (uint32_t r = 0; r < writer->space->regions->count; r++)
        TRY(write_region(writer, r));
    return STATUS_OK;
}

enum status schedule_program(const struct schedule_space *space, const uint32_t *start,
                             struct transfer_program **created, struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    /* Operators without weights name buffer 0, so that there is always one. */
    uint32_t buffers = regions->weighted_count ? regions->weighted_count : 1;
    struct writer writer = {.space = space, .start = start, .error = error};
    TRY(transfer_program_create(regions, buffers, &writer.program, error));
    enum status status = write_regions(&writer);
    memory_free(writer.begin);
    memory_free(writer.kept);
    if (status)
        transfer_program_free(writer.program);
    else
        *created = writer.program;
    return status;
}

/* The number of a weighted operator, by binary search. */
static uint32_t find_weighted(const struct transfer_regions *regions, uint32_t o)
{
    return BINARY_SEARCH(w, 0, regions->weighted_count, regions->weighted_op[w] >= o);
}

/* The border that leads from region r into the region that holds an operator; GRAPH_NONE for
   none. */
static uint32_t find_border(const struct schedule_space *space, uint32_t r, uint32_t o)
{
    const struct transfer_borders *borders = space->borders;
    for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++) {
        uint32_t border = borders->leaving[l];
        const struct transfer_region *to = &space->regions->region[borders->border[border].to];
        if (to->begin <= o && o < to->end)
            return border;
    }
    return GRAPH_NONE;
}

/* Makes an operator of another region early whose transfer the program starts in region r. Where
   that region's operators may not be early, the transfer stays where schedule_sync has put it. */
static void take_early(const struct schedule_space *space, uint32_t r, struct begin begin,
                       uint32_t *start)
{
    uint32_t border = find_border(space, r, space->regions->weighted_op[begin.weighted]);
    assert(border != GRAPH_NONE);
    uint32_t to = space->borders->border[border].to;
    if (space->early_place[to] == GRAPH_NONE)
        return;
    uint32_t *place = &start[schedule_place(
        space, to, begin.weighted - space->regions->region[to].weighted.first, border)];
    start[begin.weighted] = SCHEDULE_EARLY;
    place[0] = begin.op;
    place[SCHEDULE_RANK] = begin.rank;
}

static void take_region(const struct schedule_space *space, const struct transfer_program *program,
                        uint32_t r, uint32_t *start)
{
    const struct transfer_region *region = &space->regions->region[r];
    uint32_t next = region->begin;
    for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
        uint32_t o = program->instruction[i].op;
        if (program->instruction[i].action == TRANSFER_COMPUTE)
            next = o + 1;
        if (program->instruction[i].action != TRANSFER_START)
            continue;
        const struct begin begin = {next, i, true, find_weighted(space->regions, o)};
        if (next <= o && o < region->end)
            start[begin.weighted] = next;
        else
            take_early(space, r, begin, start);
    }
}

enum status schedule_guess(struct schedule_space *space, const struct transfer_program *program,
                           struct error *error)
{
    assert(!space->guess && program->regions == space->regions);
    TRY(memory_create(&space->guess, space->places, sizeof *space->guess, error));
    schedule_sync(space, space->guess);
    for (uint32_t r = 0; r < space->regions->count; r++)
        take_region(space, program, r, space->guess);
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
