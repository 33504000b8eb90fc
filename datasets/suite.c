#include "datasets/suite.h"

#include <stdbool.h>
#include <string.h>

#include "datasets/instance.h"

/* Usual batches on one accelerator. */
static const char *const training[] = {
    "zoo/alexnet?training=1&batch=128",
    "zoo/vgg16?training=1&batch=32",
    "zoo/googlenet?training=1&batch=32",
    "zoo/inception_v3?training=1&batch=32",
    "zoo/resnet18?training=1&batch=32",
    "zoo/resnet50?training=1&batch=32",
    "zoo/resnet50?training=1&batch=32&dtype=float16",
    "zoo/resnet152?training=1&batch=32",
    "zoo/densenet121?training=1&batch=32",
    "zoo/mobilenet_v2?training=1&batch=32",
    "zoo/efficientnet_b0?training=1&batch=32",
    "zoo/unet?training=1&batch=1",
    NULL,
};

static const struct suite suites[] = {
    {"luna", "the five models of the main paper, reconstructed", "luna", SUITE_ANY, NULL},
    {"worked", "the worked examples of the papers", "paper patent ge", SUITE_ANY, NULL},
    {"zoo", "published networks without control flow", "zoo", SUITE_WITHOUT_CONTROL_FLOW, NULL},
    {"control_flow", "every built-in instance with branches or loops", NULL,
     SUITE_WITH_CONTROL_FLOW, NULL},
    {"training", "networks of the zoo with their backward operators", NULL, SUITE_ANY, training},
    {"all", "every built-in instance", NULL, SUITE_ANY, NULL},
};

uint32_t suite_count(void)
{
    return sizeof suites / sizeof *suites;
}

const struct suite *suite_at(uint32_t index)
{
    return &suites[index];
}

const struct suite *suite_find(const char *name)
{
    for (uint32_t i = 0; i < suite_count(); i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
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

static bool is_member(const struct suite *suite, const struct instance_row *row)
{
    if (suite->control_flow != SUITE_ANY &&
        row->has_control_flow != (suite->control_flow == SUITE_WITH_CONTROL_FLOW))
        return false;
    return !suite->folders || is_in_folder(row->name, suite->folders);
}

uint32_t suite_instances(const struct suite *suite)
{
    uint32_t members = 0;
    while (suite->list && suite->list[members])
        members++;
    for (uint32_t i = 0; !suite->list && i < instance_count(); i++)
        members += is_member(suite, instance_at(i));
    return members;
}

const char *suite_instance(const struct suite *suite, uint32_t index)
{
    if (suite->list)
        return index < suite_instances(suite) ? suite->list[index] : NULL;
    for (uint32_t i = 0; i < instance_count(); i++)
        if (is_member(suite, instance_at(i)) && index-- == 0)
            return instance_at(i)->name;
    return NULL;
}
