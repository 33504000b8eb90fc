/* A graph with a branch, its inputs and outputs pinned: cc graph.c -lmemplan */
#include <inttypes.h>
#include <memplan/memplan.h>
#include <stdio.h>

static const char json[] =
    "{\"format\": \"memplan-graph/1\", \"name\": \"detector\","
    " \"tensors\": [{\"name\": \"image\", \"shape\": [3, 32, 32], \"dtype\": \"float32\"},"
    "  {\"name\": \"conv\", \"bytes\": 8192}, {\"name\": \"fine\", \"bytes\": 4096},"
    "  {\"name\": \"coarse\", \"bytes\": 1024}, {\"name\": \"boxes\", \"bytes\": 4096}],"
    " \"inputs\": [\"image\"], \"outputs\": [\"boxes\"],"
    " \"ops\": [{\"name\": \"conv\", \"type\": \"Conv\", \"inputs\": [\"image\"], \"outputs\": "
    "[\"conv\"]},"
    "  {\"name\": \"if\", \"type\": \"If\", \"inputs\": [], \"outputs\": [\"boxes\"], \"regions\": "
    "["
    "   {\"name\": \"then\", \"ops\": [{\"name\": \"fine\", \"type\": \"Conv\", \"inputs\": "
    "[\"conv\"],"
    "     \"outputs\": [\"fine\"]}], \"yields\": [\"fine\"]},"
    "   {\"name\": \"else\", \"ops\": [{\"name\": \"coarse\", \"type\": \"Pool\", \"inputs\": "
    "[\"conv\"],"
    "     \"outputs\": [\"coarse\"]}], \"yields\": [\"coarse\"]}]}]}";

int main(void)
{
    static const char *const names[] = {"image", "conv", "fine", "coarse", "boxes"};
    uint64_t offset[5];
    struct memplan_graph graph = {.struct_bytes = sizeof graph, .json = json, .tensors = 5};
    struct memplan_answer answer = {.struct_bytes = sizeof answer, .offset = offset};
    graph.policy = "path";
    graph.flags = MEMPLAN_PIN_IO;
    enum memplan_result result = memplan_plan_graph(NULL, &graph, &answer);
    if (result > MEMPLAN_OPTIMAL) {
        printf("%s: %s\n", memplan_result_name(result), answer.message);
        return 1;
    }
    for (int t = 0; t < 5; t++)
        if (offset[t] != MEMPLAN_FREE)
            printf("tensor %s at %" PRIu64 "\n", names[t], offset[t]);
    printf("%s, peak %" PRIu64 " bytes\n", memplan_result_name(result), answer.peak_bytes);
    return 0;
}
