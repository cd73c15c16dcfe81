// Inserts into a sorted list by recursion, and forgets its end.
// expect: FALSE --property memory --first
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

static struct node *insert(struct node *list, int data) {
  if (data <= list->data) {
    struct node *item = malloc(sizeof *item);
    item->data = data;
    item->next = list;
    return item;
  }
  list->next = insert(list->next, data);
  return list;
}

int main(void) {
  struct node *list = malloc(sizeof *list);
  list->data = __VERIFIER_nondet_int();
  list->next = NULL;
  while (__VERIFIER_nondet_int()) list = insert(list, __VERIFIER_nondet_int());
  return 0;
}
