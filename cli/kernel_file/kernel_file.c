#include "cli/kernel_file/kernel_file.h"

#include <string.h>

bool kernel_file_has_ending(const char *path)
{
    static const char *const endings[] = {".cl", ".comp", ".spv", ".wgsl", ".cu", ".ptx", ".metal"};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(ending, endings[i]) == 0)
            return true;
    return false;
}
