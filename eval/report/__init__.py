"""What a run says, for people and for programs."""

from eval.report.data import report_data
from eval.report.html import write_html
from eval.report.json_report import to_json
from eval.report.junit import to_junit
from eval.report.markdown import to_markdown
from eval.report.view import ReportData
from eval.report.write import write_report

__all__ = ["ReportData", "report_data", "to_json", "to_junit", "to_markdown", "write_html", "write_report"]
