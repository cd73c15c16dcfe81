// Reverses a list of any length in place.
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

int main(void) {
  struct node *head = build(), *reversed = NULL;
  while (head) {
    struct node *next = head->next;
    head->next = reversed;
    reversed = head;
    head = next;
  }
  drop(reversed);
  return 0;
}
