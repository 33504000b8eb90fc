#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/network/script.h"

void script_fail(struct script *script, const char *what, const char *found)
{
    network_fail(script->network, "line %u of the network's text: %s '%s'", script->at, what,
                 found);
}

uint32_t script_find_tensor(struct script *script, const char *name)
{
    const struct script_frame *frame = script->frame;
    if (strcmp(name, "last") == 0)
        return script->last;
    if (name[0] == 'i' && name[1] == 'n' &&
        (!name[2] || (isdigit((unsigned char)name[2]) && !name[3]))) {
        uint32_t input = name[2] ? (uint32_t)(name[2] - '1') : 0;
        if (input < frame->inputs)
            return frame->input[input];
    }
    uint32_t index = names_find(&script->names, name);
    if (index != NAMES_NONE)
        return script->tensor[index];
    script_fail(script, "no tensor", name);
    return 0;
}

uint32_t script_set_tensor(struct script *script, const char *name, uint32_t tensor)
{
    struct network *network = script->network;
    uint32_t index = names_find(&script->names, name);
    if (network->status)
        return 0;
    if (index == NAMES_NONE) {
        index = script->names.count;
        if (!network_keep(network, memory_reserve(&script->tensor, &script->tensor_capacity,
                                                  (size_t)index + 1, sizeof *script->tensor,
                                                  &network->error)) ||
            !network_keep(network, names_add(&script->names, name, &network->error)))
            return 0;
    }
    script->tensor[index] = tensor;
    return index;
}

static void list_tensor(struct script *script, uint32_t tensor, uint32_t *list, uint32_t *count)
{
    if (*count == NETWORK_MOST_INPUTS)
        script_fail(script, "too many tensors", "<");
    else
        list[(*count)++] = tensor;
}

uint32_t script_find_tensors(struct script *script, const struct script_words *words,
                             uint32_t first, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = first; i < words->count; i++) {
        const char *word = words->word[i], *star = strchr(word, '*');
        if (!star)
            list_tensor(script, script_find_tensor(script, word), list, &count);
        for (uint32_t number = 0; star && !script->network->status; number++) {
            char name[128];
            snprintf(name, sizeof name, "%.*s%u%s", (int)(star - word), word, number, star + 1);
            uint32_t index = names_find(&script->names, name);
            if (index != NAMES_NONE)
                list_tensor(script, script->tensor[index], list, &count);
            else if (number)
                break;
        }
    }
    return count;
}
