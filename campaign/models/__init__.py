"""Database models of campaigns: tables and constraints only, no rules and no queries."""

from campaign.models.campaigns import (
    AT_TABLE,
    Branch,
    Campaign,
    Entry,
    Knowledge,
    MonthSeal,
    OwnScenario,
    OwnTables,
    Signature,
    Snapshot,
    TableSet,
)
from campaign.models.messages import CampaignLetter, LetterCopy, Mailing, MailSent, PushSubscription
from campaign.models.orders import (
    Deadline,
    Invitation,
    OrderSheet,
    Receipt,
    Seat,
    Throw,
    UmpireLogEntry,
)
from campaign.models.work import Bench, Comparison, Inquiry, InquiryPart, Job, Work

__all__ = [
    "AT_TABLE",
    "Bench",
    "Branch",
    "Campaign",
    "CampaignLetter",
    "Comparison",
    "Deadline",
    "Entry",
    "Inquiry",
    "InquiryPart",
    "Invitation",
    "Job",
    "Knowledge",
    "LetterCopy",
    "MailSent",
    "Mailing",
    "MonthSeal",
    "OrderSheet",
    "OwnScenario",
    "OwnTables",
    "PushSubscription",
    "Receipt",
    "Seat",
    "Signature",
    "Snapshot",
    "TableSet",
    "Throw",
    "UmpireLogEntry",
    "Work",
]
