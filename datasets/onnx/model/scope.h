#ifndef MEMPLAN_DATASETS_ONNX_MODEL_SCOPE_H
#define MEMPLAN_DATASETS_ONNX_MODEL_SCOPE_H

#include "datasets/onnx/model/model.h"

/* What names mean while the model is gone through: an inner graph sees those of the graphs around
   it, the body of a function only its own. */

struct onnx_binding {
    char *unique;       /* the value for which the name stands now, NULL for none */
    const char *wished; /* the name that the value should get, or NULL */
    uint32_t depth;     /* of the scope in which it was bound */
    unsigned again;     /* how many names have been derived from this one */
};

struct onnx_undo {
    uint32_t name;
    struct onnx_binding before;
};

struct onnx_scope {
    struct onnx_model *model;
    struct names names;           /* as they stand in the file */
    struct onnx_binding *binding; /* [names.count] */
    struct onnx_undo *undo;       /* [undos] */
    size_t undos, undo_capacity, binding_capacity;
    uint32_t depth; /* number of the innermost scope */
    uint32_t floor; /* scopes with lower numbers are not visible */
};

/* To leave a scope: the answer of onnx_scope_enter. */
struct onnx_scope_mark {
    size_t undos;
    uint32_t floor;
};

struct onnx_scope_mark onnx_scope_enter(struct onnx_scope *scope, bool closed);
void onnx_scope_leave(struct onnx_scope *scope, struct onnx_scope_mark mark);
void onnx_scope_free(struct onnx_scope *scope);

/* Replaces *name by the value's own, which is added to the model. Fails if the scope has it. */
enum status onnx_scope_define(struct onnx_scope *scope, char **name);
/* The same, but one the scope has stays what it is. */
enum status onnx_scope_define_again(struct onnx_scope *scope, char **name);

/* name is from now on the value called unique. */
enum status onnx_scope_bind(struct onnx_scope *scope, const char *name, char *unique);

/* The value that name is given in this scope later is called wished, or, where that is taken, what
   is made of it by a number. */
enum status onnx_scope_wish(struct onnx_scope *scope, const char *name, const char *wished);

/* What the name means, NULL if nothing. */
char *onnx_scope_find(const struct onnx_scope *scope, const char *name);

#endif
