#include "solvers/exact_windows.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"

/* The other's offset less the buffer's must not be between the two. */
struct forbidden {
    int64_t lower, upper;
};

struct exact_windows {
    const struct exact_model *model;
    uint64_t *first; /* [conflict entries + 1] into forbidden */
    struct forbidden *forbidden;
    uint64_t *lowest; /* [buffers] least offset; of a placed one its offset */
    bool *placed;
    uint32_t *placement; /* [placements] the free buffers in the order of their placing */
    uint64_t *saved;     /* [buffers * buffers] lowest before each of them */
    uint32_t placements;
    uint32_t *sorted; /* [members of a section] scratch */
    uint64_t capacity, excess;
    uint64_t counter[SEARCH_COUNTERS];
};

typedef void visit_pair(struct exact_windows *windows, uint64_t entry, uint64_t i, uint64_t j);

static void count_pair(struct exact_windows *windows, uint64_t entry, uint64_t i, uint64_t j)
{
    (void)i;
    (void)j;
    windows->first[entry + 1]++;
}

/* first[entry + 1] is where the next one of the entry comes. */
static void store_pair(struct exact_windows *windows, uint64_t entry, uint64_t i, uint64_t j)
{
    const struct exact_model *model = windows->model;
    uint64_t end_i = model->window[i] + model->width[i], end_j = model->window[j] + model->width[j];
    windows->forbidden[windows->first[entry + 1]++] =
        (struct forbidden){.lower = (int64_t)model->window[i] - (int64_t)end_j,
                           .upper = (int64_t)end_i - (int64_t)model->window[j]};
}

static void visit_pairs(struct exact_windows *windows, visit_pair *visit)
{
    const struct exact_model *model = windows->model;
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            for (uint64_t j = model->first[s]; j < model->first[s + 1]; j++)
                if (i != j)
                    visit(windows, exact_model_entry(model, model->member[i], model->member[j]), i,
                          j);
}

static enum status list_forbidden(struct exact_windows *windows, struct error *error)
{
    uint64_t entries = windows->model->conflicts->first[windows->model->buffers], total = 0;
    TRY(memory_create(&windows->first, entries + 1, sizeof *windows->first, error));
    visit_pairs(windows, count_pair);
    for (uint64_t i = 1; i <= entries; i++) {
        uint64_t count = windows->first[i];
        windows->first[i] = total;
        total += count;
    }
    TRY(memory_create(&windows->forbidden, total, sizeof *windows->forbidden, error));
    visit_pairs(windows, store_pair);
    return STATUS_OK;
}

static enum status fill_windows(struct exact_windows *windows, struct error *error)
{
    uint32_t buffers = windows->model->buffers;
    TRY(list_forbidden(windows, error));
    TRY(memory_create(&windows->lowest, buffers, sizeof *windows->lowest, error));
    TRY(memory_create(&windows->placed, buffers, sizeof *windows->placed, error));
    TRY(memory_create(&windows->placement, buffers, sizeof *windows->placement, error));
    TRY(memory_create(&windows->sorted, buffers, sizeof *windows->sorted, error));
    return memory_create(&windows->saved, (size_t)buffers * buffers, sizeof *windows->saved, error);
}

enum status exact_windows_create(const struct exact_model *model, struct exact_windows **created,
                                 struct error *error)
{
    struct exact_windows *windows;
    TRY(memory_create(&windows, 1, sizeof *windows, error));
    windows->model = model;
    enum status status = fill_windows(windows, error);
    if (status)
        exact_windows_free(windows);
    else
        *created = windows;
    return status;
}

void exact_windows_free(struct exact_windows *windows)
{
    if (!windows)
        return;
    memory_free(windows->first);
    memory_free(windows->forbidden);
    memory_free(windows->lowest);
    memory_free(windows->placed);
    memory_free(windows->placement);
    memory_free(windows->sorted);
    memory_free(windows->saved);
    memory_free(windows);
}

/* The least offset, not below the given one, that no placed buffer forbids. */
static uint64_t find_allowed(const struct exact_windows *windows, uint32_t buffer, uint64_t offset)
{
    const struct exact_model *model = windows->model;
    const struct conflicts *conflicts = model->conflicts;
    uint64_t begin = conflicts->first[buffer], end = conflicts->first[buffer + 1];
    offset = exact_align(model, buffer, offset);
    for (uint64_t i = begin; i < end; i++) {
        if (!windows->placed[conflicts->other[i]])
            continue;
        int64_t other = (int64_t)windows->lowest[conflicts->other[i]];
        for (uint64_t f = windows->first[i]; f < windows->first[i + 1]; f++) {
            int64_t distance = other - (int64_t)offset;
            const struct forbidden *forbidden = &windows->forbidden[f];
            if (distance <= forbidden->lower || distance >= forbidden->upper)
                continue;
            offset = exact_align(model, buffer, (uint64_t)(other - forbidden->lower));
            i = begin - 1;
            break;
        }
    }
    return offset;
}

static bool refuse(struct exact_windows *windows, uint64_t end)
{
    windows->counter[SEARCH_FAILED_SPAN]++;
    windows->excess = end < windows->excess ? end : windows->excess;
    return false;
}

static uint64_t get_release(const struct exact_windows *windows, uint32_t entry)
{
    const struct exact_model *model = windows->model;
    return windows->lowest[model->member[entry]] + model->window[entry];
}

static uint32_t sort_left(struct exact_windows *windows, uint32_t section)
{
    const struct exact_model *model = windows->model;
    uint32_t count = 0;
    for (uint32_t e = (uint32_t)model->first[section]; e < model->first[section + 1]; e++) {
        uint32_t at = count;
        if (windows->placed[model->member[e]])
            continue;
        for (; at && get_release(windows, windows->sorted[at - 1]) > get_release(windows, e); at--)
            windows->sorted[at] = windows->sorted[at - 1];
        windows->sorted[at] = e;
        count++;
    }
    return count;
}

/* What is left in a section are jobs of one machine, whatever the placed ones take. */
static bool check_section(struct exact_windows *windows, uint32_t section)
{
    uint32_t count = sort_left(windows, section);
    uint64_t span = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t release = get_release(windows, windows->sorted[i]);
        span = (release > span ? release : span) + windows->model->width[windows->sorted[i]];
    }
    return span <= windows->capacity || refuse(windows, span);
}

static bool check(struct exact_windows *windows)
{
    const struct exact_model *model = windows->model;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (windows->lowest[b] + model->size[b] > windows->capacity)
            return refuse(windows, windows->lowest[b] + model->size[b]);
    for (uint32_t s = 0; s < model->sections; s++)
        if (!check_section(windows, s))
            return false;
    return true;
}

static void raise_left(struct exact_windows *windows)
{
    for (uint32_t b = 0; b < windows->model->buffers; b++)
        if (!windows->placed[b])
            windows->lowest[b] = find_allowed(windows, b, windows->lowest[b]);
}

static uint32_t choose(const struct exact_windows *windows)
{
    const struct exact_model *model = windows->model;
    uint32_t chosen = EXACT_NONE;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (!windows->placed[b] &&
            (chosen == EXACT_NONE || windows->lowest[b] < windows->lowest[chosen] ||
             (windows->lowest[b] == windows->lowest[chosen] &&
              model->size[b] > model->size[chosen])))
            chosen = b;
    return chosen;
}

static bool place(struct exact_windows *windows, uint32_t buffer)
{
    uint32_t buffers = windows->model->buffers;
    windows->counter[SEARCH_PLACEMENTS]++;
    memcpy(windows->saved + (size_t)windows->placements * buffers, windows->lowest,
           buffers * sizeof *windows->lowest);
    windows->placement[windows->placements++] = buffer;
    windows->placed[buffer] = true;
    raise_left(windows);
    return check(windows);
}

/* The least offset above its own at which it can rest on another buffer; UINT64_MAX for none. */
static uint64_t find_rest(const struct exact_windows *windows, uint32_t buffer)
{
    const struct conflicts *conflicts = windows->model->conflicts;
    uint64_t lowest = windows->lowest[buffer], least = UINT64_MAX;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++)
        for (uint64_t f = windows->first[i]; f < windows->first[i + 1]; f++) {
            uint32_t other = conflicts->other[i];
            int64_t rest = (int64_t)windows->lowest[other] - windows->forbidden[f].lower;
            bool above = rest > (int64_t)lowest;
            if (!above && windows->placed[other])
                continue;
            uint64_t offset = above ? (uint64_t)rest : lowest + 1;
            least = offset < least ? offset : least;
        }
    return least;
}

static bool reject(struct exact_windows *windows, uint32_t buffer)
{
    uint64_t rest = find_rest(windows, buffer);
    windows->counter[SEARCH_REJECTIONS]++;
    if (rest == UINT64_MAX) {
        windows->counter[SEARCH_FAILED_SUPPORT]++;
        return false;
    }
    windows->lowest[buffer] = find_allowed(windows, buffer, rest);
    return check(windows);
}

/* Takes buffers away, the last one first, until one can be rejected instead. */
static bool backtrack(struct exact_windows *windows)
{
    uint32_t buffers = windows->model->buffers;
    while (windows->placements) {
        uint32_t buffer = windows->placement[--windows->placements];
        memcpy(windows->lowest, windows->saved + (size_t)windows->placements * buffers,
               buffers * sizeof *windows->lowest);
        windows->placed[buffer] = false;
        if (reject(windows, buffer))
            return true;
    }
    return false;
}

static bool start(struct exact_windows *windows)
{
    const struct exact_model *model = windows->model;
    windows->placements = 0;
    windows->excess = UINT64_MAX;
    for (uint32_t b = 0; b < model->buffers; b++) {
        windows->lowest[b] = model->lowest[b];
        windows->placed[b] = model->highest[b] != UINT64_MAX;
    }
    raise_left(windows);
    return check(windows);
}

static enum exact_outcome search_tree(struct exact_windows *windows, uint64_t placements,
                                      uint64_t deadline_ns)
{
    uint64_t begin = windows->counter[SEARCH_PLACEMENTS];
    while (windows->counter[SEARCH_PLACEMENTS] - begin < placements &&
           (deadline_ns == UINT64_MAX || clock_monotonic_ns() < deadline_ns)) {
        uint32_t buffer = choose(windows);
        if (buffer == EXACT_NONE)
            return EXACT_FOUND;
        if (!place(windows, buffer) && !backtrack(windows))
            return EXACT_REFUTED;
    }
    return EXACT_STOPPED;
}

void exact_windows_run(struct exact_windows *windows, uint64_t capacity, uint64_t placements,
                       uint64_t deadline_ns, enum exact_outcome *outcome, uint64_t *offset,
                       uint64_t *excess)
{
    windows->capacity = capacity;
    windows->counter[SEARCH_RESTARTS]++;
    *outcome = EXACT_REFUTED;
    if (start(windows))
        *outcome = search_tree(windows, placements, deadline_ns);
    if (*outcome == EXACT_FOUND)
        memcpy(offset, windows->lowest, windows->model->buffers * sizeof *offset);
    *excess = windows->excess;
}

void exact_windows_count(const struct exact_windows *windows, uint64_t counter[SEARCH_COUNTERS])
{
    for (uint32_t c = 0; c < SEARCH_COUNTERS; c++)
        counter[c] += windows->counter[c];
}
