"""What changes campaigns: every change goes through one of these."""

from campaign.services.advance import (
    TASK,
    book_advance,
    request_advance,
    resume_jobs,
    run_job,
    run_month,
)
from campaign.services.archive import export_campaign, import_campaign
from campaign.services.bench import (
    BENCH,
    Trial,
    request_bench,
    resume_benches,
    run_bench,
    stop_bench,
)
from campaign.services.crash import import_crash, is_crash
from campaign.services.create import Wanted, create_campaign, known_scenario, rewind
from campaign.services.errors import (
    CampaignOver,
    Damaged,
    NotAllowed,
    Refused,
    Stale,
    UnderWay,
    Unfit,
)
from campaign.services.proof import Proof, verify_dice
from campaign.services.replay import Differs, Replayed, replay_check
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
    "NotAllowed",
    "Proof",
    "Refused",
    "Replayed",
    "Stale",
    "Trial",
    "UnderWay",
    "Unfit",
    "Wanted",
    "act",
    "book_advance",
    "create_campaign",
    "export_campaign",
    "forget_tables",
    "import_campaign",
    "import_crash",
    "is_crash",
    "keep_tables",
    "known_scenario",
    "name_tables",
    "replay_check",
    "request_advance",
    "request_bench",
    "resume_benches",
    "resume_jobs",
    "rewind",
    "run_bench",
    "run_job",
    "run_month",
    "stop_bench",
    "verify_dice",
]
