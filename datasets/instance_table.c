#include "datasets/instance_table.h"

#include <stdio.h>
#include <string.h>

/* A new built-in instance is a row here and a file builtin/NAME.json; networks of the zoo follow.
 */
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
    {"paper/figure1", INSTANCE_GRAPH, "Two branch operators (Wang et al. 2025, Figures 1 and 2)",
     true, true},
    {"patent/figure4", INSTANCE_GRAPH, "Eight operators (the patent, Figure 4, Tables 1 and 2)",
     false, false},
    {"ge/cnn_block", INSTANCE_GRAPH, "Conv, ReLU, Pool (GE article, section 6)", false, false},
    {"ge/section3", INSTANCE_GRAPH, "Four operators (GE article, section 3)", false, false},
};

enum { FILES = sizeof files / sizeof *files, MOST_NAME = 64 };

uint32_t instance_count(void)
{
    return FILES + zoo_count();
}

const struct instance_row *instance_at(uint32_t index)
{
    return index < FILES ? &files[index] : &zoo_at(index - FILES)->row;
}

const char *instance_kind_name(enum instance_kind kind)
{
    return kind == INSTANCE_GRAPH ? "graph" : "problem";
}

bool instance_source_find(const char *name, size_t length, struct instance_source *source)
{
    for (uint32_t i = 0; i < instance_count(); i++) {
        const struct instance_row *row = instance_at(i);
        if (strlen(row->name) != length || memcmp(row->name, name, length) != 0)
            continue;
        *source = (struct instance_source){row, i < FILES ? NULL : zoo_at(i - FILES)};
        return true;
    }
    return false;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's distance: characters to insert, delete or replace. Both shorter than MOST_NAME. */
static unsigned measure_distance(const char *left, const char *right)
{
    unsigned row[MOST_NAME + 1];
    size_t width = strlen(right);
    for (unsigned i = 0; i <= width; i++)
        row[i] = i;
    for (unsigned i = 0; left[i]; i++) {
        unsigned diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < width; k++) {
            unsigned replaced = diagonal + (left[i] != right[k]);
            diagonal = row[k + 1];
            row[k + 1] = min3(replaced, row[k] + 1, row[k + 1] + 1);
        }
    }
    return row[width];
}

/* A typing error or two, or a name without its folder. */
static bool looks_like(const char *wanted, const char *name)
{
    const char *base = strchr(name, '/') + 1;
    if (strlen(wanted) >= MOST_NAME)
        return false;
    return measure_distance(wanted, name) <= 3 || measure_distance(wanted, base) <= 2 ||
           (strlen(wanted) >= 4 && strstr(name, wanted));
}

void instance_source_suggest(const char *name, char *names, size_t bytes)
{
    *names = '\0';
    for (uint32_t i = 0; i < instance_count(); i++) {
        size_t used = strlen(names);
        if (looks_like(name, instance_at(i)->name))
            snprintf(names + used, bytes - used, "%s%s", used ? ", " : "", instance_at(i)->name);
    }
}
