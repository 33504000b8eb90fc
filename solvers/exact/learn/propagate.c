#include "solvers/exact/learn/propagate.h"

#include <assert.h>

#include "solvers/exact/learn/clauses.h"
#include "solvers/exact/learn/handover.h"
#include "solvers/exact/learn/log.h"
#include "solvers/exact/learn/look.h"
#include "solvers/exact/learn/trail.h"

/* The literal that says that the first job comes before the second in the direction. */
static uint32_t get_before(const struct exact_look *look, uint32_t first, uint32_t second)
{
    assert(first != second && first < look->members && second < look->members);
    return look->direction ? look->below[second * look->members + first]
                           : look->below[first * look->members + second];
}

/* Lists the members of the section by deadline. */
static void list_jobs(const struct exact_look *look)
{
    for (uint32_t i = 0; i < look->members; i++) {
        struct exact_learn_job job = {
            .member = i,
            .release = exact_look_release(look, i, look->direction),
            .deadline = -exact_look_release(look, i, !look->direction),
            .width = (int64_t)exact_member_width(look->learn->model, look->begin + i)};
        assert(job.width > 0 && job.release + job.width <= job.deadline);
        uint32_t at = i;
        for (; at && look->job[at - 1].deadline > job.deadline; at--)
            look->job[at] = look->job[at - 1];
        look->job[at] = job;
    }
}

/* Adds atoms to a reason: each job up to index `last` that is released at begin or later is
   released at `least` or later, and ends by the deadline. `least` is not above begin, since the
   less a reason asks for, the more often the clause made of it holds. */
static void add_inside(const struct exact_look *look, uint32_t last, int64_t begin, int64_t least,
                       int64_t deadline)
{
    assert(last < look->members && least <= begin && deadline >= look->job[last].deadline);
    for (uint32_t i = 0; i <= last; i++) {
        uint32_t member = look->job[i].member;
        if (look->job[i].release < begin)
            continue;
        exact_look_add_release(look, member, least);
        exact_learn_add_atom(
            look->learn,
            exact_bound_item(look->learn, exact_look_bound(look, member, !look->direction)),
            -deadline - exact_look_shift(look, member, !look->direction));
    }
}

/* False where the jobs released at begin or later, one after the other, miss a deadline. */
static bool check_overload(const struct exact_look *look, int64_t begin)
{
    struct exact_learn *learn = look->learn;
    int64_t end = begin;
    assert(look->members > 0);
    for (uint32_t i = 0; i < look->members; i++) {
        const struct exact_learn_job *job = &look->job[i];
        assert(!i || look->job[i - 1].deadline <= job->deadline);
        if (job->release < begin)
            continue;
        end += job->width;
        if (end <= job->deadline)
            continue;
        learn->counter[SEARCH_FAILED_SPAN]++;
        learn->conflict = learn->atoms;
        add_inside(look, i, begin, begin, end - 1);
        exact_log_conflict(learn, (struct exact_derivation){EXACT_STEP_OVERLOAD, look->section,
                                                            begin, end - 1, 0, 0, 0});
        return false;
    }
    return true;
}

/* Notes that the job comes after those inside, the jobs up to index `last` that are released at
   begin or later. bytes, the sum of those inside and the job, is so large that one of those inside
   would miss its deadline if it were the last of them. */
static bool put_after(const struct exact_look *look, const struct exact_learn_job *job,
                      uint32_t last, int64_t begin, int64_t bytes)
{
    assert(bytes > job->width && last < look->members);
    struct exact_learn *learn = look->learn;
    int64_t least = job->release < begin ? job->release : begin;
    uint32_t atoms = learn->atoms;
    int64_t most = least + bytes - 1;
    struct exact_derivation derivation = {EXACT_STEP_EDGE,
                                          look->section,
                                          look->direction ? -most : least,
                                          look->direction ? -least : most,
                                          0,
                                          0,
                                          0};
    for (uint32_t i = 0; i <= last; i++) {
        if (look->job[i].release < begin)
            continue;
        uint32_t literal = get_before(look, look->job[i].member, job->member);
        if (learn->truth[literal] > 0)
            continue;
        derivation.literal = literal;
        if (learn->atoms == atoms) {
            add_inside(look, last, begin, least, most);
            exact_look_add_release(look, job->member, least);
        }
        if (learn->truth[literal] < 0) {
            learn->conflict = atoms;
            exact_log_conflict(learn, derivation);
            exact_learn_add_atom(learn, literal ^ 1, 0);
            return false;
        }
        learn->counter[SEARCH_RAISED_FIRST]++;
        exact_log_note(learn, derivation);
        if (!exact_learn_assert(learn, literal, 0, exact_look_reason(learn, atoms)))
            return false;
    }
    return true;
}

/* Finds the jobs that do not fit in with those inside before the deadline of the last one. bytes:
   of those inside, the jobs up to the last one that are released at begin or later. */
static bool find_last_ones(const struct exact_look *look, uint32_t last, int64_t begin,
                           int64_t bytes)
{
    assert(look->job[last].release >= begin && bytes > 0);
    int64_t deadline = look->job[last].deadline;
    for (uint32_t i = 0; i < look->members; i++) {
        const struct exact_learn_job *job = &look->job[i];
        int64_t least = job->release < begin ? job->release : begin;
        if (least + bytes + job->width <= deadline || (i <= last && job->release >= begin))
            continue;
        if (!put_after(look, job, last, begin, bytes + job->width))
            return false;
    }
    return true;
}

static bool find_edges(const struct exact_look *look)
{
    int64_t widest = 0;
    for (uint32_t i = 0; i < look->members; i++)
        widest = look->job[i].width > widest ? look->job[i].width : widest;
    assert(widest > 0);
    for (uint32_t i = 0; i < look->members; i++) {
        int64_t begin = look->job[i].release, end = begin;
        for (uint32_t j = 0; j < look->members; j++) {
            if (look->job[j].release < begin)
                continue;
            end += look->job[j].width;
            if (end + widest > look->job[j].deadline &&
                !find_last_ones(look, j, begin, end - begin))
                return false;
        }
    }
    return true;
}

static bool is_before(const struct exact_look *look, uint32_t first, uint32_t second)
{
    return first != second && look->learn->truth[get_before(look, first, second)] > 0;
}

/* A member begins no sooner than those decided to come before it end, one after the other, in the
   order of their releases. */
static bool check_chains(const struct exact_look *look)
{
    struct exact_learn *learn = look->learn;
    struct exact_learn_job *job = look->job;
    for (uint32_t i = 1; i < look->members; i++) {
        struct exact_learn_job moved = job[i];
        uint32_t at = i;
        for (; at && job[at - 1].release > moved.release; at--)
            job[at] = job[at - 1];
        job[at] = moved;
    }
    for (uint32_t member = 0; member < look->members; member++) {
        int64_t begin = 0, end = INT64_MIN;
        for (uint32_t i = 0; i < look->members; i++) {
            assert(!i || job[i - 1].release <= job[i].release);
            if (!is_before(look, job[i].member, member))
                continue;
            begin = job[i].release > end ? job[i].release : begin;
            end = (job[i].release > end ? job[i].release : end) + job[i].width;
        }
        if (end <= exact_look_release(look, member, look->direction))
            continue;

        /* The reason: those from begin on are released there or later, and come before it. */
        uint32_t atoms = learn->atoms;
        for (uint32_t i = 0; i < look->members; i++) {
            uint32_t other = job[i].member;
            if (job[i].release < begin || !is_before(look, other, member))
                continue;
            exact_look_add_release(look, other, begin);
            exact_learn_add_atom(learn, get_before(look, other, member), 0);
        }
        learn->counter[SEARCH_RAISED_REJECTED]++;
        exact_log_note(learn, (struct exact_derivation){
                                  look->direction ? EXACT_STEP_HANG : EXACT_STEP_CHAIN,
                                  look->section, look->direction ? -begin : begin, 0, 0, 0, 0});
        if (!exact_learn_raise(learn, exact_look_bound(look, member, look->direction),
                               end - exact_look_shift(look, member, look->direction),
                               exact_look_reason(learn, atoms)))
            return false;
    }
    return true;
}

/* Draws conclusions from a section, whose members are jobs of one machine: rules `overload`,
   `edges`, `handover` and `chains`, in both directions. False: there is a conflict.
   O(members^3). */
static bool refresh_section(struct exact_learn *learn, uint32_t section)
{
    assert(section < learn->model->sections);
    const struct exact_model *model = learn->model;
    struct exact_look look = {.learn = learn,
                              .section = section,
                              .begin = model->first[section],
                              .members =
                                  (uint32_t)(model->first[section + 1] - model->first[section]),
                              .below = learn->below + learn->pairs[section],
                              .job = learn->job};
    if (look.members < 3)
        return true;
    for (look.direction = 0; look.direction < 2; look.direction++) {
        list_jobs(&look);
        bool checks = !look.direction && learn->rules & EXACT_LEARN_RULE_OVERLOAD;
        for (uint32_t i = 0; checks && i < look.members; i++)
            if (!check_overload(&look, look.job[i].release))
                return false;
        if (learn->rules & EXACT_LEARN_RULE_EDGES && !find_edges(&look))
            return false;
        bool hands_over = learn->rules & EXACT_LEARN_RULE_HANDOVER && model->whole;
        if (hands_over && section && !exact_look_hand_over(&look, section - 1))
            return false;
        if (hands_over && section + 1 < model->sections &&
            !exact_look_hand_over(&look, section + 1))
            return false;
        if (learn->rules & EXACT_LEARN_RULE_CHAINS && !check_chains(&look))
            return false;
    }
    return true;
}

/* The literal holds: the least offset of `from` raises that of `to`, or in the other direction the
   greatest offset of `to` lowers that of `from`. */
static bool pass_on(struct exact_learn *learn, uint32_t literal, uint32_t direction)
{
    const struct exact_literal *edge = &learn->literal[literal];
    assert(learn->truth[literal] > 0 && direction < 2);
    uint32_t source = direction ? 2 * edge->to + 1 : 2 * edge->from;
    uint32_t bound = direction ? 2 * edge->from + 1 : 2 * edge->to;
    int64_t value = learn->value[source] + edge->distance;
    assert(edge->from < learn->model->buffers && edge->to < learn->model->buffers);
    return value <= learn->value[bound] ||
           exact_learn_raise(learn, bound, value,
                             (struct exact_reason){EXACT_BY_LITERAL, literal, 0});
}

/* The bound rose: literals of its buffer that hold pass it on, and of open ones the opposite holds
   where there is no room for them. */
static bool visit_bound(struct exact_learn *learn, uint32_t bound)
{
    assert(bound < 2 * learn->model->buffers);
    uint32_t buffer = bound / 2, direction = bound & 1;
    for (uint64_t i = learn->first[buffer]; i < learn->first[buffer + 1]; i++) {
        uint32_t literal = 2 * learn->variable[i];
        literal |= (learn->literal[literal].from == buffer) == (direction == 1);
        const struct exact_literal *edge = &learn->literal[literal];
        assert((direction ? edge->to : edge->from) == buffer);
        if (learn->truth[literal] > 0 && !pass_on(learn, literal, direction))
            return false;
        int64_t lowest = learn->value[2 * (size_t)edge->from];
        if (learn->truth[literal] ||
            lowest + edge->distance + learn->value[2 * (size_t)edge->to + 1] <= 0)
            continue;
        if (!exact_learn_assert(learn, literal ^ 1, lowest,
                                (struct exact_reason){.kind = EXACT_BY_BOUNDS}))
            return false;
    }
    return true;
}

/* A pair of buffers may forbid several intervals of their distance. Where the distance lies beyond
   one of them, it lies beyond those before it, too, so their literals hold as well. */
static bool pass_to_pair(struct exact_learn *learn, uint32_t literal)
{
    assert(learn->truth[literal] > 0);
    const struct exact_literal *edge = &learn->literal[literal];
    for (int step = -1; step <= 1; step += 2) {
        int64_t next = (int64_t)(literal / 2) + step;
        if (next < 0 || next >= learn->variables)
            continue;
        uint32_t other = 2 * (uint32_t)next + (literal & 1);
        if (learn->literal[other].from != edge->from || learn->literal[other].to != edge->to ||
            learn->literal[other].distance > edge->distance || learn->truth[other] > 0)
            continue;
        learn->conflict = learn->atoms;
        exact_learn_add_atom(learn, literal, 0);
        const struct exact_derivation derivation = {EXACT_STEP_WEAKEN, literal, 0, 0, other, 0, 0};
        if (learn->truth[other] < 0) {
            exact_log_conflict(learn, derivation);
            exact_learn_add_atom(learn, other ^ 1, 0);
            return false;
        }
        exact_log_note(learn, derivation);
        if (!exact_learn_assert(learn, other, 0,
                                (struct exact_reason){EXACT_BY_ATOMS, learn->conflict, 1}))
            return false;
    }
    return true;
}

bool exact_learn_propagate(struct exact_learn *learn)
{
    assert(learn->handled <= learn->events);
    learn->conflict_limit = UINT64_MAX;
    while (learn->handled < learn->events || learn->dirty_count) {
        if (learn->handled < learn->events) {
            uint32_t item = learn->event[learn->handled++].atom.item;
            assert(item < 2 * (learn->variables + learn->model->buffers));
            if (!exact_is_literal(learn, item)) {
                if (!visit_bound(learn, item - 2 * learn->variables))
                    return false;
                continue;
            }
            assert(learn->truth[item] > 0);
            exact_learn_mark_sections(learn, learn->literal[item].to);
            if (!exact_learn_visit_clauses(learn, item) || !pass_on(learn, item, 0) ||
                !pass_on(learn, item, 1) || !pass_to_pair(learn, item))
                return false;
            continue;
        }
        uint32_t section = learn->dirty[--learn->dirty_count];
        assert(learn->is_dirty[section]);
        learn->is_dirty[section] = false;
        if (!refresh_section(learn, section))
            return false;
    }
    assert(learn->handled == learn->events);
    return true;
}
