#include "solvers/family/pile.h"

#include <assert.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
enum { WORD_BITS = 64, MOST_CHANGES = 1 << 13 };

static uint32_t count_words(const struct pile *pile)
{
    return (pile->problem->buffers + WORD_BITS - 1) / WORD_BITS;
}

/* The most segments, its own included, that are live while some buffer is. */
static uint32_t find_most_near(const struct pile *pile)
{
    const struct problem *problem = pile->problem;
    const struct timeline *timeline = pile->orienter->timeline;
    uint32_t *near = pile->rank, most = 0;
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i];
        while (problem->upper[timeline->by_upper[ended]] <= problem->lower[segment])
            ended++;
        near[pile->owner[segment]] -= ended;
    }
    for (uint32_t i = 0, begun = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_upper[i];
        while (begun < problem->segments &&
               problem->lower[timeline->by_lower[begun]] < problem->upper[segment])
            begun++;
        near[pile->owner[segment]] += begun;
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        most = near[b] > most ? near[b] : most;
    return most;
}

static enum status take_memory(struct pile *pile, struct error *error)
{
    struct scratch *scratch = &pile->scratch;
    size_t buffers = pile->problem->buffers, links = (size_t)pile->problem->segments * 2;
    size_t row = pile->width * sizeof(pile_lanes);
    TRY(scratch_take(scratch, &pile->size, buffers, row, error));
    TRY(scratch_take_all(scratch, buffers, error, &pile->order, &pile->rank));
    pile->most_near = find_most_near(pile);
    pile->most_changes = 2 * buffers < MOST_CHANGES ? 2 * (uint32_t)buffers : MOST_CHANGES;
    size_t near_links = (size_t)pile->most_near * 3;
    TRY(scratch_take(scratch, &pile->near, pile->most_near, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &pile->when, links / 2, sizeof(uint32_t), error));
    TRY(scratch_take_all(scratch, links, error, &pile->link, &pile->next, &pile->before));
    TRY(scratch_take(scratch, &pile->first, 2 * buffers, sizeof(uint32_t), error));
    TRY(scratch_take_all(scratch, near_links, error, &pile->changed_link, &pile->old_link));
    TRY(scratch_take(scratch, &pile->changed, pile->most_changes, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &pile->old_reach, pile->most_changes, row, error));
    TRY(scratch_take(scratch, &pile->found, 1, row, error));
    for (int side = 0; side < 2; side++) {
        TRY(scratch_take(scratch, &pile->reach[side], buffers, row, error));
        TRY(scratch_take(scratch, &pile->mark[side], count_words(pile), sizeof(uint64_t), error));
    }
    return STATUS_OK;
}

enum status pile_create(const struct size_vectors *vectors, struct orienter *orienter,
                        struct pile *pile, struct error *error)
{
    const struct problem *problem = vectors->family->problem;
    pile->orienter = orienter;
    pile->problem = problem;
    pile->width = (vectors->count + PILE_LANES - 1) / PILE_LANES;
    pile->owner = orienter->timeline->buffer;
    TRY(take_memory(pile, error));
    for (uint32_t i = 0; i < problem->segments; i++)
        pile->when[orienter->timeline->by_lower[i]] = i;
    for (uint32_t v = 0; v < vectors->count; v++) {
        assert(vectors->load[v] > 0);
        for (uint32_t b = 0; b < problem->buffers; b++)
            pile->size[b * pile->width + v / PILE_LANES][v % PILE_LANES] =
                (double)vectors->size[(size_t)v * problem->buffers + b] / (double)vectors->load[v];
    }
    return STATUS_OK;
}

void pile_free(struct pile *pile)
{
    scratch_free(&pile->scratch);
}

static void set_link(struct pile *pile, uint32_t link, uint32_t buffer)
{
    uint32_t old = pile->link[link], next = pile->next[link], before = pile->before[link];
    assert(old == ORIENTER_NONE || (before == ORIENTER_NONE ? pile->first[2 * old + link % 2]
                                                            : pile->next[before]) == link);
    if (old != ORIENTER_NONE) {
        if (before == ORIENTER_NONE)
            pile->first[2 * old + link % 2] = next;
        else
            pile->next[before] = next;
        if (next != ORIENTER_NONE)
            pile->before[next] = before;
    }
    pile->link[link] = buffer;
    if (buffer == ORIENTER_NONE)
        return;
    assert(pile->owner[link / 2] != buffer);
    uint32_t *first = &pile->first[2 * buffer + link % 2];
    pile->next[link] = *first;
    pile->before[link] = ORIENTER_NONE;
    if (*first != ORIENTER_NONE)
        pile->before[*first] = link;
    *first = link;
}

/* Finds the reach of the buffer from one side by those of the buffers next to it on that side. */
INLINE void find_reach(const struct pile *pile, uint32_t width, uint32_t buffer, uint32_t side,
                       pile_lanes *found)
{
    const struct problem *problem = pile->problem;
    const pile_lanes *reach = pile->reach[side], *size = pile->size + (size_t)buffer * width;
    for (uint32_t q = 0; q < width; q++)
        found[q] = (pile_lanes){0};
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++) {
        uint32_t other = pile->link[2 * s + side];
        for (uint32_t q = 0; q < width && other != ORIENTER_NONE; q++)
            pile_raise(&found[q], &reach[(size_t)other * width + q]);
    }
    for (uint32_t l = pile->first[2 * buffer + 1 - side]; l != ORIENTER_NONE; l = pile->next[l])
        for (uint32_t q = 0; q < width; q++)
            pile_raise(&found[q], &reach[(size_t)pile->owner[l / 2] * width + q]);
    for (uint32_t q = 0; q < width; q++)
        found[q] += size[q];
}

static uint32_t find_place(const struct pile *pile, uint32_t buffer, uint32_t side)
{
    uint32_t rank = pile->rank[buffer];
    return side == PILE_BELOW ? rank : pile->problem->buffers - 1 - rank;
}

/* Marks the reach of the buffer from one side as one to be found again. */
INLINE void mark_buffer(struct pile *pile, uint32_t buffer, uint32_t side)
{
    uint32_t place = find_place(pile, buffer, side);
    pile->mark[side][place / WORD_BITS] |= UINT64_C(1) << place % WORD_BITS;
}

/* Marks all buffers that are next to this one on the other side. */
INLINE void mark_next(struct pile *pile, uint32_t buffer, uint32_t side)
{
    const struct problem *problem = pile->problem;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (pile->link[2 * s + 1 - side] != ORIENTER_NONE)
            mark_buffer(pile, pile->link[2 * s + 1 - side], side);
    for (uint32_t l = pile->first[2 * buffer + side]; l != ORIENTER_NONE; l = pile->next[l]) {
        assert(find_place(pile, buffer, side) < find_place(pile, pile->owner[l / 2], side));
        mark_buffer(pile, pile->owner[l / 2], side);
    }
}

INLINE void save_reach(struct pile *pile, uint32_t buffer, uint32_t side)
{
    if (pile->changes++ >= pile->most_changes)
        return;
    const pile_lanes *reach = pile->reach[side] + (size_t)buffer * pile->width;
    pile_lanes *old = pile->old_reach + (size_t)(pile->changes - 1) * pile->width;
    for (uint32_t q = 0; q < pile->width; q++)
        old[q] = reach[q];
    pile->changed[pile->changes - 1] = 2 * buffer + side;
}

INLINE bool is_same(const pile_lanes *a, const pile_lanes *b, uint32_t width)
{
    int64_t other __attribute__((vector_size(32))) = {0};
    for (uint32_t q = 0; q < width; q++)
        other |= a[q] != b[q];
    return !(other[0] | other[1] | other[2] | other[3]);
}

INLINE void find_marked_of(struct pile *pile, uint32_t width, uint32_t side)
{
    pile_lanes own, *found = width == 1 ? &own : pile->found;
    uint32_t buffers = pile->problem->buffers;
    for (uint32_t w = 0, words = count_words(pile); w < words; w++)
        while (pile->mark[side][w]) {
            uint32_t place = w * WORD_BITS + (uint32_t)__builtin_ctzll(pile->mark[side][w]);
            uint32_t b = pile->order[side == PILE_BELOW ? place : buffers - 1 - place];
            assert(find_place(pile, b, side) == place);
            pile_lanes *reach = pile->reach[side] + (size_t)b * width;
            pile->mark[side][w] &= pile->mark[side][w] - 1;
            find_reach(pile, width, b, side, found);
            if (is_same(found, reach, width))
                continue;
            save_reach(pile, b, side);
            for (uint32_t q = 0; q < width; q++)
                reach[q] = found[q];
            mark_next(pile, b, side);
        }
}

/* Finds the marked reaches again, and all that change by it; faster where the width is known to be
   one, as it mostly is. */
CLONES static void find_marked(struct pile *pile, uint32_t side)
{
    if (pile->width == 1)
        find_marked_of(pile, 1, side);
    else
        find_marked_of(pile, pile->width, side);
}

CLONES static void find_all(struct pile *pile)
{
    uint32_t buffers = pile->problem->buffers;
    for (uint32_t i = 0; i < buffers; i++) {
        uint32_t b = pile->order[i], c = pile->order[buffers - 1 - i];
        find_reach(pile, pile->width, b, PILE_BELOW,
                   pile->reach[PILE_BELOW] + (size_t)b * pile->width);
        find_reach(pile, pile->width, c, PILE_ABOVE,
                   pile->reach[PILE_ABOVE] + (size_t)c * pile->width);
    }
}

static bool is_live(const struct pile *pile, uint32_t buffer, uint32_t segment)
{
    const struct problem *problem = pile->problem;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (pile->when[s] < pile->when[segment] && problem->upper[s] > problem->lower[segment])
            return true;
    return false;
}

static bool do_meet(const struct problem *problem, uint32_t a, uint32_t b)
{
    const uint32_t *first = problem->first, *lower = problem->lower, *upper = problem->upper;
    for (uint32_t s = first[a]; s < first[a + 1]; s++)
        for (uint32_t t = first[b]; t < first[b + 1]; t++)
            if (lower[s] < upper[t] && lower[t] < upper[s])
                return true;
    return false;
}

/* Lists what is near the buffer by the lists of conflicts: their places in the order are marked,
   and read off. */
static void list_conflicts(struct pile *pile, uint32_t buffer)
{
    const struct conflicts *conflicts = pile->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i], place = pile->rank[other];
        pile->mark[PILE_BELOW][place / WORD_BITS] |= (uint64_t)pile_has(pile, other)
                                                     << place % WORD_BITS;
    }
    for (uint32_t w = 0, words = count_words(pile); w < words; w++)
        for (; pile->mark[PILE_BELOW][w];
             pile->mark[PILE_BELOW][w] &= pile->mark[PILE_BELOW][w] - 1)
            pile->near[pile->nears++] =
                pile->order[w * WORD_BITS + (uint32_t)__builtin_ctzll(pile->mark[PILE_BELOW][w])];
}

void pile_list_near(struct pile *pile, uint32_t buffer)
{
    pile->nears = pile->below = 0;
    if (pile->conflicts)
        list_conflicts(pile, buffer);
    for (uint32_t i = 0; i < pile->problem->buffers && !pile->conflicts; i++) {
        uint32_t b = pile->order[i];
        if (b != buffer && do_meet(pile->problem, b, buffer) && pile_has(pile, b))
            pile->near[pile->nears++] = b;
    }
    assert(pile->nears < pile->most_near);
    while (pile->below < pile->nears && pile->rank[pile->near[pile->below]] < pile->rank[buffer])
        pile->below++;
}

static void change_link(struct pile *pile, uint32_t link, uint32_t buffer)
{
    assert(pile->changed_links < 3 * pile->most_near);
    pile->changed_link[pile->changed_links] = link;
    pile->old_link[pile->changed_links++] = pile->link[link];
    set_link(pile, link, buffer);
}

/* The next of those near the buffer taken out, down or up from it, that is live where the segment
   begins. */
static uint32_t find_next(const struct pile *pile, uint32_t segment, uint32_t side)
{
    for (uint32_t k = pile->below; side == PILE_BELOW && k-- > 0;)
        if (is_live(pile, pile->near[k], segment))
            return pile->near[k];
    for (uint32_t k = pile->below; side == PILE_ABOVE && k < pile->nears; k++)
        if (is_live(pile, pile->near[k], segment))
            return pile->near[k];
    return ORIENTER_NONE;
}

void pile_take_out(struct pile *pile, uint32_t buffer)
{
    const struct problem *problem = pile->problem;
    assert(pile_has(pile, buffer));
    pile->changes = pile->changed_links = 0;
    pile_list_near(pile, buffer);
    for (uint32_t side = 0; side < 2; side++) {
        mark_next(pile, buffer, side);
        save_reach(pile, buffer, side);
        memset(pile->reach[side] + (size_t)buffer * pile->width, 0,
               pile->width * sizeof(pile_lanes));
    }
    for (uint32_t side = 0; side < 2; side++) {
        for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
            change_link(pile, 2 * s + side, ORIENTER_NONE);
        for (uint32_t l; (l = pile->first[2 * buffer + side]) != ORIENTER_NONE;)
            change_link(pile, l, find_next(pile, l / 2, side));
    }
    find_marked(pile, PILE_BELOW);
    find_marked(pile, PILE_ABOVE);
    assert(!pile_has(pile, buffer));
}

void pile_put_back(struct pile *pile)
{
    for (uint32_t i = pile->changed_links; i-- > 0;)
        set_link(pile, pile->changed_link[i], pile->old_link[i]);
    if (pile->changes > pile->most_changes)
        find_all(pile);
    for (uint32_t i = 0; i < pile->changes && pile->changes <= pile->most_changes; i++)
        memcpy(pile->reach[pile->changed[i] % 2] + (size_t)(pile->changed[i] / 2) * pile->width,
               pile->old_reach + (size_t)i * pile->width, pile->width * sizeof(pile_lanes));
}

/* Links the buffer with those next to it, at its new place in the order. */
static void link_buffer(struct pile *pile, uint32_t buffer)
{
    const struct problem *problem = pile->problem;
    const uint32_t *rank = pile->rank;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        for (uint32_t side = 0; side < 2; side++)
            set_link(pile, 2 * s + side, find_next(pile, s, side));
    for (uint32_t k = 0; k < pile->nears; k++) {
        uint32_t b = pile->near[k], side = rank[buffer] < rank[b] ? PILE_BELOW : PILE_ABOVE;
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            uint32_t other = pile->link[2 * s + side];
            bool is_next =
                other == ORIENTER_NONE ||
                (side == PILE_BELOW ? rank[other] < rank[buffer] : rank[other] > rank[buffer]);
            if (is_next && is_live(pile, buffer, s))
                set_link(pile, 2 * s + side, buffer);
        }
    }
}

void pile_set_rank(struct pile *pile, uint32_t buffer, uint32_t rank)
{
    uint32_t from = pile->rank[buffer];
    assert(!pile_has(pile, buffer) && rank < pile->problem->buffers);
    for (uint32_t i = from; i != rank; i += rank > from ? 1 : UINT32_MAX) {
        pile->order[i] = pile->order[rank > from ? i + 1 : i - 1];
        pile->rank[pile->order[i]] = i;
    }
    pile->order[rank] = buffer;
    pile->rank[buffer] = rank;
}

/* Puts the buffer in where it stands in the order, `below` of those near it below it. */
static void put_in(struct pile *pile, uint32_t buffer, uint32_t below)
{
    pile->below = below;
    assert((!below || pile->rank[pile->near[below - 1]] < pile->rank[buffer]) &&
           (below == pile->nears || pile->rank[buffer] < pile->rank[pile->near[below]]));
    link_buffer(pile, buffer);
    for (uint32_t side = 0; side < 2; side++) {
        pile->changes = 0;
        mark_buffer(pile, buffer, side);
        mark_next(pile, buffer, side);
        find_marked(pile, side);
    }
    assert(pile_has(pile, buffer));
}

void pile_put(struct pile *pile, uint32_t buffer, uint32_t below)
{
    uint32_t from = pile->rank[buffer], to = from;
    if (pile->nears)
        to = below < pile->nears ? pile->rank[pile->near[below]]
                                 : pile->rank[pile->near[pile->nears - 1]] + 1;
    pile_set_rank(pile, buffer, to - (to > from));
    put_in(pile, buffer, below);
}

void pile_return(struct pile *pile, uint32_t buffer)
{
    pile_list_near(pile, buffer);
    put_in(pile, buffer, pile->below);
}

/* Takes the buffer as the next of the chain where its reach is the greatest so far; of `equal` ones
   that have the greatest a drawn one. */
static void look_at(const struct pile *pile, const struct pile_walk *walk, uint32_t buffer,
                    uint32_t *next, uint32_t *equal)
{
    assert(pile_has(pile, buffer)); /* no chain passes what was taken out */
    const pile_lanes *reach = pile->reach[walk->side] + walk->vector / PILE_LANES;
    uint32_t lane = walk->vector % PILE_LANES;
    double own = reach[(size_t)buffer * pile->width][lane];
    double most = *equal ? reach[(size_t)*next * pile->width][lane] : 0;
    if (own < most || (own == most && random_below(walk->random, ++*equal)))
        return;
    *equal = own > most ? 1 : *equal;
    *next = buffer;
}

uint32_t pile_begin_chain(const struct pile *pile, const struct pile_walk *walk,
                          const uint32_t *buffer, uint32_t count)
{
    uint32_t next = ORIENTER_NONE, equal = 0;
    for (uint32_t i = 0; i < count; i++)
        look_at(pile, walk, buffer[i], &next, &equal);
    return next;
}

uint32_t pile_follow_chain(const struct pile *pile, const struct pile_walk *walk, uint32_t buffer)
{
    const struct problem *problem = pile->problem;
    uint32_t next = ORIENTER_NONE, equal = 0;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (pile->link[2 * s + walk->side] != ORIENTER_NONE)
            look_at(pile, walk, pile->link[2 * s + walk->side], &next, &equal);
    for (uint32_t l = pile->first[2 * buffer + 1 - walk->side]; l != ORIENTER_NONE;
         l = pile->next[l])
        look_at(pile, walk, pile->owner[l / 2], &next, &equal);
    assert(next == ORIENTER_NONE ||
           (pile->rank[next] < pile->rank[buffer]) == (walk->side == PILE_BELOW));
    return next;
}

void pile_clear(struct pile *pile)
{
    const struct problem *problem = pile->problem;
    memset(pile->link, -1, (size_t)problem->segments * 2 * sizeof *pile->link);
    memset(pile->first, -1, (size_t)problem->buffers * 2 * sizeof *pile->first);
    for (uint32_t b = 0; b < problem->buffers; b++)
        pile->order[b] = pile->rank[b] = b;
    for (int side = 0; side < 2; side++)
        memset(pile->reach[side], 0, (size_t)problem->buffers * pile->width * sizeof(pile_lanes));
}

void pile_set(struct pile *pile, const uint32_t *sorted)
{
    const struct problem *problem = pile->problem;
    size_t links = (size_t)problem->segments * 2;
    orienter_link(pile->orienter, sorted);
    memcpy(pile->order, sorted, problem->buffers * sizeof *sorted);
    memcpy(pile->rank, pile->orienter->rank, problem->buffers * sizeof *sorted);
    memset(pile->link, -1, links * sizeof *pile->link);
    memset(pile->first, -1, (size_t)problem->buffers * 2 * sizeof *pile->first);
    for (uint32_t l = 0; l < links; l++)
        set_link(pile, l, pile->orienter->link[l]);
    find_all(pile);
}
