"""Answers for those who watch a repository: SARIF, JUnit and annotations of GitHub, from the JSON of every file.

Read `findings` (what is to be reported), then `sarif`, `junit`, `github`: each makes one text of all files.

Also here: `baseline` (findings that are known).
"""
