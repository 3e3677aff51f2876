"""``python -m horotree`` is the `horotree` command."""

from horotree.cli import main

if __name__ == "__main__":
    main()
