"""Facts about the collection, computed from its records: counts, lists, dates, authors, trends.

No sentence of a paper and no model says how many papers there are; the catalog does. A question is
*read* (`reading`), the records that it is about are *selected* (`records`), and what they give is *told*,
each statement with the records that it was computed from (`telling`).
"""
