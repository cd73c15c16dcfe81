// Frees a list of any length, and reads each item after it was freed.
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

int main(void) {
  struct node *list = build();
  while (list) {
    free(list);
    list = list->next;
  }
  return 0;
}
