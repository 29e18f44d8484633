// Defines the function that gcc's unwinder needs and only glibc has. It finds the object that contains an address, and its table for unwinding.
// A static program is one object. Without this, the command would link and print no backtrace.
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>

// The structure is the one of glibc's <dlfcn.h>.
struct dl_find_object {
    unsigned long long flags;
    void *map_start;
    void *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};

struct search {
    uintptr_t address;
    struct dl_find_object *found;
};

static int look(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *search = data;
    uintptr_t eh_frame = 0, start = 0, end = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t from = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME)
            eh_frame = from;
        if (part->p_type == PT_LOAD && search->address - from < part->p_memsz) {
            start = from;
            end = from + part->p_memsz;
        }
    }
    if (start == 0 || eh_frame == 0)
        return 0;
    search->found->flags = 0;
    search->found->map_start = (void *)start;
    search->found->map_end = (void *)end;
    search->found->link_map = 0;
    search->found->eh_frame = (void *)eh_frame;
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *found)
{
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(look, &search) ? 0 : -1;
}
