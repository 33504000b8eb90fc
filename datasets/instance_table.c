#include "datasets/instance_table.h"

#include <string.h>

#include "core/known_names.h"
#include "datasets/zoo/zoo.h"

/* To add a built-in instance: a row here and a file builtin/NAME.json. The networks of the zoo
   follow these. */
static const struct instance_row files[] = {
    {"luna/face_detect", INSTANCE_GRAPH,
     "LUNA FaceDetect, a face detector (Wang et al. 2025, Tables 1 and 3)", true, false},
    {"luna/face_align", INSTANCE_GRAPH,
     "LUNA FaceAlign, face landmarks (Wang et al. 2025, Tables 1 and 3)", true, false},
    {"luna/wake_up", INSTANCE_GRAPH,
     "LUNA WakeUp, a wake-up word (Wang et al. 2025, Tables 1 to 3)", true, true},
    {"luna/fusion_detect", INSTANCE_GRAPH,
     "LUNA FusionDetect, faces and bodies (Wang et al. 2025, Tables 1 to 3)", true, true},
    {"luna/denoise", INSTANCE_GRAPH, "LUNA Denoise, speech (Wang et al. 2025, Tables 1 and 2)",
     true, true},
    {"luna/body_detect", INSTANCE_GRAPH,
     "LUNA BodyDetect, a person detector (Wang et al. 2025, Table 3)", true, false},
    {"paper/figure1", INSTANCE_GRAPH, "Two branch operators (Wang et al. 2025, Figures 1 and 2)",
     true, true},
    {"paper/figure4", INSTANCE_GRAPH,
     "Branches in a branch, and a tail (Wang et al. 2025, Figure 4)", true, true},
    {"patent/figure4", INSTANCE_GRAPH, "Eight operators (the patent, Figure 4, Tables 1 and 2)",
     false, false},
    {"ge/cnn_block", INSTANCE_GRAPH, "Conv, ReLU, Pool (GE article, section 6)", false, false},
    {"ge/section1", INSTANCE_GRAPH, "A, B, C one after another (GE article, section 1.2)", true,
     false},
    {"ge/section3", INSTANCE_GRAPH, "Four operators (GE article, section 3)", true, false},
    {"ge/streams", INSTANCE_PROBLEM, "Two streams that wait once (GE article, section 10)", true,
     false},
    {"ge/streams_apart", INSTANCE_PROBLEM, "The same without waiting", true, false},
    {"nnvm/walk", INSTANCE_GRAPH, "A graph for the steps of the NNVM note", true, false},
    {"nnvm/assign", INSTANCE_GRAPH, "The cases of assign, an ignored input (NNVM note)", true,
     false},
    {"nnvm/devices", INSTANCE_GRAPH, "Two devices (NNVM note)", true, false},
    {"tflite/eight_tensors", INSTANCE_PROBLEM, "The example of Pisarchyk and Lee 2020", false,
     false},
    {"minimalloc/A", INSTANCE_PROBLEM, "Challenging, instance A (MiniMalloc, ASPLOS 2023)", false,
     false},
    {"minimalloc/B", INSTANCE_PROBLEM, "Challenging, instance B (MiniMalloc, ASPLOS 2023)", false,
     false},
    {"minimalloc/C", INSTANCE_PROBLEM, "Challenging, instance C (MiniMalloc, ASPLOS 2023)", false,
     false},
    {"minimalloc/D", INSTANCE_PROBLEM, "Challenging, instance D (MiniMalloc, ASPLOS 2023)", false,
     false},
    {"minimalloc/E", INSTANCE_PROBLEM, "Challenging, instance E (MiniMalloc, ASPLOS 2023)", false,
     false},
    {"minimalloc/F", INSTANCE_PROBLEM, "Challenging, instance F (MiniMalloc, ASPLOS 2023)", false,
     false},
    {"bugs/if_result_outlives", INSTANCE_GRAPH,
     "A result outlives its If, a sibling reuses the arena (executorch#21490)", false, true},
    {"bugs/if_nested", INSTANCE_GRAPH, "A nested If under live outer tensors (executorch#21494)",
     false, true},
    {"bugs/if_inputs_overlap", INSTANCE_GRAPH,
     "Branch tensors over what is read after the If (tflite-micro#853)", false, true},
    {"bugs/if_empty_branch", INSTANCE_GRAPH, "A branch without operators (tflite-micro#1575)",
     false, true},
    {"bugs/if_pass_through", INSTANCE_GRAPH, "A branch hands an outer tensor through", false, true},
    {"bugs/while_unused_input", INSTANCE_GRAPH,
     "A loop input that the body does not use (tflite-micro#1194)", false, true},
    {"bugs/body_called_twice", INSTANCE_GRAPH, "One body called from two places (tflite-micro#947)",
     false, true},
    {"bugs/call_once", INSTANCE_GRAPH, "A subgraph that hands out nothing (tflite-micro#3698)",
     false, true},
    {"bugs/branches_summed", INSTANCE_GRAPH, "Memory of its own for each branch (onnxsim#1094)",
     false, true},
    {"bugs/loop_carried_alias", INSTANCE_GRAPH,
     "Carried input and output of a loop in one place (onnxruntime#497)", false, true},
    {"bugs/loop_reads_outside", INSTANCE_GRAPH, "A loop reads an outer tensor in every turn", false,
     true},
    {"bugs/captured_deep", INSTANCE_GRAPH, "A value crosses levels of nesting (onnxruntime#8642)",
     false, true},
    {"bugs/scope_reuse", INSTANCE_GRAPH,
     "A branch reuses a buffer of the outer scope (pytorch#120777)", false, true},
    {"bugs/inclusive_end", INSTANCE_GRAPH,
     "Inclusive lifetimes read as half-open (tilelang-ascend#1156)", false, false},
    {"bugs/input_lifetime", INSTANCE_GRAPH, "The lifetime of a graph input (executorch#6971)",
     false, false},
    {"bugs/constants_planned", INSTANCE_GRAPH, "Constants planned too (executorch#1300)", false,
     false},
    {"bugs/free_prefix", INSTANCE_PROBLEM, "The free prefix never tried (XNNPACK#10800)", false,
     false},
    {"bugs/same_place", INSTANCE_PROBLEM, "Overlapping lifetimes in one place (pytorch#157290)",
     false, false},
    {"bugs/unstable_ties", INSTANCE_PROBLEM, "Ties broken by chance (PTOAS#545)", false, false},
    {"bugs/fixed_ignored", INSTANCE_PROBLEM, "Fixed offsets ignored (minimalloc#9)", false, false},
    {"bugs/layout_rejected", INSTANCE_PROBLEM, "A first layout rejected too early (tvm#13369)",
     false, false},
    {"wired/liberis_lane", INSTANCE_GRAPH, "Seven operators (Liberis and Lane 2019)", true, false},
    {"wired/model_simple", INSTANCE_GRAPH, "The simple graph (MODeL, Steiner et al. 2023)", false,
     false},
    {"wired/model_diamond", INSTANCE_GRAPH, "The diamond (MODeL, Steiner et al. 2023)", false,
     false},
    {"wired/model_control", INSTANCE_GRAPH, "A control edge (MODeL, Steiner et al. 2023)", false,
     false},
    {"wired/model_fan_in", INSTANCE_GRAPH, "Several inputs (MODeL, Steiner et al. 2023)", false,
     false},
    {"wired/dagmem_1", INSTANCE_GRAPH, "Ten operators, tc1 (wateret/dagmem)", false, false},
    {"wired/dagmem_2", INSTANCE_GRAPH, "Six operators, tc2-2 (wateret/dagmem)", false, false},
};

enum { FILES = sizeof files / sizeof *files };

uint32_t instance_count(void)
{
    return FILES + zoo_count();
}

struct instance_row instance_at(uint32_t index)
{
    if (index < FILES)
        return files[index];
    const struct zoo_network *zoo = zoo_at(index - FILES);
    return (struct instance_row){.name = zoo->name,
                                 .kind = INSTANCE_GRAPH,
                                 .title = zoo->title,
                                 .has_control_flow = zoo->has_control_flow};
}

const char *instance_kind_name(enum instance_kind kind)
{
    return kind == INSTANCE_GRAPH ? "graph" : "problem";
}

bool instance_source_find(const char *name, size_t length, struct instance_source *source)
{
    for (uint32_t i = 0; i < instance_count(); i++) {
        struct instance_row row = instance_at(i);
        if (strlen(row.name) != length || memcmp(row.name, name, length) != 0)
            continue;
        *source = (struct instance_source){row, i < FILES ? NULL : zoo_at(i - FILES)};
        return true;
    }
    return false;
}

static const char *get_name(const void *context, uint32_t index)
{
    (void)context;
    return instance_at(index).name;
}

void instance_source_suggest(const char *name, struct text *names)
{
    const struct known_names known = {.count = instance_count(), .name_at = get_name};
    known_names_suggest(&known, name, strlen(name), names);
}
