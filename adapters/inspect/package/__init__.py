"""Tasks of a rookery farm for Inspect AI."""

from .task import rookery_farm

__all__ = ["rookery_farm"]
