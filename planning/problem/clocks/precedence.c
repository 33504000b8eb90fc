#include "planning/problem/clocks/precedence.h"

#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/sort.h"

static uint32_t count_different(const uint32_t *a, const uint32_t *b, uint32_t streams)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < streams; s++)
        count += a[s] != b[s];
    return count;
}

static uint64_t add_row(const uint32_t *row, uint32_t length)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < length; i++)
        sum += row[i];
    return sum;
}

/* The start of the next buffer is put behind the last start of the chain which is below it and
   differs from it in the fewest components: between two events of a stream, little else has
   changed. */
static enum status assign_chains(const struct clocks *clocks, struct precedence *precedence,
                                 struct error *error)
{
    uint32_t last[PRECEDENCE_MOST_CHAINS];
    precedence->chains = 0;
    for (uint32_t i = 0; i < clocks->buffers; i++) {
        uint32_t b = precedence->order[i], chain = precedence->chains, least = UINT32_MAX;
        const uint32_t *start = clocks_get(clocks, b).start;
        for (uint32_t c = 0; c < precedence->chains && least > 0; c++) {
            const uint32_t *other = clocks_get(clocks, last[c]).start;
            uint32_t different = count_different(other, start, clocks->streams);
            if (different < least && precedence_is_below(other, start, clocks->streams)) {
                chain = c;
                least = different;
            }
        }
        if (chain == PRECEDENCE_MOST_CHAINS)
            return error_set(
                error, STATUS_BAD_INPUT,
                "found clocks of more than %d streams that start apart, expected at most these",
                PRECEDENCE_MOST_CHAINS);
        if (chain == precedence->chains)
            precedence->chains++;
        assert(chain < precedence->chains);
        last[chain] = b;
        precedence->chain[b] = chain;
    }
    return STATUS_OK;
}

/* Whether the stream has come as far as any other, in proportion to its length. */
static bool is_farthest(const uint32_t *clock, const uint32_t *length, uint32_t streams,
                        uint32_t stream)
{
    assert(stream < streams);
    for (uint32_t s = 0; s < streams; s++)
        if ((uint64_t)clock[s] * length[stream] > (uint64_t)clock[stream] * length[s])
            return false;
    return true;
}

/* Whether this is likely the stream on which the clock was read: of the other streams less is
   known. */
static bool is_likely(struct clock clock, const uint32_t *length, uint32_t stream)
{
    return is_farthest(clock.start, length, clock.streams, stream) &&
           is_farthest(clock.end, length, clock.streams, stream);
}

/* Chains of streams while they are assigned. */
struct own_chains {
    const struct clocks *clocks;
    const uint32_t *length; /* [streams] how far each comes */
    uint32_t stream[PRECEDENCE_MOST_CHAINS], last[PRECEDENCE_MOST_CHAINS];
    uint32_t count;
};

/* The first chain of a likely stream whose last start is below the buffer's, else of any that has
   come as far; count where there is none. */
static uint32_t choose_own_chain(const struct own_chains *chains, struct clock clock, bool is_sure)
{
    for (uint32_t c = 0; c < chains->count; c++) {
        bool is_own =
            is_sure ? is_likely(clock, chains->length, chains->stream[c])
                    : is_farthest(clock.start, chains->length, clock.streams, chains->stream[c]);
        if (is_own && precedence_is_below(clocks_get(chains->clocks, chains->last[c]).start,
                                          clock.start, clock.streams))
            return c;
    }
    return is_sure ? choose_own_chain(chains, clock, false) : chains->count;
}

static uint32_t guess_stream(const struct own_chains *chains, struct clock clock)
{
    uint32_t stream = 0;
    while (stream < clock.streams && !is_likely(clock, chains->length, stream))
        stream++;
    for (uint32_t s = 0; s < clock.streams && stream == clock.streams; s++)
        if (is_farthest(clock.start, chains->length, clock.streams, s))
            return s;
    return stream;
}

/* Lets each chain keep to a stream; *assigned says whether at most twice as many chains as streams
   were enough for that. */
static enum status assign_by_streams(const struct clocks *clocks, struct precedence *precedence,
                                     bool *assigned, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t *length;
    TRY(scratch_take(&scratch, &length, clocks->streams, sizeof *length, error));
    for (uint32_t b = 0; b < clocks->buffers; b++)
        for (uint32_t s = 0; s < clocks->streams; s++)
            if (clocks_get(clocks, b).end[s] > length[s])
                length[s] = clocks_get(clocks, b).end[s];
    struct own_chains chains = {.clocks = clocks, .length = length};
    *assigned = false;
    for (uint32_t i = 0; i < precedence->buffers; i++) {
        uint32_t b = precedence->order[i];
        const struct clock clock = clocks_get(clocks, b);
        uint32_t chain = choose_own_chain(&chains, clock, true);
        if (chain == PRECEDENCE_MOST_CHAINS || chain == 2 * clock.streams)
            return STATUS_OK;
        if (chain == chains.count)
            chains.stream[chains.count++] = guess_stream(&chains, clock);
        assert(chain < chains.count && chains.count <= 2 * clock.streams);
        chains.last[chain] = b;
        precedence->chain[b] = chain;
    }
    precedence->chains = chains.count;
    *assigned = true;
    return STATUS_OK;
}

static enum status list_members(struct precedence *precedence, struct error *error)
{
    const uint32_t *order = precedence->order;
    uint32_t chains = precedence->chains;
    TRY(scratch_take(&precedence->scratch, &precedence->first, (size_t)chains + 2, sizeof(uint32_t),
                     error));
    for (uint32_t b = 0; b < precedence->buffers; b++)
        precedence->first[precedence->chain[b] + 2]++;
    for (uint32_t c = 0; c < chains; c++)
        precedence->first[c + 2] += precedence->first[c + 1];
    for (uint32_t i = 0; i < precedence->buffers; i++)
        precedence->member[precedence->first[precedence->chain[order[i]] + 1]++] = order[i];
    assert(precedence->first[chains] == precedence->buffers);
    for (uint32_t i = 0; i < precedence->buffers; i++) {
        uint32_t b = precedence->member[i];
        precedence->position[b] = i - precedence->first[precedence->chain[b]];
        assert(precedence->position[b] < precedence_length(precedence, precedence->chain[b]));
    }
    return STATUS_OK;
}

/* Looks for the first start of each chain at or above the end of each buffer. The starts of the
   chain are copied into one row, so that the search in them stays within little memory. */
static enum status fill_after(const struct clocks *clocks, struct precedence *precedence,
                              struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t chains = precedence->chains, streams = clocks->streams, *row;
    TRY(scratch_take(&precedence->scratch, &precedence->after, (size_t)clocks->buffers * chains,
                     sizeof(uint32_t), error));
    TRY(scratch_take(&scratch, &row, (size_t)clocks->buffers * streams, sizeof *row, error));
    for (uint32_t c = 0; c < chains; c++) {
        const uint32_t *member = precedence->member + precedence->first[c];
        uint32_t length = precedence_length(precedence, c);
        for (uint32_t i = 0; i < length; i++)
            memcpy(row + (size_t)i * streams, clocks_get(clocks, member[i]).start,
                   streams * sizeof *row);
        for (uint32_t b = 0; b < clocks->buffers; b++) {
            const uint32_t *end = clocks_get(clocks, b).end;
            precedence->after[(uint64_t)b * chains + c] = BINARY_SEARCH(
                at, 0, length, precedence_is_below(end, row + (size_t)at * streams, streams));
        }
    }
    return STATUS_OK;
}

static enum status fill_precedence(const struct clocks *clocks, bool by_streams,
                                   struct precedence *precedence, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    size_t buffers = precedence->buffers = clocks->buffers;
    uint64_t *key;
    bool assigned = false;
    TRY(scratch_take_all(&precedence->scratch, buffers, error, &precedence->chain,
                         &precedence->position, &precedence->member, &precedence->order));
    TRY(scratch_take(&scratch, &key, buffers, sizeof *key, error));
    /* Each buffer comes behind all those whose starts are below its own. */
    for (uint32_t b = 0; b < buffers; b++) {
        precedence->order[b] = b;
        key[b] = add_row(clocks_get(clocks, b).start, clocks->streams);
    }
    TRY(sort_items(key, precedence->order, buffers, error));
    if (by_streams)
        TRY(assign_by_streams(clocks, precedence, &assigned, error));
    if (!assigned)
        TRY(assign_chains(clocks, precedence, error));
    assert(precedence->chains > 0 && precedence->chains <= buffers);
    TRY(list_members(precedence, error));
    return fill_after(clocks, precedence, error);
}

static enum status create_precedence(const struct clocks *clocks, bool by_streams,
                                     struct precedence **created, struct error *error)
{
    struct precedence *precedence;
    assert(clocks->streams > 0);
    TRY(memory_create(&precedence, 1, sizeof *precedence, error));
    enum status status = fill_precedence(clocks, by_streams, precedence, error);
    if (status)
        precedence_free(precedence);
    else
        *created = precedence;
    return status;
}

enum status precedence_create(const struct clocks *clocks, struct precedence **created,
                              struct error *error)
{
    return create_precedence(clocks, false, created, error);
}

enum status precedence_create_by_streams(const struct clocks *clocks, struct precedence **created,
                                         struct error *error)
{
    return create_precedence(clocks, true, created, error);
}

void precedence_free(struct precedence *precedence)
{
    if (!precedence)
        return;
    scratch_free(&precedence->scratch);
    memory_free(precedence);
}

/* How many buffers begin only after this one is over. */
static uint32_t count_after(const struct precedence *precedence, uint32_t buffer)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < precedence->chains; c++)
        count += precedence_length(precedence, c) - precedence_after(precedence, buffer, c);
    assert(count < precedence->buffers);
    return count;
}

/* Those before a buffer are counted chain by chain: each buffer is before all members of the chain
   from some position on. */
enum status precedence_count_each(const struct precedence *precedence, uint32_t *count,
                                  struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t buffers = precedence->buffers, *from;
    TRY(scratch_take(&scratch, &from, (size_t)buffers + 1, sizeof *from, error));
    for (uint32_t c = 0; c < precedence->chains; c++) {
        uint32_t length = precedence_length(precedence, c), before = 0;
        memset(from, 0, ((size_t)length + 1) * sizeof *from);
        for (uint32_t b = 0; b < buffers; b++)
            from[precedence_after(precedence, b, c)]++;
        for (uint32_t i = 0; i < length; i++) {
            uint32_t b = precedence->member[precedence->first[c] + i];
            before += from[i];
            count[b] = buffers - 1 - before - count_after(precedence, b);
            assert(count[b] < buffers);
        }
    }
    return STATUS_OK;
}

uint64_t precedence_count_conflicts(const struct precedence *precedence)
{
    uint64_t buffers = precedence->buffers, count = buffers * (buffers - 1) / 2;
    for (uint32_t b = 0; b < precedence->buffers; b++)
        count -= count_after(precedence, b);
    assert(count <= buffers * (buffers - 1) / 2);
    return count;
}

/* Lists for the members of `own` those of `chain` that conflict with each. The first of these are
   all over before the member begins, the last ones begin after it is over; of those in between each
   is looked at. latest: [the chain's length] where in `own` the first buffer is that begins after
   this member and all before it are over. list_end: [buffers] where each list ends so far. */
static void list_chain(const struct precedence *precedence, uint32_t own, uint32_t chain,
                       uint32_t *latest, uint64_t *list_end, uint32_t *other)
{
    const uint32_t *member = precedence->member + precedence->first[chain];
    uint32_t length = precedence_length(precedence, chain);
    for (uint32_t i = 0; i < length; i++) {
        latest[i] = precedence_after(precedence, member[i], own);
        if (i && latest[i - 1] > latest[i])
            latest[i] = latest[i - 1];
    }
    for (uint32_t p = 0; p < precedence_length(precedence, own); p++) {
        uint32_t b = precedence->member[precedence->first[own] + p];
        uint32_t end = precedence_after(precedence, b, chain);
        assert(precedence->position[b] == p && end <= length);
        for (uint32_t i = BINARY_SEARCH(at, 0, length, latest[at] > p); i < end; i++)
            if (member[i] != b && precedence_after(precedence, member[i], own) > p)
                other[list_end[b]++] = member[i];
    }
}

enum status precedence_list_conflicts(const struct precedence *precedence, const uint64_t *first,
                                      uint32_t *other, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t buffers = precedence->buffers, *latest;
    uint64_t *list_end;
    TRY(scratch_take_all(&scratch, buffers, error, &latest, &list_end));
    for (uint32_t b = 0; b < buffers; b++)
        list_end[b] = first[b];
    for (uint32_t own = 0; own < precedence->chains; own++)
        for (uint32_t chain = 0; chain < precedence->chains; chain++)
            list_chain(precedence, own, chain, latest, list_end, other);
    for (uint32_t b = 0; b < buffers; b++)
        assert(list_end[b] == first[b + 1]);
    return STATUS_OK;
}

static const uint32_t *after_row(const struct precedence *precedence, uint32_t buffer)
{
    assert(buffer < precedence->buffers);
    return precedence->after + (uint64_t)buffer * precedence->chains;
}

/* For each buffer, there is the set of buffers that begin after it is over. Where one line of steps
   says all conflicts, of any two such sets one holds the other. Ranks them from the largest to the
   smallest: ranked[rank] is a buffer with that set, and upper is one more than the buffer's rank. A
   buffer begins at the step at which the last of those that are over before it ends: as many ranks
   have it in their sets. */
enum status precedence_linearise(const struct precedence *precedence, uint32_t *lower,
                                 uint32_t *upper, bool *is_line, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t buffers = precedence->buffers, chains = precedence->chains;
    uint32_t *sorted, *ranked, ranks = 0;
    uint64_t *key;
    TRY(scratch_take_all(&scratch, buffers, error, &key, &sorted, &ranked));
    for (uint32_t b = 0; b < buffers; b++) {
        sorted[b] = b;
        key[b] = add_row(after_row(precedence, b), chains);
    }
    TRY(sort_items(key, sorted, buffers, error));
    *is_line = false;
    for (uint32_t i = 0; i < buffers; i++) {
        const uint32_t *row = after_row(precedence, sorted[i]);
        const uint32_t *last = ranks ? after_row(precedence, ranked[ranks - 1]) : NULL;
        if (last && !precedence_is_below(last, row, chains))
            return STATUS_OK;
        if (!last || count_different(last, row, chains))
            ranked[ranks++] = sorted[i];
        upper[sorted[i]] = ranks;
    }
    assert(ranks > 0 && ranks <= buffers);
    *is_line = true;
    for (uint32_t b = 0; b < buffers; b++) {
        lower[b] = BINARY_SEARCH(at, 0, ranks, !precedence_is_before(precedence, ranked[at], b));
        assert(lower[b] < upper[b]);
    }
    return STATUS_OK;
}
