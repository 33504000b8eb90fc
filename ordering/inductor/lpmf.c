/* Inductor's least peak memory first. Of the operators that may run, those that do not raise the
   most bytes taken so far come first, by bytes left less bytes freed. If each of them raises it,
   the one that allocates least comes first, then by the same difference. The most so far begins
   with the bytes of the graph's inputs or of its outputs, whichever are more. Ties keep the stored
   order. A tree over the operators, sorted by what they allocate, has in each node the best waiting
   operator of its part, so that no step looks at all that wait. (Commits around 0095bd8a lower the
   live bytes by what another operator frees; the rule here is the one that was meant.) */

#include <string.h>

#include "core/binary_search.h"
#include "core/sort.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

struct lpmf {
    struct order_run run;
    uint64_t most_bytes; /* so far */
    uint32_t *by_alloc;  /* [operators] ascending */
    uint32_t *place;     /* [operators] in by_alloc */
    int64_t *net;        /* [operators] bytes left less bytes freed */
    uint32_t leaves;     /* a power of two */
    uint32_t *best;      /* [2 * leaves] operator, ORDER_NONE; node n is above 2 n and 2 n + 1 */
};

static uint32_t pick_better(const struct lpmf *lpmf, uint32_t a, uint32_t b)
{
    if (a == ORDER_NONE || b == ORDER_NONE)
        return a == ORDER_NONE ? b : a;
    if (lpmf->net[a] != lpmf->net[b])
        return lpmf->net[a] < lpmf->net[b] ? a : b;
    return a < b ? a : b;
}

static void set_leaf(struct lpmf *lpmf, uint32_t op, bool waits)
{
    uint32_t node = lpmf->leaves + lpmf->place[op];
    lpmf->best[node] = waits ? op : ORDER_NONE;
    while (node > 1) {
        node /= 2;
        lpmf->best[node] = pick_better(lpmf, lpmf->best[2 * node], lpmf->best[2 * node + 1]);
    }
}

static void rank(struct lpmf *lpmf, uint32_t op)
{
    if (!order_run_is_ready(&lpmf->run, op))
        return;
    lpmf->net[op] = (int64_t)(order_run_left(&lpmf->run, op) - order_run_freed(&lpmf->run, op));
    set_leaf(lpmf, op, true);
}

/* The best waiting operator at the places [first, end). */
static uint32_t find_best(const struct lpmf *lpmf, uint32_t first, uint32_t end)
{
    uint32_t best = ORDER_NONE, low = lpmf->leaves + first, high = lpmf->leaves + end;
    for (; low < high; low /= 2, high /= 2) {
        if (low & 1)
            best = pick_better(lpmf, best, lpmf->best[low++]);
        if (high & 1)
            best = pick_better(lpmf, best, lpmf->best[--high]);
    }
    return best;
}

/* The first place whose operator allocates more than the bytes. */
static uint32_t find_end(const struct lpmf *lpmf, uint64_t bytes)
{
    const struct order_view *view = lpmf->run.view;
    return BINARY_SEARCH(at, 0, view->operators, view->alloc_bytes[lpmf->by_alloc[at]] > bytes);
}

/* The best of the operators that do not raise the most bytes; where every operator does, the best
   of those that allocate least. */
static uint32_t choose(const struct lpmf *lpmf)
{
    uint64_t spare = lpmf->most_bytes - lpmf->run.live_bytes;
    uint32_t best = find_best(lpmf, 0, find_end(lpmf, spare)), node = 1;
    if (best != ORDER_NONE)
        return best;
    while (node < lpmf->leaves)
        node = 2 * node + (lpmf->best[2 * node] == ORDER_NONE);
    uint32_t first = node - lpmf->leaves; /* the first place where an operator waits */
    uint64_t least = lpmf->run.view->alloc_bytes[lpmf->by_alloc[first]];
    return find_best(lpmf, first, find_end(lpmf, least));
}

static enum status order_by_peak(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    const struct order_view *view = task->view;
    const struct sort_key keys[SORT_MOST_KEYS] = {{SORT_ARRAY(view->alloc_bytes)}};
    const struct order_lists *inputs = &view->inputs, *after = &view->successors;
    struct scratch *scratch = task->scratch;
    uint32_t count = view->operators;
    uint64_t kept_bytes = 0;
    struct lpmf lpmf = {.leaves = 1};
    struct order_run *run = &lpmf.run;
    (void)row;
    TRY(order_run_take(view, run, scratch, error));
    TRY(scratch_take_all(scratch, count, error, &lpmf.by_alloc, &lpmf.place, &lpmf.net));
    TRY(sort_by_keys(keys, NULL, count, lpmf.by_alloc, error));
    for (uint32_t i = 0; i < count; i++)
        lpmf.place[lpmf.by_alloc[i]] = i;
    while (lpmf.leaves < count)
        lpmf.leaves *= 2;
    TRY(scratch_take(scratch, &lpmf.best, 2 * (size_t)lpmf.leaves, sizeof *lpmf.best, error));
    memset(lpmf.best, 0xff, 2 * lpmf.leaves * sizeof *lpmf.best);
    for (uint32_t t = 0; t < view->tensors; t++)
        kept_bytes += view->kept[t] ? view->bytes[t] : 0;
    lpmf.most_bytes = run->load_bytes > kept_bytes ? run->load_bytes : kept_bytes;
    for (uint32_t v = 0; v < count; v++)
        rank(&lpmf, v);
    while (run->done < count) {
        uint32_t op = choose(&lpmf);
        uint64_t needed = run->live_bytes + view->alloc_bytes[op];
        permutation[run->done] = op;
        lpmf.most_bytes = needed > lpmf.most_bytes ? needed : lpmf.most_bytes;
        set_leaf(&lpmf, op, false);
        order_run_step(run, op);
        for (uint32_t i = after->start[op]; i < after->start[op + 1]; i++)
            rank(&lpmf, after->item[i]);
        for (uint32_t i = inputs->start[op]; i < inputs->start[op + 1]; i++)
            if (!view->kept[inputs->item[i]] && run->unread[inputs->item[i]] == 1)
                rank(&lpmf, order_run_last_reader(run, inputs->item[i]));
    }
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = run->load_bytes};
    return STATUS_OK;
}

const struct order_row order_inductor_lpmf = {
    .name = "inductor_lpmf",
    .title = "least peak so far, then least bytes more",
    .source = "PyTorch Inductor, torch/_inductor/memory.py; DAC 2006",
    .order = order_by_peak,
};
