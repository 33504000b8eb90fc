/* A network in the fast and the slow memory of a chip: cc memories.c -lmemplan */
#include <inttypes.h>
#include <memplan/memplan.h>
#include <stdio.h>

static const char network[] =
    "{\"format\": \"memplan-graph/1\", \"name\": \"network\","
    " \"tensors\": [{\"name\": \"image\", \"bytes\": 600000}, {\"name\": \"conv\", \"bytes\": "
    "400000},"
    "  {\"name\": \"pool\", \"bytes\": 100000}, {\"name\": \"boxes\", \"bytes\": 4096}],"
    " \"inputs\": [\"image\"], \"outputs\": [\"boxes\"],"
    " \"ops\": [{\"name\": \"conv\", \"type\": \"Conv\", \"inputs\": [\"image\"], \"outputs\": "
    "[\"conv\"]},"
    "  {\"name\": \"pool\", \"type\": \"Pool\", \"inputs\": [\"conv\"], \"outputs\": [\"pool\"]},"
    "  {\"name\": \"head\", \"type\": \"Dense\", \"inputs\": [\"pool\"], \"outputs\": "
    "[\"boxes\"]}]}";

int main(void)
{
    static const char *const tensors[] = {"image", "conv", "pool", "boxes"};
    uint32_t memory[4];
    uint64_t offset[4], peak_bytes[8], enough_bytes[8];
    char name[8][64];
    struct memplan_graph graph = {.struct_bytes = sizeof graph, .json = network, .tensors = 4};
    struct memplan_memories memories = {
        .struct_bytes = sizeof memories, .json = "imxrt1060", .graph = &graph, .buffers = 4};
    struct memplan_memories_plan plan = {.struct_bytes = sizeof plan,
                                         .memory = memory,
                                         .offset = offset,
                                         .most_memories = 8,
                                         .name = name,
                                         .peak_bytes = peak_bytes,
                                         .enough_bytes = enough_bytes};
    enum memplan_result result = memplan_plan_memories(NULL, &memories, &plan);
    if (result > MEMPLAN_OPTIMAL) {
        printf("%s: %s\n", memplan_result_name(result), plan.message);
        for (uint32_t m = 0; m < plan.memories; m++)
            if (enough_bytes[m] != MEMPLAN_NONE)
                printf("%s would do with %" PRIu64 " bytes\n", name[m], enough_bytes[m]);
        return 1;
    }
    for (int t = 0; t < 4; t++)
        printf("tensor %s at %" PRIu64 " of %s\n", tensors[t], offset[t], name[memory[t]]);
    for (uint32_t m = 0; m < plan.memories; m++)
        printf("peak %" PRIu64 " bytes of %s\n", peak_bytes[m], name[m]);
    printf("%s, %" PRIu64 " ns, at least %" PRIu64 "\n", memplan_result_name(result),
           plan.cost / MEMPLAN_COST_PARTS, plan.cost_bound / MEMPLAN_COST_PARTS);
    return 0;
}
