"""The play sheet of 'Eres to You Fuzzy Wuzzy."""

from battles.prose.play_sheet import Extract, Section, sections_of

__all__ = ["Extract", "Section", "sections"]


def sections() -> tuple[Section, ...]:
    """The play sheet, heading by heading. TableError when its file is damaged."""
    return sections_of("battles.books.fuzzy_wuzzy")
