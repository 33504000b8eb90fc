#include <string.h>

#include "rule_test.h"
#include "support/testing.h"

/* Planners that are a framework's allocator fed with the calls of one run: second implementations
   that keep a state for every byte or look at every node, and walk step by step. */

static uint64_t find_fixed_end(const struct problem *problem)
{
    uint64_t end = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE &&
            problem_fixed_offset(problem, b) + problem->size[b] > end)
            end = problem_fixed_offset(problem, b) + problem->size[b];
    return end;
}

static bool begins_at(const struct problem *problem, uint32_t buffer, uint32_t step)
{
    return problem_fixed_offset(problem, buffer) == PROBLEM_FREE &&
           problem_lower(problem, buffer) == step;
}

static bool ends_at(const struct problem *problem, uint32_t buffer, uint32_t step)
{
    return problem_fixed_offset(problem, buffer) == PROBLEM_FREE &&
           problem_upper(problem, buffer) == step;
}

/* TensorFlow's lazy heap. */

struct bytes {
    bool free[RULE_TEST_BYTES];
    uint64_t begin, end;
};

static uint64_t align(const struct problem *problem, uint32_t buffer, uint64_t offset)
{
    uint64_t alignment = problem_alignment(problem, buffer);
    return (offset + alignment - 1) / alignment * alignment;
}

static uint64_t find_run_end(const struct bytes *bytes, uint64_t begin)
{
    while (begin < bytes->end && bytes->free[begin])
        begin++;
    return begin;
}

static uint64_t find_smallest_run(const struct bytes *bytes, const struct problem *problem,
                                  uint32_t buffer)
{
    uint64_t chosen = PROBLEM_FREE, least = UINT64_MAX;
    for (uint64_t begin = bytes->begin, end; begin < bytes->end; begin = end + 1) {
        end = find_run_end(bytes, begin);
        uint64_t offset = align(problem, buffer, begin);
        if (end > begin && offset + problem->size[buffer] <= end && end - begin < least) {
            least = end - begin;
            chosen = offset;
        }
    }
    return chosen;
}

static uint64_t find_last_run(const struct bytes *bytes, const struct problem *problem,
                              uint32_t buffer)
{
    uint64_t begin = bytes->end;
    while (begin > bytes->begin && bytes->free[begin - 1])
        begin--;
    uint64_t offset = align(problem, buffer, begin);
    return offset < bytes->end ? offset : PROBLEM_FREE;
}

static void allocate_bytes(struct bytes *bytes, const struct problem *problem, uint32_t buffer,
                           uint64_t *offset)
{
    *offset = find_smallest_run(bytes, problem, buffer);
    if (*offset == PROBLEM_FREE)
        *offset = find_last_run(bytes, problem, buffer);
    if (*offset == PROBLEM_FREE)
        return;
    uint64_t end = *offset + problem->size[buffer];
    memset(bytes->free + *offset, false, problem->size[buffer]);
    bytes->end = end > bytes->end ? end : bytes->end;
}

static void free_bytes(struct bytes *bytes, const struct problem *problem, uint32_t buffer,
                       uint64_t *offset)
{
    uint64_t begin = *offset;
    if (*offset == PROBLEM_FREE) {
        begin = bytes->end;
        *offset = align(problem, buffer, bytes->end);
        bytes->end = *offset + problem->size[buffer];
    }
    memset(bytes->free + begin, true, *offset + problem->size[buffer] - begin);
}

/* Frees without an allocation between them are one run over several steps, and the other way
   round: a run goes on until the other kind of call comes. */
struct call {
    uint32_t buffer;
    bool frees;
};

static uint32_t list_calls(const struct problem *problem, struct call *calls)
{
    uint32_t count = 0;
    for (uint32_t step = 0; step <= 12; step++) {
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (problem_upper(problem, b) == step)
                calls[count++] = (struct call){b, true};
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (problem_lower(problem, b) == step)
                calls[count++] = (struct call){b, false};
    }
    return count;
}

static void play_run(const struct problem *problem, struct bytes *bytes, const struct call *calls,
                     uint32_t count, uint64_t *offset)
{
    static const struct rule_test_key largest[] = {{1, rule_test_size}, {0, NULL}};
    uint32_t sorted[RULE_TEST_BUFFERS];
    rule_test_sort(problem, largest, sorted);
    for (uint32_t i = 0; i < problem->buffers; i++)
        for (uint32_t c = 0; c < count; c++) {
            uint32_t b = sorted[i];
            if (calls[c].buffer != b || problem_fixed_offset(problem, b) != PROBLEM_FREE)
                continue;
            if (calls[c].frees)
                free_bytes(bytes, problem, b, &offset[b]);
            else
                allocate_bytes(bytes, problem, b, &offset[b]);
        }
}

static void play_lazy(const struct problem *problem, const struct rule_test_how *how,
                      uint64_t *offset)
{
    (void)how;
    struct bytes bytes = {.begin = find_fixed_end(problem)};
    struct call calls[2 * RULE_TEST_BUFFERS];
    uint32_t count = list_calls(problem, calls);
    bytes.end = bytes.begin;
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem_fixed_offset(problem, b);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && calls[end].frees == calls[i].frees;)
            end++;
        play_run(problem, &bytes, calls + i, end - i, offset);
    }
}

static void test_lazy(void)
{
    rule_test_compare("xla_lazy_best_fit", play_lazy, NULL, 10000);
}

/* a and b get their places when they are freed, though c could have had a's at once. */
static void test_lazy_example(void)
{
    static const struct made_buffer rows[] = {{0, 1, 4}, {0, 3, 6}, {1, 2, 3}, {3, 4, 12}};
    rule_test_expect("xla_lazy_best_fit", rows, 4, (const uint64_t[]){0, 4, 0, 0});
}

/* MNN. */

struct node {
    uint64_t begin, size;
    int parent, used; /* parent -1 for none */
    int freed;        /* 0 while it is taken, split or joined */
};

struct nodes {
    struct node node[8 * RULE_TEST_BUFFERS];
    int count, frees;
    uint64_t alignment, end;
};

static int find_smallest_node(const struct nodes *nodes, uint64_t size)
{
    int best = -1;
    for (int i = 0; i < nodes->count; i++) {
        const struct node *node = &nodes->node[i];
        if (!node->freed || node->size < size)
            continue;
        if (best < 0 || node->size < nodes->node[best].size ||
            (node->size == nodes->node[best].size && node->freed < nodes->node[best].freed))
            best = i;
    }
    return best;
}

static int make_node(struct nodes *nodes, struct node node)
{
    CU_ASSERT_FATAL(nodes->count < 8 * RULE_TEST_BUFFERS);
    nodes->node[nodes->count] = node;
    return nodes->count++;
}

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static int allocate_node(struct nodes *nodes, uint64_t size)
{
    int taken = find_smallest_node(nodes, size);
    if (taken < 0) {
        struct node node = {.begin = round_up(nodes->end, nodes->alignment), size, -1, 0, 0};
        nodes->end = node.begin + size;
        return make_node(nodes, node);
    }
    struct node *node = &nodes->node[taken];
    uint64_t part = round_up(size, nodes->alignment);
    node->freed = 0;
    if (node->parent >= 0)
        nodes->node[node->parent].used++;
    if (part >= node->size)
        return taken;
    node->used = 1;
    make_node(nodes,
              (struct node){node->begin + part, node->size - part, taken, 0, ++nodes->frees});
    return make_node(nodes, (struct node){node->begin, part, taken, 0, 0});
}

static void free_node(struct nodes *nodes, int index)
{
    nodes->node[index].freed = ++nodes->frees;
    int parent = nodes->node[index].parent;
    while (parent >= 0 && --nodes->node[parent].used == 0) {
        for (int i = 0; i < nodes->count; i++)
            if (nodes->node[i].parent == parent)
                nodes->node[i].freed = 0;
        nodes->node[parent].freed = ++nodes->frees;
        parent = nodes->node[parent].parent;
    }
}

/* What is a multiple of all alignments of the random problems: 12 or a divisor. */
static uint64_t find_alignment(const struct problem *problem, uint64_t least)
{
    for (uint64_t alignment = least;; alignment += least) {
        bool fits = true;
        for (uint32_t b = 0; b < problem->buffers; b++)
            fits &= alignment % problem_alignment(problem, b) == 0;
        if (fits)
            return alignment;
    }
}

static void play_mnn(const struct problem *problem, const struct rule_test_how *how,
                     uint64_t *offset)
{
    static const struct rule_test_key ends[] = {{-1, rule_test_upper}, {0, NULL}};
    static const struct rule_test_key begins[] = {{-1, rule_test_lower}, {0, NULL}};
    struct nodes nodes = {.alignment = find_alignment(problem, how->number),
                          .end = find_fixed_end(problem)};
    uint32_t by_end[RULE_TEST_BUFFERS], by_begin[RULE_TEST_BUFFERS];
    int taken[RULE_TEST_BUFFERS];
    rule_test_sort(problem, ends, by_end);
    rule_test_sort(problem, begins, by_begin);
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem_fixed_offset(problem, b);
    for (uint32_t step = 0; step <= 12; step++) {
        for (uint32_t i = 0; i < problem->buffers; i++)
            if (ends_at(problem, by_begin[i], step))
                free_node(&nodes, taken[by_begin[i]]);
        for (uint32_t i = 0; i < problem->buffers; i++)
            if (begins_at(problem, by_end[i], step)) {
                taken[by_end[i]] = allocate_node(&nodes, problem->size[by_end[i]]);
                offset[by_end[i]] = nodes.node[taken[by_end[i]]].begin;
            }
    }
}

static void test_mnn(void)
{
    rule_test_compare("mnn", play_mnn, &(struct rule_test_how){.number = 1}, 10000);
    rule_test_compare("mnn?alignment=5", play_mnn, &(struct rule_test_how){.number = 5}, 10000);
}

/* b and c split a's node, which is whole again for d; e finds none and is put above. */
static void test_mnn_example(void)
{
    static const struct made_buffer rows[] = {
        {0, 1, 8}, {1, 2, 3}, {1, 2, 5}, {2, 4, 8}, {3, 4, 2}};
    rule_test_expect("mnn", rows, 5, (const uint64_t[]){0, 0, 3, 0, 8});
}

/* Melon. */

static void test_melon(void)
{
    static const struct rule_test_how longest = {
        .key = {{1, rule_test_span}, {1, rule_test_size}, {-1, rule_test_lower}},
        .choose = rule_test_best};
    rule_test_compare("melon", rule_test_place_sorted, &longest, 10000);
    rule_test_validate("melon?alignment=7", 2000);
}

/* b goes on a as if that were 64 long. */
static void test_melon_alignment(void)
{
    static const struct made_buffer rows[] = {{0, 3, 10}, {1, 3, 10}};
    rule_test_expect("melon", rows, 2, (const uint64_t[]){0, 10});
    rule_test_expect("melon?alignment=64", rows, 2, (const uint64_t[]){0, 64});
}

static void test_no_memory(void)
{
    rule_test_fail_each("xla_lazy_best_fit");
    rule_test_fail_each("mnn");
    rule_test_fail_each("melon");
    rule_test_fail_each("melon?alignment=64");
}

static const struct test_case cases[] = {
    {"lazy best fit against bytes", test_lazy},
    {"lazy best fit by hand", test_lazy_example},
    {"MNN against all nodes", test_mnn},
    {"MNN by hand", test_mnn_example},
    {"Melon against bytes", test_melon},
    {"Melon's alignment", test_melon_alignment},
    {"no memory", test_no_memory},
};
TESTING_MAIN("heuristics/allocators", cases)
