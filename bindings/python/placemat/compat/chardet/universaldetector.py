"""The place of the class in chardet."""

from placemat.compat.chardet import UniversalDetector as UniversalDetector
