/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* dirfd, fstatat, nanosleep */
#define _DARWIN_C_SOURCE
#include "cli/terminal/together.h"

#include "cli/output/text.h"
#include "cli/terminal/ranges.h"
#include "cli/terminal/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX ".kerntime-start."
/* How long others may need to see what this rank has seen. Whoever needs longer was killed. */
#define LEAVE_NS INT64_C(10000000000)
/* Waiting is silent for so long. */
#define SILENT_NS INT64_C(2000000000)
/* A rank that waits touches its file more often. */
#define STALE_S    10
#define NAME_BYTES 288
/* Longest list of ranks in a message. */
#define LIST_LENGTH 60

typedef enum state { WAITING = 0, HERE, GO } state;
static const char *const suffixes[] = {[WAITING] = "new", [HERE] = "here", [GO] = "go"};

typedef struct gathering {
    int folder;       /* number of the open folder */
    const char *path; /* its name */
    char key[256];    /* what the names of the job's files begin with */
    uint32_t rank, size;
    int64_t limit_ns;
    time_t made;          /* when this rank last made a file, by the file server's clock */
    uint32_t *seen;       /* by rank: the latest listing that has it; 0: none */
    time_t *doubted;      /* by rank: when a file from before this rank was touched; 0: known */
    uint32_t listing;     /* number of the latest one, from 1 */
    uint32_t since;       /* a rank is here if this listing or a later one has it */
    uint32_t here, going; /* others in the latest listing */
    bool is_waiting;      /* this rank's file is ".here" */
    state dead;           /* files of this state are removed; WAITING: none */
} gathering;

static void name_file(const gathering *g, state of, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%s%" PRIu32 ".%s", g->key, g->rank, suffixes[of]);
}

/* Others may write into the folder: whatever has this name is not followed. */
static bool make_file(gathering *g)
{
    char name[NAME_BYTES];
    struct stat about;
    name_file(g, WAITING, name);
    unlinkat(g->folder, name, 0);
    int file = openat(g->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool is_made = file >= 0 && fstat(file, &about) == 0;
    if (is_made)
        g->made = about.st_mtime;
    if (file >= 0)
        close(file);
    return is_made;
}

static bool move_file(const gathering *g, state from, state to)
{
    char old[NAME_BYTES], new[NAME_BYTES];
    name_file(g, from, old);
    name_file(g, to, new);
    return renameat(g->folder, old, g->folder, new) == 0;
}

static void remove_file(const gathering *g, state of)
{
    char name[NAME_BYTES];
    name_file(g, of, name);
    unlinkat(g->folder, name, 0);
}

/* Whether the file is of a rank that was killed long ago, and removes it then. A younger one that
 * was here before this rank is doubted until it is touched: its rank may be started again. */
static bool is_stale(gathering *g, const char *name, unsigned long rank)
{
    struct stat about;
    if (fstatat(g->folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return true; /* its rank has just renamed it: the next listing tells */
    if (about.st_mtime + STALE_S < g->made) {
        unlinkat(g->folder, name, 0);
        return true;
    }
    if (g->listing == 1)
        g->doubted[rank] = about.st_mtime;
    else if (about.st_mtime != g->doubted[rank])
        g->doubted[rank] = 0;
    return false;
}

static void see(gathering *g, const char *name)
{
    size_t length = strlen(g->key);
    if (strncmp(name, g->key, length) != 0)
        return;
    char *end;
    unsigned long rank = strtoul(name + length, &end, 10);
    if (end == name + length || *end != '.' || rank >= g->size || rank == g->rank)
        return;
    bool is_here = strcmp(end + 1, suffixes[HERE]) == 0;
    if (!is_here && strcmp(end + 1, suffixes[GO]) != 0)
        return;
    if ((!g->seen[rank] || g->doubted[rank]) && is_stale(g, name, rank))
        return;
    if (g->dead == (is_here ? HERE : GO)) {
        /* Whoever removes it tells. */
        if (unlinkat(g->folder, name, 0) == 0 && is_here)
            terminal_sayf("kerntime",
                          "started without rank %lu of %" PRIu32 ": it came, and then was killed",
                          rank, g->size);
        return;
    }
    g->here += is_here;
    g->going += !is_here;
    g->seen[rank] = g->listing;
}

static void list(gathering *g)
{
    g->here = g->going = 0;
    g->listing++;
    DIR *folder = opendir(g->path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL)
        see(g, entry->d_name);
    if (folder)
        closedir(folder);
}

/* Shows others that this rank lives. False: its file is gone. */
static bool touch_file(const gathering *g)
{
    char name[NAME_BYTES];
    name_file(g, HERE, name);
    return utimensat(g->folder, name, NULL, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Many ranks ask one file server. A client of NFS lists a folder anew if it has changed it. */
static void pause_and_list(gathering *g)
{
    int64_t ns = INT64_C(1000000) * (20 + (g->size < 2000 ? g->size : 2000));
    const struct timespec time = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    nanosleep(&time, NULL);
    bool is_made = make_file(g);
    if (is_made && g->is_waiting && !touch_file(g)) /* others have removed it: this was stopped */
        move_file(g, WAITING, HERE);
    else if (is_made)
        remove_file(g, WAITING);
    list(g);
}

static void remove_dead(gathering *g, state of)
{
    g->dead = of;
    list(g);
    g->dead = WAITING;
}

/* Not all ranks of an earlier start of the same job may have left. */
static void wait_for_earlier(gathering *g)
{
    int64_t end_ns = kt_host_now_ns() + LEAVE_NS;
    for (list(g); g->going && kt_host_now_ns() < end_ns && !terminal_interrupted();)
        pause_and_list(g);
    if (g->going && !terminal_interrupted())
        remove_dead(g, GO);
    memset(g->seen, 0, g->size * sizeof *g->seen);
}

static bool is_here(const gathering *g, uint32_t rank)
{
    return rank == g->rank || (g->seen[rank] >= g->since && !g->doubted[rank]);
}

static uint32_t count_missing(const gathering *g)
{
    uint32_t missing = 0;
    for (uint32_t rank = 0; rank < g->size; rank++)
        missing += !is_here(g, rank);
    return missing;
}

/* A rank that was interrupted has taken its file with it, so that only the latest listing counts. */
static bool are_all_here(gathering *g)
{
    g->since = g->listing;
    return count_missing(g) == 0;
}

static void wait_for_all(gathering *g, bool quiet)
{
    int64_t begin_ns = kt_host_now_ns();
    for (list(g); !are_all_here(g) && !g->going && !terminal_interrupted(); pause_and_list(g)) {
        int64_t waited_ns = kt_host_now_ns() - begin_ns;
        if (waited_ns >= g->limit_ns)
            return;
        if (quiet || waited_ns < SILENT_NS)
            continue;
        terminal_sayf("kerntime", "waiting for %" PRIu32 " of %" PRIu32 " ranks, %.0f s at most",
                      count_missing(g), g->size, (double)g->limit_ns / 1e9);
        quiet = true;
    }
    if (count_missing(g))
        list(g); /* renamed during a listing, a file may be missing in it */
}

static void leave(gathering *g)
{
    int64_t end_ns = kt_host_now_ns() + LEAVE_NS;
    for (list(g); g->here && kt_host_now_ns() < end_ns && !terminal_interrupted();)
        pause_and_list(g);
    if (g->here && !terminal_interrupted())
        remove_dead(g, HERE);
    remove_file(g, GO);
}

/* Names the ranks that never came, as "3,7-9". */
static void list_missing(const gathering *g, FILE *list)
{
    uint32_t first = 0; /* of those that are not here, up to `rank` */
    for (uint32_t rank = 0; rank < g->size; rank++)
        if (is_here(g, rank)) {
            ranges_put(list, first, rank);
            first = rank + 1;
        }
    ranges_put(list, first, g->size);
}

static void cut_list(char *text)
{
    if (strlen(text) <= LIST_LENGTH)
        return;
    text[LIST_LENGTH - 3] = '\0';
    char *comma = strrchr(text, ',');
    memcpy(comma ? comma : text, ",...", sizeof ",...");
}

/* One rank speaks for all: the first that is here. */
static void say_missing(const gathering *g)
{
    char *text = NULL;
    size_t bytes = 0;
    uint32_t missing = count_missing(g);
    for (uint32_t rank = 0; rank < g->rank; rank++)
        if (is_here(g, rank))
            return;
    FILE *list = missing ? open_memstream(&text, &bytes) : NULL;
    if (!list)
        return;
    list_missing(g, list);
    if (fclose(list) == 0) {
        cut_list(text);
        terminal_sayf("kerntime",
                      "started without rank%s %s of %" PRIu32
                      ": not here in time; see --start-limit",
                      text_plural(missing), text, g->size);
    }
    free(text);
}

static void gather(gathering *g, bool quiet)
{
    if (!make_file(g)) {
        terminal_sayf("kerntime", "%s: no file can be made: %s; started without waiting", g->path,
                      strerror(errno));
        return;
    }
    wait_for_earlier(g);
    make_file(g);
    if (!move_file(g, WAITING, HERE)) {
        remove_file(g, WAITING);
        return;
    }
    g->is_waiting = true;
    wait_for_all(g, quiet);
    g->is_waiting = false;
    if (terminal_interrupted()) { /* the others go on waiting, without this rank */
        remove_file(g, HERE);
        return;
    }
    move_file(g, HERE, GO);
    memset(g->doubted, 0, g->size * sizeof *g->doubted); /* whoever lives follows */
    leave(g);
    if (!terminal_interrupted())
        say_missing(g);
}

/* Names of job and size, in which each has files of its own. A character that may not be in the name
 * of a file is '_' and its code. */
static void make_key(gathering *g, const char *job)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    size_t length = (size_t)snprintf(g->key, sizeof g->key, PREFIX);
    for (; *job && length + 24 < sizeof g->key; job++)
        length += (size_t)snprintf(g->key + length, sizeof g->key - length,
                                   strchr(plain, *job) ? "%c" : "_%02x", (unsigned char)*job);
    snprintf(g->key + length, sizeof g->key - length, ".%" PRIu32 ".", g->size);
}

const char *together_refuses(const char *folder)
{
    struct stat about;
    if (stat(folder, &about) != 0)
        return strerror(errno);
    if (!S_ISDIR(about.st_mode))
        return "it is no folder";
    return access(folder, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

void together_wait(const char *folder, const kt_launch *place, int64_t limit_ns, bool quiet)
{
    gathering g = {.path = folder,
                   .rank = place->rank,
                   .size = place->size,
                   .limit_ns = limit_ns,
                   .folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                   .seen = calloc(place->size, sizeof *g.seen),
                   .doubted = calloc(place->size, sizeof *g.doubted)};
    make_key(&g, place->job);
    if (g.folder >= 0 && g.seen && g.doubted)
        gather(&g, quiet);
    else
        terminal_sayf("kerntime", "%s: %s; started without waiting", folder, strerror(errno));
    free(g.seen);
    free(g.doubted);
    if (g.folder >= 0)
        close(g.folder);
}
