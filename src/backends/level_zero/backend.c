/* level_zero - any driver behind the system's loader of Level Zero: kernel timestamps of events, global timestamps in lists. */
#include "../../backend.h"

#if KT_HAVE_LEVEL_ZERO
#include "../../support/dl.h"
#include "api.h"

static const kt_dl_symbol symbols[] = {
#define ZE_ROW(name) {"ze" #name, offsetof(ze_api, ze##name), true},
    ZE_FUNCTIONS(ZE_ROW)
#undef ZE_ROW
#define ZE_ROW(name) {"ze" #name, offsetof(ze_api, ze##name), false},
        ZE_OPTIONAL(ZE_ROW)
#undef ZE_ROW
#define ZE_ROW(name, parameters) {"ze" #name, offsetof(ze_api, ze##name), false},
            ZE_LATER(ZE_ROW)
#undef ZE_ROW
};

/* The types of pointers must be those of the functions; _Generic looks at the type and links nothing. */
#define ZE_CHECK(name)                                                     \
    _Static_assert(_Generic(&ze##name, ze_pfn##name##_t : 1, default : 0), \
                   "ze" #name " differs from ze_ddi.h");
ZE_FUNCTIONS(ZE_CHECK)
ZE_OPTIONAL(ZE_CHECK)
#undef ZE_CHECK

KT_DL_NAMES(library_names, "level-zero", "Measuring Level Zero devices", "libze_loader.so.1");

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    void *library = NULL;
    ze_api api;
    (void)lib, (void)device_count;
    kt_status status = kt_dl_open("KERNTIME_LIB_LEVEL_ZERO", library_names, &library);
    if (status == KT_OK)
        status = kt_dl_load(library, symbols, sizeof symbols / sizeof symbols[0], &api);
    return status == KT_OK ? kt_fail(KT_UNAVAILABLE, "no device") : status;
}
#else

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    (void)lib, (void)device_count;
    return kt_fail(KT_UNAVAILABLE, "kerntime was built without headers for Level Zero");
}
#endif

const kt_backend kt_backend_level_zero = {
    .name = "level_zero", .title = "Level Zero", .lib_init = lib_init};
