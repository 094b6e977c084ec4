/** The English texts of the team. */
export const team = {
  members: 'Members',
  membersMore: 'More about {name}',
  person: 'Person',
  role: 'Role',
  applicationsLimit: 'Applications',
  lastHere: 'Last here',
  lastHereCard: 'Last here:',
  neverHere: 'Not yet',
  nowHere: 'Now',
  you: '(you)',
  allApplications: 'All',
  unknownApplication: 'An application that you do not see',

  invite: 'Invite',
  inviteTitle: 'Invite somebody',
  sendInvitation: 'Send invitation',
  sendingInvitation: 'Sending...',
  invitationSent: 'The invitation to {email} is on its way',
  invitationTerms: 'The invitation works for seven days and only for this address.',
  limitAll: 'All applications',
  limitSome: 'Only some applications',
  limitTo: 'Which applications',
  chooseRole: 'Please select a role',
  chooseApplications: 'Please select at least one application',
  limitHint:
    'The role holds for these applications only. Figures and settings of the whole shop stay closed.',

  invitations: 'Invitations',
  invitationsOpen: '{count, plural, one {# open} other {# open}}',
  invitationFacts: '{role}, {applications} · expires {date}',
  invitationAll: 'all applications',
  sendAgain: 'Send again',
  sendAgainTo: 'Send the invitation to {email} again',
  sendingAgain: 'Sending...',
  withdraw: 'Withdraw',
  withdrawFrom: 'Withdraw the invitation to {email}',
  withdrawing: 'Withdrawing...',
  withdrawn: 'The invitation to {email} is withdrawn',

  changeRole: 'Change role',
  changeRoleOf: 'Role of {name}',
  saveRole: 'Save role',
  roleSaved: '{name} has another role now. It holds from the next click on.',

  removeMember: 'Remove from the team',
  removeTitle: 'Remove {name}?',
  removeVerb: 'Remove',
  removingMember: 'Removing...',
  removeEffect:
    '{name} is signed out on every device at once and no longer sees {merchant}. Payments, keys and webhooks stay as they are: replace the keys that {name} knows.',
  removed: '{name} is no longer in the team',
  leave: 'Leave the team',
  leaveTitle: 'Leave {merchant}?',
  leaveVerb: 'Leave',
  leaving: 'Leaving...',
  leaveEffect: 'You are signed out at once. Only a new invitation lets you in again.',

  rules: 'Two rules of the house',
  ruleGrant: 'Nobody gives away more than they have.',
  ruleGrantAbout:
    'A role is offered only to those who may do all that it may do. Only the owner makes admins.',
  ruleOwner: 'There is exactly one owner.',
  ruleOwnerAbout: 'The owner cannot be removed. The ownership is handed over, and both confirm it.',

  handOver: 'Hand over ownership',
  handOverAbout: 'You become an admin. The other person must confirm within 72 hours.',
  handOverButton: 'Hand over...',
  handOverTo: 'Next owner',
  handOverChoose: 'Choose a member',
  handOverNobody: 'First invite the person who is to be the next owner.',
  handOverMissing: 'Please choose a member',
  handOverEffect: 'Nothing changes until the next owner has confirmed. Until then you can withdraw it here.',
  handOverVerb: 'Ask to take over',
  handOverAsking: 'Asking...',
  handOverStarted: '{name} was asked to take over',
  handOverWaits: '{name} has until {date} to confirm.',
  handOverWithdrawn: 'The hand-over is withdrawn',
  handOverForYou: '{name} hands over the ownership of {merchant} to you',
  handOverForYouAbout:
    'As the owner you may do everything, and are the one to whom the account belongs. Confirm until {date}.',
  handOverAccept: 'Become the owner',
  handOverAccepting: 'Confirming...',
  handOverDecline: 'Decline',
  handOverDeclined: 'You stay what you are. The owner is not changed.',
  handOverDone: 'You are the owner of {merchant} now',
  handOverPassword: 'Your password',
  showHandOverPassword: 'Show or hide password',
} as const satisfies Readonly<Record<string, string>>

/** The English texts of the choice of a shop, and of what a role may not open or do. */
export const access = {
  yourShops: 'Your shops',
  switchShop: '{name}. Switch to another shop',
  roleInShop:
    '{role, select, owner {You are the owner} admin {You are an admin} developer {You are a developer} finance {You are in finance} support {You are in support} cashier {You are a cashier} viewer {You are a viewer} other {{role}}}',
  openingShop: 'Opening {name}...',
  notAllowed:
    '{role, select, developer {Developers do not see {page}} finance {Finance does not see {page}} support {Support does not see {page}} cashier {Cashiers do not see {page}} viewer {Viewers do not see {page}} other {Your role does not see {page}}}',
  notAllowedLimited: 'Your role is limited to some applications, and {page} is about all of them',
  ownerCanChange: '{owner}, the owner, can change your role. Nothing was lost.',
  someoneCanChange: 'The owner of {merchant} can change your role. Nothing was lost.',
  goTo: 'Go to {page}',
  noLongerAllowed:
    'Your role does not allow this any more. Nothing was changed, and what you entered is still here. The owner of your team can change your role.',
} as const satisfies Readonly<Record<string, string>>

/** The English texts of the page that an invitation opens. */
export const invitation = {
  joinMerchant: 'Join {merchant}',
  invitedAs: '{person} invites you as {role}.',
  invitedAsOf: '{person} invites you as {role} of {applications}.',
  invitedAddress: 'The invitation is for {email}.',
  openUntil: 'Open until {date}. Not you? Close this page; nothing happens.',
  loadingInvitation: 'Loading the invitation',
  invitationNotLoaded: 'The invitation could not be loaded. Nothing is lost.',
  invitationRetry: 'Try again',
  invitationGone: 'This invitation cannot be used',
  invitationGoneAbout:
    'It may have expired, been withdrawn or been used already. Ask the person who invited you for a new one.',

  yourName: 'Your name',
  passwordFor: 'At least {length} characters. For {email}',
  join: 'Join',
  joining: 'Joining...',
  joinFailed: 'You could not join. Please try again.',
  joined: 'Welcome to {merchant}. Sign in with {email} and your new password.',

  signInToAccept: 'Sign in to accept',
  hasAccount: '{email} has an account already. Sign in with it; you come back here.',
  signedInWith: 'You are signed in as {email}.',
  accept: 'Accept',
  accepting: 'Accepting...',
  acceptFailed: 'The invitation could not be accepted. Please try again.',
  otherAccount: 'You are signed in as {email}, and this invitation is for {invited}.',
  signOutHere: 'Sign out to accept it',
} as const satisfies Readonly<Record<string, string>>
