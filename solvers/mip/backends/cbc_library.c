#include "solvers/mip/backends/cbc_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static void *open_library(void)
{
    void *handle = dlopen("libCbcSolver.so.3", RTLD_NOW);
    return handle ? handle : dlopen("libCbcSolver.so", RTLD_NOW);
}

/* ISO C has no conversion from the pointers that dlsym gives to those of functions. */
static bool find_function(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

bool cbc_library_load(struct cbc_library *library)
{
    void *handle = open_library();
    bool found = handle != NULL;
#define CBC_LOAD(name) found = found && find_function(handle, "Cbc_" #name, &library->name);
    CBC_FUNCTIONS(CBC_LOAD)
#undef CBC_LOAD
    return found;
}
