"""The version of Knaster: the package, the command line, JSON and the build all take it from here."""

VERSION = "0.3.0"
