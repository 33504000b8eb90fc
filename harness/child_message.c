#include "harness/child_message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Pointers in it mean nothing to the reader. The arrays follow: offset of a plan, or offset,
   block_offset and block_bytes of a placement. */
struct head {
    enum status status;
    bool has_plan, has_placement;
    struct error error;
    struct outcome outcome;
    struct plan plan;
    struct placement placement;
};

static bool write_bytes(int descriptor, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        ssize_t written = write(descriptor, at, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            at += written;
            length -= (size_t)written;
        }
    }
    return true;
}

static bool write_arrays(int descriptor, const struct plan *plan, const struct placement *placement)
{
    if (plan && !write_bytes(descriptor, plan->offset, plan->buffers * sizeof *plan->offset))
        return false;
    if (!placement)
        return true;
    return write_bytes(descriptor, placement->offset,
                       placement->tensors * sizeof *placement->offset) &&
           write_bytes(descriptor, placement->block_offset,
                       placement->operators * sizeof *placement->block_offset) &&
           write_bytes(descriptor, placement->block_bytes,
                       placement->operators * sizeof *placement->block_bytes);
}

bool child_message_write(int descriptor, enum status status, const struct error *job_error,
                         const struct outcome *outcome)
{
    struct head head;
    memset(&head, 0, sizeof head);
    head.status = status;
    if (status) {
        head.error = *job_error;
        return write_bytes(descriptor, &head, sizeof head);
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
    return write_bytes(descriptor, &head, sizeof head) &&
           write_arrays(descriptor, outcome->plan, outcome->placement);
}

/* Numbers that index something, and counts that say how long the arrays are. */
static bool is_sound(const struct head *head, const struct job *job, size_t length)
{
    const struct graph *graph = job->instance->graph;
    if (head->status)
        return head->status <= STATUS_INTERNAL && length == sizeof *head;
    if (head->has_plan != !graph || head->has_placement != !!graph ||
        head->outcome.status >= PLAN_STATUSES || !head->outcome.samples ||
        head->outcome.samples > JOB_MOST_SAMPLES)
        return false;
    if (!graph)
        return head->plan.status < PLAN_STATUSES &&
               head->plan.buffers == job->instance->problem->buffers &&
               length == sizeof *head + head->plan.buffers * sizeof(uint64_t);
    return head->placement.status < PLAN_STATUSES && head->placement.tensors == graph->tensors &&
           head->placement.operators == graph->operators &&
           length ==
               sizeof *head + (graph->tensors + 2 * (size_t)graph->operators) * sizeof(uint64_t);
}

static enum status read_plan(const struct head *head, const char *arrays, const struct job *job,
                             struct plan **plan, struct error *error)
{
    TRY(plan_create(job->instance->problem, plan, error));
    uint64_t *offset = (*plan)->offset;
    **plan = head->plan;
    (*plan)->offset = offset;
    memcpy(offset, arrays, head->plan.buffers * sizeof *offset);
    return STATUS_OK;
}

static enum status read_placement(const struct head *head, const char *arrays,
                                  const struct job *job, struct placement **created,
                                  struct error *error)
{
    struct placement *placement;
    TRY(placement_create(job->instance->graph, &placement, error));
    uint64_t *const to[] = {placement->offset, placement->block_offset, placement->block_bytes};
    const uint32_t count[] = {placement->tensors, placement->operators, placement->operators};
    *placement = head->placement;
    placement->offset = to[0];
    placement->block_offset = to[1];
    placement->block_bytes = to[2];
    for (int i = 0; i < 3; i++) {
        memcpy(to[i], arrays, count[i] * sizeof *to[i]);
        arrays += count[i] * sizeof *to[i];
    }
    *created = placement;
    return STATUS_OK;
}

enum status child_message_read(const struct text *bytes, const struct job *job, bool *whole,
                               enum status *job_status, struct outcome *outcome,
                               struct error *job_error, struct error *error)
{
    struct head head;
    *whole = false;
    if (bytes->length < sizeof head)
        return STATUS_OK;
    memcpy(&head, bytes->bytes, sizeof head);
    if (!is_sound(&head, job, bytes->length))
        return STATUS_OK;
    *whole = true;
    *job_status = head.status;
    head.error.text[sizeof head.error.text - 1] = '\0';
    head.error.file[sizeof head.error.file - 1] = '\0';
    head.outcome.stop_reason[sizeof head.outcome.stop_reason - 1] = '\0';
    *job_error = head.error;
    *outcome = head.outcome;
    outcome->plan = NULL;
    outcome->placement = NULL;
    if (head.has_plan)
        return read_plan(&head, bytes->bytes + sizeof head, job, &outcome->plan, error);
    if (head.has_placement)
        return read_placement(&head, bytes->bytes + sizeof head, job, &outcome->placement, error);
    return STATUS_OK;
}
