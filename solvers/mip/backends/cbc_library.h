#ifndef MEMPLAN_SOLVERS_MIP_BACKENDS_CBC_LIBRARY_H
#define MEMPLAN_SOLVERS_MIP_BACKENDS_CBC_LIBRARY_H

#include <coin/Cbc_C_Interface.h>
#include <stdbool.h>

/* CBC's library, loaded when it is needed: linked, it would make every start of the program take
   10 ms longer. To use another function of its C interface: a row here. */
#define CBC_FUNCTIONS(FUNCTION)                                                                    \
    FUNCTION(newModel)                                                                             \
    FUNCTION(addCol)                                                                               \
    FUNCTION(addRow)                                                                               \
    FUNCTION(setObjSense)                                                                          \
    FUNCTION(setLogLevel)                                                                          \
    FUNCTION(setParameter)                                                                         \
    FUNCTION(setMIPStartI)                                                                         \
    FUNCTION(solve)                                                                                \
    FUNCTION(bestSolution)                                                                         \
    FUNCTION(isProvenInfeasible)                                                                   \
    FUNCTION(getNodeCount)                                                                         \
    FUNCTION(getBestPossibleObjValue)

struct cbc_library {
#define CBC_FIELD(name) __typeof__(Cbc_##name) *name;
    CBC_FUNCTIONS(CBC_FIELD)
#undef CBC_FIELD
};

/* False where it is not installed. It stays loaded. */
bool cbc_library_load(struct cbc_library *library);

#endif
