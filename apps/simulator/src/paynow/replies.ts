import { money, toDecimal } from '@muripo/contract/money'
import type { Behaviour } from '../behaviour.ts'
import type { CallbackMessage } from '../callbacks.ts'
import type { PaynowFacts, Transaction } from '../ledger.ts'
import { inHarare } from '../reference.ts'
import { type Fields, hashOf, write } from './form.ts'

/** A charge by Paynow. */
export type Charge = Transaction & { readonly paynow: PaynowFacts }

export const FORM = 'application/x-www-form-urlencoded'

/** The number of the transaction at Paynow. */
const numberOf = ({ sequence }: Transaction): string => String(70_000 + sequence)

/** A failure without a reason: Paynow does not report it. */
function wordOf({ status, message, behaviour, paynow: { method } }: Charge): string {
  if (behaviour.paynow?.status !== undefined) return behaviour.paynow.status
  switch (status) {
    case 'pending':
      return method === 'page' ? 'Created' : 'Sent'
    case 'completed':
      return method === 'page' ? 'Awaiting Delivery' : 'Paid'
    case 'failed':
      return /cancel|expired/i.test(message ?? '') ? 'Cancelled' : 'Failed'
    case 'refunded':
      return 'Refunded'
    case 'reversed':
      return 'Disputed'
  }
}

const signed = ({ behaviour, paynow: { key } }: Charge, fields: Fields): string => {
  const spoilt = behaviour.paynow?.hash
  if (spoilt === 'missing') return write(named(fields, behaviour))
  const hash = hashOf(fields, spoilt === 'wrong' ? `${key}!` : key)
  return write(named([...fields, ['hash', hash]], behaviour))
}

/** Paynow writes the names of fields in lower case; older pages of its documents show capitals. */
const named = (fields: Fields, { paynow }: Pick<Behaviour, 'paynow'> = {}): Fields =>
  paynow?.names === 'capitals'
    ? fields.map(
        ([name, value]) => [capitals[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}`, value] as const,
      )
    : fields

const capitals: Readonly<Record<string, string>> = {
  browserurl: 'BrowserUrl',
  pollurl: 'PollUrl',
  paynowreference: 'PaynowReference',
}

/** An error is not signed, and its HTTP status is 200. */
export const refusal = (sentence: string, behaviour?: Pick<Behaviour, 'paynow'>): string =>
  write(
    named(
      [
        ['status', 'Error'],
        ['error', sentence],
      ],
      behaviour,
    ),
  )

const pollUrl = ({ behaviour, paynow: { base, guid } }: Charge): string =>
  behaviour.paynow?.pollUrl ?? `${base}/Interface/CheckPayment/?guid=${guid}`

/** The reply to a new charge. */
export function started(transaction: Charge): string {
  const facts = transaction.paynow
  const poll = pollUrl(transaction)
  if (facts.method === 'page')
    return signed(transaction, [
      ['status', 'Ok'],
      ['browserurl', `${facts.base}/Payment/ConfirmPayment/${facts.guid}`],
      ['pollurl', poll],
      ['paynowreference', numberOf(transaction)],
    ])
  const code: Fields =
    facts.method === 'innbucks'
      ? [
          ['authorizationcode', codeOf(transaction)],
          ['authorizationexpires', expiryOf(transaction)],
        ]
      : []
  return signed(transaction, [
    ['status', 'Ok'],
    ['instructions', 'Please check your phone and confirm the payment with your PIN'],
    ['paynowreference', numberOf(transaction)],
    ['pollurl', poll],
    ...code,
  ])
}

/** Nine digits, as InnBucks codes have. */
const codeOf = ({ sequence }: Transaction): string => String(700_000_000 + ((sequence * 7919) % 99_999_999))

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const CODE_LIFE_MS = 10 * 60_000

/** 20-Nov-2026 09:25, without a time zone. */
function expiryOf({ createdAt }: Transaction): string {
  const [date = '', time = ''] = inHarare(createdAt + CODE_LIFE_MS).split('T')
  const [year, month, day] = date.split('-').map(Number)
  return `${day}-${months[(month ?? 0) - 1]}-${year} ${time.slice(0, 5)}`
}

export function statusOf(transaction: Charge): string {
  const { minor, currency, behaviour, paynow } = transaction
  const amount = behaviour.echoAmount?.toFixed(2) ?? toDecimal(money(BigInt(minor), currency))
  return signed(transaction, [
    ['reference', paynow.reference],
    ['paynowreference', numberOf(transaction)],
    ['amount', amount],
    ['status', wordOf(transaction)],
    ['pollurl', pollUrl(transaction)],
  ])
}

/** The update that Paynow posts on a change: signed, and sent up to ten times until it is accepted. */
export const updateOf = (transaction: Charge): CallbackMessage => ({
  contentType: FORM,
  body: statusOf(transaction),
  attempts: 10,
})

export const isCharge = (transaction: Transaction): transaction is Charge => transaction.paynow !== undefined
