"""What changes campaigns: every change goes through one of these."""

from campaign.services.advance import (
    TASK,
    book_advance,
    go_on_after,
    request_advance,
    resume_jobs,
    run_job,
    run_month,
)
from campaign.services.archive import export_campaign, import_campaign
from campaign.services.battles import (
    Due,
    arrange,
    choose,
    decline,
    enter,
    fight_out,
    report_battle,
    reporter,
    settle_due,
)
from campaign.services.bench import (
    BENCH,
    Trial,
    request_bench,
    resume_benches,
    run_bench,
    stop_bench,
)
from campaign.services.clock import known_way
from campaign.services.crash import import_crash, is_crash
from campaign.services.create import Wanted, create_campaign, known_scenario, rewind
from campaign.services.errors import (
    CampaignOver,
    Damaged,
    NotAllowed,
    NotAwaited,
    Refused,
    Stale,
    UnderWay,
    Unfit,
)
from campaign.services.orders import (
    copy_sheets,
    save_sheet,
    set_ready,
    submit,
    take_back,
    withdraw_sheets,
)
from campaign.services.proof import Proof, verify_dice
from campaign.services.proof_of_battles import verify_battles
from campaign.services.replay import Differs, Replayed, replay_check
from campaign.services.sheets import (
    SeatNow,
    check,
    document_of,
    last_month,
    reading,
    receipts,
    sheet_for,
    standing_of,
)
from campaign.services.tables import forget_tables, keep_tables, name_tables
from campaign.services.work import LEASE, Claim
from campaign.services.writer import act

__all__ = [
    "BENCH",
    "LEASE",
    "TASK",
    "CampaignOver",
    "Claim",
    "Damaged",
    "Differs",
    "Due",
    "NotAllowed",
    "NotAwaited",
    "Proof",
    "Refused",
    "Replayed",
    "SeatNow",
    "Stale",
    "Trial",
    "UnderWay",
    "Unfit",
    "Wanted",
    "act",
    "arrange",
    "book_advance",
    "check",
    "choose",
    "copy_sheets",
    "create_campaign",
    "decline",
    "document_of",
    "enter",
    "export_campaign",
    "fight_out",
    "forget_tables",
    "go_on_after",
    "import_campaign",
    "import_crash",
    "is_crash",
    "keep_tables",
    "known_scenario",
    "known_way",
    "last_month",
    "name_tables",
    "reading",
    "receipts",
    "replay_check",
    "report_battle",
    "reporter",
    "request_advance",
    "request_bench",
    "resume_benches",
    "resume_jobs",
    "rewind",
    "run_bench",
    "run_job",
    "run_month",
    "save_sheet",
    "set_ready",
    "settle_due",
    "sheet_for",
    "standing_of",
    "stop_bench",
    "submit",
    "take_back",
    "verify_battles",
    "verify_dice",
    "withdraw_sheets",
]
