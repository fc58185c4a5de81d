#include "core.h"
#include "support/alloc.h"

#include <string.h>

kt_status kt_take_options(void *to, size_t bytes, const void *from, const char *what)
{
    memset(to, 0, bytes);
    if (!from)
        return KT_OK;
    size_t given;
    memcpy(&given, from, sizeof given);
    if (given < sizeof given)
        return kt_fail(KT_INVALID, "the member size of %s is not set", what);
    memcpy(to, from, given < bytes ? given : bytes);
    /* A program built for a later version may ask for what this one does not know. */
    for (size_t i = bytes; i < given; i++)
        if (((const unsigned char *)from)[i])
            return kt_fail(KT_UNSUPPORTED, "%s has a member that kerntime %s does not know", what,
                           kt_version());
    return KT_OK;
}

void *kt_keep(void ***list, uint32_t *count, void *memory)
{
    if (!memory)
        return NULL;
    void **longer = kt_grow(*list, (size_t)*count + 1, sizeof *longer);
    if (!longer) {
        kt_free(memory);
        return NULL;
    }
    *list = longer;
    longer[(*count)++] = memory;
    return memory;
}

void kt_free_kept(void ***list, uint32_t *count)
{
    while (*count)
        kt_free((*list)[--*count]);
    kt_free(*list);
    *list = NULL;
}
