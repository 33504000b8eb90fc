#include "planning/problem/precedence.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/problem/clocks.h"

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

/* The buffers in an order in which every start comes behind all that are below it. */
static enum status order_starts(const struct problem *problem, uint32_t *order, struct error *error)
{
    uint64_t *key;
    TRY(memory_create(&key, problem->buffers, sizeof *key, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        order[b] = b;
        key[b] = add_row(problem_clock(problem, b).start, problem->streams);
    }
    enum status status = sort_items(key, order, problem->buffers, error);
    memory_free(key);
    return status;
}

/* The chain whose last start is below the buffer's and differs from it in the fewest components:
   between two events of a stream, little else has changed. chains where there is none. */
static uint32_t choose_chain(const struct problem *problem, const uint32_t *last, uint32_t chains,
                             const uint32_t *start)
{
    uint32_t best = chains, least = UINT32_MAX;
    for (uint32_t c = 0; c < chains && least > 0; c++) {
        const uint32_t *other = problem_clock(problem, last[c]).start;
        uint32_t different = count_different(other, start, problem->streams);
        if (different < least && is_below(other, start, problem->streams)) {
            best = c;
            least = different;
        }
    }
    return best;
}

static enum status assign_chains(const struct problem *problem, struct precedence *precedence,
                                 struct error *error)
{
    uint32_t last[PRECEDENCE_MOST_CHAINS];
    const uint32_t *order = precedence->order;
    for (uint32_t i = 0; i < problem->buffers; i++) {
        const uint32_t *start = problem_clock(problem, order[i]).start;
        uint32_t chain = choose_chain(problem, last, precedence->chains, start);
        if (chain == PRECEDENCE_MOST_CHAINS)
            return error_set(error, STATUS_BAD_INPUT,
                             "found clocks of more than %d streams that start apart, expected at "
                             "most these",
                             PRECEDENCE_MOST_CHAINS);
        if (chain == precedence->chains)
            precedence->chains++;
        last[chain] = order[i];
        precedence->chain[order[i]] = chain;
    }
    return STATUS_OK;
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

/* The starts of a chain one behind the other, so that searches in them are near each other. */
static void copy_starts(const struct problem *problem, const struct precedence *precedence,
                        uint32_t chain, uint32_t *row)
{
    uint32_t streams = problem->streams;
    for (uint32_t i = precedence->first[chain]; i < precedence->first[chain + 1];
         i++, row += streams)
        memcpy(row, problem_clock(problem, precedence->member[i]).start, streams * sizeof *row);
}

static void fill_after_chain(const struct problem *problem, struct precedence *precedence,
                             uint32_t chain, const uint32_t *row)
{
    uint32_t length = precedence->first[chain + 1] - precedence->first[chain];
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const uint32_t *end = problem_clock(problem, b).end;
        precedence->after[(uint64_t)b * precedence->chains + chain] = BINARY_SEARCH(
            at, 0, length, is_below(end, row + (size_t)at * problem->streams, problem->streams));
    }
}

static enum status fill_after(const struct problem *problem, struct precedence *precedence,
                              struct error *error)
{
    uint32_t chains = precedence->chains, *row;
    TRY(memory_create(&precedence->after, (size_t)problem->buffers * chains, sizeof(uint32_t),
                      error));
    TRY(memory_create(&row, (size_t)problem->buffers * problem->streams, sizeof *row, error));
    for (uint32_t c = 0; c < chains; c++) {
        copy_starts(problem, precedence, c, row);
        fill_after_chain(problem, precedence, c, row);
    }
    memory_free(row);
    return STATUS_OK;
}

static enum status fill_precedence(const struct problem *problem, struct precedence *precedence,
                                   struct error *error)
{
    size_t buffers = precedence->buffers = problem->buffers;
    TRY(memory_create(&precedence->chain, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&precedence->position, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&precedence->member, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&precedence->order, buffers, sizeof(uint32_t), error));
    TRY(order_starts(problem, precedence->order, error));
    TRY(assign_chains(problem, precedence, error));
    TRY(list_members(precedence, error));
    return fill_after(problem, precedence, error);
}

enum status precedence_create(const struct problem *problem, struct precedence **created,
                              struct error *error)
{
    struct precedence *precedence;
    assert(problem->streams > 0);
    TRY(memory_create(&precedence, 1, sizeof *precedence, error));
    enum status status = fill_precedence(problem, precedence, error);
    if (status)
        precedence_free(precedence);
    else
        *created = precedence;
    return status;
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

enum status precedence_count_before(const struct precedence *precedence, uint32_t *before,
                                    struct error *error)
{
    uint32_t *count;
    TRY(memory_create(&count, (size_t)precedence->buffers + 1, sizeof *count, error));
    for (uint32_t c = 0; c < precedence->chains; c++) {
        uint32_t length = precedence->first[c + 1] - precedence->first[c], sum = 0;
        memset(count, 0, ((size_t)length + 1) * sizeof *count);
        for (uint32_t b = 0; b < precedence->buffers; b++)
            count[precedence->after[(uint64_t)b * precedence->chains + c]]++;
        for (uint32_t i = 0; i < length; i++)
            before[precedence->member[precedence->first[c] + i]] = sum += count[i];
    }
    memory_free(count);
    return STATUS_OK;
}

uint64_t precedence_count_conflicts(const struct precedence *precedence)
{
    uint64_t buffers = precedence->buffers, count = buffers * (buffers - 1) / 2;
    for (uint32_t b = 0; b < precedence->buffers; b++)
        count -= precedence_count_after(precedence, b);
    return count;
}

/* Where conflicts are listed: those of the members of one chain with another's. */
struct listing {
    const struct precedence *precedence;
    uint32_t *latest; /* [the other chain's length] up to each member: from where on in the one
                         chain begins what begins after all of them */
    uint64_t *end;    /* [buffers] of the lists so far */
    uint32_t *other;
};

static uint32_t get_after(const struct precedence *precedence, uint32_t buffer, uint32_t chain)
{
    return precedence->after[(uint64_t)buffer * precedence->chains + chain];
}

/* The members that are not all over before the buffer begins, up to the first that begins after
   it. */
static void list_in_chain(struct listing *listing, uint32_t buffer, uint32_t chain)
{
    const struct precedence *precedence = listing->precedence;
    const uint32_t *member = precedence->member + precedence->first[chain];
    uint32_t length = precedence->first[chain + 1] - precedence->first[chain];
    uint32_t position = precedence->position[buffer], own = precedence->chain[buffer];
    uint32_t i = BINARY_SEARCH(at, 0, length, listing->latest[at] > position);
    for (; i < get_after(precedence, buffer, chain); i++)
        if (member[i] != buffer && get_after(precedence, member[i], own) > position)
            listing->other[listing->end[buffer]++] = member[i];
}

static void list_chains(struct listing *listing, uint32_t own, uint32_t chain)
{
    const struct precedence *precedence = listing->precedence;
    uint32_t latest = 0;
    for (uint32_t i = precedence->first[chain]; i < precedence->first[chain + 1]; i++) {
        uint32_t after = get_after(precedence, precedence->member[i], own);
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

/* What begins after a buffer is over, as sets from the largest to the smallest: each buffer's set
   gets a rank, and ranked[rank] is a buffer that has it. False where two sets are not one within
   the other. */
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

/* A buffer begins behind the end of all that are over before it: of the ranks whose sets have it.
 */
static void find_lowers(const struct precedence *precedence, const uint32_t *ranked, uint32_t ranks,
                        uint32_t *lower)
{
    for (uint32_t b = 0; b < precedence->buffers; b++)
        lower[b] = BINARY_SEARCH(at, 0, ranks, !precedence_is_before(precedence, ranked[at], b));
}

enum status precedence_linearise(const struct precedence *precedence, uint32_t *lower,
                                 uint32_t *upper, bool *is_line, struct error *error)
{
    uint64_t *key = NULL;
    uint32_t *sorted = NULL, *ranked = NULL, ranks;
    enum status status;
    TRY_OR_DONE(status, memory_create(&key, precedence->buffers, sizeof *key, error));
    TRY_OR_DONE(status, memory_create(&sorted, precedence->buffers, sizeof *sorted, error));
    TRY_OR_DONE(status, memory_create(&ranked, precedence->buffers, sizeof *ranked, error));
    for (uint32_t b = 0; b < precedence->buffers; b++) {
        sorted[b] = b;
        key[b] = add_row(after_row(precedence, b), precedence->chains);
    }
    TRY_OR_DONE(status, sort_items(key, sorted, precedence->buffers, error));
    *is_line = rank_sets(precedence, sorted, upper, ranked, &ranks);
    if (*is_line)
        find_lowers(precedence, ranked, ranks, lower);
done:
    memory_free(key);
    memory_free(sorted);
    memory_free(ranked);
    return status;
}
