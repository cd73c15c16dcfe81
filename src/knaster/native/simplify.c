/* `f assume c` and `f cofactor c` on a copy of binary decision diagrams.

   The same walk as in calculus/fixpoints/simplify.py, which explains it, depth first: a pair (f, c) waits on the stack
   until its two branches are known.  A node is a level, the node where its variable is true, and the one where it is
   false; 0 and 1 are the constants.  Equal nodes have one number, so equal functions do.

   The work is done in slices: `knaster_simplify_ask`, `knaster_simplify_run` until it is not RUNNING,
   `knaster_simplify_answer`.  A slice ends between two pairs, so it may be the last one anywhere. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#ifndef KNASTER_SIMPLIFY
#define KNASTER_SIMPLIFY 0
#endif

#define MISSING UINT32_MAX
#define SMALLEST 1024

enum status { SOLVED = 0, NO_MEMORY = 1, RUNNING = 3 };
enum operation { ASSUME = 0, COFACTOR = 1, EITHER = 2, OPERATIONS = 3 };

typedef struct { uint32_t level, high, low; } node;

/* A dictionary from pairs of nodes to nodes, by hashing with linear probing; no key is 0. */
typedef struct { uint64_t *keys; uint32_t *values; uint64_t mask, count; } results;

/* One pair whose result is asked for; the branches are those of the pairs below it, once `open` is set. */
typedef struct { uint64_t pair, higher, lower; uint32_t level; uint8_t operation, open; } task;

typedef struct {
    uint32_t bottom, count, capacity; /* of the nodes */
    node *nodes;
    uint32_t *slots; /* numbers of nodes by hash of what they are; 0 is free */
    uint64_t mask;
    results known[OPERATIONS];
    task *stack;
    int64_t depth, room;
    uint32_t answer;
    uint64_t root;
    uint8_t operation;
} simplifier;

static uint64_t scramble(uint64_t value) {
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    return value ^ (value >> 32);
}

static uint64_t pair_of(uint32_t one, uint32_t two) { return (uint64_t)one << 32 | two; }
static uint32_t first_of(uint64_t pair) { return (uint32_t)(pair >> 32); }
static uint32_t second_of(uint64_t pair) { return (uint32_t)pair; }

/* ---- results ---- */

static int results_open(results *r, uint64_t size) {
    r->keys = calloc(size, sizeof *r->keys);
    r->values = malloc(size * sizeof *r->values);
    r->mask = size - 1;
    r->count = 0;
    return r->keys && r->values;
}

static void results_close(results *r) {
    free(r->keys);
    free(r->values);
}

static uint32_t results_get(const results *r, uint64_t key) {
    for (uint64_t at = scramble(key) & r->mask; r->keys[at]; at = (at + 1) & r->mask)
        if (r->keys[at] == key) return r->values[at];
    return MISSING;
}

static void results_place(results *r, uint64_t key, uint32_t value) {
    uint64_t at = scramble(key) & r->mask;
    while (r->keys[at]) at = (at + 1) & r->mask;
    r->keys[at] = key;
    r->values[at] = value;
    r->count++;
}

/* Add a key that is not there; 0 if memory is short. */
static int results_put(results *r, uint64_t key, uint32_t value) {
    if (3 * r->count >= 2 * r->mask) {
        results larger;
        if (!results_open(&larger, 2 * (r->mask + 1))) {
            results_close(&larger);
            return 0;
        }
        for (uint64_t at = 0; at <= r->mask; at++)
            if (r->keys[at]) results_place(&larger, r->keys[at], r->values[at]);
        results_close(r);
        *r = larger;
    }
    results_place(r, key, value);
    return 1;
}

/* ---- nodes ---- */

static uint64_t hash_node(uint32_t level, uint32_t high, uint32_t low) {
    return scramble(pair_of(high, low) + level * 0x9e3779b97f4a7c15u);
}

static int nodes_double(simplifier *s) {
    if (s->capacity > UINT32_MAX / 8) return 0;
    uint32_t capacity = 2 * s->capacity;
    node *nodes = realloc(s->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes) return 0;
    s->nodes = nodes;
    uint32_t *slots = calloc(2 * (size_t)capacity, sizeof *slots);
    if (!slots) return 0;
    free(s->slots);
    s->slots = slots;
    s->capacity = capacity;
    s->mask = 2 * (uint64_t)capacity - 1;
    for (uint32_t number = 2; number < s->count; number++) {
        uint64_t at = hash_node(nodes[number].level, nodes[number].high, nodes[number].low) & s->mask;
        while (slots[at]) at = (at + 1) & s->mask;
        slots[at] = number;
    }
    return 1;
}

/* Return the number of a node, made where it does not exist; MISSING if memory is short. */
static uint32_t node_number(simplifier *s, uint32_t level, uint32_t high, uint32_t low) {
    if (high == low) return high;
    if (s->count == s->capacity && !nodes_double(s)) return MISSING;
    uint64_t at = hash_node(level, high, low) & s->mask;
    for (; s->slots[at]; at = (at + 1) & s->mask) {
        const node *other = s->nodes + s->slots[at];
        if (other->level == level && other->high == high && other->low == low) return s->slots[at];
    }
    s->slots[at] = s->count;
    s->nodes[s->count] = (node){level, high, low};
    return s->count++;
}

/* ---- the walk ---- */

/* Return the result of a pair where it is plain or known, else MISSING. */
static uint32_t result_of(const simplifier *s, uint8_t operation, uint64_t pair) {
    uint32_t one = first_of(pair), two = second_of(pair);
    if (operation == EITHER) {
        if (one == two || one == 1) return one;
        if (one == 0 || two == 1) return two;
        if (two == 0) return one;
    } else if (one < 2 || two == 1) {
        return one;
    }
    return results_get(&s->known[operation], pair);
}

static int push(simplifier *s, uint8_t operation, uint64_t pair) {
    if (s->depth == s->room) {
        task *stack = realloc(s->stack, 2 * (size_t)s->room * sizeof *stack);
        if (!stack) return 0;
        s->stack = stack;
        s->room *= 2;
    }
    s->stack[s->depth++] = (task){.pair = pair, .operation = operation};
    return 1;
}

static uint64_t either_pair(uint32_t one, uint32_t two) { return one < two ? pair_of(one, two) : pair_of(two, one); }

/* Find the branches of a pair; return a disjunction that must be known first, 0 where there is none. */
static uint64_t open_task(const simplifier *s, task *t) {
    uint32_t f = first_of(t->pair), c = second_of(t->pair);
    const node *f_node = s->nodes + f, *c_node = s->nodes + c;
    uint32_t level = f_node->level < c_node->level ? f_node->level : c_node->level;
    uint32_t f_high = f, f_low = f, c_high = c, c_low = c;
    if (f_node->level == level) f_high = f_node->high, f_low = f_node->low;
    if (c_node->level == level) c_high = c_node->high, c_low = c_node->low;
    if (t->operation == EITHER) {
        t->higher = either_pair(f_high, c_high);
        t->lower = either_pair(f_low, c_low);
    } else {
        if (c_high == 0) {
            f_high = f_low, c_high = c_low;
        } else if (c_low == 0) {
            f_low = f_high, c_low = c_high;
        } else if (f_node->level != level && t->operation == ASSUME) {
            uint64_t both = either_pair(c_high, c_low);
            uint32_t united = result_of(s, EITHER, both);
            if (united == MISSING) return both;
            c_high = c_low = united;
        }
        t->higher = pair_of(f_high, c_high);
        t->lower = pair_of(f_low, c_low);
    }
    t->level = level;
    t->open = 1;
    return 0;
}

/* Do one piece of work on the pair on top: ask for something below it, or finish it; 0 if memory is short. */
static int advance(simplifier *s) {
    task *t = s->stack + s->depth - 1;
    if (!t->open) {
        uint64_t wanted = open_task(s, t);
        if (wanted) return push(s, EITHER, wanted);
    }
    uint32_t high = result_of(s, t->operation, t->higher);
    if (high == MISSING) return push(s, t->operation, t->higher);
    uint32_t low = t->lower == t->higher ? high : result_of(s, t->operation, t->lower);
    if (low == MISSING) return push(s, t->operation, t->lower);
    uint32_t number = node_number(s, t->level, high, low);
    if (number == MISSING || !results_put(&s->known[t->operation], t->pair, number)) return 0;
    s->depth--;
    return 1;
}

/* ---- what is called from outside ---- */

EXPORT uint32_t knaster_simplify_source(void) { return (uint32_t)KNASTER_SIMPLIFY; }

EXPORT void knaster_simplify_close(simplifier *s) {
    if (!s) return;
    for (int i = 0; i < OPERATIONS; i++) results_close(&s->known[i]);
    free(s->nodes);
    free(s->slots);
    free(s->stack);
    free(s);
}

/* Return an empty copy of a store whose constants are at level `bottom`; NULL if memory is short. */
EXPORT simplifier *knaster_simplify_open(uint32_t bottom) {
    simplifier *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    int ready = 1;
    for (int i = 0; i < OPERATIONS; i++) ready &= results_open(&s->known[i], SMALLEST);
    s->bottom = bottom;
    s->capacity = s->room = SMALLEST;
    s->mask = 2 * SMALLEST - 1;
    s->nodes = malloc(SMALLEST * sizeof *s->nodes);
    s->slots = calloc(2 * SMALLEST, sizeof *s->slots);
    s->stack = malloc(SMALLEST * sizeof *s->stack);
    if (!ready || !s->nodes || !s->slots || !s->stack) {
        knaster_simplify_close(s);
        return NULL;
    }
    for (; s->count < 2; s->count++) s->nodes[s->count] = (node){bottom, s->count, s->count};
    return s;
}

/* Add `count` nodes, each a level and two numbers, of which the negative one ~i stands for node i of these; write the
   number of each to `numbers`. */
EXPORT int knaster_simplify_add(simplifier *s, const int32_t *nodes, int64_t count, int32_t *numbers) {
    for (int64_t i = 0; i < count; i++) {
        int32_t high = nodes[3 * i + 1], low = nodes[3 * i + 2];
        uint32_t number = node_number(s, (uint32_t)nodes[3 * i], (uint32_t)(high < 0 ? numbers[~high] : high),
                                      (uint32_t)(low < 0 ? numbers[~low] : low));
        if (number == MISSING) return NO_MEMORY;
        numbers[i] = (int32_t)number;
    }
    return SOLVED;
}

/* Ask for a result; what was asked before and not finished is forgotten. */
EXPORT int knaster_simplify_ask(simplifier *s, uint32_t function, uint32_t care, int operation) {
    s->depth = 0;
    s->root = pair_of(function, care);
    s->operation = (uint8_t)operation;
    s->answer = result_of(s, s->operation, s->root);
    if (s->answer != MISSING) return SOLVED;
    return push(s, s->operation, s->root) ? RUNNING : NO_MEMORY;
}

EXPORT int knaster_simplify_run(simplifier *s, int64_t steps) {
    for (; s->depth && steps > 0; steps--)
        if (!advance(s)) return NO_MEMORY;
    if (s->depth) return RUNNING;
    s->answer = result_of(s, s->operation, s->root);
    return SOLVED;
}

EXPORT uint32_t knaster_simplify_answer(const simplifier *s) { return s->answer; }

EXPORT const node *knaster_simplify_nodes(const simplifier *s) { return s->nodes; }

EXPORT uint32_t knaster_simplify_count(const simplifier *s) { return s->count; }

/* Return how many results of pairs are kept. */
EXPORT int64_t knaster_simplify_results(const simplifier *s) {
    int64_t total = 0;
    for (int i = 0; i < OPERATIONS; i++) total += (int64_t)s->known[i].count;
    return total;
}
