/** The English texts of the operator's console: its frame, its doors and its first page. */
export const console = {
  consoleName: 'Console',
  consoleHome: 'Console, today',
  consoleNavigation: 'Console',
  consoleSkip: 'Skip to content',
  consoleMoney: 'Money',
  consoleRunning: 'Running it',
  consoleWaits: '{count} waiting',
  consoleSupport: 'Support',
  consoleRisk: 'Risk',
  consoleFinance: 'Finance',
  consoleAdmin: 'Admin',
  consoleDay:
    '{month, select, 1 {{day} Jan} 2 {{day} Feb} 3 {{day} Mar} 4 {{day} Apr} 5 {{day} May} 6 {{day} Jun} 7 {{day} Jul} 8 {{day} Aug} 9 {{day} Sep} 10 {{day} Oct} 11 {{day} Nov} other {{day} Dec}}',
  consoleLongDay:
    '{month, select, 1 {{day} January {year}} 2 {{day} February {year}} 3 {{day} March {year}} 4 {{day} April {year}} 5 {{day} May {year}} 6 {{day} June {year}} 7 {{day} July {year}} 8 {{day} August {year}} 9 {{day} September {year}} 10 {{day} October {year}} 11 {{day} November {year}} other {{day} December {year}}}',
  consoleFullDay:
    '{weekday, select, Mon {Monday {date}} Tue {Tuesday {date}} Wed {Wednesday {date}} Thu {Thursday {date}} Fri {Friday {date}} Sat {Saturday {date}} other {Sunday {date}}}',
  consoleDayOfYear: '{day} {year}',
  consoleWhen: '{date}, {time}',
  consoleDays: '{count} d',
  consoleHours: '{count} h',
  consoleMinutes: '{count} min',
  consoleAlone:
    'You are the only operator, so you decide alone. Add a second one: from then on two persons make each decision.',
  consoleFourEyesOff: 'Decisions by two are switched off. Each audit entry of an operator says so.',
  consoleNotAllowed: 'Your role may not open this page',
  consoleNotAllowedText:
    'The role {role} does not have it. An admin can change roles on the command line. Nothing was lost.',
  consoleNoPage: 'This page does not exist',
  consoleNoPageText: 'The address may be mistyped, or the page has moved.',
  consoleNotLoaded: 'This page could not be loaded',

  consoleSignInPage: 'Sign in to the console',
  consoleSignInIntro: 'Use the passkey that you made for the console. There is no password.',
  consoleSignInButton: 'Sign in with your passkey',
  consolePasskeyWaiting: 'Waiting for your passkey...',
  consoleEnded: 'Your session has ended. Sign in again: what you typed is still there.',
  consoleNoPasskeys: 'This browser does not support passkeys. Open the console in another one.',
  consoleEnrolPage: 'Make your passkey',
  consoleEnrolIntro:
    'The passkey is the only way into the console. Your device asks for your fingerprint, face or PIN.',
  consoleEnrolButton: 'Make a passkey',
  consoleEnrolDone: 'Your passkey is ready, {name}',
  consoleEnrolDoneText: 'It belongs to {email}. The link is used up.',
  consoleToSignIn: 'Go to the sign-in',
  consoleNoLink: 'This address lacks its link. Open the whole link that you were given.',
  passkeyPromptClosed:
    'No passkey was made: the prompt was closed, or it took too long. The link still works.',
  passkeyAlreadyHere: 'This device already has a passkey for you.',
  passkeyUnsupported:
    'This device cannot make a passkey. It must be able to verify your fingerprint, face or PIN.',
  passkeyElsewhere: 'Passkeys do not work at this address. Please open the console at {host} and try again.',
  passkeyNotMade: 'The passkey could not be made. Please try again.',
  passkeyClosed:
    'No passkey was used: the prompt was closed, it took too long, or this device has none for the console.',
  passkeyBroken: 'The passkey could not be used. Please try again.',

  consoleTodayPage: 'Today',
  consoleWaiting: 'Waits for a person',
  consoleWaitingKind:
    '{kind, select, merchants {Merchants to approve} attempts {Payments in doubt} anomalies {Contradictions of providers} other {Refunds to send or to clarify}}',
  consoleWaitingText:
    '{kind, select, merchants {New accounts, names and logos} attempts {Held or unknown} anomalies {A provider said two things} other {By hand, or without a clear answer}}',
  consoleOldest: 'The oldest waits since {time}',
  consoleManyOrMore: '{count}+',
  consoleNothingWaits: 'Nothing waits',
  consoleNothingWaitsText: 'No merchant, payment or refund needs a person now.',
  consoleUnwell: 'Unwell',
  consoleWell: 'Nothing. Last checked {time}.',
  consoleState: '{status, select, down {Does not work} other {Works with faults}}',
  consoleVolume: 'Volume',
  consolePaymentsSince: '{count, plural, one {# payment since midnight} other {# payments since midnight}}',
  consoleNoVolume: 'No live payment since midnight.',
} as const satisfies Readonly<Record<string, string>>
