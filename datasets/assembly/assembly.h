#ifndef MEMPLAN_DATASETS_ASSEMBLY_ASSEMBLY_H
#define MEMPLAN_DATASETS_ASSEMBLY_ASSEMBLY_H

#include "core/list.h"
#include "core/text.h"
#include "datasets/assembly/types.h"
#include "planning/graph/build.h"

/* What readers of models do alike: the values that a file names become tensors and weights of a
   graph under names of their own, and its nodes operators. */

enum assembly_kind {
    ASSEMBLY_UNKNOWN, /* nothing wrote it so far */
    ASSEMBLY_NOTHING, /* takes no memory: a size, a token, an optional value left out */
    ASSEMBLY_WEIGHT,
    ASSEMBLY_TENSOR,
};

/* Shape and bytes of a value. */
struct assembly_shape {
    uint32_t rank;
    uint64_t dimension[GRAPH_MOST_DIMENSIONS]; /* [rank], where it has a dtype */
    bool has_dtype;                            /* else the graph knows only the bytes */
    uint8_t dtype;
    uint32_t element_bits;
    uint64_t layout; /* what the order of the elements in memory is known by; 0: its dimensions' */
    uint64_t bytes;
    bool external;
};

/* Gives the shape a type. False where that is NULL. */
bool assembly_set_type(struct assembly_shape *shape, const struct element_type *type);

/* What a name of the file stands for. Several names stand for one tensor where they are views. */
struct assembly_value {
    enum assembly_kind kind;
    uint32_t tensor; /* of a weight: GRAPH_NONE until it is used as a tensor */
    uint32_t source; /* of a weight, or what wrote a tensor, as the reader numbers them */
    uint8_t dtype;
    bool has_dtype; /* else only the bytes are known */
    uint64_t bytes;
};

struct assembly_list {
    uint32_t *item; /* [count] */
    uint32_t count;
    size_t capacity;
};

/* What wrote and read a tensor in its region: operators that write into a tensor have an order with
   those around them that no value shows. */
struct assembly_place {
    uint32_t region;   /* GRAPH_NONE for one that nothing may write into */
    uint32_t writer;   /* the operator that wrote into it last, GRAPH_NONE */
    uint32_t last_use; /* 1 + index in the uses, of what read it since then; 0: none */
};

struct assembly_use {
    uint32_t op, next; /* next: 1 + index, 0 */
};

struct assembly {
    struct graph *graph;
    struct assembly_place *place; /* [places] of the graph's first tensors */
    size_t place_capacity;
    uint32_t places;
    LIST_OF(struct assembly_use) use;
    struct text prefix; /* of the names inside the regions that are open */
    struct text name;   /* a name that is being made */
    struct names operators;
    /* The lists of the operator that was opened last, until assembly_head. */
    struct assembly_list inputs, outputs, inplace, after;
    const char *file; /* for messages, borrowed; "" for none */
    struct error *error;
};

/* Begins a graph of this name, or with that of a file. */
enum status assembly_create(struct assembly *assembly, const char *name, struct error *error);
enum status assembly_create_of_file(struct assembly *assembly, const char *file,
                                    struct error *error);
void assembly_clear(struct assembly *assembly);

/* Adds a tensor that is called prefix + name, or with a number behind it where that is taken.
   spec.name is ignored. */
enum status assembly_add_tensor(struct assembly *assembly, const char *name,
                                struct graph_tensor_spec spec, uint32_t *tensor);

/* Lets a value stand for a new tensor of that name and shape, which operators of the open region
   may write into, or for a weight. A tensor without elements is planned as one byte, so that it has
   a place. */
enum status assembly_define(struct assembly *assembly, const char *name,
                            const struct assembly_shape *shape, struct assembly_value *value);
struct assembly_value assembly_weight(const struct assembly_shape *shape, uint32_t source);

/* Opens an operator of that name, as above. Until assembly_head, what it reads and writes is
   collected. */
enum status assembly_open(struct assembly *assembly, const char *name, const char *type,
                          uint32_t *op);
/* A tensor becomes an input and a weight, called `name`, a weight; nothing stays nothing. */
enum status assembly_read(struct assembly *assembly, const struct assembly_value *value,
                          const char *name);
enum status assembly_write(struct assembly *assembly, uint32_t tensor);
/* The first output may be written over an input. */
enum status assembly_add_inplace(struct assembly *assembly, uint32_t input);
/* The only output may be written over a value that the operator reads once, where both have the
   same bytes in elements of the same size in the same order. *position is that of the value among
   the inputs, and is advanced. */
enum status assembly_may_overwrite(struct assembly *assembly, const struct assembly_value *value,
                                   const struct assembly_shape *from,
                                   const struct assembly_shape *to, uint32_t *position);
/* The open operator uses a tensor in one of its regions or reads it: it waits for what wrote into
   it last. Or it writes into the tensor itself, and waits for all that use it so far; only where
   assembly_is_writable says that the tensor is one of its own region. */
enum status assembly_use(struct assembly *assembly, uint32_t tensor, uint32_t op);
bool assembly_is_writable(const struct assembly *assembly, uint32_t tensor, uint32_t op);
enum status assembly_overwrite(struct assembly *assembly, uint32_t tensor, uint32_t op);
/* Tells the graph what was collected; regions follow, or the operator is closed (assembly_close
   does both). */
enum status assembly_head(struct assembly *assembly);
enum status assembly_close(struct assembly *assembly);

/* The tensor of a value that is read as one: of a weight, a tensor outside the arena.
   STATUS_BAD_INPUT for a value that is none. */
enum status assembly_tensor(struct assembly *assembly, struct assembly_value *value,
                            const char *name, uint32_t *tensor);

/* Finishes the graph with these outputs, and hands it to the caller. Failures name the file. */
enum status assembly_finish(struct assembly *assembly, const struct assembly_list *outputs,
                            const char *file, struct graph **graph);

enum status assembly_list_add(struct assembly *assembly, struct assembly_list *list, uint32_t item);
void assembly_list_free(struct assembly_list *list);

/* Enters a region of the open operator: names in it begin with "operator/region/". Returns the
   length of the prefix before, for assembly_leave. */
enum status assembly_enter(struct assembly *assembly, uint32_t op, const char *region,
                           size_t *before);
enum status assembly_leave(struct assembly *assembly, size_t before,
                           const struct assembly_list *yields);
/* The same where there is one yield for each output of the operator, no larger than that and not
   GRAPH_NONE; and where the first yields go on as the values that it carries, and leave the list.
   STATUS_BAD_INPUT where that is not so. */
enum status assembly_leave_branch(struct assembly *assembly, uint32_t op, size_t before,
                                  const struct assembly_list *yields);
enum status assembly_leave_body(struct assembly *assembly, uint32_t op, size_t before,
                                struct assembly_list *yields);

#endif
