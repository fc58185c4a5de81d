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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_there_is_missing),
                                       cmocka_unit_test(what_lacks_another_one_is_not),
                                       cmocka_unit_test(what_is_for_another_machine_is_not)};
    return cmocka_run_group_tests_name("dl", tests, NULL, NULL);
}
