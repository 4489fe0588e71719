"""The report as one HTML file that asks nothing of any network."""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from manybleus.text import visible


def render_report(context: dict[str, Any]) -> str:
    """Return the report as HTML.

    Parameters
    ----------
    context
        As ``context.report_context`` makes it. Everything in it is text, whatever it holds, and what cannot be seen
        is shown as an escape; only the files in ``static`` and the curve's data, which is JSON without ``<``, go into
        the page as they are.
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
    static = files("manybleus.report").joinpath("static")
    style, script = (Markup(static.joinpath(name).read_text(encoding="utf-8")) for name in ("report.css", "curve.js"))
    return templates.get_template("report.html.j2").render(**context, style=style, script=script)


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
