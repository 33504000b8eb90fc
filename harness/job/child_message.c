#include "harness/job/child_message.h"

#include <string.h>

#include "core/memory.h"
#include "core/process/subprocess.h"

/* The beginning of a message. Pointers in it mean nothing to the reader. Arrays follow it: the
   offsets of a plan, or offset, block_offset and block_bytes of a placement; then storage ids, if
   there are any; then, where something is split, the arrays `of` and `extent` of its extents; then
   the points of the search record. Which tensors are in place is not sent, since it follows from
   the job. */
struct head {
    size_t length; /* of the whole message, with this head */
    enum status status;
    uint8_t has_plan, has_placement; /* not bool, since a spoiled message may hold any byte here */
    struct error error;
    struct outcome outcome;
    struct plan plan;
    struct placement placement;
    uint8_t is_split, has_storage_ids, has_search;
    uint32_t extents;
    struct search_record search;
};

static const struct extents *get_extents(const struct outcome *outcome)
{
    if (outcome->plan)
        return outcome->plan->extents;
    return outcome->placement ? outcome->placement->extents : NULL;
}

static uint32_t count_items(const struct head *head)
{
    return head->has_plan ? head->plan.buffers : head->placement.tensors;
}

static const uint32_t *get_storage_ids(const struct outcome *outcome)
{
    if (outcome->plan)
        return outcome->plan->storage_id;
    return outcome->placement ? outcome->placement->storage_id : NULL;
}

static bool write_storage_ids(int descriptor, const struct head *head, const uint32_t *ids)
{
    return !ids || subprocess_send(descriptor, ids, count_items(head) * sizeof *ids);
}

static bool write_extents(int descriptor, const struct extents *extents)
{
    return !extents ||
           (subprocess_send(descriptor, extents->of, extents->items * sizeof *extents->of) &&
            subprocess_send(descriptor, extents->extent, extents->count * sizeof *extents->extent));
}

static bool write_arrays(int descriptor, const struct plan *plan, const struct placement *placement)
{
    if (plan && !subprocess_send(descriptor, plan->offset, plan->buffers * sizeof *plan->offset))
        return false;
    if (!placement)
        return true;
    return subprocess_send(descriptor, placement->offset,
                           placement->tensors * sizeof *placement->offset) &&
           subprocess_send(descriptor, placement->block_offset,
                           placement->operators * sizeof *placement->block_offset) &&
           subprocess_send(descriptor, placement->block_bytes,
                           placement->operators * sizeof *placement->block_bytes);
}

static bool write_points(int descriptor, const struct search_record *search)
{
    return !search ||
           subprocess_send(descriptor, search->point, search->points * sizeof *search->point);
}

static size_t count_extent_bytes(const struct head *head, uint32_t items)
{
    return head->is_split
               ? items * sizeof(struct extents_span) + head->extents * sizeof(struct extent)
               : 0;
}

static size_t count_id_bytes(const struct head *head)
{
    return head->has_storage_ids ? count_items(head) * sizeof(uint32_t) : 0;
}

static size_t count_point_bytes(const struct head *head)
{
    return head->has_search ? head->search.points * sizeof(struct search_point) : 0;
}

/* The length of a message, computed from the other fields of its head. */
static size_t count_bytes(const struct head *head)
{
    if (head->status)
        return sizeof *head;
    uint32_t items = count_items(head);
    size_t more = head->has_placement ? 2 * (size_t)head->placement.operators : 0;
    return sizeof *head + (items + more) * sizeof(uint64_t) + count_id_bytes(head) +
           count_extent_bytes(head, items) + count_point_bytes(head);
}

bool child_message_write(int descriptor, enum status status, const struct error *job_error,
                         const struct outcome *outcome)
{
    struct head head;
    memset(&head, 0, sizeof head);
    head.status = status;
    if (status) {
        head.error = *job_error;
        head.length = count_bytes(&head);
        return subprocess_send(descriptor, &head, sizeof head);
    }
    head.outcome = *outcome;
    if (outcome->plan) {
        head.has_plan = true;
        head.plan = *outcome->plan;
    }
    if (outcome->placement) {
        head.has_placement = true;
        head.placement = *outcome->placement;
    }
    const struct extents *extents = get_extents(outcome);
    head.has_storage_ids = get_storage_ids(outcome) != NULL;
    head.is_split = extents != NULL;
    head.extents = extents ? extents->count : 0;
    if (outcome->search) {
        head.has_search = true;
        head.search = *outcome->search;
    }
    head.length = count_bytes(&head);
    return subprocess_send(descriptor, &head, sizeof head) &&
           write_arrays(descriptor, outcome->plan, outcome->placement) &&
           write_storage_ids(descriptor, &head, get_storage_ids(outcome)) &&
           write_extents(descriptor, extents) && write_points(descriptor, outcome->search);
}

/* Whether all numbers that serve as indices, and all counts that give the lengths of arrays, are in
   their ranges. */
static bool is_sound(const struct head *head, const struct job *job, size_t length)
{
    const struct graph *graph = job->instance->graph;
    if (head->status)
        return head->status <= STATUS_INTERNAL && length == sizeof *head;
    if (!head->has_plan != !!graph || !head->has_placement != !graph ||
        head->outcome.status >= PLAN_STATUSES || !head->outcome.samples ||
        head->outcome.samples > OUTCOME_MOST_SAMPLES)
        return false;
    if (length != count_bytes(head))
        return false;
    if (!graph)
        return head->plan.status < PLAN_STATUSES &&
               head->plan.buffers == job->instance->problem->buffers;
    return head->placement.status < PLAN_STATUSES && head->placement.tensors == graph->tensors &&
           head->placement.operators == graph->operators;
}

/* The span of an item's extents; `arrays` points to the bytes in which extents are sent. */
static struct extents_span get_span(const char *arrays, uint32_t item)
{
    struct extents_span span;
    memcpy(&span, arrays + item * sizeof span, sizeof span);
    return span;
}

static bool spans_are_sound(const struct head *head, const char *arrays, uint32_t items)
{
    uint64_t count = 0;
    for (uint32_t i = 0; head->is_split && i < items; i++) {
        struct extents_span span = get_span(arrays, i);
        if (span.count > head->extents || span.first > head->extents - span.count)
            return false;
        count += span.count;
    }
    return count == head->extents;
}

static bool extents_are_sound(const struct head *head, const char *end)
{
    uint32_t items = count_items(head);
    return head->status || spans_are_sound(head, end - count_extent_bytes(head, items), items);
}

static enum status read_extents(const struct head *head, const char *arrays, uint32_t items,
                                struct extents **extents, struct error *error)
{
    const char *list = arrays + items * sizeof(struct extents_span);
    for (uint32_t i = 0; head->is_split && i < items; i++) {
        struct extents_span span = get_span(arrays, i);
        for (uint32_t e = span.first; e < span.first + span.count; e++) {
            struct extent extent;
            memcpy(&extent, list + e * sizeof extent, sizeof extent);
            TRY(extents_add(extents, items, i, extent, error));
        }
    }
    return STATUS_OK;
}

/* Reads the storage ids, if there are any, and moves *arrays behind them. */
static enum status read_storage_ids(const struct head *head, const char **arrays, uint32_t **ids,
                                    struct error *error)
{
    if (!head->has_storage_ids)
        return STATUS_OK;
    TRY(memory_create(ids, count_items(head), sizeof **ids, error));
    memcpy(*ids, *arrays, count_id_bytes(head));
    *arrays += count_id_bytes(head);
    return STATUS_OK;
}

static enum status read_plan(const struct head *head, const char *arrays, const struct job *job,
                             struct plan **created, struct error *error)
{
    struct plan *plan;
    TRY(plan_create(job->instance->problem, &plan, error));
    uint64_t *offset = plan->offset;
    *plan = head->plan;
    plan->offset = offset;
    plan->extents = NULL;
    plan->storage_id = NULL;
    plan->search = NULL;
    memcpy(offset, arrays, plan->buffers * sizeof *offset);
    arrays += plan->buffers * sizeof *offset;
    enum status status = read_storage_ids(head, &arrays, &plan->storage_id, error);
    if (!status)
        status = read_extents(head, arrays, plan->buffers, &plan->extents, error);
    if (status)
        plan_free(plan);
    else
        *created = plan;
    return status;
}

static void take_placement(const struct head *head, const char **arrays,
                           struct placement *placement)
{
    const struct placement own = *placement;
    uint64_t *const to[] = {own.offset, own.block_offset, own.block_bytes};
    const uint32_t count[] = {own.tensors, own.operators, own.operators};
    *placement = head->placement;
    placement->offset = own.offset;
    placement->extents = NULL;
    placement->storage_id = NULL;
    placement->overwrites = own.overwrites;
    placement->is_view = own.is_view;
    placement->block_offset = own.block_offset;
    placement->block_bytes = own.block_bytes;
    for (int i = 0; i < 3; i++) {
        memcpy(to[i], *arrays, count[i] * sizeof *to[i]);
        *arrays += count[i] * sizeof *to[i];
    }
}

static enum status read_placement(const struct head *head, const char *arrays,
                                  const struct job *job, struct placement **created,
                                  struct error *error)
{
    const struct graph *graph = job->instance->graph;
    struct placement *placement;
    enum status status;
    TRY(placement_create(graph, &placement, error));
    TRY_OR_DONE(status, inplace_apply(graph, &job->inplace, placement, error));
    take_placement(head, &arrays, placement);
    TRY_OR_DONE(status, read_storage_ids(head, &arrays, &placement->storage_id, error));
    TRY_OR_DONE(status, read_extents(head, arrays, graph->tensors, &placement->extents, error));
    *created = placement;
done:
    if (status)
        placement_free(placement);
    return status;
}

static enum status read_search(const struct head *head, const char *points,
                               struct search_record **created, struct error *error)
{
    struct search_record *search;
    if (!head->has_search)
        return STATUS_OK;
    TRY(search_record_create(&search, error));
    *search = head->search;
    search->capacity = 0;
    search->point = NULL;
    enum status status = memory_reserve(&search->point, &search->capacity, search->points,
                                        sizeof *search->point, error);
    if (status) {
        search_record_free(search);
        return status;
    }
    if (search->points)
        memcpy(search->point, points, search->points * sizeof *search->point);
    *created = search;
    return STATUS_OK;
}

size_t child_message_length(const struct text *bytes)
{
    struct head head;
    if (bytes->length < sizeof head)
        return 0;
    memcpy(&head, bytes->bytes, sizeof head);
    return head.length;
}

enum status child_message_read(const struct text *bytes, const struct job *job,
                               struct child_message *message, struct outcome *outcome,
                               struct error *error)
{
    struct head head;
    message->whole = false;
    if (bytes->length < sizeof head)
        return STATUS_OK;
    memcpy(&head, bytes->bytes, sizeof head);
    if (!is_sound(&head, job, bytes->length))
        return STATUS_OK;
    const char *points = bytes->bytes + bytes->length - count_point_bytes(&head);
    if (!extents_are_sound(&head, points))
        return STATUS_OK;
    message->whole = true;
    message->status = head.status;
    head.error.text[sizeof head.error.text - 1] = '\0';
    head.error.file[sizeof head.error.file - 1] = '\0';
    head.outcome.stop_reason[sizeof head.outcome.stop_reason - 1] = '\0';
    message->error = head.error;
    *outcome = head.outcome;
    outcome->plan = NULL;
    outcome->placement = NULL;
    outcome->search = NULL;
    if (head.status)
        return STATUS_OK;
    TRY(read_search(&head, points, &outcome->search, error));
    if (head.has_plan)
        return read_plan(&head, bytes->bytes + sizeof head, job, &outcome->plan, error);
    if (head.has_placement)
        return read_placement(&head, bytes->bytes + sizeof head, job, &outcome->placement, error);
    return STATUS_OK;
}
