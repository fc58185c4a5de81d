/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "tests/unit/state/tree.h"

#include "tests/unit/testing.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

static const char *full(const char *path)
{
    static char text[512];
    snprintf(text, sizeof text, "%s/%s", root, path);
    return text;
}

void tree_put(const char *path, const char *value)
{
    char name[512];
    snprintf(name, sizeof name, "%s", full(path));
    for (char *slash = name + strlen(root); (slash = strchr(slash + 1, '/')) != NULL;
         *slash = '/') {
        *slash = '\0';
        mkdir(name, 0755);
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "%s\n", value) > 0);
    assert_int_equal(fclose(file), 0);
}

void tree_drop(const char *path)
{
    assert_int_equal(remove(full(path)), 0);
}

void tree_allow(const char *path, unsigned mode)
{
    assert_int_equal(chmod(full(path), mode), 0);
}

/* "\\n" in a value is an end of a line. */
static void put_lines(const char *path, char *value)
{
    for (char *end; (end = strstr(value, "\\n")) != NULL;) {
        *end = '\n';
        memmove(end + 1, end + 2, strlen(end + 2) + 1);
    }
    tree_put(path, value);
}

const char *tree_make(const char *name)
{
    char line[512], path[512];
    snprintf(root, sizeof root, "/tmp/kerntime-tree-XXXXXX");
    assert_non_null(mkdtemp(root));
    assert_int_equal(chmod(root, 0755), 0);
    if (!name)
        return root;
    snprintf(path, sizeof path, "%s/%s.tree", MACHINES, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *value = strstr(line, ": ");
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || !line[0])
            continue;
        assert_non_null(value);
        *value = '\0';
        put_lines(line, value + 2);
    }
    fclose(file);
    return root;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    return remove(path);
}

void tree_remove(void)
{
    assert_int_equal(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}
