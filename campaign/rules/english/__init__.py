"""The campaign in sentences: what has happened, what is asked, what is answered, how things stand.

`sentences` tells one entry of the journal, `chronicle` a stretch of them with what belongs together
joined; the rest puts single things into words. Nothing here changes what happens.
"""

from campaign.rules.english.acting import action_in_words
from campaign.rules.english.asking import phase_in_words, question_in_words
from campaign.rules.english.chronicle import chronicle, sentences
from campaign.rules.english.dice import modifier_in_words, roll_in_words
from campaign.rules.english.names import side_name, where
from campaign.rules.english.sentence import HEADLINE, NEWS, ROUTINE, Sentence, Topic
from campaign.rules.english.stacks import label, labels, stack_in_words
from campaign.rules.english.standing import result_in_words, situation

__all__ = [
    "HEADLINE",
    "NEWS",
    "ROUTINE",
    "Sentence",
    "Topic",
    "action_in_words",
    "chronicle",
    "label",
    "labels",
    "modifier_in_words",
    "phase_in_words",
    "question_in_words",
    "result_in_words",
    "roll_in_words",
    "sentences",
    "side_name",
    "situation",
    "stack_in_words",
    "where",
]
