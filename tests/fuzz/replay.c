/* SPDX-License-Identifier: MIT */
/* replay FOLDER-OR-FILE...: runs a fuzzer over inputs that are kept, without libFuzzer. */
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

static unsigned count;

static void replay_file(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size_t bytes = fread(data, 1, sizeof data, file);
    fclose(file);
    fprintf(stderr, "%s\n", path); /* before, for whoever looks for the culprit */
    LLVMFuzzerTestOneInput(data, bytes);
    count++;
}

static void replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        exit(1);
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            replay_file(name);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct stat what;
        if (stat(argv[i], &what) == 0 && S_ISDIR(what.st_mode))
            replay_folder(argv[i]);
        else
            replay_file(argv[i]);
    }
    printf("%u inputs\n", count);
    return count ? 0 : 1; /* nothing replayed, nothing tested */
}
