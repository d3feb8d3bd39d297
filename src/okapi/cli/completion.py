"""`okapi completion`: a script by which the shell completes commands and options."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from okapi.cli.console import Json, emit, out, talk
from okapi.cli.options import out_flag
from okapi.errors import UsageError

Shell = Literal["bash", "zsh", "fish", "powershell"]


def completion(
    shell: Annotated[Shell | None, Parameter(help="The shell; the one in use if not given.")] = None,
    /,
    *,
    install: bool = False,
    to: Annotated[Path | None, out_flag()] = None,
    json: Json = False,
) -> None:
    """Print a script by which the shell completes commands and options, or install it.

    For example:
      okapi completion --install
      okapi completion bash > ~/.local/share/bash-completion/completions/okapi
      okapi completion fish --install --out ~/.config/fish/completions/okapi.fish

    Args:
        install: Write the script where the shell finds it; for zsh and bash, a line is added to its startup file.
        to: Write the script to this file.
    """
    from cyclopts.completion.detect import ShellDetectionError

    from okapi.cli.app import make_app

    app = make_app()
    try:
        if install:
            file = app.install_completion(shell=shell, output=to, add_to_startup=to is None)
        else:
            script = app.generate_completion(shell=shell)
    except ShellDetectionError:
        raise UsageError("which shell?", hint="okapi completion bash, zsh, fish or powershell") from None
    if install:
        if json:
            emit({"file": str(file)})
        else:
            talk().print(f"written: {file}; a new shell completes okapi", markup=False)
    elif to is not None:
        to.write_text(script, encoding="utf-8")
        if json:
            emit({"file": str(to)})
    elif json:
        emit({"script": script})
    else:
        out().print(script, markup=False)
