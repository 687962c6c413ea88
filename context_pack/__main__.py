"""`python -m context_pack` is `ctxpack`."""

from context_pack.cli import main

if __name__ == "__main__":
    main()
