#include "heuristics/ours/dive.h"

#include "heuristics/ours/dive_lists.h"
#include "heuristics/ours/dive_trees.h"

/* Dives along lists or along trees; the other of the two is NULL. */
struct dive {
    struct dive_lists *lists;
    struct dive_trees *trees;
    struct section_spans spans; /* of the trees */
    struct dive_failures failures;
    uint32_t sections;
    uint32_t *member; /* members of the section that was last asked about */
};

enum status dive_create(const struct problem *problem, uint64_t list_bytes, struct dive **created,
                        struct scratch *scratch, struct error *error)
{
    struct dive *dive;
    TRY(scratch_take(scratch, &dive, 1, sizeof *dive, error));
    *created = dive;
    TRY(section_spans_create(problem, &dive->spans, scratch, error));
    bool listed =
        problem->buffers <= DIVE_LISTED_BUFFERS && dive_lists_bytes(&dive->spans) <= list_bytes;
    TRY(scratch_take(scratch, &dive->member, (size_t)dive->spans.most_live + 1,
                     sizeof *dive->member, error));
    if (listed) {
        TRY(dive_lists_create(problem, &dive->lists, scratch, error));
        dive->sections = dive_lists_sections(dive->lists);
    } else {
        TRY(dive_trees_create(problem, &dive->spans, &dive->trees, scratch, error));
        dive->sections = dive_trees_sections(dive->trees);
    }
    TRY(scratch_take(scratch, &dive->failures.count, dive->sections, sizeof(uint64_t), error));
    return scratch_take(scratch, &dive->failures.section, dive->sections, sizeof(uint32_t), error);
}

void dive_free(struct dive *dive)
{
    if (!dive)
        return;
    dive_lists_free(dive->lists);
    dive_trees_free(dive->trees);
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
