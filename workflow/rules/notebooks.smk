import re

# They explain, and no result of the study is made from them: `all` does not ask for them.
NOTEBOOKS = ["one_sentence_by_hand", "why_rankings_flip", "your_own"]


rule notebook:
    """Run a notebook and make a page of it, with this environment's kernel and without the user's Jupyter settings."""
    input:
        notebook="notebooks/{notebook}.ipynb",
        page=["notebooks/page/conf.json", "notebooks/page/index.html.j2"],
    output:
        shown("notebooks/{notebook}.html", "notebook", "{notebook}"),
    log:
        f"{LOGS}/notebook_{{notebook}}.log",
    benchmark:
        f"{LOGS}/benchmarks/notebook_{{notebook}}.tsv"
    wildcard_constraints:
        notebook="|".join(NOTEBOOKS),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        python=lambda _: sys.executable,
        code=lambda _, input: source_digest(
            re.findall(
                r"from manybleus\.([\w.]+) import", Path(input.notebook).read_text()
            )
        ),
    shell:
        """
        own=$(mktemp -d)
        trap 'rm -rf "$own"' EXIT
        unset JUPYTER_PATH JUPYTER_CONFIG_PATH
        export JUPYTER_CONFIG_DIR="$own/config" JUPYTER_DATA_DIR="$own/data" JUPYTER_RUNTIME_DIR="$own/runtime"
        export IPYTHONDIR="$own/ipython" MPLCONFIGDIR="$own/matplotlib" JUPYTER_PREFER_ENV_PATH=1
        {params.python} -m nbconvert --execute --to html --stdout \
            --template page --TemplateExporter.extra_template_basedirs=notebooks {input.notebook} \
            >{output} 2>{log}
        """


rule notebooks:
    """Make the pages of all notebooks."""
    input:
        expand(rules.notebook.output, notebook=NOTEBOOKS),
