#include "harness/orders/order_process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/process/ending.h"
#include "planning/order/find_order.h"

/* What the process has to do. */
struct question {
    const struct order_row *row;
    const struct graph_order_task *task;
};

/* What it answers; the operators of the order follow where status is STATUS_OK. */
struct head {
    enum status status;
    struct error error;
    struct order_report report;
    uint64_t wall_ns;
};

static int answer_question(const void *context, int answer)
{
    const struct question *question = context;
    const struct graph *graph = question->task->graph;
    struct graph_order *order = NULL;
    struct head head;
    uint64_t began_ns = clock_monotonic_ns();
    memset(&head, 0, sizeof head);
    head.status =
        graph_order_find(question->row, question->task, &order, &head.report, &head.error);
    head.wall_ns = clock_monotonic_ns() - began_ns;
    bool sent =
        subprocess_send(answer, &head, sizeof head) &&
        (head.status || subprocess_send(answer, order->op, graph->operators * sizeof *order->op));
    return sent ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Makes an order of the operators that the process sent, with the regions in their places. *created
   stays NULL where a region does not get each of its own once: an order may have spoiled what is
   sent. */
static enum status read_order(const char *bytes, const struct graph *graph,
                              struct graph_order **created, struct error *error)
{
    SCOPED(memory_release) bool *seen = NULL;
    SCOPED(graph_order_release) struct graph_order *order = NULL;
    TRY(memory_create(&seen, graph->operators, sizeof *seen, error));
    TRY(graph_order_create(graph, &order, error));
    memcpy(order->op, bytes, graph->operators * sizeof *order->op);
    for (uint32_t r = 0; r < graph->regions; r++)
        for (uint32_t i = order->first[r]; i < order->first[r + 1]; i++) {
            uint32_t op = order->op[i];
            if (op >= graph->operators || seen[op] || graph->op[op].region != r)
                return STATUS_OK;
            seen[op] = true;
        }
    HAND_OVER(order, created);
}

static enum status read_answer(const struct question *question,
                               const struct subprocess_result *result, uint64_t memory_kills,
                               struct order_answer *answer, struct error *error)
{
    static const enum plan_status statuses[] = {[ENDING_TIME] = PLAN_TIMEOUT,
                                                [ENDING_MEMORY] = PLAN_MEMOUT,
                                                [ENDING_CRASH] = PLAN_CRASH,
                                                [ENDING_SOMEBODY] = PLAN_CRASH};
    const struct graph *graph = question->task->graph;
    const struct text *bytes = &result->answer;
    const char *name = question->row->name;
    struct head head = {.status = STATUS_OK};
    if (bytes->length >= sizeof head)
        memcpy(&head, bytes->bytes, sizeof head);
    head.error.text[sizeof head.error.text - 1] = '\0';
    head.error.file[sizeof head.error.file - 1] = '\0';
    head.report.said[sizeof head.report.said - 1] = '\0';
    bool is_sound = head.status <= STATUS_INTERNAL && head.report.status < PLAN_STATUSES;
    if (bytes->length == sizeof head && head.status && is_sound) {
        bool limited = question->task->memory_limit_bytes < UINT64_MAX;
        if (limited && error_is_no_memory(&head.error)) {
            answer->report.status = PLAN_MEMOUT;
            return error_set(error, STATUS_LIMIT, "order %s: memory limit", name);
        }
        *error = head.error;
        return head.status;
    }
    if (bytes->length == sizeof head + graph->operators * sizeof(uint32_t) && is_sound)
        TRY(read_order(bytes->bytes + sizeof head, graph, &answer->order, error));
    if (!answer->order) {
        const struct ending ending = ending_judge(result, memory_kills);
        answer->report.status = statuses[ending.kind];
        return error_set(error, answer->report.status == PLAN_CRASH ? STATUS_NO : STATUS_LIMIT,
                         "order %s: %s", name, ending.reason);
    }
    answer->report = head.report;
    answer->wall_ns = head.wall_ns;
    if (plan_status_is_found(head.report.status))
        return STATUS_OK;
    return error_set(error, STATUS_LIMIT, "order %s found none: %s%s%s", name,
                     plan_status_name(head.report.status), *head.report.said ? "; it said: " : "",
                     head.report.said);
}

static uint64_t add_grace(uint64_t limit, uint64_t grace)
{
    grace += limit / 4;
    return limit < UINT64_MAX - grace ? limit + grace : UINT64_MAX;
}

enum status order_process_find(const struct order_row *row, const struct graph_order_task *task,
                               struct order_answer *answer, struct error *error)
{
    static const uint64_t grace_ns = UINT64_C(5000000000), grace_bytes = UINT64_C(64) << 20;
    const struct question question = {row, task};
    uint64_t memory_limit_bytes = add_grace(task->memory_limit_bytes, grace_bytes);
    uint64_t memory_kills = ending_memory_kills();
    struct subprocess_result result;
    const struct subprocess_task subtask = {
        .function = answer_question,
        .context = &question,
        .output = STDERR_FILENO,
        .errors = STDERR_FILENO,
        .deadline_ns = clock_deadline_ns(add_grace(task->time_limit_ns, grace_ns)),
        .memory_limit_bytes = memory_limit_bytes < UINT64_MAX ? memory_limit_bytes : 0};
    *answer = (struct order_answer){.order = NULL};
    TRY(subprocess_run(&subtask, &result, error));
    enum status status = read_answer(&question, &result, memory_kills, answer, error);
    text_free(&result.answer);
    if (status) {
        graph_order_free(answer->order);
        answer->order = NULL;
    }
    return status;
}
