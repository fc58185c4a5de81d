/* The face for loaders: a table of functions, which each handle begins with. */
#include "stub.h"

#include <CL/cl_icd.h>

/* What the stub lacks stays NULL, and a program that calls it crashes in the loader. */
const struct _cl_icd_dispatch icd_table = {
#define ICD_ENTRY(name) .name = name,
    ENTRY_POINTS(ICD_ENTRY)
#undef ICD_ENTRY
        .clGetExtensionFunctionAddress = clGetExtensionFunctionAddress,
};

__attribute__((constructor)) static void set_table(void)
{
    objects_table = &icd_table;
}

cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                              cl_uint *num_platforms)
{
    return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

void *clGetExtensionFunctionAddress(const char *name)
{
    cl_int (*const get)(cl_uint, cl_platform_id *, cl_uint *) = clIcdGetPlatformIDsKHR;
    void *address = NULL;
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        memcpy(&address, &get, sizeof address);
    return address;
}
