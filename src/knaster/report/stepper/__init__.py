"""One page for every language: an answer that can be stepped through, with one script and one style sheet.

`steps` turns runs into columns of numbers, `heap_pictures` adds the heap, `facts` says what was proved of each line,
`panels` writes the parts of the page that need no script, `page` puts it all together, `index` lists several files,
`facts_page` is the page of `knaster facts`, `projection_page` that of `knaster project`.  `page.js` steps,
`page.css` is the only style.
"""
