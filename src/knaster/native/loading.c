/* Rules of a pushdown system from PDAAAL's JSON, straight into columns of integers.

   Reads the value of "states": an object from names of states, or a list, of objects from labels to a rule or a list of
   rules {"to": state, "pop" | "swap" | "push": label, "weight": integer}.  Names and labels are numbered in the order in
   which the rules speak of them (source, label, target, pushed), as `RuleTable.of` does.

   This reader takes what is plainly right.  Of anything else (no JSON, a key twice, the label "*", a weight of more than
   18 digits, half a surrogate pair) it says UNUSUAL, and the caller reads the text in Python, which knows all of it and
   has the words for what is wrong. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#ifndef KNASTER_LOADING
#define KNASTER_LOADING 0
#endif

#define NONE (-1)
#define NO_WEIGHT INT64_MIN
#define MOST INT32_MAX

enum status { LOADED = 0, UNUSUAL = 1, NO_MEMORY = 2 };

typedef struct {
    int32_t count, capacity;
    int64_t size, room;
    char *bytes;     /* all names, one after the other */
    int64_t *start;  /* where each begins; count + 1 of them */
    int32_t *number; /* in the table of rules, NONE where no rule speaks of it */
    int32_t *mark;   /* of a state: whether it is declared; of a label: the state that had it last */
    int32_t *slots;  /* a hash table with linear probing */
    uint64_t mask;
} names;

typedef struct {
    int32_t rules, table_states, table_symbols, listed, weighted, named;
    int64_t end; /* the place after the value that was read */
    int32_t *column[5];
    int64_t *weight;        /* NO_WEIGHT where the file gives none */
    int32_t *state_order;   /* the states of the table, by their number in `states` */
    int32_t *symbol_order;
    int32_t *list;          /* the states that the file names: declared ones, then targets */
    names states, symbols;
} loaded;

typedef struct {
    const char *at, *end;
    int status;
    loaded *out;
    int32_t capacity, order_states, order_symbols;
    char *scratch; /* a string with escapes, decoded */
    int64_t scratch_room;
} reader;

typedef struct { const char *bytes; int64_t size; } text;

static int fail(reader *r, int status) {
    if (r->status == LOADED) r->status = status;
    return 0;
}

static int enlarge(void **memory, int64_t count, size_t size) {
    void *larger = realloc(*memory, (size_t)count * size);
    if (!larger) return 0;
    *memory = larger;
    return 1;
}

/* ---- names ---- */

static uint64_t hash_of(const char *bytes, int64_t size) {
    uint64_t h = 0x9e3779b97f4a7c15u ^ (uint64_t)size;
    for (int64_t i = 0; i < size; i++) h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

static int names_grow(names *n) {
    int32_t capacity = n->capacity ? 2 * n->capacity : 256;
    if (n->capacity > MOST / 4) return 0;
    if (!enlarge((void **)&n->start, (int64_t)capacity + 1, sizeof *n->start)) return 0;
    if (!enlarge((void **)&n->number, capacity, sizeof *n->number)) return 0;
    if (!enlarge((void **)&n->mark, capacity, sizeof *n->mark)) return 0;
    if (!n->count) n->start[0] = 0;
    uint64_t size = 2 * (uint64_t)capacity;
    int32_t *slots = malloc(size * sizeof *slots);
    if (!slots) return 0;
    memset(slots, 0xff, size * sizeof *slots);
    for (int32_t i = 0; i < n->count; i++) {
        uint64_t at = hash_of(n->bytes + n->start[i], n->start[i + 1] - n->start[i]) & (size - 1);
        while (slots[at] != NONE) at = (at + 1) & (size - 1);
        slots[at] = i;
    }
    free(n->slots);
    n->slots = slots;
    n->mask = size - 1;
    n->capacity = capacity;
    return 1;
}

/* The number of a name among all that were seen; NONE where there is no memory. */
static int32_t intern(names *n, text name) {
    if (n->count == n->capacity && !names_grow(n)) return NONE;
    uint64_t at = hash_of(name.bytes, name.size) & n->mask;
    for (; n->slots[at] != NONE; at = (at + 1) & n->mask) {
        int32_t i = n->slots[at];
        if (n->start[i + 1] - n->start[i] == name.size &&
            (!name.size || !memcmp(n->bytes + n->start[i], name.bytes, (size_t)name.size)))
            return i;
    }
    if (n->size + name.size > n->room) {
        int64_t room = 2 * (n->size + name.size) + 4096;
        if (!enlarge((void **)&n->bytes, room, 1)) return NONE;
        n->room = room;
    }
    if (name.size) memcpy(n->bytes + n->size, name.bytes, (size_t)name.size);
    n->size += name.size;
    int32_t i = n->count++;
    n->start[i + 1] = n->size;
    n->number[i] = n->mark[i] = NONE;
    n->slots[at] = i;
    return i;
}

/* ---- JSON ---- */

static void skip(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

/* Whether the next character, after blanks, is this one; then it is passed. */
static int next_is(reader *r, char wanted) {
    skip(r);
    if (r->at < r->end && *r->at == wanted) {
        r->at++;
        return 1;
    }
    return 0;
}

static int expect(reader *r, char wanted) { return next_is(r, wanted) || fail(r, UNUSUAL); }

static int hex(reader *r, uint32_t *value) {
    *value = 0;
    if (r->end - r->at < 4) return fail(r, UNUSUAL);
    for (int i = 0; i < 4; i++) {
        char c = *r->at++;
        uint32_t digit;
        if (c >= '0' && c <= '9') digit = (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f') digit = (uint32_t)(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F') digit = (uint32_t)(c - 'A' + 10);
        else return fail(r, UNUSUAL);
        *value = *value * 16 + digit;
    }
    return 1;
}

static char *put_utf8(char *to, uint32_t code) {
    if (code < 0x80) *to++ = (char)code;
    else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/* A code point after \u, of two halves where it is written so; a half alone is left to Python. */
static int code_point(reader *r, uint32_t *code) {
    uint32_t low;
    if (!hex(r, code)) return 0;
    if (*code < 0xd800 || *code > 0xdfff) return 1;
    if (*code > 0xdbff || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u') return fail(r, UNUSUAL);
    r->at += 2;
    if (!hex(r, &low)) return 0;
    if (low < 0xdc00 || low > 0xdfff) return fail(r, UNUSUAL);
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return 1;
}

/* The rest of a string from its first escape on; `first` is where the string begins. */
static int decode(reader *r, const char *first, text *into) {
    const char *stop = r->at;
    while (stop < r->end && *stop != '"') stop += *stop == '\\' && r->end - stop > 1 ? 2 : 1;
    int64_t room = stop - first + 8; /* no escape is shorter than what it stands for */
    if (room > r->scratch_room) {
        if (!enlarge((void **)&r->scratch, room, 1)) return fail(r, NO_MEMORY);
        r->scratch_room = room;
    }
    char *to = r->scratch;
    memcpy(to, first, (size_t)(r->at - first));
    to += r->at - first;
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < 0x20) return fail(r, UNUSUAL);
        if (*r->at != '\\') {
            *to++ = *r->at++;
            continue;
        }
        if (r->end - r->at < 2) return fail(r, UNUSUAL);
        char kind = r->at[1];
        r->at += 2;
        uint32_t code;
        switch (kind) {
        case '"': case '\\': case '/': *to++ = kind; break;
        case 'b': *to++ = '\b'; break;
        case 'f': *to++ = '\f'; break;
        case 'n': *to++ = '\n'; break;
        case 'r': *to++ = '\r'; break;
        case 't': *to++ = '\t'; break;
        case 'u':
            if (!code_point(r, &code)) return 0;
            to = put_utf8(to, code);
            break;
        default: return fail(r, UNUSUAL);
        }
    }
    if (r->at >= r->end) return fail(r, UNUSUAL);
    r->at++;
    into->bytes = r->scratch;
    into->size = to - r->scratch;
    return 1;
}

/* A string; one with escapes stands in `scratch` until the next string is read. */
static int string(reader *r, text *into) {
    if (!expect(r, '"')) return 0;
    const char *first = r->at;
    while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20) r->at++;
    if (r->at >= r->end || (unsigned char)*r->at < 0x20) return fail(r, UNUSUAL);
    if (*r->at == '\\') return decode(r, first, into);
    into->bytes = first;
    into->size = r->at++ - first;
    return 1;
}

static int integer(reader *r, int64_t *value, text *digits) {
    skip(r);
    const char *first = r->at;
    int minus = r->at < r->end && *r->at == '-';
    r->at += minus;
    const char *begin = r->at;
    *value = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
        if (r->at - begin >= 18) return fail(r, UNUSUAL);
        *value = *value * 10 + (*r->at++ - '0');
    }
    if (r->at == begin || (*begin == '0' && r->at - begin > 1)) return fail(r, UNUSUAL);
    if (r->at >= r->end || *r->at == '.' || *r->at == 'e' || *r->at == 'E') return fail(r, UNUSUAL);
    if (minus) *value = -*value;
    digits->bytes = first;
    digits->size = r->at - first;
    return 1;
}

/* ---- rules ---- */

/* The number that a name has in the table of rules, a new one if no rule spoke of it before. */
static int32_t numbered(names *n, int32_t name, int32_t *count, int32_t **order) {
    if (n->number[name] == NONE) {
        if ((*count & (*count - 1)) == 0) { /* room for a power of two */
            int64_t room = *count ? 2 * (int64_t)*count : 1;
            if (!enlarge((void **)order, room, sizeof **order)) return NONE;
        }
        (*order)[*count] = name;
        n->number[name] = (*count)++;
    }
    return n->number[name];
}

static int32_t state_number(reader *r, int32_t state) {
    return numbered(&r->out->states, state, &r->order_states, &r->out->state_order);
}

static int32_t symbol_number(reader *r, int32_t symbol) {
    return numbered(&r->out->symbols, symbol, &r->order_symbols, &r->out->symbol_order);
}

static int add_rule(reader *r, const int32_t row[5], int64_t weight) {
    loaded *out = r->out;
    if (out->rules == r->capacity) {
        if (r->capacity > MOST / 4) return fail(r, UNUSUAL);
        int32_t capacity = r->capacity ? 2 * r->capacity : 1024;
        for (int i = 0; i < 5; i++)
            if (!enlarge((void **)&out->column[i], capacity, sizeof *out->column[i])) return fail(r, NO_MEMORY);
        if (out->weighted && !enlarge((void **)&out->weight, capacity, sizeof *out->weight)) return fail(r, NO_MEMORY);
        r->capacity = capacity;
    }
    if (weight != NO_WEIGHT && !out->weighted) {
        if (!enlarge((void **)&out->weight, r->capacity, sizeof *out->weight)) return fail(r, NO_MEMORY);
        for (int32_t i = 0; i < out->rules; i++) out->weight[i] = NO_WEIGHT;
        out->weighted = 1;
    }
    for (int i = 0; i < 5; i++) out->column[i][out->rules] = row[i];
    if (out->weighted) out->weight[out->rules] = weight;
    out->rules++;
    return 1;
}

static int same(text key, const char *word) {
    return key.size == (int64_t)strlen(word) && !memcmp(key.bytes, word, (size_t)key.size);
}

enum operation { NOTHING, POP, SWAP, PUSH };

static int read_rule(reader *r, int32_t source, int32_t label) {
    names *states = &r->out->states, *symbols = &r->out->symbols;
    int32_t target = NONE, value = NONE;
    int64_t weight = NO_WEIGHT;
    enum operation operation = NOTHING;
    text key, word;
    do {
        if (!string(r, &key)) return 0;
        enum operation other = same(key, "pop") ? POP : same(key, "swap") ? SWAP : same(key, "push") ? PUSH : NOTHING;
        int is_target = same(key, "to"), is_weight = same(key, "weight");
        if (!expect(r, ':')) return 0;
        if (is_target && target == NONE) {
            int64_t number;
            if (r->out->named ? !string(r, &word) : !integer(r, &number, &word)) return 0;
            if (!r->out->named && word.bytes[0] == '-') return fail(r, UNUSUAL);
            if ((target = intern(states, word)) == NONE) return fail(r, NO_MEMORY);
        } else if (is_weight && weight == NO_WEIGHT) {
            if (!integer(r, &weight, &word)) return 0;
        } else if (other != NOTHING && operation == NOTHING) {
            if (!string(r, &word)) return 0;
            operation = other;
            if (other != POP && (value = intern(symbols, word)) == NONE) return fail(r, NO_MEMORY);
        } else
            return fail(r, UNUSUAL);
    } while (next_is(r, ','));
    if (!expect(r, '}')) return 0;
    if (target == NONE || operation == NOTHING) return fail(r, UNUSUAL);
    int32_t row[5] = {state_number(r, source), symbol_number(r, label), state_number(r, target), NONE, NONE};
    if (row[0] == NONE || row[1] == NONE || row[2] == NONE) return fail(r, NO_MEMORY);
    if (operation != POP && (row[3] = symbol_number(r, value)) == NONE) return fail(r, NO_MEMORY);
    if (operation == PUSH) row[4] = row[1];
    return add_rule(r, row, weight);
}

/* What a label leads to: one rule or a list of them. */
static int read_rules(reader *r, int32_t source, int32_t label) {
    if (next_is(r, '{')) return read_rule(r, source, label);
    if (!expect(r, '[')) return 0;
    if (next_is(r, ']')) return 1;
    do {
        if (!expect(r, '{') || !read_rule(r, source, label)) return 0;
    } while (next_is(r, ','));
    return expect(r, ']');
}

static int read_state(reader *r, int32_t state) {
    names *symbols = &r->out->symbols;
    text word;
    if (!expect(r, '{')) return 0;
    if (next_is(r, '}')) return 1;
    do {
        if (!string(r, &word)) return 0;
        if (same(word, "*")) return fail(r, UNUSUAL);
        int32_t label = intern(symbols, word);
        if (label == NONE) return fail(r, NO_MEMORY);
        if (symbols->mark[label] == state) return fail(r, UNUSUAL);
        symbols->mark[label] = state;
        if (!expect(r, ':') || !read_rules(r, state, label)) return 0;
    } while (next_is(r, ','));
    return expect(r, '}');
}

static int list_state(reader *r, int32_t state) {
    loaded *out = r->out;
    if ((out->listed & (out->listed - 1)) == 0) {
        int64_t room = out->listed ? 2 * (int64_t)out->listed : 1;
        if (!enlarge((void **)&out->list, room, sizeof *out->list)) return fail(r, NO_MEMORY);
    }
    out->list[out->listed++] = state;
    out->states.mark[state] = 1;
    return 1;
}

static int read_states(reader *r) {
    loaded *out = r->out;
    char close = out->named ? '}' : ']';
    char digits[16];
    text word;
    r->at++;
    if (next_is(r, close)) return 1;
    do {
        if (out->named) {
            if (!string(r, &word)) return 0;
        } else {
            char *to = digits + sizeof digits;
            int32_t rest = out->listed;
            do *--to = (char)('0' + rest % 10);
            while (rest /= 10);
            word.bytes = to;
            word.size = digits + sizeof digits - to;
        }
        int32_t state = intern(&out->states, word);
        if (state == NONE) return fail(r, NO_MEMORY);
        if (out->states.mark[state] == 1) return fail(r, UNUSUAL);
        if (!list_state(r, state)) return 0;
        if (out->named && !expect(r, ':')) return 0;
        if (!read_state(r, state)) return 0;
    } while (next_is(r, ','));
    return expect(r, close);
}

static int list_targets(reader *r) {
    loaded *out = r->out;
    for (int32_t i = 0; i < out->rules; i++) {
        int32_t state = out->state_order[out->column[2][i]];
        if (out->states.mark[state] != 1 && !list_state(r, state)) return 0;
    }
    return 1;
}

/* ---- from outside ---- */

static void names_free(names *n) {
    free(n->bytes);
    free(n->start);
    free(n->number);
    free(n->mark);
    free(n->slots);
}

EXPORT void knaster_loaded_free(loaded *out) {
    if (!out) return;
    for (int i = 0; i < 5; i++) free(out->column[i]);
    free(out->weight);
    free(out->state_order);
    free(out->symbol_order);
    free(out->list);
    names_free(&out->states);
    names_free(&out->symbols);
    free(out);
}

/* Read the value at `begin`, which starts with a brace or a bracket; NULL, and why in `status`, where it is not read. */
EXPORT loaded *knaster_load(const char *bytes, int64_t begin, int64_t size, int *status) {
    loaded *out = calloc(1, sizeof *out);
    reader r = {bytes + begin, bytes + size, LOADED, out, 0, 0, 0, NULL, 0};
    if (!out) {
        *status = NO_MEMORY;
        return NULL;
    }
    out->named = begin < size && bytes[begin] == '{';
    if (begin >= size || (!out->named && bytes[begin] != '[')) fail(&r, UNUSUAL);
    else if (read_states(&r)) list_targets(&r);
    out->table_states = r.order_states;
    out->table_symbols = r.order_symbols;
    out->end = r.at - bytes;
    free(r.scratch);
    *status = r.status;
    if (r.status == LOADED) return out;
    knaster_loaded_free(out);
    return NULL;
}

EXPORT uint32_t knaster_loading_source(void) { return (uint32_t)KNASTER_LOADING; }
