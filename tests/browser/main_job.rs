//! The main job, from a symptom to an accepted change, played by two people with real clicks.

use crate::harness::{Browser, Driver, Service};
use crate::material::{self, Material, Taken};
use crate::people::{PASSWORD, invite, set_up};
use std::collections::BTreeMap;

const CLASS: &str = "long-context chat";
const BAND: &str = "17-32";

#[tokio::test]
async fn a_symptom_becomes_an_accepted_change_on_our_own_files() {
    let folder = tempfile::tempdir().unwrap();
    play(&material::own(folder.path())).await;
}

#[tokio::test]
async fn a_symptom_becomes_an_accepted_change_on_files_of_other_programs() {
    match material::corpus() {
        Some(corpus) => play(&material::from_corpus(&corpus)).await,
        None => println!("skipped: no corpus (PEL_CORPUS)"),
    }
}

async fn play(material: &Material) {
    let service = Service::start(&[]);
    let driver = Driver::start().await;
    let admin = driver.browser(&service).await;
    set_up(&service, &admin).await;
    let rita = invite(
        &service,
        &driver,
        &admin,
        "Rita Responder",
        "rita",
        &["responder"],
    )
    .await;
    let rico = invite(
        &service,
        &driver,
        &admin,
        "Rico Reviewer",
        "rico",
        &["reviewer"],
    )
    .await;
    let job = Job {
        rita: &rita,
        rico: &rico,
        material,
    };

    job.publish_contract().await;
    job.open_case().await;
    job.attach_evidence().await;
    job.draft_change().await;
    job.be_refused().await;
    job.record_conditions().await;
    job.submit_and_approve().await;
    job.run_canary().await;
    job.accept().await;

    verify_audit(&service, &driver, &admin).await;
    for browser in [rita, rico, admin] {
        browser.close().await;
    }
}

struct Job<'a> {
    rita: &'a Browser,
    rico: &'a Browser,
    material: &'a Material,
}

impl Job<'_> {
    async fn publish_contract(&self) {
        let b = self.rita;
        b.open("/services").await;
        b.fill("aside #name", "vllm-chat").await;
        b.fill("aside #classes", CLASS).await;
        b.click("aside button.first").await;
        b.wait_for("vllm-chat").await;
        b.press("New contract").await;
        b.fill("#name", "chat").await;
        b.fill("#class-0-name", CLASS).await;
        b.fill("#band-0-name", BAND).await;
        b.fill("#band-0-min", "17").await;
        b.fill("#band-0-max", "32").await;
        b.fill(
            "#acceptance",
            "The answer ends by itself; the client did not give up.",
        )
        .await;
        b.choose("#acceptance_signal", "acceptance_rate").await;
        b.fill("#window", "10").await;
        b.fill("#min_samples", self.material.min_samples).await;
        for (i, limit) in self.material.limits.iter().enumerate() {
            b.choose(&format!("#limit-{i}-signal"), limit.signal).await;
            b.choose(&format!("#limit-{i}-statistic"), limit.statistic)
                .await;
            b.fill(&format!("#limit-{i}-value"), limit.value).await;
            b.fill(&format!("#limit-{i}-unit"), limit.unit).await;
            b.fill(&format!("#limit-{i}-class"), CLASS).await;
        }
        b.press("Save the draft").await;
        b.press("Publish v1").await;
        b.wait_for("published").await;
        b.picture("contract").await;
    }

    async fn open_case(&self) {
        let b = self.rita;
        b.open("/cases/new").await;
        b.fill("#title", "First token late for long-context chat")
            .await;
        b.press_option("#service", "vllm-chat").await;
        b.press_option("#contract", "chat v1").await;
        b.fill(
            "#symptom",
            "Readers wait twice as long for the first token since noon.",
        )
        .await;
        b.fill("#problem", "Waiting doubled after the deploy at noon.")
            .await;
        b.click("#classes input").await;
        b.press("Open the case").await;
        b.wait_for("PEL-0001").await;
    }

    /// States a run and hands in its files; gives the number of the run.
    async fn run(
        &self,
        role: &str,
        phase: &str,
        taken: &Taken,
        environment: &BTreeMap<String, String>,
    ) -> u32 {
        let b = self.rita;
        let profiled = if taken.profiled { "yes" } else { "no" };
        b.open(&format!(
            "/cases/PEL-0001/runs/new?role={role}&phase={phase}&profiled={profiled}"
        ))
        .await;
        b.press_option("#contract", "chat v1").await;
        b.choose("#class", CLASS).await;
        b.choose("#band", BAND).await;
        if let Some((start, end)) = taken.window {
            b.set("#start", &start.format("%Y-%m-%dT%H:%M:%S").to_string())
                .await;
            b.set("#end", &end.format("%Y-%m-%dT%H:%M:%S").to_string())
                .await;
        }
        let facts: Vec<String> = environment
            .iter()
            .map(|(k, v)| format!("{k} = {v}"))
            .collect();
        b.set("#environment", &facts.join("\n")).await;
        b.press("Save and add its files").await;
        let files: Vec<&std::path::Path> = taken.files.iter().map(AsRef::as_ref).collect();
        self.upload(&files).await
    }

    /// Hands files in on the open upload page and waits until they are read, without a reload.
    async fn upload(&self, files: &[&std::path::Path]) -> u32 {
        let b = self.rita;
        b.find("#files").await;
        let path = b.path().await;
        let run = path
            .split("/runs/R-")
            .nth(1)
            .unwrap()
            .trim_end_matches("/evidence")
            .parse()
            .unwrap();
        let before = b.count("/cases/PEL-0001", "article.card").await;
        b.open(&path).await;
        b.hand_in("#files", files).await;
        b.press("Upload and read").await;
        b.find("#ladder").await;
        b.wait_until_read(before + 1).await;
        run
    }

    async fn attach_evidence(&self) {
        let m = self.material;
        let [first, second] = &m.baseline;
        assert_eq!(
            self.run("baseline", "warm", first, &m.environment_before)
                .await,
            1
        );
        // The sweep of the service as it stands belongs to the first run, the other to the candidate.
        self.rita.open("/cases/PEL-0001/runs/R-1/evidence").await;
        self.upload(&[&m.sweep_before]).await;
        assert_eq!(
            self.run("baseline", "warm", second, &m.environment_before)
                .await,
            2
        );
        assert_eq!(
            self.run("baseline", "warm", &m.nsight, &m.environment_before)
                .await,
            3
        );
        assert_eq!(
            self.run("candidate", "warm", &m.candidate, &m.environment_after)
                .await,
            4
        );
        self.rita.open("/cases/PEL-0001/runs/R-4/evidence").await;
        self.upload(&[&m.sweep_after]).await;
        self.rita.open("/cases/PEL-0001").await;
        self.rita.picture("case-with-evidence").await;
    }

    async fn draft_change(&self) {
        let b = self.rita;
        b.open("/cases/PEL-0001/changes/new").await;
        b.fill("#component", "vllm-chat").await;
        b.fill("#setting", "max_num_batched_tokens").await;
        b.fill("#old", "2048").await;
        b.fill("#new", "4096").await;
        b.fill("#unit", "tokens").await;
        b.choose("#expected_signal", self.material.limits[0].signal)
            .await;
        b.fill("#expected_by", "by half").await;
        b.fill(
            "#risks",
            "None to the answers: the setting moves no number of the model.",
        )
        .await;
        b.fill("#share_ceiling", "5").await;
        b.fill("#max_requests", "100000").await;
        b.fill("#min_samples", self.material.min_samples).await;
        b.fill("#min_minutes", "0.02").await;
        b.fill("#max_minutes", "60").await;
        b.fill("#scope", "one replica of the chat service").await;
        b.tick("#concurrent_baseline").await;
        b.press_option("#watcher", "Rita Responder").await;
        b.fill("#action", "Set the old value and restart the replica.")
            .await;
        b.fill(
            "#procedure",
            "1. Set 2048. 2. Restart. 3. Watch TTFT for ten minutes.",
        )
        .await;
        b.fill("#rollback_minutes", "15").await;
        b.press("Save the draft").await;
        b.wait_for("CH-1").await;
    }

    /// Trying to accept names the four conditions.
    async fn be_refused(&self) {
        let b = self.rico;
        b.open("/cases/PEL-0001/changes/CH-1/accept").await;
        for line in [
            "Reproduced bottleneck",
            "Owner layer",
            "Acceptance impact",
            "Rollback threshold",
        ] {
            b.wait_for(line).await;
        }
        b.picture("accept-refused").await;
        b.open("/cases/PEL-0001?gate=accept").await;
        b.wait_for("Cannot accept yet").await;
        let decisions = b.count("/decisions", "a[href^='/decisions/']").await;
        assert_eq!(decisions, 0, "nothing was decided");
    }

    async fn record_conditions(&self) {
        let (b, words) = (self.rita, self.material.limit_words);
        let limit = |w: &str| format!("//fieldset[@id='limit']/div[contains(., '{w}')]");
        b.open("/cases/PEL-0001/conditions/reproduced-bottleneck")
            .await;
        self.cite_runs(&limit(words)).await;
        b.press("Record").await;
        b.wait_for_path("/cases/PEL-0001").await;

        // One GPU: the engine's count of engines alone shows nothing of the last stage.
        b.open("/cases/PEL-0001/stages/5").await;
        b.xclick("//input[@name='kind' and @value='not_applicable']")
            .await;
        b.fill(
            "#reason",
            "One GPU on one node: there is no link to be limited by.",
        )
        .await;
        b.press("Declare").await;
        b.wait_for_path("/cases/PEL-0001").await;

        b.open("/cases/PEL-0001/conditions/owner-layer-identified")
            .await;
        b.xclick("//input[@name='layer' and @value='4']").await;
        b.xclick("(//fieldset[@id='cite']//label[contains(., 'Queue time') and contains(., 'EV-')]/input)[1]").await;
        for stage in [1, 2, 3, 5] {
            let why = format!("#why_{stage}");
            b.fill(
                &why,
                "Its signals keep their limits and do not explain the wait.",
            )
            .await;
        }
        b.press("Record").await;
        b.wait_for_path("/cases/PEL-0001").await;

        b.open("/cases/PEL-0001/conditions/acceptance-impact-visible")
            .await;
        self.cite_runs(&limit("Acceptance rate")).await;
        b.fill("#note", "Clients give up while they wait.").await;
        b.press("Record").await;
        b.wait_for_path("/cases/PEL-0001").await;

        b.open("/cases/PEL-0001/conditions/rollback-threshold-defined")
            .await;
        b.press("Record").await;
        b.wait_for_path("/cases/PEL-0001").await;
        b.open("/cases/PEL-0001?gate=submit").await;
        b.picture("gate-submit").await;
        b.wait_for("Ready to submit").await;
    }

    /// Chooses a limit and, below it, the two baseline runs.
    async fn cite_runs(&self, limit: &str) {
        let b = self.rita;
        b.xclick(&format!("{limit}//input[@name='limit']")).await;
        b.xopen(&format!("{limit}//details")).await;
        for run in ["R-1", "R-2"] {
            b.xtick(&format!(
                "{limit}//label[.//span[normalize-space(.)='{run}']]/input"
            ))
            .await;
        }
    }

    async fn submit_and_approve(&self) {
        self.rita.open("/cases/PEL-0001/changes/CH-1").await;
        self.rita.press("Submit for approval").await;
        self.rita.wait_for("submitted").await;
        // The author is told why they may not approve.
        assert!(!self.rita.text().await.contains("Approve the canary"));
        self.rico.open("/cases/PEL-0001/changes/CH-1").await;
        self.rico.press("Approve the canary").await;
        self.rico.wait_for("approved").await;
        self.rico.picture("approved").await;
    }

    async fn run_canary(&self) {
        let (b, m) = (self.rita, self.material);
        b.open("/cases/PEL-0001/changes/CH-1").await;
        b.press("I am present and watch").await;
        // The next page is asked for once this act is written down.
        b.wait_for("Ready to start the canary").await;
        b.open("/cases/PEL-0001/changes/CH-1/canary/start").await;
        b.click("#decide button.first").await;
        b.wait_for("canary running").await;
        let (candidate, baseline) = (m.canary)();
        let run = self
            .run("candidate", "canary", &candidate, &m.environment_after)
            .await;
        self.run("baseline", "canary", &baseline, &m.environment_before)
            .await;
        b.open("/cases/PEL-0001/changes/CH-1/canary/end").await;
        b.press_option("#run", &format!("R-{run}")).await;
        b.fill("#share", "4.5").await;
        b.fill("#requests", "2400").await;
        b.press("End it and judge").await;
        b.wait_for("awaiting promotion").await;
        b.picture("canary-passed").await;
    }

    async fn accept(&self) {
        let b = self.rico;
        b.open("/cases/PEL-0001/changes/CH-1/accept").await;
        b.picture("accept").await;
        b.fill(
            "#note",
            "Half the wait, nothing else moved; the canary agrees.",
        )
        .await;
        b.click("#decide button.first").await;
        b.leave("/cases/PEL-0001/changes/CH-1/accept").await;
        if b.path().await.starts_with("/reauth") {
            b.fill("#password", PASSWORD).await;
            b.click("form button.first").await;
            b.leave("/reauth").await;
        }
        b.open("/decisions").await;
        b.click("main a[href^='/decisions/']").await;
        b.wait_for("max_num_batched_tokens").await;
        let text = b.text().await;
        for part in [
            "Accepted",
            "Rico Reviewer",
            "chat v1",
            "EV-1",
            "Half the wait",
        ] {
            assert!(text.contains(part), "the record says {part}: {text}");
        }
        b.picture("decision").await;
    }
}

/// Somebody who may verifies the chain on the page; the command line agrees.
async fn verify_audit(service: &Service, driver: &Driver, admin: &Browser) {
    let audra = invite(
        service,
        driver,
        admin,
        "Audra Auditor",
        "audra",
        &["auditor"],
    )
    .await;
    audra.open("/audit").await;
    audra.press("Verify").await;
    audra.wait_for("Intact").await;
    audra.picture("audit").await;
    audra.close().await;
    let said = std::process::Command::new(env!("CARGO_BIN_EXE_pel"))
        .args(["audit", "verify", "--data-dir"])
        .arg(&service.data)
        .output()
        .unwrap();
    assert!(
        said.status.success(),
        "{}",
        String::from_utf8_lossy(&said.stderr)
    );
}
