"""The report as one HTML file that asks nothing of any network."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from manybleus.text import isolating, visible

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
        in ``static`` and the data for them, which are JSON without ``<``, go into the page as they are. Its ``names``
        are those that stand among other words and signs; see ``text.isolating``.
    page
        The name of its template.
    """
    templates = Environment(
        loader=PackageLoader("manybleus.report"),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_shown(isolating(context.get("names", ()))),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    static = {kind: Markup("\n".join(map(_static, names))) for kind, names in _STATIC[page].items()}
    return templates.get_template(f"{page}.html.j2").render(**context, **static)


def _shown(isolated: Callable[[str], str]) -> Callable[[Any], Any]:
    def shown(value: Any) -> Any:
        is_text = isinstance(value, str) and not isinstance(value, Markup)
        return isolated(visible(value)) if is_text else value

    return shown


def _static(name: str) -> str:
    return files("manybleus.report").joinpath("static", name).read_text(encoding="utf-8")
