#ifndef MEMPLAN_DATASETS_HLO_READER_H
#define MEMPLAN_DATASETS_HLO_READER_H

#include "datasets/hlo/module.h"

/* The parts of the reader that makes a graph of a module. A frame is one run of a computation,
   whose instructions have their values in it. */

/* What an operator wrote a tensor for: the leaf that it is, the latest one in its place. */
struct hlo_written {
    uint32_t leaf, op;
};

struct hlo_reader {
    struct hlo_module module;
    struct assembly assembly;
    uint64_t memory;             /* the space that is planned */
    struct hlo_written *written; /* [tensors] */
    size_t written_capacity;
    uint32_t *over;    /* [leaves] the leaf of a parameter in whose place it is, or GRAPH_NONE */
    bool *is_apart;    /* [leaves] it may be in no other's place */
    bool is_again;     /* what was found out makes another graph */
    struct text label; /* a name that is being made */
    uint64_t work;     /* instructions and leaves of all computations, once more for each call */
    unsigned depth;
};

struct hlo_frame {
    struct hlo_reader *reader;
    const struct hlo_computation *computation;
    struct assembly_value *value; /* [leaves] */
    uint32_t *op;                 /* [instructions] 1 + operator, 0 for none so far */
    bool is_inner;                /* not the entry */
};

struct hlo_values {
    struct assembly_value *item; /* [count] */
    uint32_t count;
    size_t capacity;
};

/* Makes room for the values of frame->computation. */
enum status hlo_frame_create(struct hlo_frame *frame);
void hlo_frame_free(struct hlo_frame *frame);
void hlo_values_free(struct hlo_values *values);

/* Fails with STATUS_BAD_INPUT. in: the instruction at fault; NULL: the module. */
enum status hlo_fail(const struct hlo_frame *frame, const struct hlo_instruction *in,
                     const char *what);

/* Makes the text a name of the file, up to a zero in it. */
void hlo_copy_name(struct text *text, struct wire_place name, const char *otherwise);

/* Makes reader->label the name of an instruction, or of a leaf of its value where that is a
   tuple. */
enum status hlo_make_label(struct hlo_reader *reader, const struct hlo_instruction *in,
                           uint32_t leaf);

/* The leaves of the value of an instruction of the frame. */
struct assembly_value *hlo_value(const struct hlo_frame *frame, const struct hlo_instruction *in);

/* The instruction of this computation with an id. */
enum status hlo_find_instruction(const struct hlo_frame *frame, const struct hlo_instruction *user,
                                 uint64_t id, const struct hlo_instruction **found);

/* Appends the value of the instruction with an id, or those of some operands of `in`, which have to
   be there. */
enum status hlo_collect_value(const struct hlo_frame *frame, const struct hlo_instruction *user,
                              uint64_t id, struct hlo_values *values);
enum status hlo_collect(const struct hlo_frame *frame, const struct hlo_instruction *in,
                        uint32_t first, uint32_t count, struct hlo_values *values);

/* Lets some leaves of an instruction stand for the values from `first` on. */
enum status hlo_copy(struct hlo_frame *frame, const struct hlo_instruction *in, struct span to,
                     const struct hlo_values *values, uint32_t first);

/* The leaves of an element of a tuple. */
enum status hlo_find_element(const struct hlo_frame *frame, const struct hlo_instruction *in,
                             const struct hlo_instruction *tuple, uint64_t element,
                             struct span *leaves);

/* The open operator uses a value in its regions. */
enum status hlo_use(struct hlo_reader *reader, const struct assembly_value *value, uint32_t op);

/* Lets the leaves of an instruction that stand for nothing so far stand for tensors that the open
   operator writes (op; GRAPH_NONE: inputs of the graph): new ones, or those in whose places the
   assignment or the module puts them. */
enum status hlo_define(struct hlo_frame *frame, const struct hlo_instruction *in, uint32_t op);

/* Appends the tensors of values to the list. */
enum status hlo_list_tensors(struct hlo_reader *reader, const struct hlo_instruction *in,
                             struct hlo_values *values, struct assembly_list *tensors);

/* Reads which outputs of the module are in the places of parameters, and notes it for the leaves
   that are these outputs in the graph. */
enum status hlo_note_aliases(struct hlo_frame *frame, const struct hlo_instruction *root,
                             const struct hlo_values *outputs);

/* Opens an operator that waits for what the instruction is told to wait for; it reads values. */
enum status hlo_open_operator(struct hlo_frame *frame, const struct hlo_instruction *in,
                              const struct hlo_values *values, uint32_t *op);

/* Adds the instructions of the frame's computation to the open region. */
enum status hlo_add_instructions(struct hlo_frame *frame);

/* Instructions that call computations, each given the values of its operands. */
enum status hlo_add_call(struct hlo_frame *frame, const struct hlo_instruction *in,
                         const struct hlo_values *operands);
enum status hlo_add_conditional(struct hlo_frame *frame, const struct hlo_instruction *in,
                                const struct hlo_values *operands);
enum status hlo_add_while(struct hlo_frame *frame, const struct hlo_instruction *in,
                          struct hlo_values *carried);

#endif
