/* SPDX-License-Identifier: MIT */
#include "bench/by_hand/mutex_hash.h"

#include "statistics/histogram.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MIN 64

typedef struct row {
    char *name;
    size_t length;
    uint64_t hash;
    kt_backend_id backend;
    uint64_t count;
    double origin, sum, squares; /* of distances from the origin, the first duration */
    double min, max, last;
    uint64_t histogram[KT_HISTOGRAM_BUCKETS];
} row;

struct mutex_hash {
    pthread_mutex_t mutex;
    bool enabled;
    row **places; /* at the hash or behind it; a power of two, at most half of them taken */
    size_t place_count, count;
};

/* Eight bytes at a time, since most hashes of single bytes would take longer than the lock. */
static uint64_t hash_of(const char *name, size_t length, kt_backend_id backend)
{
    uint64_t hash = length * 16 + (uint64_t)backend, word = 0;
    for (; length >= sizeof word; length -= sizeof word, name += sizeof word) {
        memcpy(&word, name, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    word = 0;
    for (size_t i = 0; i < length; i++)
        word = word << 8 | (unsigned char)name[i];
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Where a key is, or the free place that is its. */
static row **find(const mutex_hash *map, const char *name, size_t length, uint64_t hash,
                  kt_backend_id backend)
{
    size_t place = hash & (map->place_count - 1);
    for (;; place = (place + 1) & (map->place_count - 1)) {
        row *r = map->places[place];
        if (!r || (r->hash == hash && r->backend == backend && r->length == length &&
                   memcmp(r->name, name, length) == 0))
            return &map->places[place];
    }
}

static bool grow(mutex_hash *map)
{
    mutex_hash larger = {.place_count = map->place_count ? 2 * map->place_count : PLACES_MIN};
    larger.places = calloc(larger.place_count, sizeof(row *));
    if (!larger.places)
        return false;
    for (size_t i = 0; i < map->place_count; i++) {
        row *r = map->places[i];
        if (r)
            *find(&larger, r->name, r->length, r->hash, r->backend) = r;
    }
    free(map->places);
    map->places = larger.places;
    map->place_count = larger.place_count;
    return true;
}

static row *add(mutex_hash *map, const char *name, size_t length, uint64_t hash,
                kt_backend_id backend, double first_ns)
{
    row *r = calloc(1, sizeof *r);
    char *copy = malloc(length + 1);
    if (!r || !copy || (map->count >= map->place_count / 2 && !grow(map))) {
        free(copy);
        free(r);
        return NULL;
    }
    memcpy(copy, name, length + 1);
    r->name = copy;
    r->length = length;
    r->hash = hash;
    r->backend = backend;
    r->origin = r->min = r->max = first_ns;
    *find(map, name, length, hash, backend) = r;
    map->count++;
    return r;
}

mutex_hash *mutex_hash_create(void)
{
    mutex_hash *map = calloc(1, sizeof *map);
    if (!map)
        return NULL;
    pthread_mutex_init(&map->mutex, NULL);
    map->enabled = true;
    if (grow(map))
        return map;
    mutex_hash_destroy(map);
    return NULL;
}

void mutex_hash_destroy(mutex_hash *map)
{
    if (!map)
        return;
    for (size_t i = 0; i < map->place_count; i++)
        if (map->places[i]) {
            free(map->places[i]->name);
            free(map->places[i]);
        }
    free(map->places);
    pthread_mutex_destroy(&map->mutex);
    free(map);
}

void mutex_hash_record(mutex_hash *map, const char *name, kt_backend_id backend, double duration_ns)
{
    if (!(duration_ns >= 0) || isinf(duration_ns))
        return;
    size_t length = strlen(name);
    uint64_t hash = hash_of(name, length, backend);
    uint32_t bucket = kt_histogram_bucket(duration_ns);
    pthread_mutex_lock(&map->mutex);
    row *r = map->enabled ? *find(map, name, length, hash, backend) : NULL;
    if (!r && map->enabled)
        r = add(map, name, length, hash, backend, duration_ns);
    if (r) {
        double distance = duration_ns - r->origin;
        r->count++;
        r->sum += distance;
        r->squares += distance * distance;
        if (duration_ns < r->min)
            r->min = duration_ns;
        if (duration_ns > r->max)
            r->max = duration_ns;
        r->last = duration_ns;
        r->histogram[bucket]++;
    }
    pthread_mutex_unlock(&map->mutex);
}

mutex_hash_row mutex_hash_read(mutex_hash *map, const char *name, kt_backend_id backend)
{
    mutex_hash_row out = {0};
    size_t length = strlen(name);
    pthread_mutex_lock(&map->mutex);
    const row *r = *find(map, name, length, hash_of(name, length, backend), backend);
    if (r) {
        double count = (double)r->count;
        out = (mutex_hash_row){.count = r->count,
                               .total_ns = count * r->origin + r->sum,
                               .mean_ns = r->origin + r->sum / count,
                               .min_ns = r->min,
                               .max_ns = r->max,
                               .last_ns = r->last};
        out.stddev_ns = sqrt((r->squares - r->sum * (r->sum / count)) / (count - 1));
    }
    pthread_mutex_unlock(&map->mutex);
    return out;
}
