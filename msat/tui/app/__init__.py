"""The interactive viewer (Textual).

`session` is what is played, without a screen; `solver` answers questions in a process of its own; `storage`
keeps the session between runs; `grid`, `dialogs` and `stage` are what is seen,
and `viewer` is what the keys of `actions` do.
"""
