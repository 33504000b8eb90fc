#include "datasets/suite.h"

#include <stdbool.h>
#include <string.h>

#include "core/rows.h"
#include "datasets/instance_table.h"

/* Instances by name; each list ends in NULL. */
#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

#define TIGHT(buffers, seed) "generate:tight?buffers=" #buffers "&seed=" #seed
#define GAP(buffers, seed) "generate:gap?buffers=" #buffers "&seed=" #seed
#define TRAP(target, level) "generate:adversarial?target=" #target "&level=" #level
#define BRANCHES(operators, depth, seed)                                                           \
    "generate:control_flow?operators=" #operators "&depth=" #depth "&seed=" #seed
#define PATTERN(pattern) "generate:sync_pattern?pattern=" #pattern
#define LAYERS(buffers, live) "generate:layered?buffers=" #buffers "&live=" #live
#define STREAMS "generate:concurrent_tiling?seed=1"
#define LAYERS_OF(buffers, live, seed) LAYERS(buffers, live) "&seed=" #seed
#define LONG_LAYERS(buffers, live, share, seed) LAYERS_OF(buffers, live, seed) "&long=" #share
/* A network of the zoo on several streams. */
#define SIDE_BY_SIDE(name) name "?streams=2", name "?streams=4", name "?streams=8"
/* A network in training, with updates of its weights. */
#define UPDATED(name) name "?training=1&updates=1", name "?training=1&updates=1&batch=32"
/* Names of perturb.h. */
#define MIRROR(name) "perturbed:mirror:" name
#define SHUFFLE(seed, name) "perturbed:shuffle?seed=" #seed ":" name
#define THIN(seed, name) "perturbed:thin?seed=" #seed ":" name
#define SIZES(seed, name) "perturbed:jitter_sizes?seed=" #seed ":" name
#define TIMES(seed, name) "perturbed:jitter_times?seed=" #seed ":" name
#define CUT(seed, name) "perturbed:cut?seed=" #seed ":" name
#define JOIN(first, second) "perturbed:join:" first "+" second
/* An instance in five ways. */
#define PERTURBED(seed, name)                                                                      \
    MIRROR(name), THIN(seed, name), SIZES(seed, name), TIMES(seed, name), CUT(seed, name)

/* Instances of these folders are only in suites that name the folder. */
static const char apart_folders[] = "wired";

static const struct suite suites[] = {
    {.name = "luna", .title = "the six models of the main paper, reconstructed", .folders = "luna"},
    {.name = "wang2025",
     .title = "those of the main paper, and the networks that its introduction names",
     .folders = "luna",
     .names = LIST("zoo/inception_v3", "zoo/mobilenet_v2")},
    {.name = "luna-dma",
     .title = "those of which the main paper gives run times",
     .folders = "",
     .names = LIST("luna/face_align", "luna/face_detect", "luna/body_detect", "luna/fusion_detect",
                   "luna/wake_up")},
    {.name = "worked", .title = "the worked examples of the papers", .folders = "paper patent ge"},
    {.name = "minimalloc",
     .title = "six of MiniMalloc's challenging instances",
     .folders = "minimalloc"},
    {.name = "tflite",
     .title = "the example and the networks of Pisarchyk and Lee 2020",
     .folders = "tflite",
     .names = LIST("zoo/mobilenet_v1", "zoo/mobilenet_v2", "zoo/deeplab_v3", "zoo/inception_v3",
                   "zoo/posenet", "zoo/blazeface")},
    {.name = "nnvm",
     .title = "a graph for the steps of the NNVM note, and networks without control flow",
     .folders = "nnvm zoo",
     .control_flow = SUITE_WITHOUT_CONTROL_FLOW},
    {.name = "patent", .title = "the patent's example", .folders = "patent"},
    {.name = "ge",
     .title = "the GE article: its examples, and the networks of its section 7",
     .folders = "ge",
     .names = LIST("zoo/resnet50?batch=32", "zoo/resnet50?batch=32&training=1", "zoo/bert_base",
                   "zoo/bert_base?training=1", "zoo/vit_large", "zoo/vit_large?training=1",
                   "zoo/llama_7b_prefill?dtype=float16&sequence=2048",
                   "zoo/llama_7b_decode?dtype=float16&sequence=2048")},
    {.name = "paper",
     .title = "all that the papers show: models and worked examples",
     .folders = "luna paper patent ge"},
    {.name = "zoo",
     .title = "published networks without control flow",
     .folders = "zoo",
     .control_flow = SUITE_WITHOUT_CONTROL_FLOW},
    {.name = "training",
     .title = "networks of the zoo with their backward operators, usual batches on one accelerator",
     .folders = "",
     .names =
         LIST("zoo/alexnet?training=1&batch=128", "zoo/vgg16?training=1&batch=32",
              "zoo/googlenet?training=1&batch=32", "zoo/inception_v3?training=1&batch=32",
              "zoo/resnet18?training=1&batch=32", "zoo/resnet50?training=1&batch=32",
              "zoo/resnet50?training=1&batch=32&dtype=float16", "zoo/resnet152?training=1&batch=32",
              "zoo/densenet121?training=1&batch=32", "zoo/mobilenet_v2?training=1&batch=32",
              "zoo/efficientnet_b0?training=1&batch=32", "zoo/unet?training=1&batch=1")},
    {.name = "quantise",
     .title = "the networks of Xu 2019, Table 6.3, with 16-bit weights",
     .folders = "",
     .names = LIST("zoo/resnet18?dtype=float16", "zoo/resnet34?dtype=float16",
                   "zoo/resnet50?dtype=float16", "zoo/resnet101?dtype=float16",
                   "zoo/resnet152?dtype=float16", "zoo/vgg16?dtype=float16",
                   "zoo/vgg19?dtype=float16", "zoo/alexnet?dtype=float16",
                   "zoo/googlenet?dtype=float16", "zoo/mobilenet_v1?dtype=float16",
                   "zoo/squeezenet?dtype=float16", "zoo/inception_v3?dtype=float16")},
    {.name = "prefetch",
     .title = "networks with int8 weights and tensors, for transfers of weights",
     .folders = "",
     .names = LIST("zoo/mobilenet_v1?dtype=int8", "zoo/resnet50?dtype=int8",
                   "zoo/googlenet?dtype=int8", "zoo/early_exit?dtype=int8")},
    {.name = "dma-orders",
     .title = "networks whose order decides what is transferred when; not part of nightly",
     .folders = "",
     .names = LIST("wired/darts_imagenet?dtype=int8", "wired/nasnet_imagenet?dtype=int8",
                   "wired/randwire_1?dtype=int8"),
     .is_apart = true},
    {.name = "control_flow",
     .title = "every built-in instance with branches or loops, and generated ones",
     .control_flow = SUITE_WITH_CONTROL_FLOW,
     .names = LIST(BRANCHES(100, 2, 1), BRANCHES(300, 3, 2), BRANCHES(1000, 5, 3),
                   "generate:control_flow?operators=300&width=4&escape=80&loops=0&seed=4",
                   "generate:control_flow?operators=300&escape=0&loops=100&seed=5")},
    {.name = "tight",
     .title = "zero-waste cuts: hard, and the capacity is known to be the optimum",
     .folders = "",
     .names = LIST(TIGHT(20, 1), TIGHT(40, 2), TIGHT(60, 3), TIGHT(100, 4), TIGHT(150, 5),
                   TIGHT(300, 6), TIGHT(500, 7))},
    {.name = "gap",
     .title = "small, proved to need more than the load: tells whether a search is sound",
     .folders = "",
     .names = LIST(GAP(16, 1), GAP(20, 2), GAP(25, 3), GAP(28, 4), GAP(32, 5), GAP(36, 6),
                   GAP(40, 7), GAP(44, 8))},
    {.name = "adversarial",
     .title = "on each a named heuristic is far from the optimum",
     .folders = "",
     .names = LIST(TRAP(sequential, 3), TRAP(birth_best_fit, 4), TRAP(large_first, 3),
                   TRAP(size_best_fit, 4), TRAP(short_first, 4))},
    {.name = "bugs",
     .title = "one instance for each known kind of planner bug, see docs/known-bugs.md",
     .folders = "bugs"},
    {.name = "scale",
     .title = "from a thousand buffers to a million: time and memory",
     .folders = "",
     .names =
         LIST(LAYERS(1000, 50), LAYERS(10000, 200), LAYERS(100000, 200), LAYERS(1000000, 200))},
    {.name = "hot",
     .title = "layered, with most of the load in few steps; not part of nightly",
     .folders = "",
     .names = LIST(LAYERS_OF(10000, 200, 11), LAYERS_OF(10000, 200, 12), LAYERS_OF(10000, 200, 13),
                   LAYERS_OF(30000, 200, 11), LAYERS_OF(30000, 200, 12), LAYERS_OF(10000, 50, 11),
                   LAYERS_OF(10000, 1000, 11), LONG_LAYERS(10000, 200, 0, 11),
                   LONG_LAYERS(10000, 200, 20, 11), LONG_LAYERS(10000, 200, 50, 11)),
     .is_apart = true},
    {.name = "large",
     .title = "layered, from a hundred thousand buffers to ten million; not part of nightly",
     .folders = "",
     .names =
         LIST(LAYERS_OF(100000, 200, 11), LAYERS_OF(300000, 200, 11), LAYERS_OF(1000000, 200, 11),
              LAYERS_OF(10000000, 200, 11), LAYERS_OF(100000, 2000, 11)),
     .is_apart = true},
    {.name = "orders",
     .title = "networks whose load depends on the order of their operators; not part of nightly",
     .folders = "wired",
     .names = LIST("generate:known_order?operators=200&load=1000000",
                   "generate:random_graph?operators=50", "generate:random_graph?operators=80",
                   "generate:random_graph?operators=50&family=barabasi_albert&edges=200",
                   "generate:random_graph?operators=80&family=barabasi_albert&edges=200",
                   "generate:random_graph?operators=50&family=block_model&edges=200",
                   "generate:random_graph?operators=80&family=block_model&edges=200",
                   "generate:random_graph?operators=80&family=layered&edges=110",
                   "generate:random_graph?operators=120&family=layered&edges=110"),
     .is_apart = true},
    {.name = "orders-published",
     .title = "graphs of which papers print the load of orders; not part of nightly",
     .folders = "",
     .names = LIST("wired/liberis_lane", "wired/model_simple", "wired/model_diamond",
                   "wired/model_control", "wired/model_fan_in", "wired/dagmem_1", "wired/dagmem_2",
                   "wired/darts_cell", "wired/darts_cifar", "wired/darts_imagenet",
                   "wired/nasnet_cifar", "wired/nasnet_imagenet", "wired/amoebanet_cifar",
                   "wired/amoebanet_imagenet", "wired/pnas_cifar", "wired/pnas_imagenet",
                   UPDATED("zoo/alexnet"), UPDATED("wired/vgg11")),
     .is_apart = true},
    {.name = "streams",
     .title = "threads with vector clocks, not on one line of steps; not part of nightly",
     .folders = "",
     .names = LIST(PATTERN(independent), PATTERN(pairs), PATTERN(subset), PATTERN(sparse),
                   PATTERN(irregular), PATTERN(ring), PATTERN(tree), PATTERN(groups),
                   PATTERN(barrier), PATTERN(fork_join), PATTERN(dense), STREAMS,
                   "generate:concurrent_tiling?streams=4&syncs=64&seed=2",
                   "generate:two_plus_two?seed=1", "generate:two_plus_two?noise=50&seed=2"),
     .is_apart = true},
    {.name = "zoo-streams",
     .title = "networks of the zoo on two, four and eight streams; not part of nightly",
     .folders = "",
     .names = LIST(SIDE_BY_SIDE("wired/nasnet_cifar"), SIDE_BY_SIDE("wired/darts_imagenet"),
                   SIDE_BY_SIDE("wired/randwire_1"), SIDE_BY_SIDE("wired/hrnet_w32"),
                   SIDE_BY_SIDE("wired/bifpn_d0"), SIDE_BY_SIDE("wired/heads"),
                   SIDE_BY_SIDE("zoo/inception_v3"), SIDE_BY_SIDE("zoo/unet"),
                   SIDE_BY_SIDE("zoo/experts"), SIDE_BY_SIDE("zoo/tree_lstm"),
                   SIDE_BY_SIDE("zoo/beam_search")),
     .is_apart = true},
    {.name = "perturbed",
     .title = "problems of other suites mirrored, shuffled, thinned, jittered, cut and joined",
     .folders = "",
     .names = LIST(
         PERTURBED(1, "minimalloc/A"), PERTURBED(2, "minimalloc/B"), PERTURBED(3, "minimalloc/C"),
         PERTURBED(4, "minimalloc/D"), PERTURBED(8, "minimalloc/E"), PERTURBED(6, "minimalloc/F"),
         SHUFFLE(1, "minimalloc/A"), SHUFFLE(4, "minimalloc/D"), SHUFFLE(6, TIGHT(100, 4)),
         MIRROR(TIGHT(100, 4)), THIN(7, TIGHT(100, 4)), TIMES(8, TIGHT(100, 4)), MIRROR(GAP(40, 7)),
         SIZES(9, LAYERS(1000, 50)), CUT(10, LAYERS(1000, 50)),
         JOIN("minimalloc/A", "minimalloc/B"), JOIN("minimalloc/C", "minimalloc/D"),
         JOIN("minimalloc/E", "minimalloc/E"), JOIN("minimalloc/F", LAYERS(1000, 50)),
         PERTURBED(11, LONG_LAYERS(1000, 50, 50, 1)), PERTURBED(12, LONG_LAYERS(400, 20, 30, 2)),
         THIN(13, STREAMS), SIZES(14, STREAMS))},
    {.name = "quick",
     .title = "a few of every kind, seconds with --time-limit 0.2",
     .folders = "paper patent ge",
     .names = LIST("luna/denoise", "bugs/if_result_outlives", "bugs/loop_carried_alias",
                   "bugs/free_prefix", TIGHT(20, 1), GAP(16, 1), TRAP(large_first, 2),
                   BRANCHES(40, 2, 1), LAYERS(200, 20))},
    {.name = "all", .title = "every built-in instance"},
    {.name = "nightly",
     .title = "the built-in instances and what all suites list, but large ones",
     .with_other_lists = true},
};

ROWS_DEFINE(suite, struct suite, suites);
ROWS_DEFINE_FIND(suite, struct suite);

enum status suite_select(const char *name, size_t length, const struct suite **suite,
                         struct error *error)
{
    for (uint32_t i = 0; i < suite_count(); i++) {
        *suite = suite_at(i);
        if (strlen((*suite)->name) == length && strncmp((*suite)->name, name, length) == 0)
            return STATUS_OK;
    }
    return rows_refuse(
        &(struct rows_kind){"suite", "memplan list suites", NULL, suite_count(), suite_name}, name,
        length, error);
}

static bool is_in_folder(const char *name, const char *folders)
{
    size_t length = strcspn(name, "/");
    for (const char *folder = folders; *folder; folder += strspn(folder, " ")) {
        size_t folder_length = strcspn(folder, " ");
        if (folder_length == length && memcmp(folder, name, length) == 0)
            return true;
        folder += folder_length;
    }
    return false;
}

static bool is_member(const struct suite *suite, struct instance_row row)
{
    if (suite->control_flow != SUITE_ANY &&
        row.has_control_flow != (suite->control_flow == SUITE_WITH_CONTROL_FLOW))
        return false;
    if (!suite->folders)
        return !is_in_folder(row.name, apart_folders);
    return is_in_folder(row.name, suite->folders);
}

/* Whether a name is in the table of built-in instances. Names with options are made on demand and
   are in no table. */
static bool is_built_in(const char *name)
{
    if (strpbrk(name, ":?"))
        return false;
    for (uint32_t i = 0; i < instance_count(); i++)
        if (strcmp(instance_at(i).name, name) == 0)
            return true;
    return false;
}

/* The index-th name that a suite lists, NULL after the last; *index is less then by the names there
 * were. only_others leaves out built-in instances, which a suite of everything has by its rule. */
static const char *find_listed(const struct suite *suite, bool only_others, uint32_t *index)
{
    for (const char *const *name = suite->names; name && *name; name++)
        if ((!only_others || !is_built_in(*name)) && (*index)-- == 0)
            return *name;
    return NULL;
}

static bool is_listed_before(uint32_t suites_before, const char *name)
{
    for (uint32_t i = 0; i < suites_before; i++)
        for (const char *const *other = suites[i].names; !suites[i].is_apart && other && *other;
             other++)
            if (strcmp(*other, name) == 0)
                return true;
    return false;
}

/* The index-th name that a suite which is not apart lists and that is no built-in instance, each
 * name counted once. */
static const char *find_in_other_lists(uint32_t index)
{
    for (uint32_t i = 0; i < suite_count(); i++) {
        const char *name;
        if (suites[i].is_apart)
            continue;
        for (uint32_t k = 0, at = 0; (name = find_listed(&suites[i], true, &at)); at = ++k)
            if (!is_listed_before(i, name) && index-- == 0)
                return name;
    }
    return NULL;
}

const char *suite_instance(const struct suite *suite, uint32_t index)
{
    for (uint32_t i = 0; i < instance_count(); i++)
        if (is_member(suite, instance_at(i)) && index-- == 0)
            return instance_at(i).name;
    const char *listed = find_listed(suite, false, &index);
    return listed || !suite->with_other_lists ? listed : find_in_other_lists(index);
}

uint32_t suite_instances(const struct suite *suite)
{
    uint32_t members = 0;
    while (suite_instance(suite, members))
        members++;
    return members;
}
