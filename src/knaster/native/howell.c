/* Howell forms of rows of numbers modulo 2^w, and the products of matrices whose form is asked for.

   The same as in pushdown/domains/packed.py and packed_affine.py, which explain it.  A row is packed as there: a word for
   each entry (or two, of which the second is 0), the last entry first, so the leading entry is the highest word that is
   not 0.  A result is one block of rows that `knaster_howell_free` gives back. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#ifndef KNASTER_HOWELL
#define KNASTER_HOWELL 0
#endif

enum { NO_MEMORY = -1, UNCHANGED = -2 };

/* Rows that wait, rows that are free, and the row of the form that leads at each place. */
typedef struct {
    int64_t width;
    uint64_t mask;
    int bits, changed;
    uint64_t **pivots;
    uint64_t **waiting, **spare;
    int64_t waits, spares, room, spare_room;
} form;

EXPORT uint32_t knaster_howell_source(void) { return KNASTER_HOWELL; }

EXPORT void knaster_howell_free(uint64_t *rows) { free(rows); }

static int append(uint64_t ***list, int64_t *count, int64_t *room, uint64_t *row) {
    if (*count == *room) {
        int64_t more = *room ? 2 * *room : 32;
        uint64_t **grown = realloc(*list, (size_t)more * sizeof *grown);
        if (!grown) return 0;
        *list = grown;
        *room = more;
    }
    (*list)[(*count)++] = row;
    return 1;
}

static uint64_t *new_row(form *f) {
    if (f->spares) return f->spare[--f->spares];
    return malloc((size_t)f->width * sizeof(uint64_t));
}

static int wait_for(form *f, uint64_t *row) {
    if (append(&f->waiting, &f->waits, &f->room, row)) return 1;
    free(row);
    return 0;
}

static void give_back(form *f, uint64_t *row) {
    if (!append(&f->spare, &f->spares, &f->spare_room, row)) free(row);
}

static int64_t leading(const uint64_t *row, int64_t below) {
    while (below > 0 && !row[below - 1]) below--;
    return below - 1;
}

static void subtract(const form *f, uint64_t *row, const uint64_t *known, uint64_t factor, int64_t place) {
    for (int64_t i = 0; i <= place; i++) row[i] = (row[i] - factor * known[i]) & f->mask;
}

/* The inverse of an odd number modulo 2^64, by Newton's steps. */
static uint64_t inverse(uint64_t odd) {
    uint64_t found = odd;
    for (int i = 0; i < 6; i++) found *= 2 - odd * found;
    return found;
}

/* The factor 2^bits / unit that makes a unit 0, where the unit is a power of two above 1. */
static uint64_t factor_to_zero(int bits, uint64_t unit) {
    for (; unit > 1; unit >>= 1) bits--;
    return (uint64_t)1 << bits;
}

/* Add a row, which belongs to the form from now on; rows that this calls for wait.  Return 0 where there is no memory. */
static int insert(form *f, uint64_t *row) {
    int64_t place = leading(row, f->width);
    while (place >= 0) {
        uint64_t entry = row[place], unit = entry & (0 - entry), *known = f->pivots[place];
        if (known && known[place] <= unit) {
            subtract(f, row, known, entry / known[place], place);
            place = leading(row, place);
            continue;
        }
        if (entry != unit) {
            uint64_t factor = inverse(entry / unit);
            for (int64_t i = 0; i <= place; i++) row[i] = (row[i] * factor) & f->mask;
        }
        f->pivots[place] = row;
        f->changed = 1;
        if (unit > 1) {
            uint64_t *more = new_row(f), factor = factor_to_zero(f->bits, unit);
            if (!more) {
                free(known);
                return 0;
            }
            for (int64_t i = 0; i < f->width; i++) more[i] = i <= place ? (row[i] * factor) & f->mask : 0;
            if (!wait_for(f, more)) {
                free(known);
                return 0;
            }
        }
        if (known) {
            subtract(f, known, row, known[place] / unit, place);
            return wait_for(f, known);
        }
        return 1;
    }
    give_back(f, row);
    return 1;
}

/* Reduce the entries above leading ones, the first columns first. */
static void reduce(form *f) {
    for (int64_t place = f->width - 1; place >= 0; place--) {
        const uint64_t *known = f->pivots[place];
        if (!known) continue;
        for (int64_t above = f->width - 1; above > place; above--) {
            uint64_t *row = f->pivots[above];
            uint64_t factor = row ? row[place] / known[place] : 0;
            if (factor) subtract(f, row, known, factor, place);
        }
    }
}

static void clear(form *f) {
    for (int64_t i = 0; f->pivots && i < f->width; i++) free(f->pivots[i]);
    while (f->waits) free(f->waiting[--f->waits]);
    while (f->spares) free(f->spare[--f->spares]);
    free(f->pivots);
    free(f->waiting);
    free(f->spare);
}

/* Take the rows that wait into the form, and return how many rows it has; `out` is a block of them. */
static int64_t finish(form *f, uint64_t **out) {
    int64_t count = 0;
    while (f->waits) {
        if (!insert(f, f->waiting[--f->waits])) return NO_MEMORY;
    }
    if (!f->changed) return UNCHANGED;
    reduce(f);
    for (int64_t i = 0; i < f->width; i++) count += f->pivots[i] != NULL;
    *out = malloc((size_t)(count ? count : 1) * (size_t)f->width * sizeof(uint64_t));
    if (!*out) return NO_MEMORY;
    uint64_t *next = *out;
    for (int64_t place = f->width - 1; place >= 0; place--) {
        if (!f->pivots[place]) continue;
        memcpy(next, f->pivots[place], (size_t)f->width * sizeof(uint64_t));
        next += f->width;
    }
    return count;
}

static int begin(form *f, int64_t width, int bits) {
    memset(f, 0, sizeof *f);
    f->width = width;
    f->bits = bits;
    f->mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0;
    f->pivots = calloc((size_t)width, sizeof *f->pivots);
    return f->pivots != NULL;
}

static uint64_t *copy(form *f, const uint64_t *row) {
    uint64_t *made = new_row(f);
    if (made) memcpy(made, row, (size_t)f->width * sizeof(uint64_t));
    return made;
}

/* The form of some rows and of a basis that is in that form; UNCHANGED where the rows add nothing to it. */
EXPORT int64_t knaster_howell_form(const uint64_t *rows, int64_t count, const uint64_t *basis, int64_t known,
                                   int64_t width, int bits, uint64_t **out) {
    form f;
    int64_t found = NO_MEMORY;
    if (!begin(&f, width, bits)) return NO_MEMORY;
    for (int64_t i = 0; i < known; i++) {
        uint64_t *row = copy(&f, basis + i * width);
        if (!row) goto end;
        f.pivots[leading(row, width)] = row;
    }
    for (int64_t i = 0; i < count; i++) {
        uint64_t *row = copy(&f, rows + i * width);
        if (!row || !wait_for(&f, row)) goto end;
    }
    found = finish(&f, out);
end:
    clear(&f);
    return found;
}

/* Add the product of two matrices of a size, entry (r, c) of which is word ((size - r) * size - c - 1) * step. */
static void multiply(const form *f, const uint64_t *left, const uint64_t *right, int64_t size, int64_t step,
                     uint64_t *product) {
    int64_t line = size * step;
    memset(product, 0, (size_t)f->width * sizeof(uint64_t));
    for (int64_t r = 0; r < size; r++) {
        uint64_t *into = product + (size - r - 1) * line;
        for (int64_t c = 0; c < size; c++) {
            uint64_t entry = left[((size - r) * size - c - 1) * step];
            if (!entry) continue;
            const uint64_t *row = right + (size - c - 1) * line;
            for (int64_t i = 0; i < line; i += step) into[i] += entry * row[i];
        }
        for (int64_t i = 0; i < line; i += step) into[i] &= f->mask;
    }
}

/* The form of all products of a matrix on the left and one on the right. */
EXPORT int64_t knaster_howell_products(const uint64_t *left, int64_t lefts, const uint64_t *right, int64_t rights,
                                       int64_t size, int64_t step, int bits, uint64_t **out) {
    form f;
    int64_t found = NO_MEMORY, width = size * size * step;
    if (!begin(&f, width, bits)) return NO_MEMORY;
    for (int64_t i = 0; i < lefts; i++) {
        for (int64_t k = 0; k < rights; k++) {
            uint64_t *row = new_row(&f);
            if (!row) goto end;
            multiply(&f, left + i * width, right + k * width, size, step, row);
            if (!insert(&f, row)) goto end;
        }
    }
    found = finish(&f, out);
end:
    clear(&f);
    return found;
}

/* Keep the rows of a form whose first entries are 0, without these and the first entry first; return how many. */
static int64_t without_first(uint64_t *rows, int64_t count, int64_t width, int64_t first) {
    int64_t kept = 0, rest = width - first;
    for (int64_t i = 0; i < count; i++) {
        uint64_t *row = rows + i * width, *into = rows + kept * rest;
        if (leading(row, width) >= rest) continue;
        for (int64_t low = 0, high = rest - 1; low < high; low++, high--) {
            uint64_t entry = row[low];
            row[low] = row[high];
            row[high] = entry;
        }
        memmove(into, row, (size_t)rest * sizeof(uint64_t));
        kept++;
    }
    return kept;
}

/* The null module of some rows (first entries first): in the form of [A transposed | 1] what has nothing on the left. */
EXPORT int64_t knaster_howell_kernel(const uint64_t *rows, int64_t count, int64_t width, int bits, uint64_t **out) {
    form f;
    int64_t found = NO_MEMORY, whole = count + width;
    if (!begin(&f, whole, bits)) return NO_MEMORY;
    for (int64_t column = 0; column < width; column++) {
        uint64_t *row = new_row(&f);
        if (!row) goto end;
        memset(row, 0, (size_t)whole * sizeof(uint64_t));
        for (int64_t i = 0; i < count; i++) row[whole - 1 - i] = rows[i * width + column];
        row[width - 1 - column] = 1;
        if (!insert(&f, row)) goto end;
    }
    found = finish(&f, out);
    if (found > 0) found = without_first(*out, found, whole, count);
end:
    clear(&f);
    return found;
}

/* What rows (first entries first) say of some of their columns, given in an order: the form, without those first ones. */
EXPORT int64_t knaster_howell_columns(const uint64_t *rows, int64_t count, int64_t width, const int64_t *order,
                                      int64_t columns, int64_t first, int bits, uint64_t **out) {
    form f;
    int64_t found = NO_MEMORY;
    if (!begin(&f, columns, bits)) return NO_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        uint64_t *row = new_row(&f);
        if (!row) goto end;
        for (int64_t k = 0; k < columns; k++) row[columns - 1 - k] = rows[i * width + order[k]];
        if (!insert(&f, row)) goto end;
    }
    found = finish(&f, out);
    if (found > 0) found = without_first(*out, found, columns, first);
end:
    clear(&f);
    return found;
}
