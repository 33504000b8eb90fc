#include "planning/problem/clocks/precedence.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "core/sort.h"

/* No component of a is above that of b. */
static bool is_below(const uint32_t *a, const uint32_t *b, uint32_t streams)
{
    for (uint32_t s = 0; s < streams; s++)
        if (a[s] > b[s])
            return false;
    return true;
}

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

/* Sorts the buffers so that each comes behind all those whose starts are below its own. */
static enum status order_starts(const struct clocks *clocks, uint32_t *order, struct error *error)
{
    uint64_t *key;
    TRY(memory_create(&key, clocks->buffers, sizeof *key, error));
    for (uint32_t b = 0; b < clocks->buffers; b++) {
        order[b] = b;
        key[b] = add_row(clocks_get(clocks, b).start, clocks->streams);
    }
    enum status status = sort_items(key, order, clocks->buffers, error);
    memory_free(key);
    return status;
}

/* The chain whose last start is below the buffer's and differs from it in the fewest components:
   between two events of a stream, little else has changed. chains where there is none. */
static uint32_t choose_chain(const struct clocks *clocks, const uint32_t *last, uint32_t chains,
                             const uint32_t *start)
{
    uint32_t best = chains, least = UINT32_MAX;
    for (uint32_t c = 0; c < chains && least > 0; c++) {
        const uint32_t *other = clocks_get(clocks, last[c]).start;
        uint32_t different = count_different(other, start, clocks->streams);
        if (different < least && is_below(other, start, clocks->streams)) {
            best = c;
            least = different;
        }
    }
    return best;
}

static enum status assign_chains(const struct clocks *clocks, struct precedence *precedence,
                                 struct error *error)
{
    uint32_t last[PRECEDENCE_MOST_CHAINS];
    const uint32_t *order = precedence->order;
    for (uint32_t i = 0; i < clocks->buffers; i++) {
        const uint32_t *start = clocks_get(clocks, order[i]).start;
        uint32_t chain = choose_chain(clocks, last, precedence->chains, start);
        if (chain == PRECEDENCE_MOST_CHAINS)
            return error_set(
                error, STATUS_BAD_INPUT,
                "found clocks of more than %d streams that start apart, expected at most these",
                PRECEDENCE_MOST_CHAINS);
        if (chain == precedence->chains)
            precedence->chains++;
        last[chain] = order[i];
        precedence->chain[order[i]] = chain;
    }
    return STATUS_OK;
}

/* A stream has come as far as any other, for its length. */
static bool is_farthest(const uint32_t *clock, const uint32_t *length, uint32_t streams,
                        uint32_t stream)
{
    for (uint32_t s = 0; s < streams; s++)
        if ((uint64_t)clock[s] * length[stream] > (uint64_t)clock[stream] * length[s])
            return false;
    return true;
}

/* Mostly the stream that the clock was read on, since of the others less is known. */
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
        if (is_own &&
            is_below(clocks_get(chains->clocks, chains->last[c]).start, clock.start, clock.streams))
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

/* False where there are more than twice as many chains as streams. */
static bool assign_own_chains(struct own_chains *chains, struct precedence *precedence)
{
    const uint32_t *order = precedence->order;
    for (uint32_t i = 0; i < precedence->buffers; i++) {
        const struct clock clock = clocks_get(chains->clocks, order[i]);
        uint32_t chain = choose_own_chain(chains, clock, true);
        if (chain == PRECEDENCE_MOST_CHAINS || chain == 2 * clock.streams)
            return false;
        if (chain == chains->count)
            chains->stream[chains->count++] = guess_stream(chains, clock);
        chains->last[chain] = order[i];
        precedence->chain[order[i]] = chain;
    }
    precedence->chains = chains->count;
    return true;
}

static enum status assign_by_streams(const struct clocks *clocks, struct precedence *precedence,
                                     struct error *error)
{
    uint32_t *length;
    TRY(memory_create(&length, clocks->streams, sizeof *length, error));
    for (uint32_t b = 0; b < clocks->buffers; b++)
        for (uint32_t s = 0; s < clocks->streams; s++)
            if (clocks_get(clocks, b).end[s] > length[s])
                length[s] = clocks_get(clocks, b).end[s];
    struct own_chains chains = {.clocks = clocks, .length = length};
    bool assigned = assign_own_chains(&chains, precedence);
    memory_free(length);
    if (assigned)
        return STATUS_OK;
    return assign_chains(clocks, precedence, error);
}

static enum status list_members(struct precedence *precedence, struct error *error)
{
    const uint32_t *order = precedence->order;
    uint32_t chains = precedence->chains;
    TRY(memory_create(&precedence->first, (size_t)chains + 2, sizeof(uint32_t), error));
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
    }
    return STATUS_OK;
}

/* Looks for the first start of each chain at or above the end of each buffer. The starts of the
   chain are copied into one row, so that the search in them stays within little memory. */
static enum status fill_after(const struct clocks *clocks, struct precedence *precedence,
                              struct error *error)
{
    uint32_t chains = precedence->chains, streams = clocks->streams, *row;
    TRY(memory_create(&precedence->after, (size_t)clocks->buffers * chains, sizeof(uint32_t),
                      error));
    TRY(memory_create(&row, (size_t)clocks->buffers * streams, sizeof *row, error));
    for (uint32_t c = 0; c < chains; c++) {
        const uint32_t *member = precedence->member + precedence->first[c];
        uint32_t length = precedence->first[c + 1] - precedence->first[c];
        for (uint32_t i = 0; i < length; i++)
            memcpy(row + (size_t)i * streams, clocks_get(clocks, member[i]).start,
                   streams * sizeof *row);
        for (uint32_t b = 0; b < clocks->buffers; b++) {
            const uint32_t *end = clocks_get(clocks, b).end;
            precedence->after[(uint64_t)b * chains + c] =
                BINARY_SEARCH(at, 0, length, is_below(end, row + (size_t)at * streams, streams));
        }
    }
    memory_free(row);
    return STATUS_OK;
}

typedef enum status assign(const struct clocks *clocks, struct precedence *precedence,
                           struct error *error);

static enum status fill_precedence(const struct clocks *clocks, assign *assign_all,
                                   struct precedence *precedence, struct error *error)
{
    size_t buffers = precedence->buffers = clocks->buffers;
    TRY(memory_create(&precedence->chain, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&precedence->position, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&precedence->member, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&precedence->order, buffers, sizeof(uint32_t), error));
    TRY(order_starts(clocks, precedence->order, error));
    TRY(assign_all(clocks, precedence, error));
    TRY(list_members(precedence, error));
    return fill_after(clocks, precedence, error);
}

static enum status create_precedence(const struct clocks *clocks, assign *assign_all,
                                     struct precedence **created, struct error *error)
{
    struct precedence *precedence;
    assert(clocks->streams > 0);
    TRY(memory_create(&precedence, 1, sizeof *precedence, error));
    enum status status = fill_precedence(clocks, assign_all, precedence, error);
    if (status)
        precedence_free(precedence);
    else
        *created = precedence;
    return status;
}

enum status precedence_create(const struct clocks *clocks, struct precedence **created,
                              struct error *error)
{
    return create_precedence(clocks, assign_chains, created, error);
}

enum status precedence_create_by_streams(const struct clocks *clocks, struct precedence **created,
                                         struct error *error)
{
    return create_precedence(clocks, assign_by_streams, created, error);
}

void precedence_free(struct precedence *precedence)
{
    if (!precedence)
        return;
    memory_free(precedence->chain);
    memory_free(precedence->position);
    memory_free(precedence->first);
    memory_free(precedence->member);
    memory_free(precedence->order);
    memory_free(precedence->after);
    memory_free(precedence);
}

/* How many buffers begin only after this one is over. */
static uint32_t count_after(const struct precedence *precedence, uint32_t buffer)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < precedence->chains; c++)
        count += precedence->first[c + 1] - precedence->first[c] -
                 precedence_after(precedence, buffer, c);
    return count;
}

/* Those before a buffer are counted chain by chain: each buffer is before all members of the chain
   from some position on. */
enum status precedence_count_each(const struct precedence *precedence, uint32_t *count,
                                  struct error *error)
{
    uint32_t buffers = precedence->buffers, *from;
    TRY(memory_create(&from, (size_t)buffers + 1, sizeof *from, error));
    for (uint32_t c = 0; c < precedence->chains; c++) {
        uint32_t length = precedence->first[c + 1] - precedence->first[c], before = 0;
        memset(from, 0, ((size_t)length + 1) * sizeof *from);
        for (uint32_t b = 0; b < buffers; b++)
            from[precedence_after(precedence, b, c)]++;
        for (uint32_t i = 0; i < length; i++) {
            uint32_t b = precedence->member[precedence->first[c] + i];
            before += from[i];
            count[b] = buffers - 1 - before - count_after(precedence, b);
        }
    }
    memory_free(from);
    return STATUS_OK;
}

uint64_t precedence_count_conflicts(const struct precedence *precedence)
{
    uint64_t buffers = precedence->buffers, count = buffers * (buffers - 1) / 2;
    for (uint32_t b = 0; b < precedence->buffers; b++)
        count -= count_after(precedence, b);
    return count;
}

/* What is at hand while the conflicts of one chain's members (those of `own`) with those of another
   chain are listed. */
struct listing {
    const struct precedence *precedence;
    uint32_t *latest; /* [the other chain's length] where in `own` the first buffer is that begins
                         after this member and all before it are over */
    uint64_t *end;    /* [buffers] where each list ends so far */
    uint32_t *other;
};

/* Lists the members of a chain that conflict with the buffer. The first ones are all over before it
   begins, the last ones begin after it is over; of those in between each is looked at. */
static void list_in_chain(struct listing *listing, uint32_t buffer, uint32_t chain)
{
    const struct precedence *precedence = listing->precedence;
    const uint32_t *member = precedence->member + precedence->first[chain];
    uint32_t length = precedence->first[chain + 1] - precedence->first[chain];
    uint32_t position = precedence->position[buffer], own = precedence->chain[buffer];
    uint32_t i = BINARY_SEARCH(at, 0, length, listing->latest[at] > position);
    for (; i < precedence_after(precedence, buffer, chain); i++)
        if (member[i] != buffer && precedence_after(precedence, member[i], own) > position)
            listing->other[listing->end[buffer]++] = member[i];
}

static void list_chains(struct listing *listing, uint32_t own, uint32_t chain)
{
    const struct precedence *precedence = listing->precedence;
    uint32_t latest = 0;
    for (uint32_t i = precedence->first[chain]; i < precedence->first[chain + 1]; i++) {
        uint32_t after = precedence_after(precedence, precedence->member[i], own);
        latest = after > latest ? after : latest;
        listing->latest[i - precedence->first[chain]] = latest;
    }
    for (uint32_t i = precedence->first[own]; i < precedence->first[own + 1]; i++)
        list_in_chain(listing, precedence->member[i], chain);
}

enum status precedence_list_conflicts(const struct precedence *precedence, const uint64_t *first,
                                      uint32_t *other, struct error *error)
{
    struct listing listing = {.precedence = precedence, .other = other};
    uint32_t buffers = precedence->buffers;
    TRY(memory_create(&listing.latest, buffers, sizeof(uint32_t), error));
    enum status status = memory_create(&listing.end, buffers, sizeof(uint64_t), error);
    for (uint32_t b = 0; !status && b < buffers; b++)
        listing.end[b] = first[b];
    for (uint32_t own = 0; !status && own < precedence->chains; own++)
        for (uint32_t chain = 0; chain < precedence->chains; chain++)
            list_chains(&listing, own, chain);
    memory_free(listing.latest);
    memory_free(listing.end);
    return status;
}

static const uint32_t *after_row(const struct precedence *precedence, uint32_t buffer)
{
    return precedence->after + (uint64_t)buffer * precedence->chains;
}

/* For each buffer, there is the set of buffers that begin after it is over. Where one line of steps
   says all conflicts, of any two such sets one holds the other. Ranks them from the largest to the
   smallest: ranked[rank] is a buffer with that set, and upper is one more than the buffer's rank.
   False where two sets do not hold each other. */
static bool rank_sets(const struct precedence *precedence, const uint32_t *sorted, uint32_t *upper,
                      uint32_t *ranked, uint32_t *ranks)
{
    *ranks = 0;
    for (uint32_t i = 0; i < precedence->buffers; i++) {
        const uint32_t *row = after_row(precedence, sorted[i]);
        const uint32_t *last = *ranks ? after_row(precedence, ranked[*ranks - 1]) : NULL;
        if (last && !is_below(last, row, precedence->chains))
            return false;
        if (!last || count_different(last, row, precedence->chains))
            ranked[(*ranks)++] = sorted[i];
        upper[sorted[i]] = *ranks;
    }
    return true;
}

/* A buffer begins at the step at which the last of those that are over before it ends: as many
   ranks have it in their sets. */
enum status precedence_linearise(const struct precedence *precedence, uint32_t *lower,
                                 uint32_t *upper, bool *is_line, struct error *error)
{
    uint32_t buffers = precedence->buffers, *sorted, *ranked, ranks;
    struct scratch scratch = {0};
    uint64_t *key;
    enum status status;
    TRY_OR_DONE(status, scratch_take(&scratch, &key, buffers, sizeof *key, error));
    TRY_OR_DONE(status, scratch_take(&scratch, &sorted, buffers, sizeof *sorted, error));
    TRY_OR_DONE(status, scratch_take(&scratch, &ranked, buffers, sizeof *ranked, error));
    for (uint32_t b = 0; b < buffers; b++) {
        sorted[b] = b;
        key[b] = add_row(after_row(precedence, b), precedence->chains);
    }
    TRY_OR_DONE(status, sort_items(key, sorted, buffers, error));
    *is_line = rank_sets(precedence, sorted, upper, ranked, &ranks);
    for (uint32_t b = 0; *is_line && b < buffers; b++)
        lower[b] = BINARY_SEARCH(at, 0, ranks, !precedence_is_before(precedence, ranked[at], b));
done:
    scratch_free(&scratch);
    return status;
}
