//! Random acts by random people, over HTTP and a real database, beside a plain model in memory
//! that knows nothing of gates: only who did what, and on which ground.
//!
//! `PEL_TEST_STEPS` says how many acts (2 000 when it is not set), `PEL_TEST_SEED` where chance
//! begins. Whatever the acts were, nobody gets to an acceptance around the four conditions, a
//! canary that passed, and the approval of somebody who did not contribute.

use crate::harness::{Answer, Browser, as_fields, field, form, set};
use crate::story::{Story, actor_of, by_hand, change_fields, post_shown};
use axum::http::StatusCode;
use chrono::{DateTime, TimeDelta, Utc};
use pel::ladder::policy::Role;
use pel::ladder::run::{Phase, RunRole};
use pel::store::{contracts, people};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A small generator: the same seed gives the same acts.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

const CONDITIONS: [&str; 4] = [
    "reproduced-bottleneck",
    "acceptance-impact-visible",
    "owner-layer-identified",
    "rollback-threshold-defined",
];

/// Somebody, as the model knows them.
#[derive(Clone)]
struct Person {
    id: Uuid,
    login: &'static str,
    /// Which person it is: two accounts may be one.
    who: usize,
    reviewer: bool,
    active: bool,
}

/// What the model remembers of an approval.
struct Approved {
    by: usize,
    revision: u32,
    ground: u32,
    at: DateTime<Utc>,
}

/// The model: facts and nothing else.
#[derive(Default)]
struct Model {
    people: Vec<Person>,
    /// Who wrote, recorded, measured, steered or owned; by person, not by account.
    wrote: BTreeSet<usize>,
    owned: BTreeSet<usize>,
    steered: BTreeSet<usize>,
    /// Who recorded each condition, newest last; a retraction brings the one before back.
    recorded: BTreeMap<&'static str, Vec<usize>>,
    /// Items that count, with who added them and whether they are of the canary.
    items: BTreeMap<i64, (usize, bool)>,
    revision: u32,
    /// Moves with everything an approval rests on.
    ground: u32,
    approved: Vec<Approved>,
    started: Option<DateTime<Utc>>,
    /// When the canary ended and whether its numbers were good and its evidence is all there.
    ended: Option<(DateTime<Utc>, bool)>,
    contract_stands: bool,
    open_requests: usize,
    accepted: usize,
    refused: usize,
    done: BTreeMap<&'static str, usize>,
}

impl Model {
    fn contributed(&self, who: usize) -> bool {
        self.wrote.contains(&who)
            || self.owned.contains(&who)
            || self.steered.contains(&who)
            || self.recorded.values().any(|all| all.last() == Some(&who))
            || self.items.values().any(|(p, _)| *p == who)
    }

    /// How many conditions have a record in force.
    fn in_force(&self) -> usize {
        self.recorded.values().filter(|all| !all.is_empty()).count()
    }

    fn may_decide(&self, person: usize) -> bool {
        let p = &self.people[person];
        p.reviewer && p.active && !self.contributed(p.who)
    }

    /// Why an acceptance by this person now would be wrong; `None` when it would be right.
    fn forbids(&self, person: usize, now: DateTime<Utc>) -> Option<&'static str> {
        if !self.may_decide(person) {
            return Some("the acceptor contributed, is out, or is no reviewer");
        }
        if self.in_force() != CONDITIONS.len() {
            return Some("a condition is missing");
        }
        if !self.contract_stands {
            return Some("the contract moved");
        }
        if self.open_requests > 0 {
            return Some("changes are asked for");
        }
        match self.ended {
            Some((at, true)) if now - at <= TimeDelta::hours(24) => {}
            _ => return Some("no canary passed within a day"),
        }
        let good = |a: &Approved| {
            let until = self.started.filter(|s| *s >= a.at).unwrap_or(now);
            a.revision == self.revision
                && a.ground == self.ground
                && until - a.at <= TimeDelta::hours(72)
                && self.may_decide(a.by)
        };
        (!self.approved.iter().any(good)).then_some("no approval counts")
    }
}

struct Play {
    story: Story,
    model: Model,
    browsers: BTreeMap<&'static str, Browser>,
}

impl Play {
    async fn begin() -> Self {
        let story = Story::begin().await;
        let mut people = Vec::new();
        let mut add = |id, login, who, reviewer| {
            people.push(Person {
                id,
                login,
                who,
                reviewer,
                active: true,
            });
        };
        story.site.person("root", &[Role::Admin]).await;
        let kim = story.site.person("kim", &[Role::Responder]).await;
        let duo = story
            .site
            .person("duo", &[Role::Responder, Role::Reviewer])
            .await;
        let second = story.site.person("jo2", &[Role::Reviewer]).await;
        let ana = "select id from person where login = 'ana'";
        let mut conn = story.site.db.pool.acquire().await.unwrap();
        let ana = sqlx::query_scalar(ana).fetch_one(&mut *conn).await.unwrap();
        let by = actor_of(ana, "ana");
        let now = story.site.now();
        people::set_identity(
            &mut conn,
            &by,
            (second, 1),
            Some(story.jo),
            "told us so",
            now,
        )
        .await
        .unwrap();
        drop(conn);
        add(story.jo, "jo", 0, false);
        add(kim, "kim", 1, false);
        add(story.rita, "rita", 2, true);
        add(ana, "ana", 3, true);
        add(duo, "duo", 4, true);
        add(second, "jo2", 0, true);
        let model = Model {
            people,
            owned: [0].into(),
            items: [(1, (0, false)), (2, (0, false)), (3, (0, false))].into(),
            contract_stands: true,
            ..Model::default()
        };
        Self {
            story,
            model,
            browsers: BTreeMap::new(),
        }
    }

    fn now(&self) -> DateTime<Utc> {
        self.story.site.now()
    }

    async fn browser(&mut self, person: usize) -> Option<Browser> {
        let p = self.model.people[person].clone();
        if !p.active {
            return None;
        }
        if !self.browsers.contains_key(p.login) {
            let browser = self.story.site.signed_in(p.login).await;
            self.browsers.insert(p.login, browser);
        }
        self.browsers.get(p.login).cloned()
    }

    fn pass(&mut self, time: TimeDelta) {
        self.story.site.pass(time);
        self.browsers.clear();
    }

    /// One act; whether it happened.
    async fn act(&mut self, act: &'static str, person: usize, chance: &mut Chance) -> bool {
        let Some(mut browser) = self.browser(person).await else {
            return false;
        };
        let who = self.model.people[person].who;
        let before = self.story.case().await;
        let exists = !before.changes.is_empty();
        let now = self.now();
        let ok =
            |a: &Answer| a.status == StatusCode::SEE_OTHER && !a.location().starts_with("/reauth");
        let happened = match act {
            "measure" => {
                if before.state == pel::ladder::CaseState::Closed {
                    return false;
                }
                let role = chance.one(&[RunRole::Baseline, RunRole::Candidate]);
                let numbers = match (role, chance.below(4)) {
                    (RunRole::Baseline, _) => (1.65, 0.925),
                    (_, 0) => (1.9, 0.93),
                    _ => (0.62, 0.984),
                };
                let from = now - TimeDelta::minutes(30 + chance.below(600) as i64);
                let by = self.model.people[person].id;
                self.story
                    .run(by, role, Phase::Warm, from, 20, numbers)
                    .await;
                let number = before.evidence.len() as i64 + 1;
                self.model.items.insert(number, (who, false));
                self.model.ground += 1;
                true
            }
            "withdraw-evidence" => {
                let number = 1 + chance.below(before.evidence.len()) as i64;
                let path = format!("/evidence/EV-{number}/withdraw");
                let answer = browser
                    .post(&path, &[("reason", "taken back for now")])
                    .await;
                let done = ok(&answer);
                if let (true, Some((_, canary))) = (done, self.model.items.remove(&number)) {
                    match (canary, &mut self.model.ended) {
                        (true, Some(ended)) => ended.1 = false,
                        (true, None) => {}
                        (false, _) => self.model.ground += 1,
                    }
                }
                done
            }
            "record" => {
                let condition = chance.one(&CONDITIONS);
                self.record(&mut browser, who, condition).await
            }
            "retract" => {
                let condition = chance.one(&CONDITIONS);
                let path = format!("/cases/{}/conditions/{condition}", self.story.label);
                let shown = browser.get(&path).await;
                if !shown.body.contains("name=\"record\"") {
                    return false;
                }
                let record = field(&shown.body, "record").to_owned();
                let typed = [("record", record.as_str()), ("reason", "it does not hold")];
                let done = ok(&browser.post(&format!("{path}/retract"), &typed).await);
                if done {
                    self.model.recorded.entry(condition).or_default().pop();
                    self.model.ground += 1;
                }
                done
            }
            "draft" if !exists => {
                let path = format!("/cases/{}/changes", self.story.label);
                let done = ok(&browser.post(&path, &change_fields("runbook 7")).await);
                if done {
                    self.model.wrote.insert(who);
                    self.model.revision = 1;
                    self.model.ground += 1;
                }
                done
            }
            _ if !exists => false,
            "revise" => {
                let path = self.story.change("/edit");
                let shown = browser.get(&path).await;
                if shown.status != StatusCode::OK {
                    return false;
                }
                let mut sent = form(&shown.body, &path);
                let words = format!("runbook {}", chance.below(1_000_000));
                set(&mut sent, "procedure", &words);
                let done = ok(&browser.post(&path, &as_fields(&sent)).await);
                if done {
                    self.model.wrote.insert(who);
                    self.model.revision += 1;
                    self.model.ground += 1;
                }
                done
            }
            "submit" => {
                let answer = by_hand(&self.story, &mut browser, "/submit", &[]).await;
                ok(&answer)
            }
            "approve" => {
                let done = ok(&by_hand(&self.story, &mut browser, "/approve", &[]).await);
                if done {
                    assert!(self.model.may_decide(person), "{act} by {person}");
                    self.model.approved.push(Approved {
                        by: person,
                        revision: self.model.revision,
                        ground: self.model.ground,
                        at: now,
                    });
                }
                done
            }
            "ask" => {
                let path = self.story.change("/request-changes");
                let done = ok(&browser.post(&path, &[("note", "state the region")]).await);
                self.model.open_requests += usize::from(done);
                done
            }
            "clear" => {
                let open = before.changes[0]
                    .requests
                    .iter()
                    .find(|r| r.cleared.is_none());
                let Some(id) = open.map(|r| r.id) else {
                    return false;
                };
                let path = self.story.change(&format!("/requests/{id}/clear"));
                let done = ok(&browser.post(&path, &[("note", "it is there now")]).await);
                if done {
                    assert!(self.model.may_decide(person), "{act} by {person}");
                    self.model.open_requests -= 1;
                }
                done
            }
            "start" => {
                // The watcher says so themself, on their own account; it may be too early.
                let mut watcher = self.story.site.signed_in("jo").await;
                watcher.post(&self.story.change("/presence"), &[]).await;
                let done = ok(&by_hand(&self.story, &mut browser, "/canary/start", &[]).await);
                if done {
                    self.model.steered.insert(who);
                    self.model.started = Some(now);
                }
                done
            }
            "end" => self.end(&mut browser, person, chance).await,
            "roll-back" => {
                let page = self.story.change("/roll-back");
                let shown = browser.get(&page).await;
                if !shown.body.contains("name=\"form_key\"") {
                    return false;
                }
                let typed = [("note", "threshold triggered")];
                ok(&post_shown(&mut browser, &shown.body, &page, &typed).await)
            }
            "accept" => {
                let typed = [("note", "looks right to me")];
                let answer = by_hand(&self.story, &mut browser, "/accept", &typed).await;
                let done = ok(&answer) && answer.location().starts_with("/decisions/");
                match self.model.forbids(person, now) {
                    Some(why) if done => panic!("accepted although {why}: {person}"),
                    _ if done => self.model.accepted += 1,
                    _ => self.model.refused += 1,
                }
                done
            }
            "own" => {
                let by = actor_of(self.model.people[person].id, "somebody");
                let mut conn = self.story.site.db.pool.acquire().await.unwrap();
                let id = self.model.people[person].id;
                let version = before.version;
                let of = self.story.case_id;
                let done = pel::store::cases::set_owner(&mut conn, &by, of, version, id, now).await;
                if done.is_ok() {
                    self.model.owned.insert(who);
                }
                done.is_ok()
            }
            "comment" => {
                let path = format!("/cases/{}/comments", self.story.label);
                ok(&browser.post(&path, &[("text", "seen")]).await)
            }
            "role" => self.turn_role(person).await,
            "activity" => self.turn_activity(person).await,
            "contract" => self.publish().await,
            "wait" => {
                self.pass(TimeDelta::hours(1 + chance.below(30) as i64));
                true
            }
            other => panic!("no act {other}"),
        };
        if happened {
            *self.model.done.entry(act).or_default() += 1;
        }
        happened
    }

    async fn record(&mut self, browser: &mut Browser, who: usize, condition: &'static str) -> bool {
        let path = format!("/cases/{}/conditions/{condition}", self.story.label);
        let shown = browser.get(&path).await;
        if shown.status != StatusCode::OK || !shown.body.contains("name=\"record\"") {
            return false;
        }
        let record = field(&shown.body, "record").to_owned();
        let mut typed = vec![("record", record.as_str())];
        let (cite, revision);
        match condition {
            "reproduced-bottleneck" => {
                typed.extend([("limit", "ttft"), ("run", "ttft/R-1"), ("run", "ttft/R-2")]);
            }
            "acceptance-impact-visible" => typed.extend([
                ("limit", "accepted"),
                ("run", "accepted/R-1"),
                ("run", "accepted/R-2"),
                ("note", "5 % lost"),
            ]),
            "owner-layer-identified" => {
                if !shown.body.contains("name=\"cite\" value=\"") {
                    return false;
                }
                cite = field(&shown.body, "cite").to_owned();
                typed.extend([("layer", "4"), ("cite", cite.as_str())]);
                for why in ["why_1", "why_2", "why_3", "why_5"] {
                    typed.push((why, "not the limit: it has room"));
                }
            }
            _ => {
                if !shown.body.contains("name=\"revision\"") {
                    return false;
                }
                revision = field(&shown.body, "revision").to_owned();
                typed.push(("revision", revision.as_str()));
            }
        }
        let done = browser.post(&path, &typed).await.status == StatusCode::SEE_OTHER;
        if done {
            self.model.recorded.entry(condition).or_default().push(who);
            self.model.ground += 1;
        }
        done
    }

    async fn end(&mut self, browser: &mut Browser, person: usize, chance: &mut Chance) -> bool {
        if self.story.state().await != "canary_running" {
            return false;
        }
        let good = chance.below(4) > 0;
        let numbers = if good { (0.62, 0.984) } else { (1.9, 0.93) };
        let first = self.story.case().await.evidence.len() as i64 + 1;
        let answer = self.story.end(browser, "4,8", numbers).await;
        // Time passed in it, and both arms were measured by the case's responder.
        self.browsers.clear();
        for number in [first, first + 1] {
            self.model.items.insert(number, (0, true));
        }
        let done = answer.status == StatusCode::SEE_OTHER;
        if done {
            self.model.steered.insert(self.model.people[person].who);
            self.model.ended = Some((self.now(), good));
        }
        done
    }

    async fn turn_role(&mut self, person: usize) -> bool {
        let p = self.model.people[person].clone();
        if !["rita", "ana"].contains(&p.login) {
            return false;
        }
        let mut conn = self.story.site.db.pool.acquire().await.unwrap();
        let version = people::get(&mut conn, p.id).await.unwrap().version;
        let roles: &[Role] = if p.reviewer {
            &[Role::Viewer]
        } else {
            &[Role::Reviewer]
        };
        let by = actor_of(p.id, "somebody");
        let now = self.now();
        people::set_roles(&mut conn, &by, (p.id, version), roles, now)
            .await
            .unwrap();
        self.model.people[person].reviewer = !p.reviewer;
        true
    }

    async fn turn_activity(&mut self, person: usize) -> bool {
        // Somebody who is out cannot act; so it is another's account that is turned.
        let other = (person + 1) % self.model.people.len();
        let p = self.model.people[other].clone();
        if p.login == "jo" {
            return false;
        }
        let mut conn = self.story.site.db.pool.acquire().await.unwrap();
        let version = people::get(&mut conn, p.id).await.unwrap().version;
        let (by, now) = (actor_of(p.id, "somebody"), self.now());
        let of = (p.id, version);
        let done = match p.active {
            true => people::deactivate(&mut conn, &by, of, now).await,
            false => people::reactivate(&mut conn, &by, of, now).await,
        };
        done.unwrap();
        self.browsers.remove(p.login);
        self.model.people[other].active = !p.active;
        true
    }

    async fn publish(&mut self) -> bool {
        let mut tx = self.story.site.db.pool.begin().await.unwrap();
        let contract = "select contract_id from contract_version limit 1";
        let contract: Uuid = sqlx::query_scalar(contract)
            .fetch_one(&mut *tx)
            .await
            .unwrap();
        let (by, now) = (actor_of(self.story.jo, "Name of jo"), self.now());
        contracts::start_draft(&mut tx, &by, contract, now)
            .await
            .unwrap();
        let label = pel::ladder::contract::Compatibility::Material;
        contracts::publish(&mut tx, &by, contract, 1, label, now)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        self.model.contract_stands = false;
        true
    }

    /// The act that comes next by itself, and who would do it.
    async fn natural(&self, chance: &mut Chance) -> (&'static str, usize) {
        let case = self.story.case().await;
        let reviewer = chance.one(&[2usize, 3, 3, 2, 4]);
        let Some(change) = case.changes.first() else {
            return if self.model.in_force() < 3 {
                ("record", 0)
            } else {
                ("draft", 0)
            };
        };
        match change.state.id() {
            _ if self.model.open_requests > 0 => ("clear", reviewer),
            "draft" if self.model.in_force() < 4 => ("record", 0),
            "draft" => chance.one(&[("submit", 0), ("submit", 0), ("record", 0)]),
            "submitted" => ("approve", reviewer),
            "approved_for_canary" => {
                chance.one(&[("start", 0), ("start", 1), ("approve", reviewer)])
            }
            "canary_running" => ("end", 0),
            "canary_paused" | "canary_ended" => ("roll-back", 0),
            "awaiting_promotion" => ("accept", reviewer),
            _ => ("comment", 0),
        }
    }
}

const ACTS: [&str; 18] = [
    "measure",
    "withdraw-evidence",
    "record",
    "retract",
    "revise",
    "submit",
    "approve",
    "approve",
    "ask",
    "clear",
    "start",
    "roll-back",
    "accept",
    "accept",
    "own",
    "comment",
    "role",
    "activity",
];

fn asked(name: &str, otherwise: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x3_no_random_acts_lead_around_conditions_canary_and_reviewer() {
    let steps = asked("PEL_TEST_STEPS", 2000);
    let seed = asked("PEL_TEST_SEED", 0x9e37_79b9_7f4a_7c15);
    let mut chance = Chance(seed | 1);
    let (mut accepted, mut refused, mut taken) = (0, 0, 0);
    let mut done: BTreeMap<&'static str, usize> = BTreeMap::new();
    while taken < steps {
        let mut play = Play::begin().await;
        // How wild this round is: some go nearly straight, some are noise.
        let wild = 1 + chance.below(9);
        for _ in 0..70 {
            taken += 1;
            let (act, person) = if chance.below(10) < wild / 2 {
                let rare = chance.below(40);
                let act = match rare {
                    0 => "contract",
                    1 | 2 => "wait",
                    _ => chance.one(&ACTS),
                };
                (act, chance.below(play.model.people.len()))
            } else {
                play.natural(&mut chance).await
            };
            play.act(act, person, &mut chance).await;
            let case = play.story.case().await;
            let over = case.changes.first().is_some_and(|c| c.state.is_terminal());
            if over || play.model.accepted > 0 || taken >= steps {
                break;
            }
        }
        let sealed = play.story.decisions().await;
        let sealed = sealed.get("accepted").copied().unwrap_or(0) as usize;
        assert_eq!(sealed, play.model.accepted, "seed {seed}");
        accepted += play.model.accepted;
        refused += play.model.refused;
        for (act, n) in &play.model.done {
            *done.entry(*act).or_default() += n;
        }
    }
    println!("{taken} acts, {accepted} accepted, {refused} refused: {done:?}");
    // It is no proof when nothing was ever accepted, or nothing ever refused.
    if steps >= 1000 {
        assert!(
            accepted >= 3 && refused >= 3,
            "{accepted} accepted, {refused} refused: {done:?}"
        );
    }
}
