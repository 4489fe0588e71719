"""One set of captions, many BLEUs: does a ranking depend on the BLEU configuration?"""

__version__ = "0.1.0"
