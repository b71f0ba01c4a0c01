"""Whether passages support a claim: by quote, by terms and exact checks, by a model if there is one."""

from rag.verify.terms import idf_of_texts
from rag.verify.verifier import REWORDED, STRICT, Bar, Check, Entailment, Support, Verdict, Verifier

__all__ = [
    "REWORDED",
    "STRICT",
    "Bar",
    "Check",
    "Entailment",
    "Support",
    "Verdict",
    "Verifier",
    "idf_of_texts",
]
