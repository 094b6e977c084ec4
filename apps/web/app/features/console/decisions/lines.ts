import { operatorRoles } from '@muripo/contract/console-permissions'
import { merchantStatuses } from '@muripo/contract/merchant-statuses'
import { type LineLabel, lineLabels } from '@muripo/contract/proposal-lines'
import { type ConsoleKey, type ConsoleText, merchantStateText, roleText, textsOf } from '../text.ts'

const labelText = textsOf<LineLabel>({
  Account: 'diffAccount',
  'Account name': 'lineAccountName',
  'Account no.': 'lineAccountNumber',
  'Although the provider has returned the charge': 'lineAlthough',
  Amount: 'diffAmount',
  App: 'lineApp',
  Application: 'lineApplication',
  Attempt: 'diffAttempt',
  Bank: 'lineBank',
  Charge: 'returnCharge',
  'Difference goes to': 'lineDifference',
  Link: 'lineLink',
  'Moved amount': 'diffMoved',
  'Paid by the provider': 'linePaidLate',
  'Payers see': 'diffPayersSee',
  Payment: 'linePayment',
  Reference: 'diffReference',
  Refund: 'diffRefund',
  'Reserved words': 'lineReserved',
  Resolved: 'lineResolved',
  'Returned by the provider': 'lineReturned',
  'Reversed amount': 'lineReversed',
  Review: 'lineReview',
  Role: 'diffRole',
  Route: 'diffRoute',
  Sent: 'lineSent',
  Status: 'diffStatus',
  'Whole amount': 'lineWhole',
})

/** The name of a line of a proposal. That of a refund in a batch is its shop and its id. */
export function lineName(label: string, t: ConsoleText): string {
  const known = lineLabels.find((each) => each === label)
  return known === undefined ? label : labelText(known, t)
}

/** The lines whose values are words of the server: those of the others are names, amounts and what somebody wrote. */
const hasWords: ReadonlySet<string> = new Set<LineLabel>([
  'Account',
  'App',
  'Application',
  'Attempt',
  'Link',
  'Refund',
  'Review',
  'Role',
  'Route',
  'Sent',
  'Status',
])

const words: ReadonlyMap<string, ConsoleKey> = new Map(
  Object.entries({
    pending: 'wordPending',
    sending: 'wordPending',
    held: 'wordHeld',
    unknown: 'wordUnknown',
    completed: 'wordCompleted',
    failed: 'wordFailed',
    paid: 'wordPaid',
    awaiting_operator: 'wordToSend',
    unclaimed: 'wordUnclaimed',
    contradicted: 'wordContradicted',
    amount_differs: 'wordDiffers',
    differs: 'wordDiffers',
    still_pending: 'wordPending',
    unanswered: 'wordUnknown',
    reference_repeated: 'wordRepeated',
    reversed: 'wordReversed',
    returned: 'wordReturned',
    bounced: 'wordBounced',
    unchanged: 'wordUnchanged',
    default: 'routeDefault',
    none: 'routeNone',
    enabled: 'wordEnabled',
    disabled: 'providersPaused',
    resumed: 'wordResumed',
    'by hand': 'wordByHand',
    'came back, and is sent again by hand': 'wordCameBack',
    'another one, by email': 'wordOtherLink',
    'removed, with its recovery codes': 'wordAppRemoved',
  } as const satisfies Readonly<Record<string, ConsoleKey>>),
)

const withText = [
  ['stopped: ', 'wordStopped'],
  ['refused: ', 'wordRefused'],
  ['since ', 'wordSince'],
] as const

/** A value of a line, whose words of the server are texts of the page. */
export function lineWord(label: string, word: string, t: ConsoleText): string {
  if (!hasWords.has(label)) return word
  const status = merchantStatuses.find((each) => each === word)
  if (status) return merchantStateText(status, t)
  const role = operatorRoles.find((each) => each === word)
  if (role) return roleText(role, t)
  const key = words.get(word)
  if (key !== undefined) return t(key)
  const [start, of] = withText.find(([each]) => word.startsWith(each)) ?? []
  return start === undefined || of === undefined ? word : t(of, { text: word.slice(start.length) })
}
