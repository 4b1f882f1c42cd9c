"""The newspapers: a month reported to a side, or to the public, in the manner of the time.

`gather_facts` counts what a month has brought, as far as its readers know. `gazette` writes the
paper from these facts and the despatches the readers have had. It is pure text; pages decide how it
looks.
"""
