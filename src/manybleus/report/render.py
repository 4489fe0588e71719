"""The report as one HTML file that asks nothing of any network."""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from manybleus.text import visible

# What goes into each page.
_STATIC: dict[str, dict[str, tuple[str, ...]]] = {
    "report": {
        "style": ("report.css", "captions.css", "tables.css", "picker.css"),
        "script": ("captions.js", "tables.js", "picker.js", "curve.js"),
    },
    "replications": {"style": ("report.css", "tables.css"), "script": ("tables.js",)},
    "table": {"style": ("report.css", "tables.css"), "script": ("tables.js",)},
}


def render_report(context: dict[str, Any], page: str = "report") -> str:
    """Return the report, or another page in its style, as HTML.

    Parameters
    ----------
    context
        As ``context.report_context``, ``replications.replication_context`` or ``pages.table_context`` makes it.
        Everything in it is text, whatever it holds, and what cannot be seen is shown as an escape; only the files
        in ``static`` and the data for them, which are JSON without ``<``, go into the page as they are.
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
    templates.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    static = {kind: Markup("\n".join(map(_static, names))) for kind, names in _STATIC[page].items()}
    return templates.get_template(f"{page}.html.j2").render(**context, **static)


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _static(name: str) -> str:
    return files("manybleus.report").joinpath("static", name).read_text(encoding="utf-8")
