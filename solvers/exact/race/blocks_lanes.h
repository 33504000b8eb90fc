/* What is done to blocks whose numbers have one width: solvers/exact/race/blocks.c includes this
   with LANE, a signed type, and NAME(), which makes names of it. Vectors have LANES of them, one
   for each section; a mask is -1 where it holds. */

#define LANES ((uint32_t)(EXACT_BLOCK_BYTES / sizeof(LANE)))
#define MOST ((LANE)(UINT64_MAX >> (65 - 8 * sizeof(LANE))))

typedef LANE NAME(vector)
    __attribute__((vector_size(EXACT_BLOCK_BYTES), aligned(sizeof(LANE)), may_alias));

struct NAME(block) {
    NAME(vector) bytes_left, floor, span, candidates;
};

/* A pass over what is left in a block, by release. */
struct NAME(pass) {
    struct exact_state *state;
    uint32_t block;
    uint32_t *order;
    LANE *release;
    uint32_t left;
    LANE capacity;
    NAME(vector) highest; /* what is released by then can be the lowest */
    bool again;           /* the block has to be looked at again */
};

INLINE struct NAME(block) * NAME(find_block)(const struct exact_blocks *blocks, uint32_t block)
{
    return (struct NAME(block) *)blocks->found + block;
}

INLINE NAME(vector) * NAME(find_inside)(const struct exact_blocks *blocks, uint32_t entry)
{
    return (NAME(vector) *)blocks->grid->inside + entry;
}

INLINE void NAME(fill)(NAME(vector) * vector, LANE number)
{
    *vector = (NAME(vector)){0} + number;
}

/* a where the mask holds, b elsewhere. */
#define CHOOSE(mask, a, b) (((a) & (mask)) | ((b) & ~(mask)))

INLINE bool NAME(is_any)(const NAME(vector) * mask)
{
    typedef uint64_t words __attribute__((vector_size(EXACT_BLOCK_BYTES), may_alias));
    const words *word = (const words *)mask;
    return (*word)[0] | (*word)[1] | (*word)[2] | (*word)[3];
}

INLINE uint32_t NAME(find_most)(const NAME(vector) * numbers)
{
    uint32_t most = 0;
    for (uint32_t l = 1; l < LANES; l++)
        most = (*numbers)[l] > (*numbers)[most] ? l : most;
    return most;
}

INLINE LANE NAME(find_least)(const NAME(vector) * numbers)
{
    LANE least = (*numbers)[0];
    for (uint32_t l = 1; l < LANES; l++)
        least = (*numbers)[l] < least ? (*numbers)[l] : least;
    return least;
}

static void NAME(add_bytes)(struct exact_blocks *blocks, uint32_t block, uint32_t entry, bool left)
{
    LANE width = (LANE)blocks->grid->job[entry].width;
    struct NAME(block) *found = NAME(find_block)(blocks, block);
    found->bytes_left += *NAME(find_inside)(blocks, entry) & (LANE)(left ? width : -width);
}

static void NAME(restore)(struct exact_blocks *blocks, const struct exact_saved_block *saved)
{
    struct NAME(block) *found = NAME(find_block)(blocks, saved->block);
    memcpy(&found->floor, saved->found, sizeof saved->found);
}

static void NAME(read)(const struct exact_blocks *blocks, enum exact_number what, uint32_t begin,
                       uint32_t end, uint64_t *number)
{
    for (uint32_t b = begin / LANES; b < (end + LANES - 1) / LANES; b++) {
        const NAME(vector) *found = &NAME(find_block)(blocks, b)->bytes_left + what;
        for (uint32_t l = 0; l < LANES; l++)
            number[b * LANES + l] = (uint64_t)((const LANE *)found)[l];
        for (uint32_t l = 0; what == EXACT_FLOOR && l < LANES; l++)
            number[b * LANES + l] =
                number[b * LANES + l] == MOST ? UINT64_MAX : number[b * LANES + l];
    }
}

/* Above the capacity all are the same. */
INLINE LANE NAME(find_release)(const struct exact_state *state, const struct exact_job *job)
{
    uint64_t release = state->lowest[job->buffer] + job->lower;
    return (LANE)(release > state->capacity ? state->capacity + 1 : release);
}

/* They were in order before a few were raised. */
static void NAME(sort)(const struct NAME(pass) * pass)
{
    const struct exact_job *job = pass->state->blocks.grid->job;
    uint32_t *order = pass->order;
    LANE *release = pass->release, last = 0;
    for (uint32_t i = 0; i < pass->left; i++) {
        uint32_t entry = order[i], at = i;
        LANE key = NAME(find_release)(pass->state, &job[entry]);
        if (last <= key) {
            last = release[i] = key;
            continue;
        }
        for (; at && release[at - 1] > key; at--) {
            release[at] = release[at - 1];
            order[at] = order[at - 1];
        }
        release[at] = key;
        order[at] = entry;
    }
}

static bool NAME(refuse)(const struct NAME(pass) * pass, uint32_t lane, uint64_t span)
{
    struct exact_state *state = pass->state;
    uint32_t section = pass->block * LANES + lane;
    state->counter[SEARCH_FAILED_SPAN]++;
    if (span < state->excess)
        state->excess = span;
    add_weight(state, section);
    state->blocks.refused_last = pass->block;
    return false;
}

/* The rise would not follow from a capacity at which the job can be the lowest. */
static void NAME(note_rise)(const struct NAME(pass) * pass, LANE release, uint32_t lane)
{
    struct exact_state *state = pass->state;
    uint64_t needed = (uint64_t)(pass->capacity - pass->highest[lane] + release);
    state->excess = needed < state->excess ? needed : state->excess;
}

/* The entry goes up in the order to where its buffer is. */
static void NAME(move_up)(const struct NAME(pass) * pass, uint32_t index)
{
    uint32_t entry = pass->order[index], at = index;
    LANE key = NAME(find_release)(pass->state, &pass->state->blocks.grid->job[entry]);
    for (; at + 1 < pass->left && pass->release[at + 1] < key; at++) {
        pass->release[at] = pass->release[at + 1];
        pass->order[at] = pass->order[at + 1];
    }
    pass->release[at] = key;
    pass->order[at] = entry;
}

/* Where the job cannot be the lowest, it lies above the least end of those that can: end, and 0
   elsewhere. Nothing can be where that is MOST. */
static bool NAME(raise)(struct NAME(pass) * pass, uint32_t index, const NAME(vector) * end)
{
    struct exact_state *state = pass->state;
    const struct exact_model *model = state->model;
    const struct exact_job *job = &state->blocks.grid->job[pass->order[index]];
    uint32_t lane = NAME(find_most)(end), buffer = job->buffer;
    LANE release = pass->release[index];
    if ((*end)[lane] == MOST)
        return NAME(refuse)(pass, lane, (uint64_t)(pass->capacity - pass->highest[lane] + release));
    NAME(note_rise)(pass, release, lane);
    state->counter[SEARCH_RAISED_FIRST]++;
    pass->again |= model->after[buffer] != EXACT_NONE ||
                   model->pieces.first[buffer + 1] - model->pieces.first[buffer] > 1;
    if (!exact_state_raise(state, buffer, (uint64_t)(*end)[lane] - job->lower))
        return false;
    NAME(move_up)(pass, index);
    return true;
}

static void NAME(save)(struct exact_state *state, uint32_t block)
{
    struct exact_blocks *blocks = &state->blocks;
    if (blocks->serial[block] == state->top.serial)
        return;
    struct exact_saved_block *saved = &state->saved_block[state->top.blocks++];
    blocks->serial[block] = state->top.serial;
    saved->block = block;
    memcpy(saved->found, &NAME(find_block)(blocks, block)->floor, sizeof saved->found);
}

static struct NAME(pass) NAME(begin_pass)(struct exact_state *state, uint32_t block)
{
    struct exact_blocks *blocks = &state->blocks;
    struct NAME(pass) pass = {.state = state,
                              .block = block,
                              .order = blocks->order + blocks->grid->first[block],
                              .release = blocks->release,
                              .left = blocks->left[block],
                              .capacity = (LANE)state->capacity};
    pass.highest = pass.capacity - NAME(find_block)(blocks, block)->bytes_left;
    NAME(sort)(&pass);
    return pass;
}

/* A job after the other, each on top of those before it in its sections. */
CLONES static bool NAME(walk)(struct NAME(pass) * pass, struct NAME(block) * found)
{
    const struct exact_blocks *blocks = &pass->state->blocks;
    const NAME(vector) none = {0}, highest = pass->highest;
    NAME(vector) floor = none + MOST, span = none, candidates = none, least_end = none + MOST;
    LANE all_until = pass->state->rules & EXACT_RULE_FIRST ? NAME(find_least)(&highest) : MOST;
    for (uint32_t i = 0; i < pass->left;) {
        const struct exact_job *job = &blocks->grid->job[pass->order[i]];
        NAME(vector) inside = *NAME(find_inside)(blocks, pass->order[i]);
        NAME(vector) release = none + pass->release[i], end = release + (LANE)job->width;
        NAME(vector) low = inside & (release <= highest);
        if (pass->release[i] > all_until) {
            NAME(vector) above = inside & ~low & (least_end > release), rise = above & least_end;
            if (NAME(is_any)(&above)) {
                if (!NAME(raise)(pass, i, &rise))
                    return false;
                continue;
            }
        }
        NAME(vector) offset = release - (LANE)job->lower, lower = inside & (offset < floor);
        NAME(vector) begin = CHOOSE(span > release, span, release);
        NAME(vector) sooner = low & (end < least_end);
        span = CHOOSE(inside, begin + (LANE)job->width, span);
        floor = CHOOSE(lower, offset, floor);
        least_end = CHOOSE(sooner, end, least_end);
        candidates -= low;
        i++;
    }
    found->floor = floor;
    found->span = span;
    found->candidates = candidates;
    return true;
}

static bool NAME(refresh)(struct exact_state *state, uint32_t block)
{
    struct exact_blocks *blocks = &state->blocks;
    struct NAME(block) *found = NAME(find_block)(blocks, block);
    NAME(save)(state, block);
    struct NAME(pass) pass = NAME(begin_pass)(state, block);
    if (!NAME(walk)(&pass, found))
        return false;
    blocks->is_touched[block] = false;
    if (pass.again)
        touch_block(blocks, block);
    uint32_t lane = NAME(find_most)(&found->span);
    return found->span[lane] <= pass.capacity ||
           NAME(refuse)(&pass, lane, (uint64_t)found->span[lane]);
}

#undef CHOOSE
#undef LANES
#undef MOST
