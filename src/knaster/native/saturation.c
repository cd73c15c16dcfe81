/* post* and pre* over integers, without weights or with shortest lengths.

   The same productions as in pushdown/saturation/productions.py, which explains them; (n) is production n of Figure 2.13 (pre*) or
   Figure 2.14 (post*) of Lal's thesis (University of Wisconsin, 2009).  Rules with merge functions are not handled here.

   Without weights, transitions are taken last in, first out.  With weights (natural numbers; combine is minimum, extend
   is addition) they are taken in the order of their lengths, as in Knuth, A generalization of Dijkstra's algorithm
   (Information Processing Letters 6, 1977): every production is superior, so a length is final when it is taken.  The
   entry transition (5) of post* has length 0 whenever it appears; what is derived from it is new at that time, and all
   that its derivation needs is no longer than itself, so the argument stands.

   Numbers: states 0 … controls-1 are control states, then the other states of the automaton, then the states (p', g')
   that post* adds, in the order of the rules.  Symbols are 0 … symbols-1; `symbols` stands for the empty word.  A
   transition is (source, symbol, target); its derivation is a rule and two transitions, NONE where absent; its run is
   first, rule, second for post* and rule, first, second for pre*.

   The work is done in slices: `knaster_open`, `knaster_step` until it is not RUNNING, `knaster_close`.  The caller keeps
   the columns of the problem until then.  A slice ends between two transitions, so it may be the last one anywhere. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#ifndef KNASTER_SATURATION
#define KNASTER_SATURATION 0
#endif

#define NONE (-1)
#define LONGEST (INT64_MAX / 4) /* the sum of three lengths must not overflow */
#define DENSE_SLACK (1 << 22)
#define BUCKETS (1 << 20)

enum status { SOLVED = 0, NO_MEMORY = 1, TOO_LONG = 2, RUNNING = 3 };

typedef struct {
    int32_t controls, states, symbols, rules, edges, weighted;
    const int32_t *source, *symbol, *target, *first, *second; /* the rules, by column */
    const int64_t *weight;                                    /* their lengths, where `weighted` */
    const int32_t *edge_source, *edge_symbol, *edge_target;   /* the automaton, by column */
    const int64_t *edge_weight;
} problem;

typedef struct { int32_t source, symbol, target, next; } transition; /* next: in one list of the algorithm */
typedef struct { int32_t rule, first, second; } derivation;

typedef struct {
    int32_t count, middles;
    transition *transitions;
    derivation *derivations;
    int64_t *lengths;  /* NULL without weights */
    uint64_t *middle;  /* p' and g' of every added state, as the upper and the lower half */
} result;

typedef struct { uint32_t tag; int32_t number; } slot;
typedef struct { int64_t length; int32_t number; } waiting; /* number: a transition, or NONE for a bucket */
typedef struct { int32_t number, next; } item;
typedef struct { int32_t source, symbol, second, rule; } backward_rule;
typedef struct { int32_t target, first, second, middle, rule; } forward_rule;
typedef struct { int32_t rule, callee, next; } pending_call; /* rule: its place in the index */

/* A dictionary from pairs (a, b), a a symbol and b a state, to small numbers: by arithmetic where that is dense enough, else by hashing. */
typedef struct {
    int64_t width; /* dense: the number of (a, b) is a * width + b; 0 means hashing */
    int32_t count, capacity;
    uint64_t *keys;
    slot *slots;
    uint64_t mask;
} pairs;

typedef struct {
    problem in;
    int weighted, failed;
    int32_t count, capacity;
    transition *list;
    derivation *why;
    int64_t *length;
    uint8_t *settled;
    slot *slots; /* a hash table with linear probing */
    uint64_t mask;
    int32_t *stack; /* without weights: what is to be done */
    int32_t stack_size, stack_capacity;
    waiting *heap; /* with weights: lengths whose bucket is not empty, and single transitions of large length */
    int64_t heap_size, heap_capacity;
    int32_t *bucket, buckets; /* the first item of every small length */
    item *items;
    int32_t item_count, item_capacity, unused;
} saturation;

static uint64_t scramble(uint64_t value) {
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    return value ^ (value >> 32);
}

static int grow(void **memory, int64_t count, size_t size) {
    void *larger = realloc(*memory, (size_t)count * size);
    if (!larger) return 0;
    *memory = larger;
    return 1;
}

/* ---- pairs ---- */

static int pairs_open(pairs *p, int64_t rows, int64_t columns, int64_t entries) {
    memset(p, 0, sizeof *p);
    if (rows * columns <= 8 * entries + DENSE_SLACK && rows * columns < INT32_MAX / 2) {
        p->width = columns;
        p->count = (int32_t)(rows * columns);
        return 1;
    }
    uint64_t size = 1024;
    while (size < 2 * (uint64_t)entries) size *= 2;
    p->mask = size - 1;
    p->slots = malloc(size * sizeof *p->slots);
    p->capacity = (int32_t)(size / 2);
    p->keys = malloc((size_t)p->capacity * sizeof *p->keys);
    if (!p->slots || !p->keys) return 0;
    memset(p->slots, 0xff, size * sizeof *p->slots);
    return 1;
}

static int pairs_double(pairs *p) {
    if (p->capacity > INT32_MAX / 4) return 0;
    uint64_t size = 2 * (p->mask + 1);
    slot *slots = malloc(size * sizeof *slots);
    if (!slots) return 0;
    memset(slots, 0xff, size * sizeof *slots);
    for (int32_t i = 0; i < p->count; i++) {
        uint64_t hash = scramble(p->keys[i]), at = hash & (size - 1);
        while (slots[at].number != NONE) at = (at + 1) & (size - 1);
        slots[at].tag = (uint32_t)(hash >> 32);
        slots[at].number = i;
    }
    free(p->slots);
    p->slots = slots;
    p->mask = size - 1;
    p->capacity = (int32_t)(size / 2);
    return grow((void **)&p->keys, p->capacity, sizeof *p->keys);
}

/* Return the number of (a, b); NONE if it has none and `insert` is 0, -2 if memory is short. */
static int32_t pair_number(pairs *p, int32_t a, int32_t b, int insert) {
    if (p->width) return (int32_t)(a * p->width + b);
    uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b, hash = scramble(key), at = hash & p->mask;
    for (; p->slots[at].number != NONE; at = (at + 1) & p->mask)
        if (p->slots[at].tag == (uint32_t)(hash >> 32) && p->keys[p->slots[at].number] == key) return p->slots[at].number;
    if (!insert) return NONE;
    if (p->count == p->capacity) {
        if (!pairs_double(p)) return -2;
        for (at = hash & p->mask; p->slots[at].number != NONE; at = (at + 1) & p->mask) {}
    }
    p->slots[at].tag = (uint32_t)(hash >> 32);
    p->slots[at].number = p->count;
    p->keys[p->count] = key;
    return p->count++;
}

static void pairs_close(pairs *p) {
    free(p->keys);
    free(p->slots);
}

/* ---- the transition relation ---- */

static uint64_t hash_transition(int32_t source, int32_t symbol, int32_t target) {
    return scramble(((uint64_t)(uint32_t)source << 32 | (uint32_t)target) + (uint64_t)symbol * 0x9e3779b97f4a7c15u);
}

static int open_table(saturation *s) {
    uint64_t size = 2 * (uint64_t)s->capacity;
    s->mask = size - 1;
    free(s->slots);
    s->slots = malloc(size * sizeof *s->slots);
    if (!s->slots) return 0;
    memset(s->slots, 0xff, size * sizeof *s->slots);
    return 1;
}

static int open_saturation(saturation *s, const problem *in) {
    memset(s, 0, sizeof *s);
    s->in = *in;
    s->weighted = in->weighted;
    s->unused = NONE;
    s->capacity = 1024;
    while (s->capacity < in->edges || s->capacity < in->rules / 2) s->capacity *= 2;
    s->list = malloc((size_t)s->capacity * sizeof *s->list);
    s->why = malloc((size_t)s->capacity * sizeof *s->why);
    s->stack_capacity = 1024;
    s->stack = malloc(1024 * sizeof *s->stack);
    if (s->weighted) {
        s->heap_capacity = 1024;
        s->length = malloc((size_t)s->capacity * sizeof *s->length);
        s->settled = malloc((size_t)s->capacity);
        s->heap = malloc(1024 * sizeof *s->heap);
        if (!s->length || !s->settled || !s->heap) return 0;
    }
    return s->list && s->why && s->stack && open_table(s);
}

static int double_relation(saturation *s) {
    if (s->capacity > INT32_MAX / 4) return 0;
    s->capacity *= 2;
    if (!grow((void **)&s->list, s->capacity, sizeof *s->list)) return 0;
    if (!grow((void **)&s->why, s->capacity, sizeof *s->why)) return 0;
    if (s->weighted && !grow((void **)&s->length, s->capacity, sizeof *s->length)) return 0;
    if (s->weighted && !grow((void **)&s->settled, s->capacity, 1)) return 0;
    if (!open_table(s)) return 0;
    for (int32_t i = 0; i < s->count; i++) {
        uint64_t hash = hash_transition(s->list[i].source, s->list[i].symbol, s->list[i].target), at = hash & s->mask;
        while (s->slots[at].number != NONE) at = (at + 1) & s->mask;
        s->slots[at] = (slot){(uint32_t)(hash >> 32), i};
    }
    return 1;
}

static void heap_put(saturation *s, int64_t length, int32_t number) {
    if (s->heap_size == s->heap_capacity) {
        s->heap_capacity *= 2;
        if (!grow((void **)&s->heap, s->heap_capacity, sizeof *s->heap)) { s->failed = NO_MEMORY; return; }
    }
    int64_t at = s->heap_size++;
    for (int64_t parent; at && s->heap[parent = (at - 1) / 4].length > length; at = parent) s->heap[at] = s->heap[parent];
    s->heap[at].length = length;
    s->heap[at].number = number;
}

static int32_t heap_take(saturation *s) {
    waiting least = s->heap[0], last = s->heap[--s->heap_size];
    int64_t at = 0;
    for (;;) {
        int64_t child = 4 * at + 1, best = child, end = child + 4 < s->heap_size ? child + 4 : s->heap_size;
        if (child >= s->heap_size) break;
        while (++child < end)
            if (s->heap[child].length < s->heap[best].length) best = child;
        if (s->heap[best].length >= last.length) break;
        s->heap[at] = s->heap[best];
        at = best;
    }
    s->heap[at] = last;
    return least.number;
}

/* Let a transition wait: in the bucket of its length, or by itself in the heap if it is long. */
static void wait_at(saturation *s, int64_t length, int32_t number) {
    if (length >= BUCKETS) { heap_put(s, length, number); return; }
    if (length >= s->buckets) {
        int32_t old = s->buckets;
        while (s->buckets <= length) s->buckets = s->buckets ? 2 * s->buckets : 1024;
        if (!grow((void **)&s->bucket, s->buckets, sizeof *s->bucket)) { s->buckets = old; s->failed = NO_MEMORY; return; }
        memset(s->bucket + old, 0xff, (size_t)(s->buckets - old) * sizeof *s->bucket);
    }
    int32_t at = s->unused;
    if (at != NONE) {
        s->unused = s->items[at].next;
    } else {
        if (s->item_count == s->item_capacity) {
            s->item_capacity = s->item_capacity ? 2 * s->item_capacity : 1024;
            if (!grow((void **)&s->items, s->item_capacity, sizeof *s->items)) { s->failed = NO_MEMORY; return; }
        }
        at = s->item_count++;
    }
    if (s->bucket[length] == NONE) heap_put(s, length, NONE);
    s->items[at] = (item){number, s->bucket[length]};
    s->bucket[length] = at;
}

/* Return a waiting transition of least length. */
static int32_t take_shortest(saturation *s) {
    if (s->heap[0].number != NONE) return heap_take(s);
    int64_t length = s->heap[0].length;
    int32_t at = s->bucket[length], number = s->items[at].number;
    s->bucket[length] = s->items[at].next;
    s->items[at].next = s->unused;
    s->unused = at;
    if (s->bucket[length] == NONE) heap_take(s);
    return number;
}

/* Add a transition, or shorten it; put it among what is to be done if that is news. */
static inline void add(saturation *s, int weighted, int32_t source, int32_t symbol, int32_t target, int64_t length,
                       int32_t rule, int32_t first, int32_t second) {
    if (s->failed) return;
    uint64_t hash = hash_transition(source, symbol, target), at = hash & s->mask;
    const uint32_t tag = (uint32_t)(hash >> 32);
    for (; s->slots[at].number != NONE; at = (at + 1) & s->mask) {
        if (s->slots[at].tag != tag) continue;
        int32_t t = s->slots[at].number;
        const transition *known = &s->list[t];
        if (known->target != target || known->symbol != symbol || known->source != source) continue;
        if (weighted && length < s->length[t]) {
            s->length[t] = length;
            s->why[t] = (derivation){rule, first, second};
            wait_at(s, length, t);
        }
        return;
    }
    if (s->count == s->capacity) {
        if (!double_relation(s)) { s->failed = NO_MEMORY; return; }
        for (at = hash & s->mask; s->slots[at].number != NONE;) at = (at + 1) & s->mask;
    }
    int32_t t = s->count++;
    s->slots[at] = (slot){tag, t};
    s->list[t] = (transition){source, symbol, target, NONE};
    s->why[t] = (derivation){rule, first, second};
    if (weighted) {
        if (length > LONGEST) { s->failed = TOO_LONG; return; }
        s->length[t] = length;
        s->settled[t] = 0;
        wait_at(s, length, t);
        return;
    }
    if (s->stack_size == s->stack_capacity) {
        s->stack_capacity *= 2;
        if (!grow((void **)&s->stack, s->stack_capacity, sizeof *s->stack)) { s->failed = NO_MEMORY; return; }
    }
    s->stack[s->stack_size++] = t;
}

/* Return the next transition to be looked at, each once; NONE when there is none left. */
static inline int32_t take(saturation *s, int weighted) {
    if (s->failed) return NONE;
    if (!weighted) return s->stack_size ? s->stack[--s->stack_size] : NONE;
    while (s->heap_size) {
        int32_t t = take_shortest(s);
        if (!s->settled[t]) {
            s->settled[t] = 1;
            return t;
        }
    }
    return NONE;
}

static void add_edges(saturation *s, int weighted) { /* (1) */
    const problem *in = &s->in;
    for (int32_t i = 0; i < in->edges; i++)
        add(s, weighted, in->edge_source[i], in->edge_symbol[i], in->edge_target[i], weighted ? in->edge_weight[i] : 0, NONE,
            NONE, NONE);
}

/* ---- post* ---- */

typedef struct {
    pairs lefts, entries; /* (p, g) of left sides; (p', g') of callee entries */
    int32_t *group, *start;
    forward_rule *rules;
    int32_t *into, *out; /* per state: list of empty transitions into it, of transitions out of it */
} post_index;

/* Number the pair of every rule that has one and sort the rules by it: those of pair i are start[i] … start[i + 1] - 1. */
static int group_rules(pairs *numbers, int32_t **group, int32_t **start, const int32_t *symbol, const int32_t *state,
                       int32_t rules) {
    *group = malloc(((size_t)rules + 1) * sizeof **group);
    if (!*group) return 0;
    for (int32_t r = 0; r < rules; r++)
        if (((*group)[r] = symbol[r] == NONE ? NONE : pair_number(numbers, symbol[r], state[r], 1)) < NONE) return 0;
    *start = calloc((size_t)numbers->count + 2, sizeof **start);
    if (!*start) return 0;
    int32_t *count = *start + 1, sum = 0;
    for (int32_t r = 0; r < rules; r++)
        if ((*group)[r] != NONE) count[(*group)[r]]++;
    for (int32_t i = 0; i <= numbers->count; i++) {
        int32_t here = count[i];
        count[i] = sum; /* where the next rule of pair i goes; in the end, where pair i + 1 starts */
        sum += here;
    }
    return 1;
}

static int open_post(post_index *index, const problem *in) {
    if (!pairs_open(&index->lefts, in->symbols, in->controls, in->rules)) return 0;
    if (!pairs_open(&index->entries, in->controls, INT32_MAX, in->rules)) return 0;
    if (!group_rules(&index->lefts, &index->group, &index->start, in->symbol, in->source, in->rules)) return 0;
    index->rules = malloc(((size_t)in->rules + 1) * sizeof *index->rules);
    if (!index->rules) return 0;
    for (int32_t r = 0; r < in->rules; r++) {
        forward_rule *rule = &index->rules[index->start[index->group[r] + 1]++];
        *rule = (forward_rule){in->target[r], in->first[r], in->second[r], NONE, r};
        if (rule->second == NONE) continue;
        int32_t entry = pair_number(&index->entries, rule->target, rule->first, 1);
        if (entry < 0) return 0;
        rule->middle = in->states + entry;
    }
    size_t size = ((size_t)in->states + (size_t)index->entries.count + 1) * sizeof *index->into;
    index->into = malloc(size);
    index->out = malloc(size);
    if (!index->into || !index->out) return 0;
    memset(index->into, 0xff, size);
    memset(index->out, 0xff, size);
    return 1;
}

static void close_post(post_index *index) {
    pairs_close(&index->lefts);
    pairs_close(&index->entries);
    free(index->group);
    free(index->start);
    free(index->rules);
    free(index->into);
    free(index->out);
}

/* Add what follows from the transitions that wait, about `work` transitions; tell whether none waits any more. */
static inline int post_star(saturation *s, post_index *index, const int weighted, int64_t work) {
    const problem *in = &s->in;
    const int32_t empty = in->symbols;
    while (work-- > 0) {
        const int32_t t = take(s, weighted);
        if (t == NONE) return 1;
        const int32_t p = s->list[t].source, g = s->list[t].symbol, q = s->list[t].target;
        const int64_t length = weighted ? s->length[t] : 0;
        if (g == empty) { /* (3): p has returned to q */
            s->list[t].next = index->into[q];
            index->into[q] = t;
            for (int32_t u = index->out[q]; u != NONE; u = s->list[u].next, work--)
                add(s, weighted, p, s->list[u].symbol, s->list[u].target, weighted ? s->length[u] + length : 0, NONE, u, t);
            continue;
        }
        if (p >= in->controls) { /* (3): g is below q's callee */
            s->list[t].next = index->out[p];
            index->out[p] = t;
            for (int32_t u = index->into[p]; u != NONE; u = s->list[u].next, work--)
                add(s, weighted, s->list[u].source, g, q, weighted ? length + s->length[u] : 0, NONE, t, u);
            continue;
        }
        int32_t group = pair_number(&index->lefts, g, p, 0);
        if (group == NONE) continue;
        for (int32_t i = index->start[group]; i < index->start[group + 1]; i++, work--) {
            const forward_rule *r = &index->rules[i];
            const int64_t longer = weighted ? length + in->weight[r->rule] : 0;
            if (r->first == NONE) { /* (2) */
                add(s, weighted, r->target, empty, q, longer, r->rule, t, NONE);
            } else if (r->second == NONE) { /* (4) */
                add(s, weighted, r->target, r->first, q, longer, r->rule, t, NONE);
            } else {
                add(s, weighted, r->middle, r->second, q, longer, r->rule, t, NONE);         /* (6) */
                add(s, weighted, r->target, r->first, r->middle, 0, NONE, NONE, NONE);       /* (5) */
            }
        }
    }
    return 0;
}

/* ---- pre* ---- */

typedef struct { int32_t leaving, pending; } pair_lists; /* transitions (q, g, ·); calls that wait for one */

typedef struct {
    pairs tops; /* (p', g') of right sides, then every (q, g) that turns up */
    int32_t *group, *start, ruled; /* only pairs below `ruled` have rules */
    backward_rule *rules;
    pair_lists *lists;
    int32_t lists_capacity;
    pending_call *calls;
    int32_t call_count, call_capacity;
} pre_index;

static int open_pre(pre_index *index, const problem *in) {
    if (!pairs_open(&index->tops, in->symbols, in->states, in->rules)) return 0;
    if (!group_rules(&index->tops, &index->group, &index->start, in->first, in->target, in->rules)) return 0;
    index->ruled = index->tops.count;
    index->rules = malloc(((size_t)in->rules + 1) * sizeof *index->rules);
    index->lists_capacity = index->tops.count + 1024;
    index->lists = malloc((size_t)index->lists_capacity * sizeof *index->lists);
    index->call_capacity = 1024;
    index->calls = malloc((size_t)index->call_capacity * sizeof *index->calls);
    if (!index->rules || !index->lists || !index->calls) return 0;
    memset(index->lists, 0xff, (size_t)index->lists_capacity * sizeof *index->lists);
    for (int32_t r = 0; r < in->rules; r++)
        if (index->group[r] != NONE)
            index->rules[index->start[index->group[r] + 1]++] =
                (backward_rule){in->source[r], in->symbol[r], in->second[r], r};
    return 1;
}

static void close_pre(pre_index *index) {
    pairs_close(&index->tops);
    free(index->group);
    free(index->start);
    free(index->rules);
    free(index->lists);
    free(index->calls);
}

/* Return the lists of (q, g), new ones if they are new; NULL if memory is short. */
static inline pair_lists *lists_of(pre_index *index, int32_t q, int32_t g) {
    int32_t pair = pair_number(&index->tops, g, q, 1);
    if (pair < 0) return NULL;
    if (pair >= index->lists_capacity) {
        int32_t old = index->lists_capacity;
        if (old > INT32_MAX / 2) return NULL;
        index->lists_capacity = 2 * old;
        if (!grow((void **)&index->lists, index->lists_capacity, sizeof *index->lists)) return NULL;
        memset(index->lists + old, 0xff, (size_t)old * sizeof *index->lists);
    }
    return &index->lists[pair];
}

static inline int wait_for(pre_index *index, pair_lists *lists, int32_t rule, int32_t callee) {
    if (index->call_count == index->call_capacity) {
        if (index->call_capacity > INT32_MAX / 2) return 0;
        index->call_capacity *= 2;
        if (!grow((void **)&index->calls, index->call_capacity, sizeof *index->calls)) return 0;
    }
    index->calls[index->call_count] = (pending_call){rule, callee, lists->pending};
    lists->pending = index->call_count++;
    return 1;
}

static void add_pops(saturation *s, int weighted) { /* (2) */
    const problem *in = &s->in;
    for (int32_t r = 0; r < in->rules; r++)
        if (in->first[r] == NONE)
            add(s, weighted, in->source[r], in->symbol[r], in->target[r], weighted ? in->weight[r] : 0, r, NONE, NONE);
}

/* The same for pre*. */
static inline int pre_star(saturation *s, pre_index *index, const int weighted, int64_t work) {
    const problem *in = &s->in;
    while (work-- > 0) {
        const int32_t t = take(s, weighted);
        if (t == NONE) return 1;
        const int32_t q = s->list[t].source, g = s->list[t].symbol, q1 = s->list[t].target;
        const int64_t length = weighted ? s->length[t] : 0;
        pair_lists *here = lists_of(index, q, g);
        if (!here) { s->failed = NO_MEMORY; return 1; }
        const int32_t pair = (int32_t)(here - index->lists);
        s->list[t].next = here->leaving;
        here->leaving = t;
        for (int32_t c = here->pending; c != NONE; c = index->calls[c].next, work--) { /* (4), t follows the callee */
            const backward_rule *r = &index->rules[index->calls[c].rule];
            const int32_t callee = index->calls[c].callee;
            add(s, weighted, r->source, r->symbol, q1, weighted ? in->weight[r->rule] + s->length[callee] + length : 0,
                r->rule, callee, t);
        }
        if (pair >= index->ruled) continue;
        for (int32_t i = index->start[pair]; i < index->start[pair + 1]; i++, work--) {
            const backward_rule *r = &index->rules[i];
            const int64_t longer = weighted ? in->weight[r->rule] + length : 0;
            if (r->second == NONE) { /* (3) */
                add(s, weighted, r->source, r->symbol, q1, longer, r->rule, t, NONE);
                continue;
            }
            pair_lists *below = lists_of(index, q1, r->second);
            if (!below || !wait_for(index, below, i, t)) { s->failed = NO_MEMORY; return 1; }
            for (int32_t t2 = below->leaving; t2 != NONE; t2 = s->list[t2].next, work--) /* (4), t is the callee */
                add(s, weighted, r->source, r->symbol, s->list[t2].target, weighted ? longer + s->length[t2] : 0, r->rule, t, t2);
        }
    }
    return 0;
}

/* ---- results ---- */

/* The checksum of this file when it was compiled, so that a stale library is noticed. */
EXPORT uint32_t knaster_saturation_source(void) { return KNASTER_SATURATION; }

EXPORT void knaster_free(result *r) {
    if (!r) return;
    free(r->transitions);
    free(r->derivations);
    free(r->lengths);
    free(r->middle);
    free(r);
}

typedef struct {
    saturation s;
    post_index post;
    pre_index pre;
    int backward, ready;
} work;

/* Begin to saturate forward (post*) or backward (pre*).  Return NULL only if there is no memory at all. */
EXPORT work *knaster_open(const problem *in, int backward) {
    work *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->backward = backward;
    w->ready = open_saturation(&w->s, in) && (backward ? open_pre(&w->pre, in) : open_post(&w->post, in));
    if (!w->ready) return w;
    add_edges(&w->s, w->s.weighted);
    if (backward) add_pops(&w->s, w->s.weighted);
    return w;
}

/* Do a slice of the work, about `steps` transitions; return RUNNING if there is more to do. */
EXPORT int knaster_step(work *w, int64_t steps) {
    if (!w->ready) return NO_MEMORY;
    int done;
    if (w->backward)
        done = w->s.weighted ? pre_star(&w->s, &w->pre, 1, steps) : pre_star(&w->s, &w->pre, 0, steps);
    else
        done = w->s.weighted ? post_star(&w->s, &w->post, 1, steps) : post_star(&w->s, &w->post, 0, steps);
    return done ? w->s.failed : RUNNING;
}

/* Return what was found so far and end the work.  Return NULL only if there is no memory at all. */
EXPORT result *knaster_close(work *w) {
    result *r = calloc(1, sizeof *r);
    saturation *s = &w->s;
    if (r) {
        *r = (result){s->count, w->post.entries.count, s->list, s->why, s->length, w->post.entries.keys};
        w->post.entries.keys = NULL;
    } else {
        free(s->list);
        free(s->why);
        free(s->length);
    }
    close_post(&w->post);
    close_pre(&w->pre);
    free(s->settled);
    free(s->slots);
    free(s->stack);
    free(s->heap);
    free(s->bucket);
    free(s->items);
    free(w);
    return r;
}
