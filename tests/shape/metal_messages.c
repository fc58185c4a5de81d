/* SPDX-License-Identifier: MIT */
/*
 * Each way in which the Metal backend hands something to a method, in a function of its own:
 * metal_macos.py looks at what clang makes of them for both kinds of Mac. The last two are wrong,
 * and have to be found.
 */
#include "backends/metal/api.h"

void pass_sizes(const metal_api *api, objc_id encoder, metal_size groups, metal_size group_size);
objc_id pass_range(const metal_api *api, objc_id buffer, metal_range_of_units range);
double answer_seconds(const metal_api *api, objc_id commands);
objc_bool answer_bool(const metal_api *api, objc_id device);
void pass_bool(const metal_api *api, objc_id encoder, objc_id samples);
void pass_variadic(objc_method method, objc_id object, objc_selector selector, size_t number);
metal_size answer_structure(objc_method method, objc_id object, objc_selector selector);

void pass_sizes(const metal_api *api, objc_id encoder, metal_size groups, metal_size group_size)
{
    metal_dispatch(api, encoder, groups, group_size);
}

objc_id pass_range(const metal_api *api, objc_id buffer, metal_range_of_units range)
{
    return metal_resolve(api, buffer, range);
}

double answer_seconds(const metal_api *api, objc_id commands)
{
    return metal_gpu_start(api, commands);
}

objc_bool answer_bool(const metal_api *api, objc_id device)
{
    return metal_has_unified_memory(api, device);
}

void pass_bool(const metal_api *api, objc_id encoder, objc_id samples)
{
    metal_sample_counters(api, encoder, samples, 7, 1);
}

void pass_variadic(objc_method method, objc_id object, objc_selector selector, size_t number)
{
    ((void (*)(objc_id, objc_selector, ...))method)(object, selector, number);
}

metal_size answer_structure(objc_method method, objc_id object, objc_selector selector)
{
    return ((metal_size(*)(objc_id, objc_selector))method)(object, selector);
}
