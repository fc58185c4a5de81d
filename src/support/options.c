/* SPDX-License-Identifier: MIT */
#include "support/options.h"

#include "support/error.h"

#include <kerntime/kerntime.h>
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
    /* A program built for a newer version may set members that this version lacks. */
    for (size_t i = bytes; i < given; i++)
        if (((const unsigned char *)from)[i])
            return kt_fail(KT_UNSUPPORTED, "%s has a member that kerntime %s does not know", what,
                           kt_version());
    return KT_OK;
}

kt_status kt_fail_null(const char *parameter)
{
    return kt_fail(KT_INVALID, "%s must not be NULL", parameter);
}
