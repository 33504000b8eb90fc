#include "solvers/exact/learn/handover.h"

#include <assert.h>

#include "solvers/exact/learn/log.h"

static bool is_member(const struct exact_model *model, uint32_t section, uint32_t buffer)
{
    assert(section < model->sections);
    uint64_t m = model->first[section];
    while (m < model->first[section + 1] && model->member[m] != buffer)
        m++;
    return m < model->first[section + 1];
}

/* Marks the jobs of members that are in the other section, too. */
static void mark_shared(const struct exact_look *look, uint32_t other)
{
    const struct exact_model *model = look->learn->model;
    for (uint32_t i = 0; i < look->members; i++)
        look->job[i].is_shared =
            is_member(model, other, model->member[look->begin + look->job[i].member]);
}

/* The least end at which a job of the other section can end: there those released at begin or later
   that are not shared can be under all of its bytes but the slack. At most end, or `due` + 1 where
   there is none. */
static int64_t find_taken_over(const struct exact_look *look, int64_t begin, int64_t end,
                               int64_t due, int64_t wanted)
{
    while (end <= due) {
        int64_t covered = 0, growing = 0, next = INT64_MAX;
        for (uint32_t i = 0; i < look->members; i++) {
            const struct exact_learn_job *job = &look->job[i];
            int64_t most = end - job->release;
            if (job->release < begin || job->is_shared)
                continue;
            if (most <= 0)
                next = job->release < next ? job->release : next;
            growing += most > 0 && most < job->width;
            covered += most <= 0 ? 0 : most < job->width ? most : job->width;
        }
        if (covered >= wanted)
            return end;
        if (!growing && next == INT64_MAX)
            break;
        int64_t step = growing ? (wanted - covered + growing - 1) / growing : INT64_MAX;
        assert(step > 0 && next >= end); /* each round raises the end */
        end = next != INT64_MAX && next - end < step ? next + 1 : end + step;
    }
    return due + 1;
}

/* A buffer that is live in the other section only, and what is known of it. */
struct taker {
    uint32_t bound;
    int64_t shift, width, release, due;
};

/* Raises the buffer where the jobs released at begin or later, with all of their bytes, leave too
   little for it: its bytes are no shared job's, so they are those of other jobs, or free. */
static bool raise_taker(const struct exact_look *look, const struct taker *taker, uint32_t other,
                        int64_t begin)
{
    struct exact_learn *learn = look->learn;
    int64_t bytes = 0, deadline = 0;
    for (uint32_t i = 0; i < look->members; i++)
        if (look->job[i].release >= begin) {
            assert(!bytes || deadline <= look->job[i].deadline);
            bytes += look->job[i].width;
            deadline = look->job[i].deadline;
        }
    int64_t wanted = taker->width - (deadline - begin - bytes),
            least = taker->release + taker->width;
    if (taker->release < begin || taker->due > deadline || wanted <= 0)
        return true;
    int64_t end = find_taken_over(look, begin, least, taker->due, wanted);
    if (end == least)
        return true;

    /* The reason: all that was counted lies between begin and deadline, and what cannot be under
       the buffer's last byte but one is not released sooner. */
    uint32_t atoms = learn->atoms;
    exact_learn_add_atom(learn, exact_bound_item(learn, taker->bound), begin - taker->shift);
    exact_learn_add_atom(learn, exact_bound_item(learn, taker->bound ^ 1),
                         (look->direction ? 0 : taker->width) - deadline);
    for (uint32_t i = 0; i < look->members; i++) {
        const struct exact_learn_job *job = &look->job[i];
        if (job->release < begin)
            continue;
        int64_t needed = job->release < end - 1 ? job->release : end - 1;
        bool is_whole = job->is_shared || end - 1 - job->release >= job->width || needed < begin;
        exact_look_add_release(look, job->member, is_whole ? begin : needed);
        exact_learn_add_atom(
            learn, exact_bound_item(learn, exact_look_bound(look, job->member, !look->direction)),
            -deadline - exact_look_shift(look, job->member, !look->direction));
    }
    int64_t value = end - taker->width - taker->shift;
    assert(value > learn->value[taker->bound]);
    learn->counter[SEARCH_RAISED_HANDOVER]++;
    exact_log_note(learn, (struct exact_derivation){
                              look->direction ? EXACT_STEP_HANDOVER_DOWN : EXACT_STEP_HANDOVER,
                              look->section, look->direction ? -deadline : begin,
                              look->direction ? -begin : deadline, taker->bound / 2, other,
                              look->direction ? -value : value});
    return exact_learn_raise(learn, taker->bound, value, exact_look_reason(learn, atoms));
}

bool exact_look_hand_over(const struct exact_look *look, uint32_t other)
{
    const struct exact_learn *learn = look->learn;
    const struct exact_model *model = learn->model;
    assert(other != look->section);
    mark_shared(look, other);
    for (uint64_t m = model->first[other]; m < model->first[other + 1]; m++) {
        uint32_t buffer = model->member[m];
        for (uint32_t i = 0; !is_member(model, look->section, buffer) && i < look->members; i++) {
            struct taker taker = {.bound = 2 * buffer + look->direction,
                                  .width = (int64_t)model->size[buffer]};
            taker.shift = look->direction ? -taker.width : 0;
            taker.release = learn->value[taker.bound] + taker.shift;
            taker.due = (look->direction ? 0 : taker.width) - learn->value[taker.bound ^ 1];
            if (!raise_taker(look, &taker, other, look->job[i].release))
                return false;
        }
    }
    return true;
}
