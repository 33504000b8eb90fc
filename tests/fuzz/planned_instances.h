#ifndef MEMPLAN_TESTS_FUZZ_PLANNED_INSTANCES_H
#define MEMPLAN_TESTS_FUZZ_PLANNED_INSTANCES_H

#include "datasets/csv/problem.h"
#include "datasets/instance.h"
#include "datasets/memplan_json/graph.h"
#include "fuzzing.h"

/* Two small instances for readers of what was planned; each is made once. */

static inline const struct instance *planned_problem(void)
{
    static const char csv[] = "id,lower,upper,size\na,0,2,8\nb,1,3,4\nc,2,4,8\n";
    static struct instance instance;
    if (!instance.problem) {
        struct text text = fuzzing_text((const uint8_t *)csv, sizeof csv - 1);
        struct error error;
        fuzzing_require(!problem_csv_read(&text, "input", NULL, &instance.problem, &error));
        text_free(&text);
    }
    return &instance;
}

static inline const struct instance *planned_graph(void)
{
    static const char json[] =
        "{\"format\":\"memplan-graph/1\",\"name\":\"g\",\"tensors\":[{\"name\":\"a\",\"bytes\":8},"
        "{\"name\":\"b\",\"bytes\":8}],\"inputs\":[\"a\"],\"outputs\":[\"b\"],\"ops\":[{\"name\":"
        "\"o\",\"type\":\"Relu\",\"inputs\":[\"a\"],\"outputs\":[\"b\"]}]}";
    static struct instance instance;
    if (!instance.graph) {
        struct text text = fuzzing_text((const uint8_t *)json, sizeof json - 1);
        struct error error;
        fuzzing_require(!graph_json_read(&text, "input", &instance.graph, &error));
        text_free(&text);
    }
    return &instance;
}

#endif
