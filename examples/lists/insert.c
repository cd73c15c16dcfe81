// Inserts into a sorted list of any length by recursion.
// expect: TRUE --property memory --engine shapes
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

static struct node *insert(struct node *list, int data) {
  if (list == NULL || data <= list->data) {
    struct node *item = malloc(sizeof *item);
    item->data = data;
    item->next = list;
    return item;
  }
  list->next = insert(list->next, data);
  return list;
}

static void drop(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) list = insert(list, __VERIFIER_nondet_int());
  drop(list);
  return 0;
}
