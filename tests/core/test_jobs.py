"""Background work reports, stops when asked, and never starts twice."""

from __future__ import annotations

import time
from threading import Event

import pytest

from core.errors import InvalidRequest
from core.jobs import Job, Jobs, State

SOON = 5


def ended(job: Job) -> Job:
    """The job, once it is over."""
    give_up = time.monotonic() + SOON
    while job.state is State.RUNNING:
        assert time.monotonic() < give_up, "the job does not end"
        time.sleep(0.005)
    return job


@pytest.fixture
def jobs():
    return Jobs(keep=2)


def test_a_job_reports_its_progress_and_hands_over_its_result(jobs):
    reported, go_on = Event(), Event()

    def work(progress):
        progress(3, 12, "Reading")
        reported.set()
        go_on.wait(SOON)
        return "made"

    job = jobs.start("w", "add", "Adding", work)
    assert reported.wait(SOON)
    assert (job.state, job.done, job.total, job.message, job.fraction) == (State.RUNNING, 3, 12, "Reading", 0.25)
    go_on.set()
    assert ended(job).state is State.DONE
    assert job.result == "made"
    assert job.error == ""
    seconds = job.seconds
    assert seconds == job.seconds > 0


def test_a_cancelled_job_stops_at_its_next_report(jobs):
    started, done = Event(), []

    def work(progress):
        started.set()
        for n in range(1_000_000):
            progress(n, 1_000_000, "")
            done.append(n)
            time.sleep(0.001)

    job = jobs.start("w", "add", "Adding", work)
    assert started.wait(SOON)
    job.cancel()
    assert ended(job).state is State.CANCELLED
    assert not job.stopping
    assert len(done) < 5000
    assert job.error == ""


def test_a_job_that_ends_before_it_notices_the_cancel_is_done(jobs):
    go_on = Event()
    job = jobs.start("w", "add", "Adding", lambda progress: go_on.wait(SOON))
    job.cancel()
    assert job.stopping
    go_on.set()
    assert ended(job).state is State.DONE


def test_a_failure_a_user_can_mend_is_told_in_its_own_words(jobs):
    def work(progress):
        raise InvalidRequest("The question is empty.", "Type one.")

    job = ended(jobs.start("w", "add", "Adding", work))
    assert (job.state, job.error) == (State.FAILED, "The question is empty. Type one.")


def test_a_fault_of_ours_fails_the_job_and_leaves_its_traceback(jobs, capsys):
    def work(progress):
        raise ZeroDivisionError("oops")

    job = ended(jobs.start("w", "add", "Adding", work))
    assert (job.state, job.error) == (State.FAILED, "ZeroDivisionError: oops")
    assert "Traceback" in capsys.readouterr().err


def test_the_same_kind_of_work_is_not_started_twice_for_one_owner(jobs):
    go_on, runs = Event(), []

    def work(progress):
        runs.append(1)
        go_on.wait(SOON)

    first = jobs.start("w", "add", "Adding", work)
    assert jobs.start("w", "add", "Adding more", work) is first
    others = [jobs.start("w", "map", "Map", work), jobs.start("other", "add", "Adding", work)]
    assert first not in others
    go_on.set()
    for job in (first, *others):
        ended(job)
    assert len(runs) == 3
    again = jobs.start("w", "add", "Adding", work)
    assert again is not first
    ended(again)


def test_an_owner_finds_its_jobs_newest_first_and_only_its_own(jobs):
    mine = [ended(jobs.start("w", kind, kind, lambda progress: None)) for kind in ("a", "b")]
    ended(jobs.start("other", "a", "a", lambda progress: None))
    assert jobs.of("w") == mine[::-1]


def test_ended_jobs_are_forgotten_beyond_the_few_that_are_kept(jobs):
    made = [ended(jobs.start("w", f"{n}", "", lambda progress: None)) for n in range(5)]
    assert jobs.of("w") == made[:1:-1]


def test_a_running_job_cannot_be_dismissed(jobs):
    go_on = Event()
    job = jobs.start("w", "a", "", lambda progress: go_on.wait(SOON))
    jobs.dismiss(job)
    assert jobs.of("w") == [job]
    go_on.set()
    jobs.dismiss(ended(job))
    assert jobs.of("w") == []


def test_the_time_left_follows_from_the_rate_so_far():
    job = Job("id", "w", "add", "Adding", started=time.monotonic() - 10)
    assert job.seconds_left is None
    job.report(1, 4, "")
    assert job.seconds_left == pytest.approx(30, rel=0.01)
    job.report(4, 4, "")
    assert job.seconds_left == pytest.approx(0, abs=0.01)
    fresh = Job("id", "w", "add", "Adding")
    fresh.report(1, 4, "")
    assert fresh.seconds_left is None


def test_a_fraction_never_passes_the_whole():
    job = Job("id", "w", "add", "Adding")
    assert job.fraction == 0
    job.report(5, 4, "")
    assert job.fraction == 1


def test_several_of_one_kind_run_side_by_side_where_that_is_asked_for(jobs):
    go_on = Event()
    first = jobs.start("w", "add", "First", lambda progress: go_on.wait(SOON), several=True)
    second = jobs.start("w", "add", "Second", lambda progress: go_on.wait(SOON), several=True)
    assert first.id != second.id
    go_on.set()
    assert {ended(first).state, ended(second).state} == {State.DONE}
