// Appends a list to another one, and forgets that the first may be empty.
// expect: FALSE --property memory --first
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

static void append(struct node *list, struct node *more) {
  while (list->next) list = list->next;
  list->next = more;
}

int main(void) {
  append(build(), build());
  return 0;
}
