/** The English texts of the emails to merchants about their accounts, applications, keys and webhook endpoints. */
export const notices = {
  application: 'Application',
  reason: 'Reason',
  key: 'Key',
  keyOfMode: '{mode, select, live {Live key} other {Test key}}',
  nothingToDo: 'There is nothing that you need to do.',
  writeThen: 'Then write to {contact}.',
  questions: 'If you have questions, write to {contact}.',

  passwordChanged: 'Your Muripo password was changed',
  passwordChangedByMail:
    'It was changed with a code or a link that we sent to this address. Every device was signed out.',
  passwordChangedInSettings:
    'It was changed in the settings of your account. Every other device was signed out.',
  keysStay:
    'Application keys and webhook endpoints stay as they are: if somebody else was signed in, look at them under Applications on your dashboard, and regenerate the keys.',
  mailIsRead:
    'If this was not you, somebody can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page.',
  passwordWasKnown:
    'If this was not you, somebody knew your password: set another one at once with "Forgot password" on the sign-in page. That signs every device out.',

  newSignIn: 'New sign-in to your Muripo account',
  newSignInStep:
    '{step, select, passkey {Your account was signed in to from a device that is new to it, with your password and one of your passkeys.} totp {Your account was signed in to from a device that is new to it, with your password and a code of your authenticator app or a recovery code.} other {Your account was signed in to from a device that is new to it, with your password and the code that we sent to this address.}}',
  newSignInExpected:
    'If this was you, you need do nothing: we will not write to you about this device again.',
  newSignInUnexpected:
    '{step, select, passkey {If it was not, somebody knows your password and has one of your passkeys: set another password with "Forgot password" on the sign-in page, which signs every device out, and remove that passkey in the settings of your account.} totp {If it was not, somebody knows your password and has your authenticator app or a recovery code: set another password with "Forgot password" on the sign-in page, which signs every device out, and remove the app in the settings of your account.} other {If it was not, somebody knows your password and can read your mail: secure your mailbox first, then set another password with "Forgot password" on the sign-in page. That signs every device out.}}',

  passkey: 'Passkey',
  passkeyAdded: 'A passkey was added to your Muripo account',
  passkeyAddedUse:
    'From now on it can take the place of the code that we mail you when you sign in. Your password is asked for as before.',
  passkeyAddedUnexpected:
    'If this was not you, somebody knows your password: set another one with "Forgot password" on the sign-in page, which signs every device out, and remove the passkey in the settings of your account.',
  passkeyRemoved: 'A passkey was removed from your Muripo account',
  passkeyRemovedUse: 'It cannot be used to sign in any more. The code that we mail you still can.',
  passkeyRemovedUnexpected:
    'If this was not you, somebody knows your password: set another one with "Forgot password" on the sign-in page. That signs every device out.',

  totpAdded: 'An authenticator app was added to your Muripo account',
  totpAddedUse:
    'From now on you enter the code of the app when you sign in, and we mail you none. Keep the recovery codes where you find them without your phone.',
  totpAddedUnexpected:
    'If this was not you, somebody knows your password: set another one with "Forgot password" on the sign-in page, which signs every device out, and write to those who run this gateway.',
  totpRemoved: 'The authenticator app was removed from your Muripo account',
  totpRemovedByOperator: 'Those who run this gateway removed it, because they were asked to.',
  totpRemovedUse: 'From now on we mail you a code when you sign in. The recovery codes have ended.',
  totpRemovedUnexpected:
    'If this was not you, somebody knows your password: set another one with "Forgot password" on the sign-in page, which signs every device out, and add the app again.',
  recoveryCodeUsed: 'A recovery code of your Muripo account was used',
  recoveryCodesLeft:
    '{left, plural, one {# recovery code is left. You can make new ones in the settings of your account.} other {# recovery codes are left. You can make new ones in the settings of your account.}}',
  recoveryCodeUnexpected:
    'If this was not you, somebody has your recovery codes: make new ones in the settings of your account, and change your password.',

  invitation: 'You are invited to a team on Muripo',
  invitationFrom: 'Invited by',
  invitationTo: 'Team',
  invitationRole: 'Role',
  roleAdmin: 'Admin',
  roleDeveloper: 'Developer',
  roleFinance: 'Finance',
  roleSupport: 'Support',
  roleCashier: 'Cashier',
  roleViewer: 'Viewer',
  invitationUse: 'Open the link to see what the role may do, and to accept it with this email address.',
  invitationExpires:
    '{days, plural, one {The link works once, within # day.} other {The link works once, within # days.}}',
  invitationUnexpected: 'If you do not know the person who invited you, ignore this email.',
  invitationLink: 'See the invitation',
  memberJoined: 'A person joined your team on Muripo',
  memberName: 'Name',
  memberJoinedUnexpected:
    'If you do not know this person, remove them under Settings, Team on your dashboard. They are signed out at once.',
  handOver: 'You are asked to own an account on Muripo',
  handOverFrom: 'Owner today',
  handOverUse:
    'The owner decides about admins, and the emails about the account go to the owner. Nothing changes until you confirm it on your dashboard, under Settings, Team.',
  handOverExpires:
    '{hours, plural, one {You can confirm it within # hour.} other {You can confirm it within # hours.}}',
  handOverLink: 'Open the dashboard',
  ownerChanged: 'Your Muripo account has a new owner',
  ownerChangedTo: 'New owner',
  ownerChangedUse:
    'The former owner is an admin now. The emails about the account go to the new owner from now on.',
  ownerChangedUnexpected: 'If this is wrong, write to us at once.',

  accountApproved: 'Your Muripo account is approved',
  accountSuspended: 'Your Muripo account is suspended',
  accountResumed: 'Your Muripo account is active again',
  accountClosed: 'Your Muripo account is closed',
  liveKeys:
    'Each of your applications has a live key now: Applications, Manage, Application Key. Your test keys work as before.',
  namesChecked:
    'The names of your applications were checked with your account. When you add an application, payers of live payments see your own name and no logo until we have checked those of the application.',
  nothingFromNow:
    'From now on no payment can be created or begun, and nothing can be changed or refunded from your side.',
  keysWorkAgain: 'Your keys work again, and payers can pay again. There is nothing that you need to do.',
  nothingAnyMore: 'No payment can be created or begun any more, and nothing can be changed.',
  confirmedCompleted:
    'Payments that payers have already confirmed are still completed, and what was paid stays yours. You can sign in and see everything.',

  keyEnds: 'A Muripo key of yours ends soon',
  keyEndsAt: 'Ends',
  keyEndsNext:
    'Calls with it are refused from then on. Replace it on your dashboard, under Applications, Manage, Application Key; the old key can work beside the new one for a while.',
  keyLeaked: 'A Muripo key of yours was found in public and is revoked',
  keyLeakedWhy: 'Somebody reported that anybody can read this key. It does not work any more.',

  namesApproved: 'Names or logos of your Muripo applications are approved',
  namesShown:
    'Payers see the names, logos and colours of these applications from now on. There is nothing that you need to do.',
  applicationStopped: 'A Muripo application of yours is stopped',
  applicationStoppedEffect:
    'Its keys are refused and its payments cannot be paid until we let it go on. Payments that payers have already confirmed are still completed.',
  applicationResumed: 'A Muripo application of yours goes on',
  applicationResumedEffect:
    'Its keys work again, and its payments can be paid again. There is nothing that you need to do.',

  keyRevoked: 'A key of your Muripo application is revoked',
  keyRevokedNext:
    'The key is refused from now on. You get another one on your dashboard: Applications, Manage, Application Key, Regenerate Key.',
  checkEndpoints:
    'Please look through the webhook endpoints of this application too, and delete those that you do not know.',
  keyShown: 'A live key of yours was shown on a new device',
  keyShownWhere: 'It was shown on your dashboard. We write to you the first time that a device shows one.',
  keyShownUnexpected:
    'If this was not you, somebody else is signed in to your account. Set another password with "Forgot password" on the sign-in page, which signs out every device, regenerate the keys of your applications, and look at their webhook endpoints.',
  keyRegenerated: 'An application key of yours was regenerated',
  keyRegeneratedAlone: 'The old key is refused from now on. This application has no webhook endpoints.',
  keyRegeneratedEndpoints:
    'The old key is refused from now on. The webhook endpoints above stay and go on receiving events: delete those that are not yours.',

  bankingChanged: 'Your Muripo banking details were changed',
  bankName: 'Bank',
  bankNameNew: 'Bank (new)',
  bankAccountNumber: 'Account number',
  bankAccountNumberNew: 'Account number (new)',
  bankAccountName: 'Account name',
  bankAccountNameNew: 'Account name (new)',
  bankAccountType: 'Account type',
  bankAccountTypeNew: 'Account type (new)',
  bankingChangedWhere:
    'They were changed on your dashboard. Before anything is paid out to this account, we check its name.',
  bankingChangedUnexpected:
    'If this was not you, somebody else is signed in to your account. Set another password with "Forgot password" on the sign-in page, which signs out every device.',
  bankingApproved: 'Your Muripo banking details are approved',
  bankingApprovedNext: 'We have checked the name of this account. There is nothing that you need to do.',
  bankingRejected: 'Your Muripo banking details could not be approved',
  bankingRejectedReason: 'The reason: {reason}',
  bankingRejectedNext:
    'Please put them right on your dashboard: Applications, Manage, Banking Settlements and Reconciliations, Update Banking Details. We then look at them again. Payments go on as before.',

  endpointFailing: 'A webhook endpoint of yours is failing',
  endpointFailingWhy:
    'We tried to deliver an event to it ten times over about three days, and have given that event up. New events are still sent there.',
  endpointOff: 'A webhook endpoint of yours was turned off',
  endpointNeverAnswered:
    'It has never answered with a 2xx, and ten deliveries to it have failed. Nothing more is sent there until you turn it on again.',
  endpointGone:
    'It answered 410 Gone, which asks for no more events. Nothing more is sent there until you turn it on again.',
  endpointWhere:
    '{badge, select, failing {On your dashboard, under Applications, Manage, Webhooks, it is the one marked Failing. There you see what was sent and what came back, and can send it again.} other {On your dashboard, under Applications, Manage, Webhooks, it is the one marked Off. There you see what was sent and what came back, and can send it again.}}',
  endpointAdded: 'A webhook endpoint was added in your Muripo account',
  endpointChanged: 'A webhook endpoint was changed in your Muripo account',
  secretRotated: 'The secret of a webhook endpoint was rotated in your Muripo account',
  endpointAddress: 'Address',
  endpointAddressBefore: 'Address before',
  endpointNumber: 'Webhook endpoint {number}',
  hostWithPort: '{host} port {port}',
  endpointBy:
    '{by, select, key {It was done with an application key. Events about your payments, with the names and numbers of your customers, are sent to this address.} other {It was done on your dashboard. Events about your payments, with the names and numbers of your customers, are sent to this address.}}',
  endpointUnexpected:
    'If this was not you, somebody else uses your account or has your key. Set another password with "Forgot password" on the sign-in page, regenerate the key, and delete the endpoints that are not yours.',
} as const satisfies Readonly<Record<string, string>>
