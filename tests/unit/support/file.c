/* SPDX-License-Identifier: MIT */
/* Files that are there whole or not at all. */
#define _GNU_SOURCE
#include "support/file.h"
#include "support/fault.h"
#include "tests/unit/testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <kerntime/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int enter_folder(void **state)
{
    char name[] = "unit_file_XXXXXX";
    if (!mkdtemp(name) || chdir(name) != 0)
        return -1;
    *state = realpath(".", NULL);
    return *state ? 0 : -1;
}

static int leave_folder(void **state)
{
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(entry->d_name);
    if (folder)
        closedir(folder);
    int failed = chdir("..") != 0 || rmdir(*state) != 0;
    free(*state);
    return failed;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

static void expect_content(const char *path, const char *text)
{
    char content[8192] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(content, 1, sizeof content - 1, file);
    fclose(file);
    content[bytes] = '\0';
    assert_string_equal(content, text);
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static void write_whole(const char *path, const char *text)
{
    kt_file *file;
    EXPECT_OK(kt_file_create(path, &file));
    assert_int_equal(kt_file_write(file, text, strlen(text)), 0);
    EXPECT_OK(kt_file_commit(file));
}

static void a_new_file_appears_when_complete(void **state)
{
    mode_t mask = umask(027);
    kt_file *file;
    EXPECT_OK(kt_file_create("new", &file));
    assert_int_equal(kt_file_write(file, "hello ", 6), 0);
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(kt_file_write(file, "world", 5), 0);
    EXPECT_OK(kt_file_commit(file));
    umask(mask);
    expect_content("new", "hello world");
    struct stat info;
    assert_int_equal(stat("new", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640); /* 0666 less the mask */
    assert_int_equal(count_files(), 1);
    remove("new");
}

static void an_old_file_is_replaced_and_keeps_its_mode(void **state)
{
    put("old", "old content");
    assert_int_equal(chmod("old", 0604), 0);
    kt_file *file;
    EXPECT_OK(kt_file_create("old", &file));
    assert_int_equal(kt_file_write(file, "new", 3), 0);
    expect_content("old", "old content");
    EXPECT_OK(kt_file_commit(file));
    expect_content("old", "new");
    struct stat info;
    assert_int_equal(stat("old", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0604);
    assert_int_equal(count_files(), 1);
    remove("old");
}

static void abandoning_leaves_all_as_it_was(void **state)
{
    put("old", "old content");
    kt_file *file;
    EXPECT_OK(kt_file_create("old", &file));
    assert_int_equal(kt_file_write(file, "half", 4), 0);
    kt_file_abandon(file);
    kt_file_abandon(NULL);
    expect_content("old", "old content");
    assert_int_equal(count_files(), 1);
    remove("old");
}

static void checking_leaves_nothing(void **state)
{
    EXPECT_OK(kt_file_check("new"));
    assert_int_equal(count_files(), 0);
    put("old", "old content");
    EXPECT_OK(kt_file_check("old"));
    expect_content("old", "old content");
    assert_int_equal(count_files(), 1);
    remove("old");
}

static void a_link_stays_a_link(void **state)
{
    put("target", "old");
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(symlink("link", "link_to_link"), 0);
    write_whole("link_to_link", "through two links");
    expect_content("target", "through two links");
    struct stat info;
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat("link_to_link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(count_files(), 3);
    remove("target"), remove("link"), remove("link_to_link");
}

static void a_link_to_nothing_stays_a_link(void **state)
{
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("folder/target", "link"), 0);
    write_whole("link", "through a link");
    expect_content("folder/target", "through a link");
    struct stat info;
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(count_files(), 2);
    remove("folder/target"), rmdir("folder"), remove("link");
}

/* Regular files below /dev and /proc are no open files, whose content is added to. */
static void only_open_files_are_added_to(void **state)
{
    static const char *const paths[] = {"/dev/shm/kerntime_unit_file", "/proc/self/cwd/file"};
    for (int i = access("/dev/shm", W_OK) == 0 ? 0 : 1; i < 2; i++) {
        write_whole(paths[i], "one");
        write_whole(paths[i], "two");
        expect_content(paths[i], "two");
        remove(paths[i]);
    }
    int open_file = open("file", O_WRONLY | O_CREAT, 0666);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", open_file);
    write_whole(path, "one");
    snprintf(path, sizeof path, "/proc/self/fd/%d", open_file);
    write_whole(path, "two");
    close(open_file);
    expect_content("file", "onetwo");
    remove("file");
}

static void one_file_has_many_paths(void **state)
{
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("new", "link"), 0);
    for (int exists = 0; exists < 2; exists++) {
        assert_true(kt_path_is_same("new", "./new"));
        assert_true(kt_path_is_same("folder/../new", "link"));
        assert_false(kt_path_is_same("new", "other"));
        assert_false(kt_path_is_same("new", "folder/new"));
        assert_false(kt_path_is_same("new", "missing/new"));
        put("new", "");
    }
    remove("new"), remove("link"), rmdir("folder");
}

static void places_that_cannot_be_written(void **state)
{
    put("plain", "x");
    assert_int_equal(mkdir("folder", 0777), 0);
    static const char *const paths[] = {"folder", "missing/file", "plain/file", ".", "", "folder/"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        kt_file *file = NULL;
        EXPECT_STATUS(kt_file_create(paths[i], &file), KT_IO_ERROR);
        EXPECT_TEXT_HAS(kt_error_text(), "cannot write");
        EXPECT_TEXT_HAS(kt_error_text(), paths[i]);
        assert_null(file);
        EXPECT_STATUS(kt_file_check(paths[i]), KT_IO_ERROR);
        EXPECT_STATUS(kt_path_check_writable(paths[i]), KT_IO_ERROR);
    }
    assert_int_equal(count_files(), 2);
    remove("plain"), rmdir("folder");
}

/* In a process without the rights of root, to whom nothing is forbidden. */
static int forbidden_in_child(void)
{
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return 10;
    kt_file *file;
    if (kt_file_create("closed/file", &file) != KT_IO_ERROR)
        return 11;
    if (!strstr(kt_error_text(), "Permission denied"))
        return 12;
    if (kt_file_check("closed/file") != KT_IO_ERROR)
        return 13;
    /* Its folder would allow replacing it, but its owner did not mean it to change. */
    if (kt_file_create("open/readonly", &file) != KT_IO_ERROR)
        return 14;
    if (kt_file_check("open/readonly") != KT_IO_ERROR)
        return 15;
    /* Renaming over another user's file in a sticky folder is refused, writing to it is not. */
    if (kt_file_check("sticky/shared") != KT_OK ||
        kt_path_write("sticky/shared", "new", 3) != KT_OK)
        return 16;
    return 0;
}

static void forbidden_files(void **state)
{
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(mkdir("closed", 0755), 0);
    assert_int_equal(mkdir("open", 0777), 0);
    assert_int_equal(chmod("open", 0777), 0);
    put("open/readonly", "keep");
    assert_int_equal(chmod("open/readonly", 0444), 0);
    if (geteuid() != 0)
        assert_int_equal(chmod("closed", 0555), 0);
    assert_int_equal(mkdir("sticky", 0777), 0);
    assert_int_equal(chmod("sticky", 01777), 0);
    put("sticky/shared", "old content");
    assert_int_equal(chmod("sticky/shared", 0666), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(forbidden_in_child());
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    expect_content("open/readonly", "keep");
    expect_content("sticky/shared", "new");
    remove("sticky/shared"), assert_int_equal(rmdir("sticky"), 0); /* nothing else is in it */
    remove("open/readonly"), rmdir("open"), rmdir("closed");
}

static void a_pipe_is_written_directly(void **state)
{
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDWR | O_NONBLOCK); /* so that nobody waits for the other end */
    assert_true(reader >= 0);
    EXPECT_OK(kt_file_check("pipe"));
    char text[64] = "";
    assert_int_equal(read(reader, text, sizeof text), -1); /* checking wrote nothing */
    write_whole("pipe", "through the pipe");
    assert_int_equal(read(reader, text, sizeof text - 1), strlen("through the pipe"));
    assert_string_equal(text, "through the pipe");
    close(reader);
    struct stat info;
    assert_int_equal(stat("pipe", &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(count_files(), 1);
    remove("pipe");
}

static void a_full_disk_is_reported(void **state)
{
    if (access("/dev/full", W_OK) != 0) {
        print_message("there is no /dev/full here\n");
        skip();
    }
    kt_file *file;
    EXPECT_OK(kt_file_create("/dev/full", &file));
    kt_file_write(file, "x", 1); /* may only be buffered yet */
    EXPECT_STATUS(kt_file_commit(file), KT_IO_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "No space left");
    EXPECT_TEXT_HAS(kt_error_text(), "/dev/full");

    kt_report *report;
    EXPECT_OK(kt_report_create(&report, NULL));
    EXPECT_OK(kt_path_check_writable("/dev/full"));
    EXPECT_STATUS(kt_report_write_file(report, KT_FORMAT_JSON, "/dev/full"), KT_IO_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "No space left");
    EXPECT_OK(kt_report_write_file(report, KT_FORMAT_JSON, "/dev/null"));
    kt_report_destroy(&report);
    assert_int_equal(count_files(), 0);
}

static void bytes_become_a_file(void **state)
{
    EXPECT_OK(kt_path_write("new", "one\0two", 7));
    char content[8];
    FILE *file = fopen("new", "rb");
    assert_non_null(file);
    assert_int_equal(fread(content, 1, sizeof content, file), 7);
    fclose(file);
    assert_memory_equal(content, "one\0two", 7);
    EXPECT_OK(kt_path_write("new", "", 0));
    expect_content("new", "");
    assert_int_equal(count_files(), 1);
    EXPECT_STATUS(kt_path_write("missing/new", "x", 1), KT_IO_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "cannot write missing/new");
#if KT_FAULTS
    EXPECT_OK(kt_path_write("new", "old content", 11));
    for (uint64_t nth = 1; nth <= 2; nth++) { /* writing, renaming */
        kt_fault_set(KT_FAULT_WRITE, nth);
        EXPECT_STATUS(kt_path_write("new", "contender", 3), KT_IO_ERROR);
        EXPECT_TEXT_HAS(kt_error_text(), "cannot write");
        kt_fault_set(KT_FAULT_WRITE, 0);
        expect_content("new", "old content");
        assert_int_equal(count_files(), 1);
    }
#endif
    remove("new");
}

#if KT_FAULTS
/* A write that fails, and one that fails at the very end. */
static void the_old_content_survives_failures(void **state)
{
    put("old", "old content");
    for (uint64_t nth = 1; nth <= 3; nth++) {
        kt_fault_set(KT_FAULT_WRITE, nth);
        kt_file *file;
        EXPECT_OK(kt_file_create("old", &file));
        assert_int_equal(kt_file_write(file, "one", 3), nth == 1 ? -1 : 0);
        assert_int_equal(kt_file_write(file, "two", 3),
                         nth <= 2 ? -1 : 0); /* once failed, for ever */
        EXPECT_STATUS(kt_file_commit(file), KT_IO_ERROR);
        EXPECT_TEXT_HAS(kt_error_text(), "cannot write");
        assert_non_null(kt_fault_fired(KT_FAULT_WRITE));
        kt_fault_set(KT_FAULT_WRITE, 0);
        expect_content("old", "old content");
        assert_int_equal(count_files(), 1);
    }
    remove("old");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_appears_when_complete),
        cmocka_unit_test(an_old_file_is_replaced_and_keeps_its_mode),
        cmocka_unit_test(abandoning_leaves_all_as_it_was),
        cmocka_unit_test(checking_leaves_nothing),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(a_link_to_nothing_stays_a_link),
        cmocka_unit_test(only_open_files_are_added_to),
        cmocka_unit_test(one_file_has_many_paths),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(forbidden_files),
        cmocka_unit_test(a_pipe_is_written_directly),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(bytes_become_a_file),
#if KT_FAULTS
        cmocka_unit_test(the_old_content_survives_failures),
#endif
    };
    return cmocka_run_group_tests_name("file", tests, enter_folder, leave_folder);
}
