// Appends a list to another one, both of any length, by a pointer to a pointer.
// expect: TRUE --property memory --engine shapes
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

static struct node *build(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *item = malloc(sizeof *item);
    item->data = __VERIFIER_nondet_int();
    item->next = head;
    head = item;
  }
  return head;
}

static void drop(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

static void append(struct node **list, struct node *more) {
  while (*list) list = &(*list)->next;
  *list = more;
}

int main(void) {
  struct node *list = build();
  append(&list, build());
  drop(list);
  return 0;
}
