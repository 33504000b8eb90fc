#ifndef MEMPLAN_DATASETS_ASSEMBLY_ASSEMBLY_H
#define MEMPLAN_DATASETS_ASSEMBLY_ASSEMBLY_H

#include "core/text.h"
#include "planning/graph/build.h"

/* What readers of models do alike: the values that a file names become tensors and weights of a
   graph under names of their own, and its nodes operators. */

enum assembly_kind {
    ASSEMBLY_UNKNOWN, /* nothing wrote it so far */
    ASSEMBLY_NOTHING, /* takes no memory: a size, a token, an optional value left out */
    ASSEMBLY_WEIGHT,
    ASSEMBLY_TENSOR,
};

/* What a name of the file stands for. Several names stand for one tensor where they are views. */
struct assembly_value {
    enum assembly_kind kind;
    uint32_t tensor; /* of a weight: GRAPH_NONE until it is used as a tensor */
    uint32_t source; /* of a weight, as the reader numbers them */
    uint8_t dtype;
    bool has_dtype; /* else only the bytes are known */
    uint64_t bytes;
};

struct assembly_list {
    uint32_t *item; /* [count] */
    uint32_t count;
    size_t capacity;
};

struct assembly {
    struct graph *graph;
    struct text prefix; /* of the names inside the regions that are open */
    struct text name;   /* a name that is being made */
    struct names operators;
    /* Of the operator that was opened last, until assembly_head. */
    struct assembly_list inputs, outputs, inplace, after;
    struct error *error;
};

enum status assembly_create(struct assembly *assembly, const char *name, struct error *error);
void assembly_clear(struct assembly *assembly);

/* Adds a tensor that is called prefix + name, or with a number behind it where that is taken.
   spec.name is ignored. */
enum status assembly_add_tensor(struct assembly *assembly, const char *name,
                                struct graph_tensor_spec spec, uint32_t *tensor);

/* Opens an operator of that name, as above. Until assembly_head, what it reads and writes is
   collected. */
enum status assembly_open(struct assembly *assembly, const char *name, const char *type,
                          uint32_t *op);
/* A tensor becomes an input and a weight, called `name`, a weight; nothing stays nothing. */
enum status assembly_read(struct assembly *assembly, const struct assembly_value *value,
                          const char *name);
enum status assembly_write(struct assembly *assembly, uint32_t tensor);
/* The output that was added last may be written over the input that was. */
enum status assembly_may_overwrite(struct assembly *assembly, uint32_t input, uint32_t output);
/* Tells the graph what was collected; regions follow, or the operator is closed. */
enum status assembly_head(struct assembly *assembly);

/* The tensor of a value that is read as one: of a weight, a tensor outside the arena. */
enum status assembly_tensor(struct assembly *assembly, struct assembly_value *value,
                            const char *name, uint32_t *tensor);

enum status assembly_list_add(struct assembly *assembly, struct assembly_list *list, uint32_t item);
void assembly_list_free(struct assembly_list *list);

/* Enters a region of the open operator: names in it begin with "operator/region/". Returns the
   length of the prefix before, for assembly_leave. */
enum status assembly_enter(struct assembly *assembly, uint32_t op, const char *region,
                           size_t *before);
enum status assembly_leave(struct assembly *assembly, size_t before,
                           const struct assembly_list *yields);

#endif
