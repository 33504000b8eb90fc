#include "harness/job/child_message.h"

#include <unistd.h>

#include "fuzzing.h"
#include "planned_instances.h"

/* Changes a planner may have made to the bytes that its process sends: a place, of which two bytes
   say where, and a byte to put there, again and again; the first byte says of which instance the
   message is and whether its end is missing. What is believed can be walked through. */

static void make_outcome(const struct instance *instance, struct outcome *outcome)
{
    struct error error;
    *outcome = (struct outcome){.status = PLAN_FEASIBLE, .samples = 1};
    fuzzing_require(!search_record_create(&outcome->search, &error));
    if (instance->graph)
        fuzzing_require(!placement_create(instance->graph, &outcome->placement, &error));
    else
        fuzzing_require(!plan_create(instance->problem, &outcome->plan, &error));
    if (outcome->plan)
        fuzzing_require(!extents_add(&outcome->plan->extents, outcome->plan->buffers, 1,
                                     (struct extent){.offset = 8, .bytes = 4}, &error));
}

/* It fits into a pipe. */
static struct text make_message(const struct instance *instance)
{
    struct outcome outcome;
    struct error error = ERROR_NONE;
    struct text message = {0};
    static char bytes[65536];
    int ends[2];
    make_outcome(instance, &outcome);
    fuzzing_require(!pipe(ends) && child_message_write(ends[1], STATUS_OK, &error, &outcome));
    ssize_t length = read(ends[0], bytes, sizeof bytes);
    fuzzing_require(length > 0);
    text_append_bytes(&message, bytes, (size_t)length);
    close(ends[0]);
    close(ends[1]);
    outcome_clear(&outcome);
    return message;
}

static void walk(const struct outcome *outcome)
{
    uint64_t sum = outcome_median_ns(outcome);
    for (uint32_t b = 0; outcome->plan && b < outcome->plan->buffers; b++)
        sum += extents_end(outcome->plan->extents, b, outcome->plan->offset[b], 1);
    for (uint32_t t = 0; outcome->placement && t < outcome->placement->tensors; t++)
        sum += outcome->placement->offset[t];
    for (uint32_t i = 0; outcome->search && i < outcome->search->points; i++)
        sum += outcome->search->point[i].time_ns;
    volatile uint64_t used = sum;
    (void)used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct child_message read;
    static struct outcome outcome;
    struct error error = ERROR_NONE;
    if (!size)
        return 0;
    const struct instance *instance = *data & 1 ? planned_graph() : planned_problem();
    const struct job job = {.instance = instance};
    struct text message = make_message(instance);
    fuzzing_require(child_message_length(&message) == message.length);
    if (*data & 2)
        message.length -= *data >> 2;
    for (size_t i = 1; i + 3 <= size; i += 3)
        message.bytes[(data[i] | (size_t)data[i + 1] << 8) % message.length] = (char)data[i + 2];
    outcome = (struct outcome){0};
    fuzzing_require(!child_message_read(&message, &job, &read, &outcome, &error));
    if (read.whole && !read.status)
        walk(&outcome);
    outcome_clear(&outcome);
    text_free(&message);
    return 0;
}
