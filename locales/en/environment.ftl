# The environment of a run: facts with sources, conflicts, bundles of settings and a reviewer's consent.
bundle-title = More settings that cannot be moved apart
bundle-settings = Further settings
bundle-settings-hint = One a line: name = old → new. A bundle needs a reason here and a reviewer's consent on the change.
bundle-reason = Why they cannot be moved apart
bundle-fault-many = At most { $most } further settings. Split the change.
bundle-fault-line = Line { $line } is not name = old → new.
bundle-needs-setting = A bundle names at least one further setting: name = old → new.
bundle-needs-values = { $setting } needs an old and a new value.
bundle-same-value = { $setting } has the same value before and after.
bundle-twice = { $setting } is named twice.
bundle-needs-reason = Say in at least { $least } characters why the settings cannot be moved apart.

bundle-said = Together with it moved { $facts }, as one bundle: { $reason }
bundle-consent = Consent to the bundle
bundle-consent-words = Why these settings may move together
bundle-fault-words = Say in a few words why these settings may move together.
bundle-consent-later = A reviewer's consent is asked for once the revision is submitted. The author's reason: { $reason }
bundle-consent-missing = No reviewer who did not contribute has consented to the bundle of this revision. The author's reason: { $reason }
bundle-consent-other-revision = { $person } consented to another revision on { $at }: “{ $note }”.
bundle-consent-not-counted = The consent of { $person } of { $at } does not count: “{ $note }”.
bundle-consent-holds = { $person } consented on { $at }: “{ $note }”.
case-do-consent-bundle = See the bundle
audit-act-change-consent-bundle = Bundle consented to
case-act-change-consent-bundle = consented to the bundle of

environment-fact = Fact
environment-value = Value
environment-source = Source
environment-stated = stated
environment-read = read from { $evidence }
environment-against = { $source } says “{ $value }”
environment-known = What is known of { $run }, and who says it
environment-conflict = { $run }: { $field } is “{ $stated }” and, by { $evidence }, “{ $found }”. Two files disagree: withdraw the one that does not belong to this run, or state the value with the run.
environment-configuration-gap = The configuration in { $evidence } leaves settings of { $run } open: a file, a value or the release is missing. Its notes say which.
case-fact-environment-conflicts = { $count } { $count ->
    [one] run has
   *[other] runs have
} sources that disagree
