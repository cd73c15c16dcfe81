"""An answer for people and programs: text, JSON, pages, pictures.

`formats` lists the formats of `knaster check`.  In reading order: `sentence` (the verdict), `entries` (a
trace line by line), `source` (the text of a statement), `text`; `runs`, `dead_statements`, `proof_words` (what else is
said); `envelope`, `document`, `json`; `html`, `notebook`; `projection` (of `knaster project`), `harness` (a
run as C).  Folders: `flow` (control flow as a picture), `lanes` (threads side by side), `heap` (programs with
references).

Also here: `crash` (a path to a stack for people and programs), `endless` (a run that never ends as rows), `equations`
(equations as people write them), `facts` (facts for people and programs).
"""
