"""The promises of the answer contract, checked over a thousand answers and more, with fresh eyes.

The checks share no code with what makes the answers: what counts as a marker, a link or a connecting phrase
is written down here anew.
"""
