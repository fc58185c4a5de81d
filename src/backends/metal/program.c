#include "backends/metal/internal.h"
#include "support/alloc.h"

static kt_status build(metal_program *p, const kt_program_desc *desc)
{
    const metal_api *api = p->device->api;
    objc_id device = p->device->device, library = NULL;
    kt_status status =
        metal_library_create(api, device, desc->source, desc->source_bytes, desc->entry, &library);
    if (status == KT_OK)
        status = metal_pipeline_create(api, device, library, desc->entry, &p->pipeline);
    if (status == KT_OK)
        p->max_threads = metal_max_threads(api, p->pipeline);
    metal_release(api, library);
    return status;
}

kt_status metal_program_init(void *program, void *device, const kt_program_desc *desc)
{
    metal_program *p = program;
    kt_status status;
    p->device = device;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    METAL_WITHIN_POOL(p->device->api, status, build(p, desc));
    return status;
}

void metal_program_fini(void *program)
{
    metal_program *p = program;
    const metal_api *api = p->device->api;
    void *pool = metal_pool_push(api);
    metal_release(api, p->pipeline);
    metal_pool_pop(api, pool);
    kt_free(p->entry);
}
