"""`python -m bench`: msat beside its peers, as `python -m bench.peers`."""

from bench.peers import main

if __name__ == "__main__":
    main()
