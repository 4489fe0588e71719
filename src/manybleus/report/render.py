"""The report as one HTML file that asks nothing of any network."""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from manybleus.text import visible


def render_report(context: dict[str, Any], page: str = "report") -> str:
    """Return the report, or another page in its style, as HTML.

    Parameters
    ----------
    context
        As ``context.report_context`` or, for ``"replications"``, ``replications.replication_context`` makes it.
        Everything in it is text, whatever it holds, and what cannot be seen is shown as an escape; only
        ``static/report.css`` goes into the page as it is.
    page
        The name of its template.
    """
    templates = Environment(
        loader=PackageLoader("manybleus.report"),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style = files("manybleus.report").joinpath("static/report.css").read_text(encoding="utf-8")
    return templates.get_template(f"{page}.html.j2").render(**context, style=Markup(style))


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
