/* Boolean programs from their text, straight into columns of integers.

   Reads what is plainly right and has no threads: declarations, procedures, assignments, calls, `if`, `while`, `goto`,
   `return`, `skip`, `assume`, `assert`.  Of anything else (a mistake, another statement, a letter beyond ASCII, a local
   that hides a global) it says UNUSUAL, and the caller reads the text in Python, which knows all of it and has the words
   for what is wrong.  Every rule here restates one of `frontends/boolean`, whose names are in the comments.

   Equal expressions without a choice inside are one node, and equal actions are one action: a long text has few. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#ifndef KNASTER_BOOLEAN
#define KNASTER_BOOLEAN 0
#endif

#define NONE (-1)
#define MOST (INT32_MAX / 8)

typedef struct {
    int64_t count, room;
    int32_t *item;
} column;

enum columns {
    SPELLINGS,  /* start, length */
    NODES,      /* kind, then three operands: nodes, or the spelling of a variable */
    ITEMS,      /* lists of nodes and spellings, one after the other */
    ACTIONS,    /* kind, node or spelling, first and number of values, first and number of targets, results taken */
    EDGES,      /* source, action, target, line, column, length */
    LABELS,     /* spelling, location */
    PROCEDURES, /* see `procedure` */
    GLOBALS,    /* spellings */
    COLUMNS
};

/* ENDS is behind the last token; the words up to LAST_RESERVED are never names. */
enum words {
    ENDS, BEGIN, END, IF, THEN, ELSIF, ELSE, FI, WHILE, DO, OD, DECL, VOID, BOOL, SKIP, GOTO, RETURN, ASSERT, ASSUME,
    CONSTRAIN, SCHOOSE, WORD_T, WORD_F, UNDERSCORE, LAST_RESERVED = UNDERSCORE,
    FIRST_RARE, /* words that begin other statements; names elsewhere */
    CALL_WORD = FIRST_RARE, PRINT, DEAD, SYNC, ENFORCE, ABORTIF, START_THREAD, END_THREAD, ATOMIC_BEGIN, ATOMIC_END,
    WAIT, BROADCAST, PROC, DFS, INIT, LAST_RARE = INIT,
    ASSIGNS, AND, AND2, OR, OR2, IMPLIES, EQUAL, EQUAL2, NOT_EQUAL, NOT, ARROW, TILDE, XOR, QUOTE, OPEN, CLOSE,
    OPEN_BRACKET, CLOSE_BRACKET, COMMA, SEMICOLON, COLON, QUESTION, STAR, LESS, GREATER, WORDS
};

static const char *const SPELLED[WORDS] = {
    "", "begin", "end", "if", "then", "elsif", "else", "fi", "while", "do", "od", "decl", "void", "bool", "skip", "goto",
    "return", "assert", "assume", "constrain", "schoose", "T", "F", "_",
    "call", "print", "dead", "sync", "enforce", "abortif", "start_thread", "end_thread", "atomic_begin", "atomic_end",
    "wait", "broadcast", "proc", "dfs", "init",
    ":=", "&", "&&", "|", "||", "=>", "=", "==", "!=", "!", "->", "~", "^", "'", "(", ")",
    "[", "]", ",", ";", ":", "?", "*", "<", ">"};

enum nodes { N_FALSE, N_TRUE, N_CHOICE, N_VAR, N_NOT, N_AND, N_OR, N_XOR, N_EQUAL, N_IMPLIES, N_CONDITIONAL };
enum actions { A_ASSUME, A_ASSIGN, A_CALL, A_RETURN };
enum { FALSE_NODE, TRUE_NODE, CHOICE_NODE }; /* the first three nodes */

/* Places of a row of EDGES, ACTIONS and PROCEDURES. */
enum { SOURCE, ACTION, TARGET, LINE, COLUMN_, LENGTH, EDGE_WIDTH };
enum { KIND, HEAD, VALUES, VALUE_COUNT, TARGETS, TARGET_COUNT, TAKEN, ACTION_WIDTH };
enum {
    P_NAME, P_LINE, P_COLUMN, P_LENGTH, P_RESULTS, P_RETURNED, P_PARAMETERS, P_PARAMETER_COUNT, P_LOCALS, P_LOCAL_COUNT,
    P_EDGES, P_EDGE_COUNT, P_LABELS, P_LABEL_COUNT, P_SIZE, P_FAILURES, PROCEDURE_WIDTH
};

typedef struct {
    int32_t keyword, head, otherwise; /* otherwise: an edge, NONE behind `else` */
    int32_t closed;                   /* edges that wait for the end; NONE where there are none */
} block;

typedef struct {
    int32_t *slot;
    uint64_t mask;
    int64_t used;
} table;

typedef struct {
    const char *text;
    int64_t size;
    int is_wrong;
    column *out;                      /* COLUMNS of them */
    column token, offset, line, starts; /* spelling, offset and line of each token; the offset of each line */
    column kind_of;                   /* of each spelling: whether it is a name, a number */
    column declared;                  /* of each spelling: the procedure that declares it; 0 for globals */
    column fresh;                     /* of each node: whether it has a choice inside and is shared by nobody */
    column operands, operators, scratch, blocks, jumps, waiting, failing, seen;
    table spellings, nodes, actions;
    int boppo;
    int32_t procedures, open, size_now, first_edge, returned, leaving;
} reader;

static void *wrong(reader *r) {
    r->is_wrong = 1;
    return NULL;
}

static void add(reader *r, column *c, int32_t value) {
    if (c->count >= c->room) {
        int64_t room = c->room ? 2 * c->room : 256;
        int32_t *larger = room > MOST ? NULL : realloc(c->item, (size_t)room * sizeof *larger);
        if (!larger) {
            wrong(r);
            c->count = 0; /* there is no memory: nobody looks at it again */
            if (!c->room) return;
        } else {
            c->item = larger;
            c->room = room;
        }
    }
    c->item[c->count++] = value;
}

static int32_t pop(reader *r, column *c) {
    if (c->count) return c->item[--c->count];
    wrong(r);
    return 0;
}

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

/* ---- hash tables: a slot has the number of a row; `same` and `hash` know what the row is ---- */

typedef uint64_t hash_of_row(const reader *r, int32_t row);

static int room_in(reader *r, table *t, hash_of_row *hash) {
    if (t->slot && 2 * (uint64_t)t->used < t->mask) return 1;
    uint64_t size = t->slot ? 2 * (t->mask + 1) : 1024;
    int32_t *slot = malloc(size * sizeof *slot);
    if (!slot) return wrong(r) != NULL;
    memset(slot, 0xff, size * sizeof *slot);
    for (uint64_t i = 0; t->slot && i <= t->mask; i++) {
        if (t->slot[i] == NONE) continue;
        uint64_t at = hash(r, t->slot[i]) & (size - 1);
        while (slot[at] != NONE) at = (at + 1) & (size - 1);
        slot[at] = t->slot[i];
    }
    free(t->slot);
    t->slot = slot;
    t->mask = size - 1;
    return 1;
}

/* ---- tokens (lexer.py) ---- */

static uint64_t hash_text(const char *text, int64_t size) {
    uint64_t h = (uint64_t)size;
    for (int64_t i = 0; i < size; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h ^ (h >> 31);
}

static const char *spelled(const reader *r, int32_t spelling, int64_t *size) {
    if (spelling < WORDS) {
        *size = (int64_t)strlen(SPELLED[spelling]);
        return SPELLED[spelling];
    }
    const int32_t *row = r->out[SPELLINGS].item + 2 * (int64_t)spelling;
    *size = row[1];
    return r->text + row[0];
}

static uint64_t hash_spelling(const reader *r, int32_t spelling) {
    int64_t size;
    const char *text = spelled(r, spelling, &size);
    return hash_text(text, size);
}

/* The number of a spelling, of which `start` is a place; a new one is entered. */
static int32_t spelling_of(reader *r, const char *text, int64_t size, int32_t start, int32_t kind) {
    if (!room_in(r, &r->spellings, hash_spelling)) return 0;
    uint64_t at = hash_text(text, size) & r->spellings.mask;
    for (; r->spellings.slot[at] != NONE; at = (at + 1) & r->spellings.mask) {
        int64_t other_size;
        const char *other = spelled(r, r->spellings.slot[at], &other_size);
        if (other_size != size || memcmp(other, text, (size_t)size)) continue;
        int32_t found = r->spellings.slot[at];
        if (found < WORDS) r->out[SPELLINGS].item[2 * (int64_t)found] = start; /* it may be a name here */
        return found;
    }
    int32_t number = (int32_t)(r->out[SPELLINGS].count / 2);
    add(r, &r->out[SPELLINGS], start);
    add(r, &r->out[SPELLINGS], (int32_t)size);
    add(r, &r->kind_of, kind);
    add(r, &r->declared, NONE);
    r->spellings.slot[at] = number;
    r->spellings.used++;
    return number;
}

enum { IS_OTHER, IS_NAME, IS_NUMBER };

static int begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int continues_name(char c) { return begins_name(c) || is_digit(c) || c == '#' || c == '.'; }

/* The length of the token at `at`, which is no blank; 0 where there is none. */
static int64_t token_size(const reader *r, int64_t at) {
    const char *t = r->text;
    char c = t[at], d = at + 1 < r->size ? t[at + 1] : '\n';
    int64_t end = at + 1;
    if (begins_name(c)) {
        while (end < r->size && (continues_name(t[end]) || (t[end] == '-' && !(end + 1 < r->size && t[end + 1] == '>'))))
            end++;
        return end - at;
    }
    if (is_digit(c)) {
        while (end < r->size && is_digit(t[end])) end++;
        return end - at;
    }
    switch (c) {
    case ':': return d == '=' ? 2 : 1;
    case '&': return d == '&' ? 2 : 1;
    case '|': return d == '|' ? 2 : 1;
    case '=': return d == '>' || d == '=' ? 2 : 1;
    case '!': return d == '=' ? 2 : 1;
    case '-': return d == '>' ? 2 : 0;
    case '~': case '^': case '(': case ')': case '[': case ']': case ',': case ';': case '?': case '*': case '<':
    case '>': return 1;
    default: return 0; /* quotes and names in braces are left to Python */
    }
}

/* The place behind a comment at `at`; 0 where none begins, NONE where it does not end. */
static int64_t behind_comment(const reader *r, int64_t at) {
    if (r->text[at] != '/' || at + 1 >= r->size) return 0;
    if (r->text[at + 1] == '/') {
        while (at < r->size && r->text[at] != '\n') at++;
        return at;
    }
    if (r->text[at + 1] != '*') return 0;
    for (at += 2; at + 1 < r->size; at++)
        if (r->text[at] == '*' && r->text[at + 1] == '/') return at + 2;
    return NONE;
}

static void split(reader *r) {
    int64_t at = 0, seen = 0; /* lines are counted up to `seen` */
    for (int32_t word = 0; word < WORDS; word++) {
        int kind = word >= FIRST_RARE && word <= LAST_RARE ? IS_NAME : IS_OTHER;
        spelling_of(r, SPELLED[word], (int64_t)strlen(SPELLED[word]), 0, kind);
    }
    add(r, &r->starts, 0);
    while (!r->is_wrong) {
        while (at < r->size && (r->text[at] == ' ' || r->text[at] == '\n' || r->text[at] == '\t')) at++;
        int64_t behind = at < r->size ? behind_comment(r, at) : 0;
        if (behind) {
            if (behind == NONE) wrong(r);
            at = behind;
            continue;
        }
        for (; seen < at; seen++)
            if (r->text[seen] == '\n') add(r, &r->starts, (int32_t)(seen + 1));
        if (at >= r->size) break;
        int64_t size = token_size(r, at);
        if (!size) wrong(r);
        int32_t kind = begins_name(r->text[at]) ? IS_NAME : is_digit(r->text[at]) ? IS_NUMBER : IS_OTHER;
        add(r, &r->token, spelling_of(r, r->text + at, size, (int32_t)at, kind));
        add(r, &r->offset, (int32_t)at);
        add(r, &r->line, (int32_t)r->starts.count);
        at += size;
    }
    for (int i = 0; i < 4; i++) {
        add(r, &r->token, ENDS);
        add(r, &r->offset, (int32_t)r->size);
        add(r, &r->line, (int32_t)r->starts.count);
    }
}

static int32_t token(const reader *r, int32_t at) { return at < r->token.count ? r->token.item[at] : ENDS; }
static int is_name(const reader *r, int32_t spelling) {
    return spelling > LAST_RESERVED && r->kind_of.item[spelling] == IS_NAME;
}

/* ---- nodes ---- */

static uint64_t hash_node(const reader *r, int32_t node) {
    const int32_t *row = r->out[NODES].item + 4 * (int64_t)node;
    return mix(mix(mix((uint64_t)row[0], (uint64_t)(uint32_t)row[1]), (uint64_t)(uint32_t)row[2]),
               (uint64_t)(uint32_t)row[3]);
}

static int32_t add_node(reader *r, int32_t kind, int32_t a, int32_t b, int32_t c, int32_t fresh) {
    int32_t node = (int32_t)(r->out[NODES].count / 4);
    add(r, &r->out[NODES], kind);
    add(r, &r->out[NODES], a);
    add(r, &r->out[NODES], b);
    add(r, &r->out[NODES], c);
    add(r, &r->fresh, fresh);
    return node;
}

static int32_t node_of(reader *r, int32_t kind, int32_t a, int32_t b, int32_t c) {
    const int32_t *fresh = r->fresh.item;
    if (kind > N_VAR && (fresh[a] || (b != NONE && fresh[b]) || (c != NONE && fresh[c])))
        return add_node(r, kind, a, b, c, 1); /* a choice is its own: what has one inside is not shared */
    if (!room_in(r, &r->nodes, hash_node)) return 0;
    int32_t node = add_node(r, kind, a, b, c, 0);
    if (r->is_wrong) return 0;
    const int32_t *rows = r->out[NODES].item;
    uint64_t at = hash_node(r, node) & r->nodes.mask;
    for (; r->nodes.slot[at] != NONE; at = (at + 1) & r->nodes.mask)
        if (!memcmp(rows + 4 * (int64_t)r->nodes.slot[at], rows + 4 * (int64_t)node, 4 * sizeof *rows)) {
            r->out[NODES].count -= 4;
            r->fresh.count--;
            return r->nodes.slot[at];
        }
    r->nodes.slot[at] = node;
    r->nodes.used++;
    return node;
}

/* ---- expressions (expressions.py) ---- */

typedef struct { int32_t level, left, kind, closed_by; } infix; /* kind: NONE where it is no connective */
enum { I_BOTTOM, I_OPEN, I_FIRST, I_SECOND, I_QUESTION, I_COLON, I_NOT, I_AND, I_XOR, I_OR, I_EQUAL, I_UNEQUAL, I_IMPLIES };

static infix infix_of(const reader *r, int32_t which) {
    switch (which) {
    case I_OPEN: return (infix){-1, 0, NONE, CLOSE};
    case I_FIRST: return (infix){-1, 0, NONE, COMMA};
    case I_SECOND: return (infix){-1, 0, NONE, CLOSE_BRACKET};
    case I_QUESTION: return (infix){-1, 0, NONE, COLON};
    case I_COLON: return (infix){0, 0, N_CONDITIONAL, NONE};
    case I_NOT: return (infix){6, 6, N_NOT, NONE};
    case I_AND: return (infix){4, 4, N_AND, NONE};
    case I_XOR: return (infix){3, 3, N_XOR, NONE};
    case I_OR: return (infix){2, 2, N_OR, NONE};
    case I_EQUAL: return r->boppo ? (infix){1, 2, N_EQUAL, NONE} : (infix){5, 5, N_EQUAL, NONE};
    case I_UNEQUAL: return r->boppo ? (infix){1, 2, N_XOR, NONE} : (infix){5, 5, N_XOR, NONE};
    case I_IMPLIES: return (infix){1, 2, N_IMPLIES, NONE};
    default: return (infix){-2, 0, NONE, NONE};
    }
}

static int32_t connective(int32_t word) {
    switch (word) {
    case AND: case AND2: return I_AND;
    case XOR: return I_XOR;
    case OR: case OR2: return I_OR;
    case EQUAL: case EQUAL2: return I_EQUAL;
    case NOT_EQUAL: return I_UNEQUAL;
    case IMPLIES: case ARROW: return I_IMPLIES;
    default: return NONE;
    }
}

static void reduce(reader *r, int32_t least) {
    while (!r->is_wrong) {
        infix top = infix_of(r, r->operators.item[r->operators.count - 1]);
        if (top.level < least) return;
        r->operators.count--;
        int32_t right = pop(r, &r->operands), left = pop(r, &r->operands);
        if (r->is_wrong) return;
        if (top.kind == N_CONDITIONAL) {
            int32_t condition = pop(r, &r->operands);
            add(r, &r->operands, r->is_wrong ? 0 : node_of(r, N_CONDITIONAL, condition, left, right));
        } else {
            add(r, &r->operands, node_of(r, top.kind, left, right, NONE));
        }
    }
}

/* The node of an operand that is one token, NONE where it is none. */
static int32_t leaf(reader *r, int32_t at) {
    int32_t word = token(r, at);
    if (r->declared.item[word] == 0 || (r->declared.item[word] == r->procedures && word > LAST_RESERVED))
        return node_of(r, N_VAR, word, NONE, NONE);
    if (word == WORD_T) return TRUE_NODE;
    if (word == WORD_F) return FALSE_NODE;
    if (word == STAR || word == QUESTION) return CHOICE_NODE;
    if (r->kind_of.item[word] == IS_NUMBER && r->out[SPELLINGS].item[2 * (int64_t)word + 1] == 1) {
        char digit = r->text[r->out[SPELLINGS].item[2 * (int64_t)word]];
        if (digit == '1') return TRUE_NODE;
        if (digit == '0') return FALSE_NODE;
    }
    return NONE;
}

/* The expression at token *at, which is moved behind it. */
static int32_t expression(reader *r, int32_t *at) {
    r->operands.count = r->operators.count = 0;
    add(r, &r->operators, I_BOTTOM);
    while (!r->is_wrong) { /* an operand is due */
        int32_t word = token(r, *at), operand = leaf(r, *at);
        ++*at;
        if (operand == NONE) {
            if (word == NOT || word == TILDE) add(r, &r->operators, I_NOT);
            else if (word == OPEN) add(r, &r->operators, I_OPEN);
            else if (word == SCHOOSE && token(r, *at) == OPEN_BRACKET) {
                add(r, &r->operators, I_FIRST);
                ++*at;
            } else wrong(r);
            continue;
        }
        add(r, &r->operands, operand);
        while (!r->is_wrong) { /* an operand ends */
            while (r->operators.item[r->operators.count - 1] == I_NOT) {
                r->operators.count--;
                add(r, &r->operands, node_of(r, N_NOT, pop(r, &r->operands), NONE, NONE));
            }
            word = token(r, *at);
            int32_t which = word == QUESTION ? I_QUESTION : connective(word);
            if (which != NONE) {
                reduce(r, which == I_QUESTION ? 1 : infix_of(r, which).left);
                add(r, &r->operators, which);
                ++*at;
                break;
            }
            reduce(r, 0);
            if (r->is_wrong) break;
            int32_t opened = r->operators.item[r->operators.count - 1];
            if (opened == I_BOTTOM) return r->operands.item[0];
            if (word != infix_of(r, opened).closed_by) wrong(r);
            ++*at;
            r->operators.count--;
            if (opened == I_FIRST || opened == I_QUESTION) {
                add(r, &r->operators, opened == I_FIRST ? I_SECOND : I_COLON);
                break;
            }
            if (opened == I_SECOND) { /* one | !zero & * */
                int32_t zero = node_of(r, N_NOT, pop(r, &r->operands), NONE, NONE), one = pop(r, &r->operands);
                if (r->is_wrong) break;
                int32_t either = add_node(r, N_AND, zero, CHOICE_NODE, NONE, 1);
                add(r, &r->operands, add_node(r, N_OR, one, either, NONE, 1));
            }
        }
    }
    return FALSE_NODE;
}

/* Expressions with commas between them, onto `scratch`; their number. */
static int32_t values(reader *r, int32_t *at) {
    int32_t count = 0;
    do {
        if (count) ++*at;
        int32_t value = expression(r, at);
        add(r, &r->scratch, value);
        count++;
    } while (!r->is_wrong && token(r, *at) == COMMA);
    return count;
}

/* ---- actions ---- */

static uint64_t hash_action(const reader *r, int32_t action) {
    const int32_t *row = r->out[ACTIONS].item + ACTION_WIDTH * (int64_t)action, *item = r->out[ITEMS].item;
    uint64_t h = mix(mix((uint64_t)row[KIND], (uint64_t)(uint32_t)row[HEAD]), (uint64_t)(uint32_t)row[TAKEN]);
    for (int32_t i = 0; i < row[VALUE_COUNT]; i++) h = mix(h, (uint64_t)item[row[VALUES] + i]);
    for (int32_t i = 0; i < row[TARGET_COUNT]; i++) h = mix(h, (uint64_t)item[row[TARGETS] + i]);
    return h;
}

static int same_list(const int32_t *item, int32_t first, int32_t second, int32_t count) {
    return !count || !memcmp(item + first, item + second, (size_t)count * sizeof *item);
}

static int same_action(const reader *r, int32_t one, int32_t other) {
    const int32_t *a = r->out[ACTIONS].item + ACTION_WIDTH * (int64_t)one, *item = r->out[ITEMS].item;
    const int32_t *b = r->out[ACTIONS].item + ACTION_WIDTH * (int64_t)other;
    return a[KIND] == b[KIND] && a[HEAD] == b[HEAD] && a[TAKEN] == b[TAKEN] && a[VALUE_COUNT] == b[VALUE_COUNT] &&
           a[TARGET_COUNT] == b[TARGET_COUNT] && same_list(item, a[VALUES], b[VALUES], a[VALUE_COUNT]) &&
           same_list(item, a[TARGETS], b[TARGETS], a[TARGET_COUNT]);
}

/* The action with the last `targets` + `count` members of `scratch`, targets first, which are taken off. */
static int32_t action_of(reader *r, int32_t kind, int32_t head, int32_t targets, int32_t count, int32_t taken) {
    if (!room_in(r, &r->actions, hash_action)) return 0;
    column *items = &r->out[ITEMS], *rows = &r->out[ACTIONS];
    int64_t items_before = items->count, rows_before = rows->count;
    int32_t number = (int32_t)(rows_before / ACTION_WIDTH), first = (int32_t)items_before;
    int32_t row[ACTION_WIDTH] = {kind, head, first + targets, count, first, targets, taken};
    for (int32_t i = 0; i < targets + count; i++) add(r, items, r->scratch.item[r->scratch.count - targets - count + i]);
    for (int i = 0; i < ACTION_WIDTH; i++) add(r, rows, row[i]);
    r->scratch.count -= targets + count;
    if (r->is_wrong) return 0;
    uint64_t at = hash_action(r, number) & r->actions.mask;
    for (; r->actions.slot[at] != NONE; at = (at + 1) & r->actions.mask)
        if (same_action(r, r->actions.slot[at], number)) {
            items->count = items_before;
            rows->count = rows_before;
            return r->actions.slot[at];
        }
    r->actions.slot[at] = number;
    r->actions.used++;
    return number;
}

static int32_t assume(reader *r, int32_t condition) { return action_of(r, A_ASSUME, condition, 0, 0, NONE); }

/* ---- the graph of a procedure (graph.py) ----

   Edges that wait for their target are a ring linked by their targets, named by its last member: two join at once. */

static int32_t *edge_row(reader *r, int32_t edge) { return r->out[EDGES].item + EDGE_WIDTH * (int64_t)edge; }

/* Every edge of a list leads to `location`. */
static void lead(reader *r, int32_t list, int32_t location) {
    if (list == NONE || r->is_wrong) return;
    int32_t at = edge_row(r, list)[TARGET];
    edge_row(r, list)[TARGET] = NONE;
    while (at != NONE) {
        int32_t next = edge_row(r, at)[TARGET];
        edge_row(r, at)[TARGET] = location;
        at = next;
    }
}

static int32_t merge(reader *r, int32_t some, int32_t others) {
    if (some == NONE || r->is_wrong) return others;
    if (others == NONE) return some;
    int32_t first = edge_row(r, some)[TARGET];
    edge_row(r, some)[TARGET] = edge_row(r, others)[TARGET];
    edge_row(r, others)[TARGET] = first;
    return others;
}

static int32_t enter(reader *r) {
    int32_t location = r->size_now++;
    lead(r, r->open, location);
    r->open = NONE;
    return location;
}

/* A new edge, a ring of its own; its statement is from token `first` to the one before `behind` (Tokens.stretch). */
static int32_t edge(reader *r, int32_t source, int32_t action, int32_t first, int32_t behind) {
    int32_t number = (int32_t)(r->out[EDGES].count / EDGE_WIDTH), line = r->line.item[first];
    int32_t start = r->offset.item[first], last = r->token.item[behind - 1];
    int64_t size;
    spelled(r, last, &size);
    int32_t end = r->offset.item[behind - 1] + (int32_t)size;
    if (line < r->starts.count && end >= r->starts.item[line]) end = r->starts.item[line] - 1;
    int32_t length = end - start > 1 ? end - start : 1;
    int32_t row[EDGE_WIDTH] = {source, action, number, line, start - r->starts.item[line - 1] + 1, length};
    for (int i = 0; i < EDGE_WIDTH; i++) add(r, &r->out[EDGES], row[i]);
    return number;
}

static void step(reader *r, int32_t action, int32_t first, int32_t behind) {
    int32_t location = enter(r);
    r->open = edge(r, location, action, first, behind);
}

/* The edges of a condition: the true one is open, the false one is returned. */
static int32_t branch(reader *r, int32_t condition, int32_t first, int32_t behind) {
    int32_t location = enter(r);
    int32_t yes = assume(r, condition), no = assume(r, node_of(r, N_NOT, condition, NONE, NONE));
    r->open = edge(r, location, yes, first, behind);
    return edge(r, location, no, first, behind);
}

/* ---- labels ---- */

static void place_labels(reader *r, int32_t location) {
    for (int64_t i = 0; i < r->waiting.count; i++) {
        int32_t name = token(r, r->waiting.item[i]);
        int64_t size, j = 0;
        const char *text = spelled(r, name, &size);
        if (size >= 6 && !memcmp(text, "ASYNC_", 6)) wrong(r);
        while (j < i && token(r, r->waiting.item[j]) != name) j++;
        if (j < i) continue;
        add(r, &r->out[LABELS], name);
        add(r, &r->out[LABELS], location);
    }
    r->waiting.count = 0;
}

static void step_of_labels(reader *r) {
    if (!r->waiting.count) return;
    int32_t first = r->waiting.item[0];
    step(r, assume(r, TRUE_NODE), first, first + 1);
    place_labels(r, r->size_now - 1);
}

/* Give every jump its target; a label that is nowhere, or at several places, is unusual. */
static void resolve_jumps(reader *r, int64_t first_label) {
    column *labels = &r->out[LABELS];
    if (!r->jumps.count) return;
    while (r->seen.count < r->out[SPELLINGS].count / 2 && !r->is_wrong) add(r, &r->seen, NONE);
    for (int64_t i = first_label; i < labels->count && !r->is_wrong; i += 2) {
        int32_t *place = &r->seen.item[labels->item[i]];
        *place = *place == NONE ? labels->item[i + 1] : -2;
    }
    for (int64_t i = 0; i < r->jumps.count && !r->is_wrong; i += 2) {
        int32_t place = r->seen.item[r->jumps.item[i + 1]];
        if (place < 0) wrong(r);
        else edge_row(r, r->jumps.item[i])[TARGET] = place;
    }
    for (int64_t i = first_label; i < labels->count && !r->is_wrong; i += 2) r->seen.item[labels->item[i]] = NONE;
}

/* ---- statements (statements.py, bodies.py) ---- */

static int closes(int32_t word) { return word == END || word == FI || word == OD || word == ELSE || word == ELSIF; }

static void require(reader *r, int32_t *at, int32_t word) {
    if (token(r, *at) != word) wrong(r);
    ++*at;
}

static int is_variable(const reader *r, int32_t word) {
    return is_name(r, word) && (r->declared.item[word] == 0 || r->declared.item[word] == r->procedures);
}

/* A call with `targets` names on `scratch`; `taken` is NONE where the statement takes no results. */
static void call(reader *r, int32_t start, int32_t *at, int32_t targets, int32_t taken) {
    int32_t callee = token(r, *at), count = 0;
    if (!is_name(r, callee)) wrong(r);
    ++*at;
    require(r, at, OPEN);
    if (token(r, *at) != CLOSE) count = values(r, at);
    require(r, at, CLOSE);
    if (!r->is_wrong) step(r, action_of(r, A_CALL, callee, targets, count, taken), start, *at);
}

static void assignment(reader *r, int32_t start, int32_t *at) {
    int32_t targets = 0;
    int64_t first = r->scratch.count;
    do {
        if (targets) ++*at;
        int32_t name = token(r, *at);
        if (!is_variable(r, name)) wrong(r);
        for (int64_t i = first; i < r->scratch.count; i++)
            if (r->scratch.item[i] == name) wrong(r); /* a variable twice */
        add(r, &r->scratch, name);
        targets++;
        ++*at;
    } while (!r->is_wrong && token(r, *at) == COMMA && targets < 1000);
    require(r, at, ASSIGNS);
    if (r->is_wrong) return;
    if (token(r, *at + 1) == OPEN && is_name(r, token(r, *at))) {
        call(r, start, at, targets, targets);
        return;
    }
    if (token(r, *at) == CALL_WORD && token(r, *at + 2) == OPEN) wrong(r);
    int32_t count = values(r, at);
    if (count != targets || token(r, *at) == CONSTRAIN) wrong(r);
    if (!r->is_wrong) step(r, action_of(r, A_ASSIGN, NONE, targets, count, NONE), start, *at);
}

static void jump(reader *r, int32_t start, int32_t *at) {
    int32_t location = enter(r), first = start + 1;
    for (*at = start; *at == start || token(r, *at) == COMMA; *at += 2) {
        int32_t label = token(r, *at + 1);
        if (!is_name(r, label) && r->kind_of.item[label] != IS_NUMBER) wrong(r);
        if (r->is_wrong) return;
    }
    for (; first < *at; first += 2) {
        add(r, &r->jumps, edge(r, location, assume(r, TRUE_NODE), start, *at));
        add(r, &r->jumps, token(r, first));
    }
}

static void leave(reader *r, int32_t start, int32_t *at) {
    int32_t count = 0;
    ++*at;
    if (token(r, *at) != SEMICOLON && !closes(token(r, *at))) {
        if (r->line.item[*at] > r->line.item[*at - 1]) wrong(r); /* a semicolon may be missing */
        if (!r->is_wrong) count = values(r, at);
    }
    if (r->is_wrong) return;
    if (r->returned != NONE && r->returned != count) wrong(r);
    r->returned = count;
    int32_t location = enter(r), left = edge(r, location, action_of(r, A_RETURN, NONE, 0, count, NONE), start, *at);
    r->leaving = merge(r, r->leaving, left);
}

static void statement(reader *r, int32_t *at) {
    int32_t start = *at, word = token(r, start), following = token(r, start + 1);
    if (word >= FIRST_RARE && word <= LAST_RARE && following != ASSIGNS) wrong(r);
    else if (is_name(r, word) && following == OPEN) call(r, start, at, 0, NONE);
    else if (is_name(r, word)) assignment(r, start, at);
    else if (word == SKIP) step(r, assume(r, TRUE_NODE), start, ++*at);
    else if (word == GOTO) jump(r, start, at);
    else if (word == RETURN) leave(r, start, at);
    else if (word == ASSUME || word == ASSERT) {
        ++*at;
        int32_t condition = expression(r, at);
        if (r->is_wrong) return;
        if (word == ASSUME) step(r, assume(r, condition), start, *at);
        else add(r, &r->failing, branch(r, condition, start, *at));
    } else if (word == DECL) {
        while (!r->is_wrong && token(r, *at) != SEMICOLON) ++*at; /* `locals_of` has looked at it */
    } else wrong(r);
}

static block *innermost(reader *r) {
    if (r->blocks.count < 4) return wrong(r);
    return (block *)(void *)(r->blocks.item + r->blocks.count - 4);
}

static void structure(reader *r, int32_t *at) {
    int32_t start = *at, word = token(r, start);
    ++*at;
    if (word == IF || word == WHILE) {
        int32_t condition = expression(r, at);
        require(r, at, word == IF ? THEN : DO);
        if (r->is_wrong) return;
        int32_t head = r->size_now, otherwise = branch(r, condition, start, *at);
        add(r, &r->blocks, word);
        add(r, &r->blocks, head);
        add(r, &r->blocks, otherwise);
        add(r, &r->blocks, NONE);
        return;
    }
    block *inner = innermost(r);
    if (!inner) return;
    if (word == ELSE || word == ELSIF) {
        if (inner->keyword != IF || inner->otherwise == NONE) wrong(r);
        if (r->is_wrong) return;
        inner->closed = merge(r, inner->closed, r->open);
        r->open = inner->otherwise;
        inner->otherwise = NONE;
        if (word == ELSE) return;
        int32_t condition = expression(r, at);
        require(r, at, THEN);
        if (!r->is_wrong) inner->otherwise = branch(r, condition, start, *at);
        return;
    }
    if ((word == FI) != (inner->keyword == IF)) wrong(r);
    if (inner->keyword == WHILE) {
        lead(r, r->open, inner->head);
        r->open = NONE;
    }
    r->open = merge(r, inner->closed, r->open);
    if (inner->otherwise != NONE) r->open = merge(r, r->open, inner->otherwise);
    r->blocks.count -= 4;
}

static int is_structure(int32_t word) {
    return word == IF || word == WHILE || word == ELSIF || word == ELSE || word == FI || word == OD;
}

/* The statements from token *at up to `end`, behind which it is moved. */
static void body(reader *r, int32_t *at) {
    while (!r->is_wrong) {
        int32_t word = token(r, *at);
        if (word == END) {
            if (r->blocks.count) wrong(r);
            ++*at;
            return;
        }
        if (token(r, *at + 1) == COLON && (is_name(r, word) || r->kind_of.item[word] == IS_NUMBER)) {
            add(r, &r->waiting, *at);
            *at += 2;
            continue;
        }
        if (word == SEMICOLON || closes(word)) step_of_labels(r);
        int32_t before = r->size_now;
        if (word == SEMICOLON) ++*at;
        else if (is_structure(word)) structure(r, at);
        else {
            statement(r, at);
            if (token(r, *at) == SEMICOLON) ++*at;
            else if (!closes(token(r, *at))) wrong(r);
        }
        if (r->waiting.count && r->size_now > before) place_labels(r, before);
    }
}

/* ---- declarations and procedures (declarations.py, programs.py) ---- */

/* Names with commas between them, onto ITEMS or GLOBALS; `owner` is 0 for globals, else the procedure. */
static int32_t names(reader *r, int32_t *at, column *to, int32_t owner) {
    int32_t count = 0;
    do {
        if (count) ++*at;
        int32_t name = token(r, *at);
        if (!is_name(r, name)) wrong(r);
        if (r->is_wrong) return 0;
        int32_t *declared = &r->declared.item[name];
        if (*declared == owner || (owner && *declared == 0)) wrong(r); /* twice, or it hides a global */
        *declared = owner;
        add(r, to, name);
        count++;
        ++*at;
    } while (!r->is_wrong && token(r, *at) == COMMA);
    return count;
}

/* All locals of the procedure whose body begins at token `at`, wherever they are declared. */
static int32_t locals_of(reader *r, int32_t at) {
    int32_t count = 0, word;
    while (!r->is_wrong && (word = token(r, at)) != END) {
        if (word == ENDS || word == BEGIN || word == BOOL || word == VOID) wrong(r);
        ++at;
        if (word != DECL) continue;
        count += names(r, &at, &r->out[ITEMS], r->procedures);
        if (token(r, at) != SEMICOLON) wrong(r);
    }
    return count;
}

static int32_t result_count(reader *r, int32_t *at) {
    int32_t word = token(r, *at);
    if (word != VOID && word != BOOL) return NONE;
    ++*at;
    if (word == VOID) return 0;
    if (token(r, *at) != LESS) return 1;
    ++*at;
    int32_t number = token(r, *at), count = 0;
    int64_t size;
    const char *digits = spelled(r, number, &size);
    if (r->kind_of.item[number] != IS_NUMBER || size > 4) wrong(r);
    for (int64_t i = 0; i < size && !r->is_wrong; i++) count = 10 * count + (digits[i] - '0');
    ++*at;
    require(r, at, GREATER);
    return count;
}

static void finish(reader *r, const int32_t *begun) {
    column *edges = &r->out[EDGES];
    lead(r, r->open, r->size_now);
    lead(r, r->leaving, r->size_now);
    for (int64_t i = 0; i < r->failing.count && !r->is_wrong; i++)
        edge_row(r, r->failing.item[i])[TARGET] = r->size_now + 1 + (int32_t)i;
    resolve_jumps(r, 2 * (int64_t)begun[P_LABELS]);
    for (int i = 0; i < P_EDGE_COUNT; i++) add(r, &r->out[PROCEDURES], i == P_RETURNED ? r->returned : begun[i]);
    add(r, &r->out[PROCEDURES], (int32_t)(edges->count / EDGE_WIDTH) - begun[P_EDGES]);
    add(r, &r->out[PROCEDURES], begun[P_LABELS]);
    add(r, &r->out[PROCEDURES], (int32_t)(r->out[LABELS].count / 2) - begun[P_LABELS]);
    add(r, &r->out[PROCEDURES], r->size_now);
    add(r, &r->out[PROCEDURES], (int32_t)r->failing.count);
}

static void procedure(reader *r, int32_t *at) {
    int32_t begun[PROCEDURE_WIDTH] = {0};
    begun[P_RESULTS] = result_count(r, at);
    int32_t name = token(r, *at);
    if (!is_name(r, name) || name == PROC || name == DFS || name == INIT || r->is_wrong) return (void)wrong(r);
    int64_t size;
    spelled(r, name, &size);
    begun[P_NAME] = name;
    begun[P_LINE] = r->line.item[*at];
    begun[P_COLUMN] = r->offset.item[*at] - r->starts.item[begun[P_LINE] - 1] + 1;
    begun[P_LENGTH] = (int32_t)size;
    begun[P_EDGES] = (int32_t)(r->out[EDGES].count / EDGE_WIDTH);
    begun[P_LABELS] = (int32_t)(r->out[LABELS].count / 2);
    r->procedures++;
    ++*at;
    require(r, at, OPEN);
    begun[P_PARAMETERS] = (int32_t)r->out[ITEMS].count;
    if (!r->is_wrong && token(r, *at) != CLOSE) begun[P_PARAMETER_COUNT] = names(r, at, &r->out[ITEMS], r->procedures);
    require(r, at, CLOSE);
    require(r, at, BEGIN);
    begun[P_LOCALS] = (int32_t)r->out[ITEMS].count;
    if (!r->is_wrong) begun[P_LOCAL_COUNT] = locals_of(r, *at);
    r->open = r->leaving = r->returned = NONE;
    r->size_now = 0;
    r->blocks.count = r->jumps.count = r->waiting.count = r->failing.count = r->scratch.count = 0;
    if (!r->is_wrong) body(r, at);
    if (!r->is_wrong) step_of_labels(r);
    if (!r->is_wrong) finish(r, begun);
}

/* Globals first: a declaration may stand behind a procedure that reads it. */
static void globals(reader *r) {
    int inside = 0;
    for (int32_t at = 0; !r->is_wrong && token(r, at) != ENDS; at++) {
        int32_t word = token(r, at);
        if (word == BEGIN || word == END) inside = word == BEGIN;
        if (word != DECL || inside) continue;
        ++at;
        names(r, &at, &r->out[GLOBALS], 0);
        if (token(r, at) != SEMICOLON) wrong(r);
    }
}

static void program(reader *r) {
    int32_t at = 0;
    split(r);
    if (r->is_wrong) return;
    add_node(r, N_FALSE, NONE, NONE, NONE, 0);
    add_node(r, N_TRUE, NONE, NONE, NONE, 0);
    add_node(r, N_CHOICE, NONE, NONE, NONE, 1);
    globals(r);
    while (!r->is_wrong && token(r, at) != ENDS) {
        if (token(r, at) == SEMICOLON) at++;
        else if (token(r, at) == DECL)
            while (token(r, at++) != SEMICOLON) {}
        else procedure(r, &at);
    }
}

/* ---- from outside ---- */

EXPORT void knaster_boolean_free(column *out) {
    for (int i = 0; out && i < COLUMNS; i++) free(out[i].item);
    free(out);
}

/* The columns of a program; NULL where its text is unusual or there is no memory. */
EXPORT column *knaster_boolean_read(const char *text, int64_t size, int boppo) {
    reader r;
    memset(&r, 0, sizeof r);
    r.text = text;
    r.size = size;
    r.boppo = boppo;
    r.out = calloc(COLUMNS, sizeof *r.out);
    if (!r.out) return NULL;
    if (size > MOST) wrong(&r);
    if (!r.is_wrong) program(&r);
    column *own[] = {&r.token, &r.offset, &r.line, &r.starts, &r.kind_of, &r.declared, &r.fresh, &r.operands,
                     &r.operators, &r.scratch, &r.blocks, &r.jumps, &r.waiting, &r.failing, &r.seen};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) free(own[i]->item);
    free(r.spellings.slot);
    free(r.nodes.slot);
    free(r.actions.slot);
    if (!r.is_wrong) return r.out;
    knaster_boolean_free(r.out);
    return NULL;
}

EXPORT uint32_t knaster_boolean_source(void) { return (uint32_t)KNASTER_BOOLEAN; }
