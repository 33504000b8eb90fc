#include "harness/job/child_message.h"

#include <string.h>

#include "core/memory.h"
#include "core/process/subprocess.h"
#include "harness/job/begin.h"

/* The beginning of a message. Pointers in it mean nothing to the reader. The arrays of the outcome
   follow it, each only where there is one. Which tensors are in place is not sent, since it follows
   from the job. */
struct head {
    size_t length; /* of the whole message, with this head */
    enum status status;
    struct error error;
    struct outcome outcome;
    struct outcome_places places; /* its numbers; the plan or placement has them */
    enum plan_status places_status;
    struct measures measures;
    /* Not bool, since a spoiled message may hold any byte here. */
    uint8_t has_places, is_split, has_storage_ids, has_search;
    uint32_t extents;
    struct search_record search;
};

enum array { OFFSETS, BLOCK_OFFSETS, BLOCK_BYTES, STORAGE_IDS, SPANS, EXTENTS, POINTS, ARRAYS };

/* Fills the bytes that each array takes, and returns the length of the message. */
static size_t count_bytes(const struct head *head, size_t bytes[ARRAYS])
{
    size_t items = head->places.items, operators = head->places.operators, length = sizeof *head;
    if (head->status)
        return length;
    bytes[OFFSETS] = items * sizeof(uint64_t);
    bytes[BLOCK_OFFSETS] = bytes[BLOCK_BYTES] = operators * sizeof(uint64_t);
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
    size_t bytes[ARRAYS] = {0};
    struct head head;
    memset(&head, 0, sizeof head);
    head.status = status;
    if (status) {
        head.error = *job_error;
    } else {
        head.outcome = *outcome;
        head.has_places = outcome->plan || outcome->placement;
    }
    if (head.has_places) {
        const struct outcome_places places = head.places = outcome_places(outcome);
        head.places_status = *places.status;
        head.measures = *places.measures;
        array[OFFSETS] = places.offset;
        array[BLOCK_OFFSETS] = places.block_offset;
        array[BLOCK_BYTES] = places.block_bytes;
        array[STORAGE_IDS] = *places.storage_id;
        head.has_storage_ids = *places.storage_id != NULL;
        head.is_split = *places.extents != NULL;
        if (head.is_split) {
            head.extents = (*places.extents)->count;
            array[SPANS] = (*places.extents)->of;
            array[EXTENTS] = (*places.extents)->extent;
        }
    }
    if (!status && outcome->search) {
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

/* A message that is being read: its head, and where its arrays are. */
struct reading {
    const struct head *head;
    const char *array[ARRAYS];
    size_t bytes[ARRAYS];
};

static struct extents_span get_span(const struct reading *reading, uint32_t item)
{
    struct extents_span span;
    memcpy(&span, reading->array[SPANS] + item * sizeof span, sizeof span);
    return span;
}

/* Whether all numbers that serve as indices, and all counts that give the lengths of arrays, are in
   their ranges. Where the arrays are is known then. */
static bool is_sound(const struct text *bytes, const struct job *job, struct reading *reading)
{
    const struct head *head = reading->head;
    const struct graph *graph = job->instance->graph;
    uint32_t items = graph ? graph->tensors : job->instance->problem->buffers;
    uint64_t count = 0;
    if (head->status)
        return head->status <= STATUS_INTERNAL && bytes->length == sizeof *head;
    if (!head->has_places || head->places.items != items ||
        head->places.operators != (graph ? graph->operators : 0) ||
        head->places_status >= PLAN_STATUSES || head->outcome.status >= PLAN_STATUSES ||
        !head->outcome.samples || head->outcome.samples > OUTCOME_MOST_SAMPLES ||
        bytes->length != count_bytes(head, reading->bytes))
        return false;
    reading->array[0] = bytes->bytes + sizeof *head;
    for (int i = 1; i < ARRAYS; i++)
        reading->array[i] = reading->array[i - 1] + reading->bytes[i - 1];
    for (uint32_t i = 0; head->is_split && i < items; i++) {
        struct extents_span span = get_span(reading, i);
        if (span.count > head->extents || span.first > head->extents - span.count)
            return false;
        count += span.count;
    }
    return count == head->extents;
}

static void copy_array(const struct reading *reading, enum array which, void *to)
{
    if (reading->bytes[which])
        memcpy(to, reading->array[which], reading->bytes[which]);
}

static enum status read_places(const struct reading *reading, const struct job *job,
                               struct outcome *outcome, struct error *error)
{
    const struct head *head = reading->head;
    TRY(job_begin(job, outcome, error));
    struct outcome_places places = outcome_places(outcome);
    *places.status = head->places_status;
    *places.measures = head->measures;
    copy_array(reading, OFFSETS, places.offset);
    copy_array(reading, BLOCK_OFFSETS, places.block_offset);
    copy_array(reading, BLOCK_BYTES, places.block_bytes);
    if (head->has_storage_ids) {
        TRY(memory_create(places.storage_id, places.items, sizeof **places.storage_id, error));
        copy_array(reading, STORAGE_IDS, *places.storage_id);
    }
    for (uint32_t i = 0; head->is_split && i < places.items; i++) {
        struct extents_span span = get_span(reading, i);
        for (uint32_t e = span.first; e < span.first + span.count; e++) {
            struct extent extent;
            memcpy(&extent, reading->array[EXTENTS] + e * sizeof extent, sizeof extent);
            TRY(extents_add(places.extents, places.items, i, extent, error));
        }
    }
    return STATUS_OK;
}

static enum status read_search(const struct reading *reading, struct search_record **created,
                               struct error *error)
{
    const struct search_record *sent = &reading->head->search;
    if (!reading->head->has_search)
        return STATUS_OK;
    TRY(search_record_create(created, error));
    struct search_record *search = *created;
    TRY(memory_reserve(&search->point, &search->capacity, sent->points, sizeof *search->point,
                       error));
    memcpy(search->counter, sent->counter, sizeof search->counter);
    search->time_to_best_ns = sent->time_to_best_ns;
    search->points = sent->points;
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
    struct reading reading = {.head = &head};
    message->whole = false;
    if (bytes->length < sizeof head)
        return STATUS_OK;
    memcpy(&head, bytes->bytes, sizeof head);
    if (!is_sound(bytes, job, &reading))
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
    enum status status = read_search(&reading, &outcome->search, error);
    if (!status)
        status = read_places(&reading, job, outcome, error);
    if (status)
        outcome_clear(outcome);
    return status;
}
