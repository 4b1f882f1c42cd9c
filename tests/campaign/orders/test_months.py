"""Months that are carried out by order sheets, whoever holds which seat."""

from collections.abc import Callable
from typing import Any

import pytest

from battles import journal
from battles.contract.brief import AFLOAT, Side, TroopKind
from battles.journal import unpack
from campaign import serialization
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Job, MonthSeal, OrderSheet, Receipt, Seat
from campaign.orders.order_sheet import sheet_to_builtins
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, laws
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP, CampaignResult
from campaign.rules.march.phase import may_march
from campaign.rules.march.reach import reach
from campaign.rules.sight import Onlooker
from campaign.rules.stacks import allowance, ids
from campaign.services import (
    attendance,
    battle_reports,
    errors,
    job_lease,
    order_sheets,
    order_submission,
)
from campaign.services.journal import audit, campaign_session, creation, rewind
from campaign.services.order_sheets import (
    check,
    document_of,
    progress_of,
    receipts,
    sheet_for,
    standing_of,
)
from campaign.services.turns import advance, advance_jobs
from campaign.services.turns.month_by_orders import begin_month
from campaign.services.umpire import invitations, seat_control
from campaign.web.console.console import worklist
from tests.campaign.orders.conftest import orders_campaign
from tests.people import People

SEED = b"a seed that both campaigns have."
SALTS = {"egyptian": "ab" * 16, "mahdist": "cd" * 16}


def marches(campaign: Campaign, side: Side) -> dict[str, Any]:
    """Return a sheet that sends every stack that can walk to the furthest hex of a single march."""
    state = selectors.state_now(campaign)
    orders = []
    for hex_id, stack in may_march(state, side).items():
        units = [unit for unit in stack if unit.kind not in AFLOAT]
        if any(unit.kind is not TroopKind.LEADER for unit in units):
            costs = reach(state, side, hex_id, allowance(laws(state), units)).costs
            to = max(sorted(costs), key=lambda there: costs[there])
            leg = {"type": "foot", "to": to}
            orders.append(
                {"type": "march", "hex": hex_id, "units": list(ids(units)), "legs": [leg]}
            )
    return {"orders": orders}


def seat_of(campaign: Campaign, side: Side) -> Seat:
    return campaign.seats.get(role=side.value, command=[])


def submit(campaign: Campaign, side: Side, document: dict[str, Any], **at: Any) -> Seat:
    seat = seat_of(campaign, side)
    assert seat.user is not None
    order_submission.save_sheet(campaign.pk, seat.user, seat.pk, document, **at)
    order_submission.submit(campaign.pk, seat.user, seat.pk, **at)
    return seat


def run(campaign: Campaign, months: int = 1) -> Campaign:
    return advance.run_month(campaign.pk, until=campaign.month + months)


def actors(campaign: Campaign) -> set[str]:
    return set(campaign.entries.values_list("actor", flat=True))


def carried(seat: Seat) -> list[dict[str, Any]]:
    receipt = Receipt.objects.get(sheet__seat=seat, kind=Receipt.Kind.CARRIED_OUT)
    lines: list[dict[str, Any]] = receipt.carried
    return lines


def test_a_month_with_sheets_replays_and_its_dice_can_be_checked(campaign: Campaign) -> None:
    for side in Side:
        submit(campaign, side, marches(campaign, side))
    campaign = run(campaign)
    assert campaign.month == campaign.first_month + 1
    assert actors(campaign) == {"sheet:egyptian", "sheet:mahdist"}
    assert audit.replay_check(campaign).entries == campaign.entries.count()
    proof = audit.verify_dice(campaign)
    assert (proof.months, proof.sealed_entries) == (1, 0)
    assert proof.dice > 0


def test_the_receipt_tells_of_every_order_what_became_of_it_and_why(campaign: Campaign) -> None:
    document = marches(campaign, Side.EGYPTIAN)
    document["orders"].append({"type": "march", "hex": 1, "units": [1], "legs": []})
    document["reinforcements"] = [{"hexes": [1], "units": [9_999]}]
    egyptian = submit(campaign, Side.EGYPTIAN, document)
    run(campaign)
    lines = carried(egyptian)
    assert [line["number"] for line in lines] == [*range(len(document["orders"])), 0]
    assert {line["outcome"] for line in lines} <= {"done", "partly", "not"}
    assert all(line["said"] for line in lines)
    assert (lines[-2]["outcome"], lines[-2]["clause"]) == ("not", "8.3")
    assert lines[-1]["part"] == "reinforcement"
    assert lines[-1]["said"].startswith("Nobody arrived by it")


def test_the_journal_proves_what_the_receipt_says(campaign: Campaign) -> None:
    """The entries hold what was carried out, and the stacks did nothing else."""
    document = marches(campaign, Side.EGYPTIAN)
    egyptian = submit(campaign, Side.EGYPTIAN, document)
    campaign = run(campaign)
    ordered = [tuple(order["units"]) for order in document["orders"]]
    mine = campaign.entries.filter(actor="sheet:egyptian")
    begun = [act for act in map(serialization.action_of, mine) if isinstance(act, a.March)]
    assert begun
    assert all(act.units in ordered for act in begun)
    moved = [line for line in carried(egyptian) if line["outcome"] == "done"]
    assert len(moved) <= len({act.units for act in begun})


def twin(people: People) -> Campaign:
    """Return a campaign whose first month throws the same dice as that of any other twin."""
    campaign = orders_campaign(people)
    Campaign.objects.filter(pk=campaign.pk).update(secret_seed=SEED)
    MonthSeal.objects.filter(campaign=campaign).update(salts=SALTS)
    for side in Side:
        submit(campaign, side, marches(campaign, side))
    OrderSheet.objects.filter(campaign=campaign).update(salt="ee" * 16)
    return Campaign.objects.get(pk=campaign.pk)


@pytest.mark.parametrize("dies_after", [1, 2, 3, 5])
def test_a_month_whose_worker_was_killed_goes_on_exactly(people: People, dies_after: int) -> None:
    whole, broken = twin(people), twin(people)
    run(whole)
    phases = iter(range(dies_after))

    def die(_outcomes: object) -> None:
        if next(phases, None) is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        advance.run_month(broken.pk, until=broken.month + 1, inside=die)
    assert Campaign.objects.get(pk=broken.pk).month == broken.month
    run(broken)
    played = [
        [(entry.actor, unpack(entry.action), unpack(entry.rolls)) for entry in one.entries.all()]
        for one in (whole, broken)
    ]
    assert played[0] == played[1]
    lines = [carried(seat_of(one, Side.MAHDIST)) for one in (whole, broken)]
    assert lines[0] == lines[1]


def test_the_orders_of_a_player_who_was_removed_never_run(campaign: Campaign) -> None:
    egyptian = submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN))
    assert order_submission.withdraw_sheets(egyptian) == 1
    campaign = run(campaign)
    mine = campaign.entries.filter(actor="sheet:egyptian")
    assert not any(isinstance(serialization.action_of(entry), a.March) for entry in mine)
    assert not Receipt.objects.filter(kind=Receipt.Kind.CARRIED_OUT).exists()


def test_whoever_takes_over_a_seat_orders_for_himself(campaign: Campaign, people: People) -> None:
    egyptian = submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN))
    order_submission.withdraw_sheets(egyptian)
    Seat.objects.filter(pk=egyptian.pk).update(user=people.stranger)
    with pytest.raises(errors.NotAllowed):
        order_submission.submit(campaign.pk, people.egyptian, egyptian.pk)
    assert order_submission.submit(campaign.pk, people.stranger, egyptian.pk).revision == 1
    assert not receipts(campaign, people.stranger, egyptian.pk).filter(kind="saved")
    run(campaign)
    assert carried(egyptian) == []


def test_a_draft_that_was_never_submitted_is_not_carried_out(campaign: Campaign) -> None:
    seat = seat_of(campaign, Side.EGYPTIAN)
    assert seat.user is not None
    order_submission.save_sheet(campaign.pk, seat.user, seat.pk, marches(campaign, Side.EGYPTIAN))
    campaign = run(campaign)
    mine = campaign.entries.filter(actor="sheet:egyptian")
    assert not any(isinstance(serialization.action_of(entry), a.March) for entry in mine)
    said = {line["said"] for line in carried(seat)}
    assert said == {"The sheet had not been submitted when the month began."}


def test_the_staff_answers_for_a_no_show_where_that_is_agreed(people: People) -> None:
    policy = {"zone": "UTC", "hour": 20, "days": 7, "no_show": "staff"}
    campaign = orders_campaign(people, deadline_policy=policy)
    submit(campaign, Side.EGYPTIAN, {})
    campaign = run(campaign)
    assert actors(campaign) == {"sheet:egyptian", "staff:mahdist"}
    assert not seat_of(campaign, Side.MAHDIST).staff


def test_an_empty_sheet_that_was_submitted_is_no_no_show(people: People) -> None:
    policy = {"zone": "UTC", "hour": 20, "days": 7, "no_show": "staff"}
    campaign = orders_campaign(people, deadline_policy=policy)
    for side in Side:
        submit(campaign, side, {})
    assert actors(run(campaign)) == {"sheet:egyptian", "sheet:mahdist"}


def test_the_staff_plays_the_seat_it_holds(people: People) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    campaign = orders_campaign(people, seats=seats, staff=["mahdist"])
    submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN))
    campaign = run(campaign)
    assert actors(campaign) == {"sheet:egyptian", "staff:mahdist"}
    assert audit.replay_check(campaign).entries == campaign.entries.count()


def test_nobody_waits_for_a_seat_that_the_staff_holds(people: People) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    campaign = orders_campaign(people, seats=seats, staff=["mahdist"], when_ready=True)
    egyptian = seat_of(campaign, Side.EGYPTIAN)
    assert not attendance.everybody_ready(campaign)
    order_submission.set_ready(campaign.pk, people.egyptian, egyptian.pk, True)
    assert attendance.everybody_ready(campaign)


def hand_over(campaign: Campaign, people: People, seat: Seat) -> None:
    seat_control.hand_to_staff(campaign.pk, people.umpire, seat.pk, reason="On holiday.")


def remove(campaign: Campaign, people: People, seat: Seat) -> None:
    seat_control.remove_player(campaign.pk, people.umpire, seat.pk, reason="Gone.")


def leave(campaign: Campaign, people: People, seat: Seat) -> None:
    invitations.leave(campaign.pk, people.mahdist, seat.pk)


def delete_account(campaign: Campaign, people: People, seat: Seat) -> None:
    people.mahdist.delete()


@pytest.mark.parametrize("go", [hand_over, remove, leave, delete_account])
def test_the_month_runs_once_the_only_seat_it_waits_for_gives_no_orders_any_more(
    people: People, django_capture_on_commit_callbacks: Any, go: Callable[..., None]
) -> None:
    campaign = orders_campaign(people, when_ready=True)
    egyptian, mahdist = seat_of(campaign, Side.EGYPTIAN), seat_of(campaign, Side.MAHDIST)
    with django_capture_on_commit_callbacks(execute=True):
        order_submission.set_ready(campaign.pk, people.egyptian, egyptian.pk, True)
    assert not campaign.jobs.exists()
    with django_capture_on_commit_callbacks(execute=True):
        go(campaign, people, mahdist)
    assert campaign.jobs.get().status == Job.Status.SUCCEEDED
    campaign.refresh_from_db()
    assert campaign.month == campaign.first_month + 1


def test_a_month_played_by_phases_does_not_run_when_a_seat_is_handed_to_the_staff(
    people: People, django_capture_on_commit_callbacks: Any
) -> None:
    campaign = orders_campaign(people, when_ready=True)
    egyptian = seat_of(campaign, Side.EGYPTIAN)
    with django_capture_on_commit_callbacks(execute=True):
        order_submission.set_ready(campaign.pk, people.egyptian, egyptian.pk, True)
        advance_jobs.request_advance(campaign.pk, people.umpire, phase=True)
    with django_capture_on_commit_callbacks(execute=True):
        hand_over(campaign, people, seat_of(campaign, Side.MAHDIST))
    campaign.refresh_from_db()
    assert campaign.month == campaign.first_month


def test_a_side_of_several_seats_marches_by_all_their_sheets(
    campaign: Campaign, people: People
) -> None:
    state = selectors.state_now(campaign)
    khartoum = next(unit for unit in state.units.values() if unit.name == "Gordon")
    under = Seat.objects.create(
        campaign=campaign,
        user=people.stranger,
        role="egyptian",
        name="Governor of Khartoum",
        command=[khartoum.id],
    )
    everybody = marches(campaign, Side.EGYPTIAN)
    chief = submit(campaign, Side.EGYPTIAN, everybody)
    here = {"type": "stay", "hex": khartoum.hex}
    order_submission.save_sheet(campaign.pk, people.stranger, under.pk, {"orders": [here]})
    order_submission.submit(campaign.pk, people.stranger, under.pk)
    run(campaign)
    assert carried(under)[0]["outcome"] == "done"
    at_khartoum = [
        line
        for line, order in zip(carried(chief), everybody["orders"], strict=False)
        if order["hex"] == khartoum.hex
    ]
    assert [line["outcome"] for line in at_khartoum] == ["not"]
    assert "Governor of Khartoum" in at_khartoum[0]["said"]
    seal = MonthSeal.objects.get(campaign=campaign, month=campaign.first_month)
    assert len(bytes.fromhex(seal.salts["egyptian"])) == 16
    audit.verify_dice(Campaign.objects.get(pk=campaign.pk))


def test_under_fog_a_month_runs_and_nobody_plans_by_what_he_does_not_see(people: People) -> None:
    campaign = orders_campaign(people, fog=True)
    for side in Side:
        submit(campaign, side, marches(campaign, side))
    campaign = run(campaign)
    assert campaign.month == campaign.first_month + 1
    assert audit.replay_check(campaign).entries == campaign.entries.count()


def test_a_month_that_is_being_carried_out_lets_nobody_write(campaign: Campaign) -> None:
    for side in Side:
        submit(campaign, side, {})
    advance.run_phase(campaign.pk)
    seat = seat_of(campaign, Side.MAHDIST)
    assert seat.user is not None
    with pytest.raises(errors.UnderWay):
        order_submission.take_back(campaign.pk, seat.user, seat.pk)


def test_a_phase_can_be_run_alone(campaign: Campaign) -> None:
    job = advance_jobs.request_advance(campaign.pk, None, phase=True)
    assert advance_jobs.run_job(job.uuid) is job_lease.Claim.DONE
    job.refresh_from_db()
    assert (job.status, job.message) == (Job.Status.SUCCEEDED, "A phase has been played.")
    campaign.refresh_from_db()
    assert campaign.entries.exists()
    assert campaign.month == campaign.first_month


def test_stopped_within_its_month_it_waits_for_its_umpire(campaign: Campaign) -> None:
    campaign = run(campaign)
    month = month_name(Month(campaign.month))
    assert fog_of_war.waiting_for(campaign, Side.MAHDIST) == f"Orders for {month}."
    advance.run_phase(campaign.pk)
    stopped = Campaign.objects.get(pk=campaign.pk)
    for viewer in (*Side, *Onlooker):
        assert (
            fog_of_war.waiting_for(stopped, viewer)
            == f"The rest of {month}: its umpire plays it on."
        )


def test_an_adjourned_campaign_does_not_run(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(adjourned=True)
    with pytest.raises(journal.Refused, match="adjourned"):
        advance_jobs.request_advance(campaign.pk, None)
    run(campaign)
    assert not campaign.entries.exists()
    assert not OrderSheet.objects.exists()


def test_a_month_begins_once_and_with_everything_that_was_submitted(campaign: Campaign) -> None:
    egyptian = submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN))
    begin_month(Campaign.objects.get(pk=campaign.pk))
    first = OrderSheet.objects.get(seat=egyptian).begun
    begin_month(Campaign.objects.get(pk=campaign.pk))
    sheets = OrderSheet.objects.filter(campaign=campaign)
    assert {sheet.begun for sheet in sheets} == {first}
    assert sheets.count() == len(Side)


def test_a_month_begins_for_every_seat_or_for_none(campaign: Campaign) -> None:
    """Nobody's sheet is closed, and nobody is taken for absent, while the month has not begun."""
    egyptian = submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN))
    MonthSeal.objects.filter(campaign=campaign).delete()
    with pytest.raises(journal.Damaged, match="never sealed"):
        run(campaign)
    assert [sheet.seat for sheet in OrderSheet.objects.filter(begun=None)] == [egyptian]
    assert OrderSheet.objects.count() == 1
    assert not campaign.entries.exists()


def test_going_back_brings_the_sheets_along_as_drafts_of_the_new_branch(
    campaign: Campaign, people: People
) -> None:
    egyptian = submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN))
    campaign = run(campaign)
    entry = campaign.entries.order_by("number")[2]
    creation.branch_from(campaign.pk, entry, reason="A mistake.", by="umpire")
    campaign.refresh_from_db()
    assert order_submission.copy_sheets(campaign) == 2
    sheet = sheet_for(campaign, people.egyptian, egyptian.pk)
    assert sheet is not None
    assert (sheet.branch, sheet.submitted, sheet.begun, sheet.ready) == (1, None, None, False)
    assert document_of(sheet).orders
    order_submission.submit(campaign.pk, people.egyptian, egyptian.pk)
    campaign = run(campaign)
    assert audit.replay_check(campaign).branches == 2
    audit.verify_dice(campaign)


def test_going_back_further_brings_the_sheets_of_the_first_branch_along(
    campaign: Campaign, people: People
) -> None:
    """The branch that is left began after the month, and has no sheets of it."""
    first = campaign.month
    for _ in range(3):
        submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN))
        campaign = run(campaign)
    end = campaign.head
    assert end is not None
    submit(campaign, Side.EGYPTIAN, marches(campaign, Side.EGYPTIAN))
    for month in (first + 2, first):
        entry = campaign.entries.filter(branch=0, month=month)[2]
        rewind.rewind_to(campaign.pk, people.umpire, entry, reason="A mistake.")
    rewind.rewind_to(campaign.pk, people.umpire, end, reason="It was none.")
    sheets = campaign.sheets.filter(seat__role="egyptian").order_by("month")
    drafted = {
        branch: [sheet.month for sheet in sheets.filter(branch=branch) if document_of(sheet).orders]
        for branch in (1, 2, 3)
    }
    assert drafted == {1: [first + 2, first + 3], 2: [first, first + 1], 3: [first + 3]}


def live(people: People, **wanted: Any) -> Campaign:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    return orders_campaign(people, mode=Campaign.Mode.LIVE, seats=seats, **wanted)


def test_a_live_campaign_waits_for_whoever_sits_there(people: People) -> None:
    campaign = live(people, staff=["mahdist"])
    run(campaign)
    assert not campaign.entries.exists()
    campaign_session.perform(campaign.pk, "player:egyptian", a.Done())
    campaign = run(campaign)
    assert actors(campaign) == {"player:egyptian", "staff:mahdist"}
    assert selectors.state_now(campaign).question.side is Side.EGYPTIAN  # type: ignore[union-attr]


def at_a_battle(people: People, *last: dict[str, Any]) -> Campaign:
    """Return a campaign that waits for a battle which is fought by hand; `last` end every sheet."""
    campaign = orders_campaign(people, battles=TABLETOP)
    for _ in range(8):
        for side in Side:
            sheet = attacks(campaign, side)
            submit(campaign, side, {"orders": [*sheet["orders"], *last]})
        campaign = run(campaign)
        if campaign.battle:
            return campaign
    raise AssertionError("no battle in eight months of attacks")


def awaited(campaign: Campaign) -> str:
    question: Any = selectors.state_now(campaign).question
    number: str = question.brief.id
    return number


def test_a_battle_by_hand_stops_the_month_and_orders_are_written_ahead_for_how_it_may_end(
    people: People,
) -> None:
    campaign = at_a_battle(people)
    battle, month = awaited(campaign), campaign.month
    orders = [after(campaign, Side.EGYPTIAN, battle, came) for came in ("won", "lost", "drawn")]
    egyptian = submit(campaign, Side.EGYPTIAN, {"orders": orders}, month=month + 1)
    found = check(campaign, people.egyptian, egyptian.pk, {"orders": orders})
    assert not any("No battle" in one.said for one in found)
    battle_reports.choose_method(campaign.pk, people.umpire, campaign.battle, COMBAT_TABLE)
    fight_on(campaign.pk, until=month + 1)
    over = order_sheets.battles_over(Campaign.objects.get(pk=campaign.pk))
    assert battle in over
    fight_on(campaign.pk, until=month + 2)
    receipt = Receipt.objects.get(sheet__month=month + 1, kind=Receipt.Kind.CARRIED_OUT)
    counted = ["does not count" not in line["said"] for line in receipt.carried]
    winner = over[battle]
    came = "drawn" if winner is None else "won" if winner is Side.EGYPTIAN else "lost"
    assert counted == [one == came for one in ("won", "lost", "drawn")]


def fight_on(campaign_id: int, *, until: int) -> None:
    """Months run; every further battle is fought by the table."""
    campaign = advance.run_month(campaign_id, until=until)
    while campaign.battle:
        umpire = campaign.umpire
        assert umpire is not None
        battle_reports.choose_method(campaign_id, umpire, campaign.battle, COMBAT_TABLE)
        campaign = advance.run_month(campaign_id, until=until)


def attacks(campaign: Campaign, side: Side) -> dict[str, Any]:
    """Every stack goes for the nearest enemy."""
    state = selectors.state_now(campaign)
    enemy = sorted(board(state).occupied[side.enemy])
    orders = [
        {
            "type": "march",
            "hex": hex_id,
            "units": [unit.id for unit in stack if unit.kind not in AFLOAT],
            "legs": [{"type": "foot", "to": min(enemy, key=lambda one: abs(one - hex_id))}],
            "contact": "attack",
        }
        for hex_id, stack in may_march(state, side).items()
    ]
    return {"orders": orders}


def after(campaign: Campaign, side: Side, battle: str, came: str) -> dict[str, Any]:
    """Return the first stack that can march, if that battle comes so."""
    state = selectors.state_now(campaign)
    hex_id, stack = next(iter(may_march(state, side).items()))
    return {
        "type": "march",
        "hex": hex_id,
        "units": list(ids(stack)),
        "legs": [{"type": "foot", "to": hex_id + 1}],
        "if_battle": {"battle": battle, "came": came},
    }


def the_worklist(campaign: Campaign) -> dict[str, list[str]]:
    """Return the text of the umpire's worklist, by section."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    umpire = campaign.seats.get(role="umpire").user
    assert umpire is not None
    sections = worklist(campaign, selectors.state_now(campaign), umpire)
    return {one.key: [item.text for item in one.items] for one in sections}


def test_orders_that_were_carried_out_are_not_called_impossible_while_a_battle_is_awaited(
    people: People,
) -> None:
    campaign = at_a_battle(people)
    gone = [
        (one.seat.role, number)
        for one in standing_of(campaign, people.umpire)
        if one.sheet
        for number in progress_of([one.sheet]).account(one.seat.pk).orders
    ]
    assert gone
    assert not [one for one in the_worklist(campaign)["impossible"] if "None of the units" in one]
    for side in Side:
        seat = seat_of(campaign, side)
        assert seat.user is not None
        sheet = sheet_for(campaign, seat.user, seat.pk)
        written = sheet_to_builtins(document_of(sheet))
        found = check(campaign, seat.user, seat.pk, written)
        judged = {(side.value, one.number) for one in found if one.part == "order"}
        assert judged.isdisjoint(gone)


def test_a_sheet_that_is_carried_out_is_read_back_as_it_was_submitted(people: People) -> None:
    campaign = at_a_battle(people)
    for side in Side:
        seat = seat_of(campaign, side)
        assert seat.user is not None
        about = campaign, seat.user, seat.pk
        written = sheet_to_builtins(document_of(sheet_for(*about)))
        submitted = receipts(*about, campaign.month).first()
        assert submitted is not None
        assert [*order_sheets.read_back(*about, written).sentences] == submitted.reading


def test_an_order_that_is_still_to_come_is_judged_while_a_battle_is_awaited(people: People) -> None:
    campaign = at_a_battle(people, {"type": "march", "hex": 1, "units": [1], "legs": []})
    said = the_worklist(campaign)["impossible"]
    assert said
    assert any("None of the units named stands" in one for one in said)


def test_once_the_campaign_is_over_its_worklist_judges_no_order(campaign: Campaign) -> None:
    wrong = {"orders": [{"type": "march", "hex": 1, "units": [1], "legs": []}]}
    submit(campaign, Side.EGYPTIAN, wrong)
    assert "impossible" in the_worklist(campaign)
    ended = e.CampaignEnded(CampaignResult(Side.MAHDIST, "The umpire has ended it.", "4"))
    campaign_session.perform(campaign.pk, "umpire:umpire", a.Ruled("Time.", (ended,)))
    assert not {"impossible", "sides", "idle"} & set(the_worklist(campaign))
