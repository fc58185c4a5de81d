/* SPDX-License-Identifier: MIT */
/* order.c - devices, the worst first; names that tell them apart; their nodes and slots. */
#include "cli/fleet/fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order of devices ---- */

typedef struct sorted_device {
    const fleet_device *device;
    size_t number;
    const char *text; /* that may tell it apart; NULL: none */
} sorted_device;

static double effect_of(const fleet_device *device)
{
    return device->cell && !isnan(device->cell->effect) ? device->cell->effect : -INFINITY;
}

static int by_name(const fleet_device *one, const fleet_device *other)
{
    int order = fleet_compare_texts(one->node, other->node);
    return order ? order : fleet_compare_texts(one->label, other->label);
}

static int by_severity(const void *a, const void *b)
{
    const sorted_device *one = a, *other = b;
    int order = (int)other->device->answer - (int)one->device->answer;
    double first = effect_of(one->device), second = effect_of(other->device);
    order = order ? order : (first < second) - (first > second);
    order = order ? order : by_name(one->device, other->device);
    return order ? order : fleet_compare_sizes(one->number, other->number);
}

static sorted_device *list_devices(fleet *of)
{
    sorted_device *all = fleet_alloc(of, of->device_count, sizeof *all);
    for (size_t i = 0; all && i < of->device_count; i++)
        all[i] = (sorted_device){&of->devices[i], i, NULL};
    return all;
}

/* ---- names of devices ---- */

static bool is_same_name(const sorted_device *one, const sorted_device *other)
{
    return one->device->node == other->device->node && one->device->id == other->device->id;
}

static int by_node_and_id(const void *a, const void *b)
{
    const sorted_device *one = a, *other = b;
    int order = fleet_compare_texts(one->device->node, other->device->node);
    order = order ? order : fleet_compare_texts(one->device->id, other->device->id);
    return order ? order : fleet_compare_sizes(one->number, other->number);
}

static int by_text(const void *a, const void *b)
{
    const sorted_device *one = a, *other = b;
    int order = fleet_compare_texts(one->text, other->text);
    return order ? order : fleet_compare_sizes(one->number, other->number);
}

/* What devices of one id on one node may differ in. */
enum { IN_ADDRESS, IN_UUID, IN_DRIVER, IN_BOTH, WAYS };

/* NULL: unknown. */
static const char *difference_of(fleet *of, const fleet_device *d, int way)
{
    const char *driver = of->groups[d->group].label, *address = d->pci_address;
    switch (way) {
    case IN_ADDRESS: return *address ? fleet_keepf(of, "@%s", address) : NULL;
    case IN_UUID: return *d->uuid ? fleet_keepf(of, "@%s", d->uuid) : NULL;
    case IN_DRIVER: return fleet_keepf(of, "[%s]", driver);
    default: return *address ? fleet_keepf(of, "@%s [%s]", address, driver) : NULL;
    }
}

/* Whether all differ in this way; sorts by it. */
static bool do_differ(fleet *of, sorted_device *all, size_t count, int way)
{
    bool differ = true;
    for (size_t i = 0; i < count; i++)
        all[i].text = difference_of(of, all[i].device, way);
    qsort(all, count, sizeof *all, by_text);
    for (size_t i = 0; i < count; i++)
        differ &= all[i].text && (!i || all[i].text != all[i - 1].text);
    return differ;
}

/* Names `count` devices of one id on one node by what differs among them. */
static void name_alike(fleet *of, sorted_device *all, size_t count)
{
    int way = 0;
    bool is_shared = false;
    while (way < WAYS && !do_differ(of, all, count, way))
        way++;
    for (size_t i = 1; i < count; i++)
        is_shared |= all[i].device->uuid != all->device->uuid ||
                     all[i].device->pci_address != all->device->pci_address;
    for (size_t i = 0; i < count; i++) {
        fleet_device *d = &of->devices[all[i].number];
        d->is_id_shared = is_shared;
        d->label = way < WAYS ? fleet_keepf(of, "%s %s", d->id, all[i].text)
                              : fleet_keepf(of, "%s #%zu", d->id, i + 1);
    }
}

/* Where a launcher shows each rank one device alone, all have one id. */
static void name_devices(fleet *of, sorted_device *all)
{
    qsort(all, of->device_count, sizeof *all, by_node_and_id);
    for (size_t first = 0, next; first < of->device_count; first = next) {
        for (next = first + 1; next < of->device_count && is_same_name(&all[first], &all[next]);)
            next++;
        if (next - first > 1)
            name_alike(of, &all[first], next - first);
        else
            of->devices[all[first].number].label = all[first].device->id;
    }
}

static int by_place_in_host(const void *a, const void *b)
{
    const sorted_device *one = a, *other = b;
    const fleet_device *first = one->device, *second = other->device;
    int order = fleet_compare_texts(first->node, second->node);
    order = order ? order : fleet_compare_texts(first->pci_address, second->pci_address);
    order = order ? order : fleet_compare_texts(first->uuid, second->uuid);
    order = order ? order : fleet_compare_texts(first->id, second->id);
    order = order ? order : fleet_compare_sizes(first->group, second->group);
    order = order ? order : fleet_compare_texts(first->boot_id, second->boot_id);
    return order ? order : fleet_compare_sizes(one->number, other->number);
}

/* Devices that count twice. */
typedef struct repeated {
    size_t starts, drivers, settings;            /* by what differs */
    const fleet_device *started, *changed, *set; /* the first ones */
} repeated;

static repeated count_repeated(const fleet *of, sorted_device *all)
{
    repeated out = {0};
    qsort(all, of->device_count, sizeof *all, by_place_in_host);
    for (size_t i = 1; i < of->device_count; i++) {
        const fleet_device *one = all[i - 1].device, *other = all[i].device;
        if (one->node != other->node || one->pci_address != other->pci_address ||
            one->uuid != other->uuid || one->id != other->id || strcmp(one->node, "?") == 0)
            continue;
        const fleet_group *first = &of->groups[one->group], *second = &of->groups[other->group];
        if (one->group != other->group) {
            if (first->name == second->name && first->driver != second->driver && !out.drivers++)
                out.changed = one;
            if (first->name == second->name && first->driver == second->driver && !out.settings++)
                out.set = one;
        } else if (one->boot_id[0] && one->boot_id != other->boot_id && !out.starts++)
            out.started = one;
    }
    return out;
}

static int by_start_of_node(const void *a, const void *b)
{
    const sorted_device *one = a, *other = b;
    int order = fleet_compare_texts(one->device->node, other->device->node);
    order = order ? order : fleet_compare_texts(one->device->boot_id, other->device->boot_id);
    return order ? order : fleet_compare_sizes(one->number, other->number);
}

/* Hosts of one name are one node, for all that is said of nodes. */
static void note_starts(fleet *of, sorted_device *all)
{
    const fleet_device *several = NULL;
    repeated found = count_repeated(of, all);
    if (found.drivers)
        fleet_note(of, "%zu device%s twice, such as %s %s: measured with two drivers",
                   found.drivers, found.drivers == 1 ? " counts" : "s count", found.changed->node,
                   found.changed->id);
    if (found.settings)
        fleet_note(of, "%zu device%s twice, such as %s %s: power limit or clock settings changed",
                   found.settings, found.settings == 1 ? " counts" : "s count", found.set->node,
                   found.set->id);
    if (found.starts) {
        fleet_note(of,
                   "%zu device%s twice, such as %s %s: measured before and after a restart, or on "
                   "two hosts of one name",
                   found.starts, found.starts == 1 ? " counts" : "s count", found.started->node,
                   found.started->id);
        return;
    }
    qsort(all, of->device_count, sizeof *all, by_start_of_node);
    for (size_t i = 1; i < of->device_count; i++) {
        const fleet_device *one = all[i - 1].device, *other = all[i].device;
        if (!several && one->node == other->node && one->boot_id[0] &&
            one->boot_id != other->boot_id)
            several = one;
    }
    if (several)
        fleet_note(of, "node %s was restarted between its results, or several hosts have its name",
                   several->node);
}

static void sort_devices(fleet *of)
{
    sorted_device *all = list_devices(of);
    of->order = fleet_alloc(of, of->device_count, sizeof *of->order);
    if (all && of->order) {
        note_starts(of, all);
        name_devices(of, all);
        qsort(all, of->device_count, sizeof *all, by_severity);
        for (size_t i = 0; i < of->device_count; i++)
            of->order[i] = all[i].number;
    }
    free(all);
}

/* ---- nodes and slots ---- */

typedef struct placed {
    const char *name;
    const fleet_device *device;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *one = a, *other = b;
    int order = fleet_compare_texts(one->name, other->name);
    return order ? order : fleet_compare_texts(one->device->node, other->device->node);
}

static int by_effect(const void *a, const void *b)
{
    const placed *one = a, *other = b;
    double first = effect_of(one->device), second = effect_of(other->device);
    return (first > second) - (first < second);
}

/* Of devices by node. */
static void count_nodes(const placed *all, size_t count, fleet_place *to)
{
    for (size_t first = 0, next; first < count; first = next) {
        bool is_slow = false;
        for (next = first; next < count && all[next].device->node == all[first].device->node;
             next++)
            is_slow |= fleet_is_slow(all[next].device);
        to->node_count++;
        to->slow_nodes += is_slow;
    }
}

static fleet_place sum_up(placed *all, size_t count)
{
    fleet_place out = {.name = all->name, .device_count = count, .median = NAN, .worst = NAN};
    size_t first = 0;
    count_nodes(all, count, &out);
    qsort(all, count, sizeof *all, by_effect);
    for (size_t i = 0; i < count; i++) {
        out.slow_count += fleet_is_slow(all[i].device);
        out.bad_count += fleet_is_bad(all[i].device) && !fleet_is_slow(all[i].device);
        first += isinf(effect_of(all[i].device)) != 0;
    }
    size_t known = count - first;
    if (known) {
        out.worst = effect_of(all[count - 1].device);
        out.median = (effect_of(all[first + (known - 1) / 2].device) +
                      effect_of(all[first + known / 2].device)) /
                     2;
    }
    return out;
}

static fleet_place *list_places(fleet *of, bool by_slot, size_t *count)
{
    placed *all = fleet_alloc(of, of->device_count, sizeof *all);
    fleet_place *places = fleet_alloc(of, of->device_count, sizeof *places);
    *count = 0;
    for (size_t i = 0; all && i < of->device_count; i++)
        all[i] = (placed){by_slot ? of->devices[i].slot : of->devices[i].node, &of->devices[i]};
    if (all && of->device_count)
        qsort(all, of->device_count, sizeof *all, by_place);
    for (size_t first = 0, next; all && places && first < of->device_count; first = next) {
        for (next = first + 1; next < of->device_count && all[next].name == all[first].name;)
            next++;
        places[(*count)++] = sum_up(&all[first], next - first);
    }
    free(all);
    return places;
}

void fleet_sort(fleet *of)
{
    sort_devices(of);
    of->nodes = list_places(of, false, &of->node_count);
    of->slots = list_places(of, true, &of->slot_count);
}
