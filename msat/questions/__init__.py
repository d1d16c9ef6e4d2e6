"""Questions as plain JSON values, and their answers: what `--json`, `solve --jsonl` and the service share.

`requests.py` has the type of every question: validation, the OpenAPI description and the defaults are all
read from there. `answers.py` turns the results of the library into JSON values; `ask.py` answers a question.
"""
