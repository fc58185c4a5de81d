/* SPDX-License-Identifier: MIT */
/*
 * Plugins that come and go: registry_unload PLUGIN_WITH_THE_LIBRARY_INSIDE PLUGIN_LINKED_WITH_IT
 * [threads] With `threads` a thread that has recorded outlives the library that it has recorded
 * with; what belongs to it is then left for ever, which leak checkers would tell.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_barrier_t */
#include "tests/unit/testing.h"

#include <dlfcn.h>
#include <kerntime/registry.h>
#include <kerntime/snapshot.h>
#include <pthread.h>
#include <stdio.h>

static const char *inside, *linked;

typedef int plugin_function(int times);

static void *open_plugin(const char *path, plugin_function **record)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
        fail_msg("%s", dlerror());
    *(void **)record = dlsym(plugin, "plugin_record");
    assert_non_null(*record);
    return plugin;
}

static void *record_seven(void *record)
{
    plugin_function *function = *(plugin_function **)record;
    function(7);
    return NULL;
}

/* Each time a new registry, with room for its thread-local variable beside those of all that is
 * loaded. */
static void a_plugin_with_the_library_inside_leaves_nothing(void **state)
{
    for (int i = 0; i < 20; i++) {
        plugin_function *record;
        pthread_t thread;
        void *plugin = open_plugin(inside, &record);
        assert_int_equal(record(3), 3);
        assert_int_equal(pthread_create(&thread, NULL, record_seven, &record), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(record(1), 11);
        assert_int_equal(dlclose(plugin), 0);
        assert_null(dlopen(inside, RTLD_NOW | RTLD_NOLOAD)); /* it is really gone */
    }
}

/* Its sites and the names in them are gone, its row is not; loaded again, it finds it, as often as
 * a program likes. */
static void rows_outlive_the_plugin_of_their_sites(void **state)
{
    for (int i = 1; i <= 1000; i++) {
        plugin_function *record;
        void *plugin = open_plugin(linked, &record);
        assert_int_equal(record(4), 4 * i);
        assert_int_equal(dlclose(plugin), 0);
        assert_null(dlopen(linked, RTLD_NOW | RTLD_NOLOAD));
        kt_snapshot *snapshot = NULL;
        EXPECT_OK(kt_snapshot_take(&snapshot));
        assert_int_equal(kt_snapshot_count(snapshot), 1);
        const kt_row *row = kt_snapshot_row(snapshot, 0);
        assert_string_equal(row->name, "of a plugin");
        assert_int_equal(row->count, 4 * i);
        kt_snapshot_destroy(&snapshot);
    }
}

typedef struct visitor {
    plugin_function *record;
    pthread_barrier_t *recorded, *unloaded;
} visitor;

static void *record_and_stay(void *user)
{
    visitor *v = user;
    v->record(7);
    pthread_barrier_wait(v->recorded);
    pthread_barrier_wait(v->unloaded);
    return NULL;
}

static void a_thread_may_end_after_the_library_is_gone(void **state)
{
    pthread_barrier_t recorded, unloaded;
    assert_int_equal(pthread_barrier_init(&recorded, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&unloaded, NULL, 2), 0);
    for (int i = 0; i < 20; i++) {
        visitor v = {.recorded = &recorded, .unloaded = &unloaded};
        pthread_t thread;
        void *plugin = open_plugin(inside, &v.record);
        assert_int_equal(pthread_create(&thread, NULL, record_and_stay, &v), 0);
        pthread_barrier_wait(&recorded);
        assert_int_equal(v.record(1), 8);
        assert_int_equal(dlclose(plugin), 0);
        assert_null(dlopen(inside, RTLD_NOW | RTLD_NOLOAD));
        pthread_barrier_wait(&unloaded);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    pthread_barrier_destroy(&recorded);
    pthread_barrier_destroy(&unloaded);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plugin_with_the_library_inside_leaves_nothing),
        cmocka_unit_test(rows_outlive_the_plugin_of_their_sites),
    };
    const struct CMUnitTest with_threads[] = {
        cmocka_unit_test(a_thread_may_end_after_the_library_is_gone),
    };
    if (argc < 3)
        return 2;
    inside = argv[1];
    linked = argv[2];
    if (argc > 3 && strcmp(argv[3], "threads") == 0)
        return cmocka_run_group_tests_name("registry_unload threads", with_threads, NULL, NULL);
    return cmocka_run_group_tests_name("registry_unload", tests, NULL, NULL);
}
