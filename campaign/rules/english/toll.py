"""What a stack suffers: units eliminated and units disrupted, in words."""

from campaign.rules.english.names import does
from campaign.rules.english.stacks import bare, several, stack_in_words
from campaign.rules.pieces import Kind, Nation, Side
from campaign.rules.state import Unit


class Toll:
    """Units eliminated and units disrupted, as they were when it happened."""

    def __init__(self) -> None:
        self.lost: list[Unit] = []
        self.hurt: list[Unit] = []

    def __bool__(self) -> bool:
        return bool(self.lost or self.hurt)

    def lose(self, units: list[Unit]) -> None:
        """These are eliminated; leaders are told of by themselves."""
        self.lost += [unit for unit in units if unit.kind is not Kind.LEADER]

    def hurt_too(self, units: list[Unit]) -> None:
        """These are disrupted."""
        self.hurt += units

    def of_side(self, side: Side) -> str:
        """`the Mahdists lose three bands of spearmen, and two more are disrupted`."""
        if not self.lost:
            return self._only_hurt(side)
        lost = f"{does(side, 'loses', 'lose')} {own_words(self.lost)}"
        if not self.hurt:
            return lost
        are = "are" if several(self.hurt) else "is"
        return f"{lost}, and {own_words(self.hurt)} {are} disrupted"

    def _only_hurt(self, side: Side) -> str:
        if not self.hurt:
            return f"{does(side, 'suffers', 'suffer')} nothing"
        return f"{does(side, 'has', 'have')} {own_words(self.hurt)} disrupted"


def own_words(units: list[Unit]) -> str:
    """The nation is told where it is not that of the side as a whole."""
    allied = any(unit.nation not in (Nation.EGYPTIAN, Nation.MAHDIST) for unit in units)
    return stack_in_words(units) if allied else bare(units)
