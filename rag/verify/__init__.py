"""Whether passages support a claim, judged without a model: by terms and by exact checks."""

from rag.verify.terms import idf_of_texts
from rag.verify.verifier import TERMS_BAR, Check, Verdict, Verifier

__all__ = ["TERMS_BAR", "Check", "Verdict", "Verifier", "idf_of_texts"]
