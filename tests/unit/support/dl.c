/* SPDX-License-Identifier: MIT */
/* What loaders say when they open nothing: messages of Linux and of two ages of macOS. */
#include "support/dl.h"
#include "tests/unit/testing.h"

#define LINUX_NAME "libgpu.so.1"
#define MAC_NAME   "/opt/libgpu.dylib"

static void what_is_not_there_is_missing(void **state)
{
    assert_true(kt_dl_says_missing(
        LINUX_NAME ": cannot open shared object file: No such file or directory", LINUX_NAME));
    assert_true(
        kt_dl_says_missing("dlopen(" MAC_NAME ", 0x0005): tried: '" MAC_NAME
                           "' (no such file), '/System/Volumes/Preboot/Cryptexes/OS" MAC_NAME
                           "' (no such file), '" MAC_NAME "' (no such file)",
                           MAC_NAME));
    assert_true(
        kt_dl_says_missing("dlopen(/usr/lib/libgpu.dylib, 0x0005): tried: '/usr/lib/libgpu.dylib' "
                           "(no such file, not in dyld cache)",
                           "/usr/lib/libgpu.dylib"));
    assert_true(kt_dl_says_missing("dlopen(" MAC_NAME ", 1): image not found", MAC_NAME));
}

/* It is there, and something else is not. */
static void what_lacks_another_one_is_not(void **state)
{
    static const char *const mac[] = {
        "dlopen(" MAC_NAME ", 0x0005): Library not loaded: @rpath/libother.dylib\n"
        "  Referenced from: <0D2C> " MAC_NAME "\n"
        "  Reason: tried: '/usr/local/lib/libother.dylib' (no such file)",
        "dlopen(" MAC_NAME ", 1): Library not loaded: /opt/libother.dylib\n"
        "  Referenced from: " MAC_NAME "\n"
        "  Reason: image not found",
        "dlopen(" MAC_NAME ", 0x0005): Symbol not found: _work\n"
        "  Referenced from: <0D2C> " MAC_NAME "\n"
        "  Expected in: '/opt/libother.dylib' (no such file)"};
    assert_false(kt_dl_says_missing(
        "libother.so: cannot open shared object file: No such file or directory", LINUX_NAME));
    for (size_t i = 0; i < sizeof mac / sizeof mac[0]; i++)
        assert_false(kt_dl_says_missing(mac[i], MAC_NAME));
}

static void what_is_for_another_machine_is_not(void **state)
{
    assert_false(kt_dl_says_missing(LINUX_NAME ": wrong ELF class: ELFCLASS32", LINUX_NAME));
    assert_false(kt_dl_says_missing(
        "dlopen(" MAC_NAME ", 0x0005): tried: '" MAC_NAME
        "' (mach-o file, but is an incompatible architecture (have 'x86_64', need 'arm64')), "
        "'/System/Volumes/Preboot/Cryptexes/OS" MAC_NAME "' (no such file)",
        MAC_NAME));
    assert_false(kt_dl_says_missing(
        "dlopen(" MAC_NAME ", 0x0005): tried: '" MAC_NAME "' (code signature in <0D2C> '" MAC_NAME
        "' not valid for use in process), '/x" MAC_NAME "' (no such file)",
        MAC_NAME));
}

/* ---- functions by name ---- */

static void first(void) {}

static void third(void) {}

/* `user`: the name of a function that is missing. */
static kt_dl_function find(const void *user, const char *name)
{
    if (strcmp(name, user) == 0)
        return NULL;
    return strcmp(name, "first") == 0 ? first : strcmp(name, "third") == 0 ? third : NULL;
}

static void functions_fill_a_table(void **state)
{
    static const char names[] =
        KT_DL_NAME("first") KT_DL_OPTIONAL("second") KT_DL_NAME("third") KT_DL_NAME("fourth");
    static const char all[] = KT_DL_NAME("first") KT_DL_OPTIONAL("second") KT_DL_NAME("third");
    kt_dl_function table[] = {third, third, first, NULL, first};
    assert_null(kt_dl_fill(find, "", all, table));
    assert_true(table[0] == first && !table[1] && table[2] == third);
    assert_string_equal(kt_dl_fill(find, "", names, table), "fourth");
    assert_string_equal(kt_dl_fill(find, "first", names, table), "first");
    assert_true(!table[0] && table[2] == third && !table[3]);
    assert_true(table[4] == first); /* behind the last name */
    assert_string_equal(kt_dl_nth(names, 0), "first");
    assert_string_equal(kt_dl_nth(names, 1), "second");
    assert_string_equal(kt_dl_nth(names, 3), "fourth");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_there_is_missing),
                                       cmocka_unit_test(what_lacks_another_one_is_not),
                                       cmocka_unit_test(what_is_for_another_machine_is_not),
                                       cmocka_unit_test(functions_fill_a_table)};
    return cmocka_run_group_tests_name("dl", tests, NULL, NULL);
}
