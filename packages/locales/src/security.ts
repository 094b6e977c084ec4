/** The English texts of the second factors of a person, and of what a team requires. */
export const security = {
  mustAdd:
    '{merchant} requires {what, select, passkey {a passkey} other {an authenticator app or a passkey}} from {date} on. Add one here before, or only your own account stays open to you.',
  mustAddNow:
    '{merchant} requires {what, select, passkey {a passkey} other {an authenticator app or a passkey}}. Add one here: until then only your own account is open to you.',

  authenticator: 'Authenticator app',
  authenticatorAbout:
    'A code of an app on your phone takes the place of the code that we mail you. The app needs no network.',
  authenticatorNone: 'You have no authenticator app yet.',
  authenticatorSince: 'Added on {date}',
  addAppButton: 'Add an App',
  addAppAbout: 'First give your password, so that nobody else can add an app here.',
  loadingSecret: 'Loading...',
  scanQr: 'Scan the code with your authenticator app, or enter the secret there.',
  qrOfSecret: 'QR code of the secret',
  appSecret: 'Secret',
  openInApp: 'Open the app on this device',
  codeOfApp: 'Code of the app',
  codeOfAppHint: 'The six digits that the app shows now.',
  codeOfAppForm: 'Please enter the six digits that the app shows',
  addingApp: 'Adding...',
  appAdded: 'Authenticator app added',
  removeAppButton: 'Remove',
  removeAppTitle: 'Remove Authenticator App',
  removeAppAbout:
    'Your sign-ins are confirmed by a code in our emails again, and your recovery codes end. Your phone keeps its part until you delete it there.',
  removingApp: 'Removing...',
  appRemoved: 'Authenticator app removed',

  recoveryCodes: 'Recovery codes',
  recoveryCodesAbout:
    'Each takes the place of one code of the app, when your phone is not with you. Keep them where your phone is not.',
  recoveryCodesNone: 'You get ten codes with an authenticator app.',
  recoveryCodesLeft:
    '{count, plural, =0 {No code is left. Make new ones.} one {# code is left.} other {# codes are left.}}',
  newCodesButton: 'Make New Codes',
  newCodesAbout: 'The earlier codes end at once. First give your password.',
  makingCodes: 'Making...',
  codesTitle: 'Your Recovery Codes',
  codesOnce: 'They are shown this once. Copy or print them now.',
  copyCodes: 'Copy the codes',
  printCodes: 'Print',
  codesKept: 'I have kept them',

  teamRules: 'Rules of the team',
  rulesAbout:
    'Each member has seven days, from the rule or from joining on. Later, who lacks what is required reaches the own account only. With a rule, what moves money or trust asks again who you are after ten minutes.',
  ruleSecondFactor: 'Second factor',
  ruleSecondFactorAbout: 'Each member has an authenticator app or a passkey.',
  rulePasskey: 'Passkey',
  rulePasskeyAbout: 'Each member has a passkey. An authenticator app is not enough.',
  require: 'Require',
  requireNamed: 'Require: {rule}',
  endRule: 'End',
  endRuleNamed: 'End the rule: {rule}',
  savingRule: 'Saving...',
  ruleSince: 'Required since {date}',
  ruleNot: 'Not required',
  ruleBegun: 'The team has seven days from now on',
  ruleEnded: 'No longer required',
  lacking: '{count, plural, one {# member lacks it:} other {# members lack it:}}',
  lackingNone: 'Every member has it.',
} as const satisfies Readonly<Record<string, string>>

/** The English texts of the question who the person is, before a call that moves money or trust. */
export const stepUp = {
  stepUpTitle: 'Confirm that it is you',
  stepUpAbout:
    'Your team asks this again after ten minutes, before what moves money or trust. What you entered before is still there.',
  stepUpPassword: 'Your password',
  showStepUpPassword: 'Show or hide password',
  appCode: 'Code of the app',
  appCodeHint: 'Six digits, or a recovery code.',
  useCode: 'Use a code of the app',
  usePassword: 'Use the password',
  confirm: 'Confirm',
  confirming: 'Confirming...',
} as const satisfies Readonly<Record<string, string>>
