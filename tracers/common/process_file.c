/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* program_invocation_short_name, MAP_NORESERVE */
#include "support/alloc.h"
#include "tracers/common/writer.h"

#include <kerntime/kerntime.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define ALIGNMENT 64
/* A file begins with its head and this, as chroot() may end the growth, and then doubles. */
#define GROWTH_FIRST   ((uint64_t)256 << 10)
#define GROWTH_MAX     ((uint64_t)4 << 20)
#define HOLE_BYTES     ((uint64_t)32 << 10)
#define SHARE          4 /* of the free space that tracing may take, as a divisor */
#define ROWS_BYTES     ((uint64_t)1 << 30) /* address range for rows and windows */
#define RESERVED_MIN   ((uint64_t)8 << 20)
#define FILES_MAX      10000 /* of a process number in a folder */
#define TEXT_BYTES_MAX 4096

/*
 * No file descriptor stays open: a program that closes descriptors which it does not know would
 * close it, and its number would then be another file's. So the file is opened again to grow.
 */
static struct {
    char folder[PATH_MAX - 64], path[PATH_MAX];
    unsigned char *base;
    uint64_t mapped, size; /* bytes of address range, and of the file */
    uint64_t taken;        /* disk space */
    bool is_ending;
    dev_t device;
    ino_t inode;
} file;

void *tracer_at(uint64_t offset)
{
    return file.base + offset;
}

uint64_t tracer_offset(const void *at)
{
    return (uint64_t)((const unsigned char *)at - file.base);
}

/* ---- disk space ---- */

/* Beyond the limit, the system would end the process with SIGXFSZ. */
static bool may_reach(uint64_t end)
{
    struct rlimit limit;
    errno = EFBIG;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           end <= limit.rlim_cur;
}

/* Disk space that all processes may take. */
static uint64_t most_bytes(int fd)
{
    _Atomic(uint64_t) *most = &tracer_state.settings->most_bytes;
    struct statvfs room;
    uint64_t known = atomic_load(most), first = UINT64_MAX;
    if (known)
        return known;
    if (fstatvfs(fd, &room) == 0)
        first = (uint64_t)room.f_bavail * room.f_frsize / SHARE + 1;
    return atomic_compare_exchange_strong(most, &known, first) ? first : known;
}

static uint64_t bytes_of(int fd)
{
    struct stat now;
    return fstat(fd, &now) == 0 ? (uint64_t)now.st_blocks * 512 : 0;
}

/* Counts what the file has taken or given back. */
static void note_taken(uint64_t before, uint64_t after)
{
    file.taken += after - before;
    atomic_fetch_add(&tracer_state.settings->taken_bytes, after - before);
}

/* False: with errno set. */
static bool allocate(int fd, uint64_t offset, uint64_t bytes)
{
    if (!may_reach(offset + bytes))
        return false;
    uint64_t taken = atomic_load(&tracer_state.settings->taken_bytes), before = bytes_of(fd);
    errno = ENOSPC;
    if (taken + bytes > most_bytes(fd))
        return false;
    int code;
    do
        code = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
    while (code == EINTR);
    note_taken(before, bytes_of(fd));
    errno = code;
    return code == 0;
}

/* Faults at once cost less than one by one. Where the system cannot, they come later. */
static void populate(uint64_t begin, uint64_t end)
{
#ifdef MADV_POPULATE_WRITE
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    begin = (begin + page - 1) / page * page;
    if (begin < end)
        madvise(file.base + begin, end - begin, MADV_POPULATE_WRITE);
#else
    (void)begin;
    (void)end;
#endif
}

/* -1: the file is out of reach. */
static int open_again(void)
{
    struct stat now;
    tracer_turn_cancel_off();
    int fd = open(file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || (fstat(fd, &now) == 0 && now.st_dev == file.device && now.st_ino == file.inode))
        return fd;
    close(fd);
    return -1;
}

static uint64_t generous(uint64_t end)
{
    uint64_t step = file.taken < GROWTH_FIRST ? GROWTH_FIRST : file.taken;
    step = step < GROWTH_MAX ? step : GROWTH_MAX;
    uint64_t more = file.size + (file.is_ending ? 0 : step);
    return more < end || more > file.mapped ? end : more;
}

static bool grow(uint64_t end)
{
    int fd = end <= file.mapped ? open_again() : -1;
    if (fd < 0)
        return false;
    uint64_t wanted = generous(end);
    bool done = allocate(fd, file.size, wanted - file.size);
    if (!done && wanted > end) {
        wanted = end;
        done = allocate(fd, file.size, wanted - file.size);
    }
    if (done) {
        populate(file.size, wanted);
        file.size = wanted;
    }
    close(fd);
    return done;
}

static bool lengthen(uint64_t end)
{
    int fd = end <= file.mapped ? open_again() : -1;
    if (fd < 0)
        return false;
    bool done = may_reach(end) && ftruncate(fd, (off_t)end) == 0;
    if (done)
        file.size = end;
    close(fd);
    return done;
}

static uint64_t reserve(size_t bytes, bool (*make_room)(uint64_t end))
{
    trace_file_head *head = tracer_at(0);
    uint64_t offset = atomic_load_explicit(&head->used, memory_order_relaxed);
    uint64_t end = offset + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (end > file.size && !make_room(end))
        return 0;
    atomic_store_explicit(&head->used, end, memory_order_release);
    return offset;
}

uint64_t tracer_file_reserve(size_t bytes)
{
    return reserve(bytes, grow);
}

uint64_t tracer_file_reserve_range(size_t bytes)
{
    return reserve(bytes, lengthen);
}

bool tracer_file_back(const void *at, size_t bytes)
{
    int fd = open_again();
    bool done = fd >= 0 && allocate(fd, tracer_offset(at), bytes);
    if (fd >= 0)
        close(fd);
    return done;
}

void tracer_file_trim(void)
{
    trace_file_head *head = tracer_at(0);
    uint64_t used = atomic_load_explicit(&head->used, memory_order_relaxed);
    int fd = used < file.size ? open_again() : -1;
    file.is_ending = true;
    if (fd < 0)
        return;
    uint64_t before = bytes_of(fd);
    if (ftruncate(fd, (off_t)used) == 0)
        file.size = used;
    note_taken(before, bytes_of(fd));
    close(fd);
}

uint64_t tracer_file_text(const char *text)
{
    size_t length = strnlen(text, TEXT_BYTES_MAX - 1);
    uint64_t offset = tracer_file_reserve(length + 1);
    if (offset)
        memcpy(tracer_at(offset), text, length); /* the rest is zero */
    return offset;
}

/* Makes a file of a name that does not exist. -1 with errno. */
static int make_file(void)
{
    for (int i = 0; i < FILES_MAX; i++) {
        snprintf(file.path, sizeof file.path, "%s/" TRACE_FILE_PREFIX "%ld-%d", file.folder,
                 (long)getpid(), i);
        int fd = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static bool note_identity(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return false;
    file.device = status.st_dev;
    file.inode = status.st_ino;
    return true;
}

static void fill_head(trace_file_head *head, trace_api api, const char *rank)
{
    snprintf(head->version, sizeof head->version, "%s", kt_version());
    head->api = (uint32_t)api;
    head->process = getpid();
    head->parent = getppid();
    snprintf(head->program, sizeof head->program, "%.127s", program_invocation_short_name);
    snprintf(head->rank, sizeof head->rank, "%s", rank);
}

static uint64_t head_bytes(void)
{
    return (sizeof(trace_file_head) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Maps a large address range, of which only what the file has is used. */
static bool map_file(int fd, uint64_t wanted)
{
    for (file.mapped = wanted; file.mapped >= RESERVED_MIN; file.mapped /= 2) {
        void *at =
            mmap(NULL, file.mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        if (at == MAP_FAILED)
            continue;
        file.base = at;
        return true;
    }
    return false;
}

static void give_up(void)
{
    unlink(file.path);
    note_taken(file.taken, 0);
}

static void explain(char *reason, size_t reason_bytes, int code)
{
    snprintf(reason, reason_bytes, "a file in the trace folder could not be made: %s",
             strerror(code));
}

bool tracer_file_open(const char *folder, trace_api api, const char *rank, char *reason,
                      size_t reason_bytes)
{
    int length = snprintf(file.folder, sizeof file.folder, "%s", folder);
    if (length < 0 || (size_t)length >= sizeof file.folder) {
        snprintf(reason, reason_bytes, "the path of the trace folder is too long");
        return false;
    }
    int fd = make_file(), code = errno;
    if (fd >= 0) {
        file.size = head_bytes() + GROWTH_FIRST;
        bool done = allocate(fd, 0, file.size);
        if (!done) {
            file.size = head_bytes();
            done = allocate(fd, 0, file.size);
        }
        done = done && note_identity(fd) &&
               map_file(fd, ROWS_BYTES + tracer_state.settings->memory_bytes);
        code = errno;
        close(fd);
        if (!done)
            give_up();
        fd = done ? fd : -1;
    }
    if (fd < 0) {
        explain(reason, reason_bytes, code);
        return false;
    }
    trace_file_head *head = tracer_at(0);
    fill_head(head, api, rank);
    atomic_store(&head->used, head_bytes());
    atomic_store_explicit(&head->magic, TRACE_FILE_MAGIC, memory_order_release);
    return true;
}

static bool put(int fd, uint64_t offset, const void *data, size_t bytes)
{
    const char *from = data;
    while (bytes > 0) {
        ssize_t done = pwrite(fd, from, bytes, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        offset += (uint64_t)done;
        bytes -= (size_t)done;
    }
    return true;
}

static uint64_t row_begin(const trace_file_row *row)
{
    uint64_t begin = tracer_offset(row);
    begin = row->name < begin ? row->name : begin;
    return row->size && row->size < begin ? row->size : begin;
}

/* Reserves disk space for rows with their texts, which lie before them. What else the parent
 * recorded leaves a hole, if it is not small. */
static bool allocate_rows(int fd, uint64_t offset)
{
    bool done = true;
    while (done && offset) {
        const trace_file_row *row = tracer_at(offset);
        uint64_t end = offset + sizeof *row, begin = row_begin(row);
        for (offset = row->next; offset; offset = row->next) {
            row = tracer_at(offset);
            if (offset > begin || begin - offset > sizeof *row + HOLE_BYTES)
                break;
            begin = row_begin(row);
        }
        done = allocate(fd, begin, end - begin);
    }
    return done;
}

/* Copies a text to the same place. */
static bool copy_text(int fd, uint64_t offset)
{
    const char *text = tracer_at(offset);
    return offset == 0 || put(fd, offset, text, strlen(text) + 1);
}

static bool copy_row(int fd, uint64_t offset)
{
    const trace_file_row *row = tracer_at(offset);
    trace_file_row *copy = kt_alloc(1, sizeof *copy);
    if (!copy)
        return false;
    copy->next = row->next;
    copy->name = row->name;
    copy->size = row->size;
    copy->kind = row->kind;
    copy->device = row->device;
    copy->hash = row->hash;
    bool done =
        put(fd, offset, copy, sizeof *copy) && copy_text(fd, row->name) && copy_text(fd, row->size);
    kt_free(copy);
    return done;
}

/* `rows`: the newest one that was copied. The parent may add others meanwhile. */
static bool copy_head(int fd, uint64_t rows, uint64_t used)
{
    const trace_file_head *parent = tracer_at(0);
    trace_file_head *head = kt_alloc(1, sizeof *head);
    if (!head)
        return false;
    fill_head(head, (trace_api)parent->api, parent->rank);
    uint32_t count = atomic_load(&parent->device_count);
    for (uint32_t i = 0; i < count && i < TRACE_DEVICES_MAX; i++) {
        head->devices[i] = parent->devices[i];
        head->devices[i].spans = 0;
        atomic_store(&head->devices[i].window, 0);
    }
    atomic_store(&head->device_count, count);
    atomic_store(&head->rows, rows);
    atomic_store(&head->used, (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    atomic_store(&head->magic, TRACE_FILE_MAGIC);
    bool done = put(fd, 0, head, sizeof *head);
    kt_free(head);
    return done;
}

static bool copy_parent(int fd)
{
    const trace_file_head *parent = tracer_at(0);
    uint64_t rows = atomic_load_explicit(&parent->rows, memory_order_acquire);
    uint64_t end = rows ? rows + sizeof(trace_file_row) : head_bytes();
    end = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    file.taken = 0;
    file.is_ending = false;
    bool done = allocate(fd, 0, head_bytes()) && allocate_rows(fd, rows) &&
                allocate(fd, end - ALIGNMENT, ALIGNMENT);
    for (uint64_t row = rows; done && row; row = ((const trace_file_row *)tracer_at(row))->next)
        done = copy_row(fd, row);
    done = done && copy_head(fd, rows, end);
    if (done)
        file.size = end;
    return done;
}

/* Rows and devices are copied, without statistics, before the parent's file is unmapped. */
bool tracer_file_reopen(char *reason, size_t reason_bytes)
{
    int fd = make_file(), code = errno;
    if (fd >= 0) {
        bool done = note_identity(fd) && copy_parent(fd) &&
                    mmap(file.base, file.mapped, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0) != MAP_FAILED;
        code = errno;
        close(fd);
        if (done)
            return true;
        give_up();
    }
    explain(reason, reason_bytes, code);
    return false;
}
