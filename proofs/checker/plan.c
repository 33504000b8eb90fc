#include "proofs/checker/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/checker/json.h"
#include "proofs/checker/problem_read.h"

struct live {
    const struct segment *segment;
    uint32_t buffer;
};

struct plan {
    const struct problem *problem;
    int64_t *offset; /* [buffers] PROBLEM_FREE where none was found yet */
    struct live *live;
};

static bool set_offset(struct plan *plan, const char *name, int64_t offset, struct fault *fault)
{
    uint32_t b = check_problem_find(plan->problem, name);
    if (b == plan->problem->buffers)
        return check_fault_unreadable(fault, "found buffer '%.60s', which the problem has not",
                                      name);
    if (plan->offset[b] != PROBLEM_FREE)
        return check_fault_unreadable(fault, "found buffer '%.60s' twice", name);
    if (offset < 0)
        return check_fault_unreadable(fault, "found no offset for buffer '%.60s'", name);
    plan->offset[b] = offset;
    return true;
}

static bool read_csv(const char *path, struct plan *plan, struct fault *fault)
{
    struct problem rows = {0};
    bool fine = check_problem_read_csv(path, &rows, fault);
    for (uint32_t b = 0; fine && b < rows.buffers; b++)
        fine = set_offset(plan, rows.name[b].text, rows.fixed[b], fault);
    check_problem_free(&rows);
    return fine;
}

static bool read_rows(struct json *json, struct plan *plan, struct fault *fault)
{
    uint32_t buffers = check_json_find(json, 0, "buffers"),
             format = check_json_find(json, 0, "format");
    if (!format || !check_json_is(json, format, "memplan-plan/1") || !buffers)
        return check_fault_unreadable(fault,
                                      "expected \"format\": \"memplan-plan/1\", and buffers");
    for (uint32_t i = buffers + 1; i < json->value[buffers].after; i = json->value[i].after) {
        uint32_t name = check_json_find(json, i, "name"),
                 offset = check_json_find(json, i, "offset");
        int64_t number;
        if (!name || !offset || json->value[name].kind != JSON_STRING) {
            check_json_place(json, i, fault);
            return check_fault_unreadable(fault, "expected a buffer with a name and an offset");
        }
        FAULT_TRY(check_json_number(json, offset, &number, fault));
        json->text[json->value[name].end] = 0;
        FAULT_TRY(set_offset(plan, json->text + json->value[name].begin, number, fault));
    }
    return true;
}

static bool read_json(const char *path, struct plan *plan, struct fault *fault)
{
    struct json json;
    bool fine = check_json_read(path, &json, fault) && read_rows(&json, plan, fault);
    check_json_free(&json);
    return fine;
}

static int compare_lower(const void *left, const void *right)
{
    const struct live *a = left, *b = right;
    return (a->segment->lower > b->segment->lower) - (a->segment->lower < b->segment->lower);
}

static bool are_apart(const struct plan *plan, struct live a, struct live b)
{
    int64_t offset_a = plan->offset[a.buffer], offset_b = plan->offset[b.buffer];
    return offset_a + a.segment->end <= offset_b + b.segment->begin ||
           offset_b + b.segment->end <= offset_a + a.segment->begin;
}

static bool refuse_pair(const struct plan *plan, uint32_t a, uint32_t b, struct fault *fault)
{
    return check_fault_refused(
        fault, "buffers %" PRIu32 " and %" PRIu32 ", at %" PRId64 " and %" PRId64 ", overlap", a, b,
        plan->offset[a], plan->offset[b]);
}

/* Goes through the segments as they begin, beside those that have not ended. */
static bool check_segments(struct plan *plan, struct fault *fault)
{
    const struct problem *problem = plan->problem;
    uint32_t open = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            plan->live[s] = (struct live){&problem->segment[s], b};
    if (problem->segments)
        qsort(plan->live, problem->segments, sizeof *plan->live, compare_lower);
    for (uint32_t s = 0; s < problem->segments; s++) {
        struct live begun = plan->live[s];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < open; i++) {
            if (plan->live[i].segment->upper <= begun.segment->lower)
                continue;
            plan->live[kept++] = plan->live[i];
            if (!are_apart(plan, plan->live[i], begun))
                return refuse_pair(plan, plan->live[i].buffer, begun.buffer, fault);
        }
        plan->live[kept++] = begun;
        open = kept;
    }
    return true;
}

static bool check_offsets(struct plan *plan, int64_t *peak, struct fault *fault)
{
    const struct problem *problem = plan->problem;
    *peak = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        int64_t offset = plan->offset[b];
        if (offset == PROBLEM_FREE)
            return check_fault_unreadable(fault, "found no offset of buffer %" PRIu32, b);
        if (offset % problem->alignment[b] ||
            (problem->fixed[b] != PROBLEM_FREE && offset != problem->fixed[b]))
            return check_fault_refused(fault, "buffer %" PRIu32 " may not lie at %" PRId64, b,
                                       offset);
        *peak = offset + problem->size[b] > *peak ? offset + problem->size[b] : *peak;
    }
    for (size_t p = 0; p < problem->pairs; p++) {
        uint32_t a = problem->pair[p].first, b = problem->pair[p].second;
        if (plan->offset[a] + problem->size[a] > plan->offset[b] &&
            plan->offset[b] + problem->size[b] > plan->offset[a])
            return refuse_pair(plan, a, b, fault);
    }
    return check_segments(plan, fault);
}

bool check_plan(const char *path, const struct problem *problem, int64_t *peak, struct fault *fault)
{
    struct plan plan = {problem, calloc(problem->buffers, sizeof *plan.offset),
                        calloc((size_t)problem->segments + 1, sizeof *plan.live)};
    bool fine = (plan.offset && plan.live) || check_fault_memory(fault);
    for (uint32_t b = 0; fine && b < problem->buffers; b++)
        plan.offset[b] = PROBLEM_FREE;
    fine = fine &&
           (strstr(path, ".json") ? read_json(path, &plan, fault) : read_csv(path, &plan, fault));
    fault->file = path;
    fault->line = fine ? 0 : fault->line;
    fine = fine && check_offsets(&plan, peak, fault);
    free(plan.offset);
    free(plan.live);
    return fine;
}
