// Reverses a list of any length in place, and looks beyond its last item.
// expect: FALSE --property memory --first
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

int main(void) {
  struct node *head = NULL, *reversed = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *item = malloc(sizeof *item);
    item->data = __VERIFIER_nondet_int();
    item->next = head;
    head = item;
  }
  while (head) {
    struct node *next = head->next;
    head->next = reversed;
    reversed = head;
    head = next->next ? next : NULL;
  }
  return 0;
}
