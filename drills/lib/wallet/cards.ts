import type { ServerResponse } from 'node:http'
import { carryOut, inOrder, inTransaction } from './entries.ts'
import { answer, type WalletCall, type WalletRecords } from './records.ts'

interface CardSession {
  readonly order: {
    readonly id: string
    readonly amount: string
    readonly currency: string
    readonly notificationUrl: string
  }
  readonly interaction: { readonly operation: 'AUTHORIZE' | 'PURCHASE' }
}

/** A transaction of an order by its address; a suffix names a void or a capture. */
interface Address {
  readonly order: string
  readonly transaction: string | undefined
  readonly isVoid: boolean
}

const invalid = { result: 'ERROR', error: { cause: 'INVALID_REQUEST' } } as const
const CARD_PAGE = '/checkout/pay/SESSION'

/** Responds like the Mastercard Gateway, and like the page at which a card is entered. */
export function answerCards(records: WalletRecords, { request, response, body }: WalletCall): void {
  const path = decodeURIComponent(request.url ?? '').split('?')[0] ?? ''
  const [, order = '', transaction, suffix] =
    /\/order\/(\w+)(?:\/transaction\/(\w+)(-void|-capture)?)?$/.exec(path) ?? []
  const address: Address = { order, transaction, isVoid: suffix === '-void' }
  if (path.endsWith('/session')) openSession(records, JSON.parse(body), response)
  else if (path.startsWith(CARD_PAGE)) enterCard(records, path.slice(CARD_PAGE.length), response)
  else if (request.method !== 'PUT') lookUp(records, address, response)
  else if (transaction === order) instruct(records, address, body, response)
  else refund(records, address, body, response)
}

function openSession(
  records: WalletRecords,
  { order, interaction }: CardSession,
  response: ServerResponse,
): void {
  const { id: key, amount, currency, notificationUrl } = order
  const facts = {
    kind: 'charge',
    key,
    reference: records.referenceOf('charge'),
    amount: Number(amount),
    currency,
    ...(interaction.operation === 'AUTHORIZE' && {
      authorisation: { isApproved: false, isCaptureRefused: false, captured: null },
    }),
  } as const
  const entry = records.record(facts, notificationUrl)
  if (entry) answer(response, 201, { result: 'SUCCESS', session: { id: `SESSION${key}` } })
  else answer(response, 400, invalid)
}

function enterCard(records: WalletRecords, key: string, response: ServerResponse): void {
  const { chance } = records
  const entry = records.entries.get(key)
  if (entry?.status === 'pending')
    records.decideLater(
      entry,
      chance.percent(85) ? (entry.authorisation ? 'authorised' : 'paid') : 'refused',
      chance.percent(30) ? 3 : 1,
    )
  answer(response, 200, {})
}

/** Captures or voids an authorised charge. */
function instruct(
  records: WalletRecords,
  { order, isVoid }: Address,
  body: string,
  response: ServerResponse,
): void {
  const amount = isVoid ? null : Number(JSON.parse(body).transaction.amount)
  const entry = records.entries.get(order)
  const outcome = entry ? carryOut(entry, amount, records.chance) : null
  if (entry && outcome === 'answer') answer(response, 200, inOrder(entry, [...records.entries.values()]))
  else if (outcome === 'drop') response.destroy()
  else answer(response, 400, invalid)
}

function refund(records: WalletRecords, address: Address, body: string, response: ServerResponse): void {
  const { order, transaction: key = '', isVoid } = address
  const { transaction } = JSON.parse(body) as { transaction: { amount: string; currency: string } }
  const { amount, currency } = (isVoid && records.entries.get(order)) || transaction
  const previous = records.entries.get(key)
  // A refund under the same key follows a void only after its refusal.
  if (!isVoid && previous?.isVoid && previous.status === 'refused') records.entries.delete(key)
  const facts = {
    kind: 'refund',
    key,
    reference: records.referenceOf('refund'),
    amount: Number(amount),
  } as const
  const isRefused = isVoid && records.chance.percent(50)
  const entry =
    !isRefused && records.record({ ...facts, currency, original: order, isVoid }, records.addressOf(order))
  if (entry) records.decide(entry, response, inTransaction)
  else answer(response, 400, invalid)
}

function lookUp(
  records: WalletRecords,
  { order, transaction, isVoid }: Address,
  response: ServerResponse,
): void {
  const entry = records.entries.get(transaction ?? order)
  const isOther = entry?.kind === 'refund' && entry.isVoid !== isVoid
  if (!entry || isOther || (entry.kind === 'charge' && entry.status === 'pending'))
    answer(response, 404, {
      result: 'ERROR',
      error: { cause: 'INVALID_REQUEST', explanation: 'Unable to find order' },
    })
  else if (entry.kind === 'refund') answer(response, 200, inTransaction(entry))
  else answer(response, 200, inOrder(entry, [...records.entries.values()]))
}
