# Signing in, accounts, people, profile.
password = Password
password-hint = At least 10 characters; a few words in a row are good. Pasting is fine.
password-short = A password needs at least { $least } characters.
password-long = This password is too long to be kept.
password-is-login = A password must not be the login.
password-common = This password is on every list of guesses. Choose another.
password-wrong = This is not your password.

person-name = Name
person-name-fault = Write a name of 1 to 120 characters.
person-login = Login
person-login-hint = What you type to sign in, such as your work address. Capitals do not matter.
person-login-fault = Write a login of 2 to 120 characters without spaces.
person-login-taken = Somebody has this login already.
person-roles-fault = Choose at least one role.

signin-title = Sign in
signin-do = Sign in
signin-wrong = Login or password is wrong, or the account is not active.
signin-wait = Too many attempts. Try again in { $seconds } s.
signin-expired = Signed out
signin-expired-at = on { $at } UTC, after a long time without a sign of you or at the end of the session. Sign in to go on where you were.
signin-help = Forgotten the password, or no account yet? An administrator of this service can invite you.
signin-link-title = Welcome, { $name }
signin-link-lede = This link signs you in once, on this browser.
signin-link-do = Sign in as { $name }

reauth-title = Is it you?
reauth-lede = What you are about to do counts, so it asks for the password again. You come back to where you were.
reauth-password = Password of { $login }
reauth-do = Go on
reauth-help = No password, because a link signed you in? Sign out and use a new link.

setup-title = The first administrator
setup-lede = Nobody has an account yet. Make the first one with the code that the service printed when it started.
setup-code = One-time code
setup-code-hint = Four groups of four, printed by pel serve. It works for 24 hours.
setup-code-fault = This is not the code, or it is older than 24 hours. Starting the service again prints a new one.
setup-roles = You will be an administrator. Administrators act on no case; which roles do you hold besides?
setup-do = Make the account

invitation-title = You are invited
invitation-by = { $name } invited you to Performance Evidence.
invitation-roles = Your roles: { $roles }.
invitation-until = Works until
invitation-do = Make my account

people-title = People
people-lede = { $count ->
    [one] One person can sign in.
   *[other] { $count } people can sign in.
}
people-no-role = no role
people-deactivated = deactivated
people-seen = Seen
people-never-seen = Never signed in
people-change = Change
people-roles-of = Roles of { $name }
people-save-roles = Save roles
people-deactivate = Deactivate
people-deactivate-me = Deactivate myself
people-deactivate-hint = Ends all sessions at once. What the person did stays, under their name.
people-reactivate = Let in again

invite-title = Invite somebody
invite-lede = You get a link that works once, for seven days. Hand it over yourself.
invite-roles = Roles
invite-do = Make the link
invite-link = Invitation link
invite-made = Invitation for { $name }.
invite-made-once = This link is shown only now; copy it.
invitations-title = Invited, not here yet
invitations-by = by { $name }
invitations-revoke = Take back

me-title = Your profile
me-profile = Profile
me-lang = Language
me-lang-browser = As the browser asks
me-theme = Theme
me-theme-system = As the system
me-save = Save
me-password = Password
me-password-current = Password now
me-password-new = New password
me-password-ends = Your other sessions end.
me-password-do = Change password
me-sessions = Where you are signed in
theme-light = Light
theme-dark = Dark
session-device = Browser
session-device-unknown = unknown
session-network = Network
session-began = Since
session-seen = Last used
session-end = End
session-this = this one
network-loopback = this machine
network-private = private
network-public = public
done-profile = Saved.
done-password = The password is changed. Your other sessions have ended.
done-session = The session has ended.
