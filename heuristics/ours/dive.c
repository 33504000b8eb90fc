#include "heuristics/ours/dive.h"

#include "core/memory.h"
#include "heuristics/ours/dive_lists.h"
#include "heuristics/ours/dive_trees.h"

/* Dives along lists or along trees; the other of the two is NULL. */
struct dive {
    struct dive_lists *lists;
    struct dive_trees *trees;
    struct dive_failures failures;
    uint32_t sections;
    uint32_t *member; /* members of the section that was last asked about */
};

static enum status fill_dive(struct dive *dive, const struct problem *problem, uint64_t list_bytes,
                             struct error *error)
{
    struct section_spans spans;
    TRY(section_spans_create(problem, &spans, error));
    bool fits = problem->buffers <= DIVE_LISTED_BUFFERS && dive_lists_bytes(&spans) <= list_bytes;
    enum status status =
        memory_create(&dive->member, (size_t)spans.most_live + 1, sizeof *dive->member, error);
    if (!status && !fits)
        return dive_trees_create(problem, &spans, &dive->trees, error);
    section_spans_free(&spans);
    return status ? status : dive_lists_create(problem, &dive->lists, error);
}

enum status dive_create(const struct problem *problem, uint64_t list_bytes, struct dive **created,
                        struct error *error)
{
    struct dive *dive;
    TRY(memory_create(&dive, 1, sizeof *dive, error));
    enum status status = fill_dive(dive, problem, list_bytes, error);
    if (!status) {
        dive->sections =
            dive->lists ? dive_lists_sections(dive->lists) : dive_trees_sections(dive->trees);
        status = dive_failures_create(&dive->failures, dive->sections, error);
    }
    if (status)
        dive_free(dive);
    else
        *created = dive;
    return status;
}

void dive_free(struct dive *dive)
{
    if (!dive)
        return;
    dive_lists_free(dive->lists);
    dive_trees_free(dive->trees);
    dive_failures_free(&dive->failures);
    memory_free(dive->member);
    memory_free(dive);
}

uint64_t dive_order(struct dive *dive, const struct dive_task *task)
{
    return dive->lists ? dive_lists_order(dive->lists, task, &dive->failures)
                       : dive_trees_order(dive->trees, task, &dive->failures);
}

uint32_t dive_sections(const struct dive *dive)
{
    return dive->sections;
}

uint32_t dive_failed(const struct dive *dive)
{
    return dive->failures.last;
}

uint32_t dive_members(struct dive *dive, uint32_t section, const uint32_t **member)
{
    *member = dive->member;
    return dive->lists ? dive_lists_members(dive->lists, section, dive->member)
                       : dive_trees_members(dive->trees, section, dive->member);
}
