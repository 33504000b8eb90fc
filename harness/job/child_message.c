#include "harness/job/child_message.h"

#include <string.h>

#include "core/memory.h"
#include "core/process/subprocess.h"

/* The beginning of a message. Pointers in it mean nothing to the reader. The arrays of the outcome
   follow it, each only where there is one. Which tensors are in place is not sent, since it follows
   from the job. */
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

enum array { OFFSETS, BLOCK_OFFSETS, BLOCK_BYTES, STORAGE_IDS, SPANS, EXTENTS, POINTS, ARRAYS };

static uint32_t count_items(const struct head *head)
{
    return head->has_plan ? head->plan.buffers : head->placement.tensors;
}

/* Fills the bytes that each array takes, and returns the length of the message. */
static size_t count_bytes(const struct head *head, size_t bytes[ARRAYS])
{
    size_t items = count_items(head), length = sizeof *head;
    if (head->status)
        return length;
    bytes[OFFSETS] = items * sizeof(uint64_t);
    bytes[BLOCK_OFFSETS] = head->has_placement ? head->placement.operators * sizeof(uint64_t) : 0;
    bytes[BLOCK_BYTES] = bytes[BLOCK_OFFSETS];
    bytes[STORAGE_IDS] = head->has_storage_ids ? items * sizeof(uint32_t) : 0;
    bytes[SPANS] = head->is_split ? items * sizeof(struct extents_span) : 0;
    bytes[EXTENTS] = head->is_split ? head->extents * sizeof(struct extent) : 0;
    bytes[POINTS] = head->has_search ? head->search.points * sizeof(struct search_point) : 0;
    for (int i = 0; i < ARRAYS; i++)
        length += bytes[i];
    return length;
}

bool child_message_write(int descriptor, enum status status, const struct error *job_error,
                         const struct outcome *outcome)
{
    const void *array[ARRAYS] = {NULL};
    const struct extents *extents = NULL;
    size_t bytes[ARRAYS];
    struct head head;
    memset(&head, 0, sizeof head);
    head.status = status;
    if (status) {
        head.error = *job_error;
        head.length = sizeof head;
        return subprocess_send(descriptor, &head, sizeof head);
    }
    head.outcome = *outcome;
    if (outcome->plan) {
        head.has_plan = true;
        head.plan = *outcome->plan;
        array[OFFSETS] = head.plan.offset;
        array[STORAGE_IDS] = head.plan.storage_id;
        extents = head.plan.extents;
    } else if (outcome->placement) {
        head.has_placement = true;
        head.placement = *outcome->placement;
        array[OFFSETS] = head.placement.offset;
        array[BLOCK_OFFSETS] = head.placement.block_offset;
        array[BLOCK_BYTES] = head.placement.block_bytes;
        array[STORAGE_IDS] = head.placement.storage_id;
        extents = head.placement.extents;
    }
    head.has_storage_ids = array[STORAGE_IDS] != NULL;
    if (extents) {
        head.is_split = true;
        head.extents = extents->count;
        array[SPANS] = extents->of;
        array[EXTENTS] = extents->extent;
    }
    if (outcome->search) {
        head.has_search = true;
        head.search = *outcome->search;
        array[POINTS] = head.search.point;
    }
    head.length = count_bytes(&head, bytes);
    bool sent = subprocess_send(descriptor, &head, sizeof head);
    for (int i = 0; i < ARRAYS; i++)
        sent = sent && (!bytes[i] || subprocess_send(descriptor, array[i], bytes[i]));
    return sent;
}

/* Whether all numbers that serve as indices, and all counts that give the lengths of arrays, are in
   their ranges. */
static bool is_sound(const struct head *head, const struct job *job, size_t length)
{
    const struct graph *graph = job->instance->graph;
    size_t bytes[ARRAYS];
    if (head->status)
        return head->status <= STATUS_INTERNAL && length == sizeof *head;
    if (!head->has_plan != !!graph || !head->has_placement != !graph ||
        head->outcome.status >= PLAN_STATUSES || !head->outcome.samples ||
        head->outcome.samples > OUTCOME_MOST_SAMPLES || length != count_bytes(head, bytes))
        return false;
    if (!graph)
        return head->plan.status < PLAN_STATUSES &&
               head->plan.buffers == job->instance->problem->buffers;
    return head->placement.status < PLAN_STATUSES && head->placement.tensors == graph->tensors &&
           head->placement.operators == graph->operators;
}

/* A message that is being read: its head, and where its arrays are. */
struct reading {
    const struct head *head;
    const struct job *job;
    const char *array[ARRAYS];
    size_t bytes[ARRAYS];
};

static struct extents_span get_span(const struct reading *reading, uint32_t item)
{
    struct extents_span span;
    memcpy(&span, reading->array[SPANS] + item * sizeof span, sizeof span);
    return span;
}

static bool spans_are_sound(const struct reading *reading)
{
    const struct head *head = reading->head;
    uint64_t count = 0;
    for (uint32_t i = 0; head->is_split && i < count_items(head); i++) {
        struct extents_span span = get_span(reading, i);
        if (span.count > head->extents || span.first > head->extents - span.count)
            return false;
        count += span.count;
    }
    return count == head->extents;
}

static enum status read_extents(const struct reading *reading, struct extents **extents,
                                struct error *error)
{
    uint32_t items = count_items(reading->head);
    for (uint32_t i = 0; reading->head->is_split && i < items; i++) {
        struct extents_span span = get_span(reading, i);
        for (uint32_t e = span.first; e < span.first + span.count; e++) {
            struct extent extent;
            memcpy(&extent, reading->array[EXTENTS] + e * sizeof extent, sizeof extent);
            TRY(extents_add(extents, items, i, extent, error));
        }
    }
    return STATUS_OK;
}

static void copy_array(const struct reading *reading, enum array which, void *to)
{
    if (reading->bytes[which])
        memcpy(to, reading->array[which], reading->bytes[which]);
}

static enum status read_storage_ids(const struct reading *reading, uint32_t **ids,
                                    struct error *error)
{
    if (!reading->head->has_storage_ids)
        return STATUS_OK;
    TRY(memory_create(ids, count_items(reading->head), sizeof **ids, error));
    copy_array(reading, STORAGE_IDS, *ids);
    return STATUS_OK;
}

static enum status read_plan(const struct reading *reading, struct plan **created,
                             struct error *error)
{
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(plan_create(reading->job->instance->problem, &plan, error));
    uint64_t *offset = plan->offset;
    *plan = reading->head->plan;
    plan->offset = offset;
    plan->extents = NULL;
    plan->storage_id = NULL;
    plan->search = NULL;
    copy_array(reading, OFFSETS, offset);
    TRY(read_storage_ids(reading, &plan->storage_id, error));
    TRY(read_extents(reading, &plan->extents, error));
    *created = plan;
    plan = NULL;
    return STATUS_OK;
}

static enum status read_placement(const struct reading *reading, struct placement **created,
                                  struct error *error)
{
    const struct graph *graph = reading->job->instance->graph;
    SCOPED(placement_release) struct placement *placement = NULL;
    TRY(placement_create(graph, &placement, error));
    TRY(inplace_apply(graph, &reading->job->inplace, placement, error));
    const struct placement own = *placement;
    *placement = reading->head->placement;
    placement->offset = own.offset;
    placement->extents = NULL;
    placement->storage_id = NULL;
    placement->overwrites = own.overwrites;
    placement->is_view = own.is_view;
    placement->block_offset = own.block_offset;
    placement->block_bytes = own.block_bytes;
    copy_array(reading, OFFSETS, own.offset);
    copy_array(reading, BLOCK_OFFSETS, own.block_offset);
    copy_array(reading, BLOCK_BYTES, own.block_bytes);
    TRY(read_storage_ids(reading, &placement->storage_id, error));
    TRY(read_extents(reading, &placement->extents, error));
    *created = placement;
    placement = NULL;
    return STATUS_OK;
}

static enum status read_search(const struct reading *reading, struct search_record **created,
                               struct error *error)
{
    if (!reading->head->has_search)
        return STATUS_OK;
    TRY(search_record_create(created, error));
    struct search_record *search = *created;
    *search = reading->head->search;
    search->capacity = 0;
    search->point = NULL;
    search->points = 0;
    TRY(memory_reserve(&search->point, &search->capacity, reading->head->search.points,
                       sizeof *search->point, error));
    search->points = reading->head->search.points;
    copy_array(reading, POINTS, search->point);
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
    struct reading reading = {.head = &head, .job = job};
    message->whole = false;
    if (bytes->length < sizeof head)
        return STATUS_OK;
    memcpy(&head, bytes->bytes, sizeof head);
    if (!is_sound(&head, job, bytes->length))
        return STATUS_OK;
    count_bytes(&head, reading.bytes);
    reading.array[0] = bytes->bytes + sizeof head;
    for (int i = 1; i < ARRAYS; i++)
        reading.array[i] = reading.array[i - 1] + reading.bytes[i - 1];
    if (!head.status && !spans_are_sound(&reading))
        return STATUS_OK;
    head.error.text[sizeof head.error.text - 1] = '\0';
    head.error.file[sizeof head.error.file - 1] = '\0';
    head.outcome.stop_reason[sizeof head.outcome.stop_reason - 1] = '\0';
    *message = (struct child_message){.whole = true, .status = head.status, .error = head.error};
    *outcome = head.outcome;
    outcome->plan = NULL;
    outcome->placement = NULL;
    outcome->search = NULL;
    if (head.status)
        return STATUS_OK;
    TRY(read_search(&reading, &outcome->search, error));
    return head.has_plan ? read_plan(&reading, &outcome->plan, error)
                         : read_placement(&reading, &outcome->placement, error);
}
