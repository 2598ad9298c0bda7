# The frame of every page, words used everywhere.
product-name = Performance Evidence
product-lede = Which layer limits accepted tasks, what proves it, and what may ship.
skip-to-content = Skip to content

nav-main = Main
nav-you = You
nav-waiting = Waiting
nav-cases = Cases
nav-contracts = Contracts
nav-decisions = Decisions
nav-audit = Audit
nav-people = People
nav-new-case = New case
nav-help = Help
nav-sign-out = Sign out
nav-search-label = Search cases, evidence, people
nav-search-hint = Search, or an id such as EV-31

foot-utc = All times UTC
foot-made = Page made { $at } in { $ms } ms

form-faults = { $count ->
    [one] One thing to put right:
   *[other] { $count } things to put right:
}

role-viewer = viewer
role-responder = responder
role-reviewer = reviewer
role-manager = manager
role-auditor = auditor
role-admin = administrator
role-viewer-may = reads cases and what belongs to them
role-responder-may = opens cases, attaches evidence, records conditions, drafts and runs changes
role-reviewer-may = approves, asks for changes, rejects, accepts; never their own work
role-manager-may = reads everything, hands cases over, closes and reopens them
role-auditor-may = reads everything and the whole audit log; writes nothing
role-admin-may = people and roles; acts on no case

month-1 = Jan
month-2 = Feb
month-3 = Mar
month-4 = Apr
month-5 = May
month-6 = Jun
month-7 = Jul
month-8 = Aug
month-9 = Sep
month-10 = Oct
month-11 = Nov
month-12 = Dec
ago = { $age } ago
ago-now = just now
