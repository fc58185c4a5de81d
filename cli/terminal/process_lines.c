/* SPDX-License-Identifier: MIT */
#include "cli/terminal/process_lines.h"

#include <stdlib.h>
#include <string.h>

char *process_take_line(process_child *child)
{
    char *line = child->text + child->taken;
    char *end = child->text ? memchr(line, '\n', child->length - child->taken) : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    child->taken = (size_t)(end + 1 - child->text);
    return line;
}

bool process_make_room(process_child *child)
{
    if (child->taken) {
        child->length -= child->taken;
        memmove(child->text, child->text + child->taken, child->length);
        child->taken = 0;
    }
    if (child->length < child->room)
        return true;
    size_t room = child->room ? 2 * child->room : 4096;
    char *text = realloc(child->text, room);
    if (!text)
        return false;
    child->text = text;
    child->room = room;
    return true;
}
