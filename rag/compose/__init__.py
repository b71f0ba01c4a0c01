"""The extractive answer: sentences of the sources, verbatim, chosen, arranged and written as prose."""

from rag.compose.arranging import arrange
from rag.compose.choosing import choose
from rag.compose.sides import sides_missing
from rag.compose.writing import lacking, write

__all__ = ["arrange", "choose", "lacking", "sides_missing", "write"]
