/* SPDX-License-Identifier: MIT */
#include "trace/names.h"

#include "support/alloc.h"

#include <string.h>

#define PLACES_MIN 64

struct kt_name {
    size_t at, length;
    uint32_t hash;
};

/* FNV-1a (Fowler, Noll and Vo; RFC 9923), 32 bits. */
static uint32_t hash_of(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint32_t hash = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * UINT32_C(16777619);
    return hash;
}

/* Place of these bytes in the hash table, or the free place for them. */
static uint32_t find_place(const kt_names *names, const void *bytes, size_t length, uint32_t hash)
{
    uint32_t mask = names->place_count - 1, place = hash & mask;
    for (; names->places[place]; place = (place + 1) & mask) {
        const kt_name *name = &names->names[names->places[place] - 1];
        if (name->hash == hash && name->length == length &&
            memcmp(names->bytes + name->at, bytes, length) == 0)
            break;
    }
    return place;
}

static kt_status grow_places(kt_names *names)
{
    if (names->place_count / 2 > names->count)
        return KT_OK;
    uint32_t count = names->place_count ? 2 * names->place_count : PLACES_MIN;
    uint32_t *places = kt_alloc(count, sizeof *places);
    if (!places)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t place = names->names[i].hash & (count - 1);
        while (places[place])
            place = (place + 1) & (count - 1);
        places[place] = i + 1;
    }
    kt_free(names->places);
    names->places = places;
    names->place_count = count;
    return KT_OK;
}

/* Makes room for one more name of that length. */
static kt_status make_room(kt_names *names, size_t length)
{
    kt_name *longer =
        kt_make_room(names->names, &names->names_room, (size_t)names->count + 1, sizeof *longer);
    if (!longer)
        return KT_NO_MEMORY;
    names->names = longer;
    char *bytes = kt_make_room(names->bytes, &names->room, names->used + length, 1);
    if (!bytes)
        return KT_NO_MEMORY;
    names->bytes = bytes;
    return KT_OK;
}

kt_status kt_names_add(kt_names *names, const void *bytes, size_t length, uint32_t *number)
{
    uint32_t hash = hash_of(bytes, length);
    kt_status status = grow_places(names);
    if (status != KT_OK)
        return status;
    uint32_t place = find_place(names, bytes, length, hash);
    if (names->places[place] == 0) {
        status = make_room(names, length);
        if (status != KT_OK)
            return status;
        memcpy(names->bytes + names->used, bytes, length);
        names->names[names->count++] = (kt_name){names->used, length, hash};
        names->used += length;
        names->places[place] = names->count;
    }
    *number = names->places[place] - 1;
    return KT_OK;
}

kt_status kt_names_add_text(kt_names *names, const char *text, uint32_t *number)
{
    return kt_names_add(names, text, strlen(text) + 1, number);
}

const char *kt_names_get(const kt_names *names, uint32_t number)
{
    return names->bytes + names->names[number].at;
}

void kt_names_fini(kt_names *names)
{
    kt_free(names->bytes);
    kt_free(names->names);
    kt_free(names->places);
    *names = (kt_names){0};
}
