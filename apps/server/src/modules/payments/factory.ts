import { type AccountId, PaymentId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import { CreatePayment } from '@muripo/contract/payments'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Tx } from '../../platform/db/database.ts'
import { systemIds, uuidOf } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import { balancesOf } from '../ledger/index.ts'
import {
  type Connector,
  type NotFound,
  ProviderError,
  type RefundCalls,
  type Reply,
} from '../providers/index.ts'
import { checkAttempt } from './actions/check-attempt.ts'
import { createPayment } from './actions/create-payment.ts'
import type { OpenedRefund } from './actions/send-refund.ts'
import { startAttempt } from './actions/start-attempt.ts'
import type { PaymentsCtx } from './context.ts'
import { idempotencyChecksum } from './idempotency.ts'
import { checkDue } from './jobs.ts'
import { commitChange } from './payment/commit.ts'
import { openDuplicateRefund } from './payment/decide/open-refund.ts'
import type { Attempt, Payment } from './payment/payment.ts'
import { wholeOf } from './payment/state.ts'
import { attemptsOf } from './payment/store-attempts.ts'
import { findPayment } from './payment/store-payment.ts'
import { startSending } from './provider-calls/call-provider.ts'

type ChargeRequest = Parameters<Connector['charge']>[0]
type RefundRequest = Parameters<RefundCalls['refundCharge']>[0]
type LookupRequest = Parameters<Connector['lookup']>[0]

/** The period of the scripted provider's authorisations. */
export const CAPTURE_WITHIN_MS = 167 * 60 * 60_000

/** A provider whose replies the test sets, and that records its calls. */
export interface ScriptedProvider {
  readonly connector: Connector & RefundCalls
  /** The provider's way of refunding, which a test may change. */
  refundsBy: Connector['refund']
  returnedEcho: Connector['returnedEcho']
  /** The tests that do not set it repeat their references. */
  references: Connector['references']
  refundLookup: Connector['refundLookup']
  /** The fields that a payer has to enter. */
  needs: ReturnType<Connector['needs']>
  readonly charges: ChargeRequest[]
  readonly lookups: LookupRequest[]
  readonly refunds: RefundRequest[]
  readonly refundLookups: LookupRequest[]
  charge: (request: ChargeRequest) => Promise<Reply>
  lookup: (request: LookupRequest) => Promise<Reply | NotFound>
  refund: (request: RefundRequest) => Promise<Reply>
  lookupRefund: (request: LookupRequest) => Promise<Reply | NotFound>
}

const atFirst = (): Omit<ScriptedProvider, 'connector'> => ({
  refundsBy: 'api-partial',
  returnedEcho: 'total',
  references: 'repeating',
  refundLookup: undefined,
  needs: ['phone'],
  charges: [],
  lookups: [],
  refunds: [],
  refundLookups: [],
  charge: async () => pending(),
  lookup: async () => pending(),
  refund: async ({ amount }) => paid(amount, 'RF1'),
  lookupRefund: async () => pending(),
})

export function scriptedProvider(): ScriptedProvider {
  const script: ScriptedProvider = {
    ...atFirst(),
    connector: {
      id: 'scripted',
      methods: ['ecocash'],
      currencies: ['USD', 'ZWG', 'ZAR'],
      needs: () => script.needs,
      get refund() {
        return script.refundsBy
      },
      reversals: 'reported',
      get returnedEcho() {
        return script.returnedEcho
      },
      get references() {
        return script.references
      },
      get refundLookup() {
        return script.refundLookup
      },
      authorise: { captureWithinMs: CAPTURE_WITHIN_MS },
      minPollMs: 3000,
      attemptTtlMs: 10 * 60_000,
      callbackReply: { status: 200, contentType: 'application/json', body: '{}' },
      refuseNumber: () => null,
      charge(request) {
        script.charges.push(request)
        return script.charge(request)
      },
      lookup(request) {
        script.lookups.push(request)
        return script.lookup(request)
      },
      refundCharge(request) {
        script.refunds.push(request)
        return script.refund(request)
      },
      lookupRefund(request) {
        script.refundLookups.push(request)
        return script.lookupRefund(request)
      },
    },
  }
  return script
}

/** Clears the recorded calls and resets the replies. */
export function renew(provider: ScriptedProvider): void {
  Object.assign(provider, atFirst())
}

const reply = (change: Partial<Reply>): Reply => ({
  kind: 'reply',
  outcome: 'pending',
  providerStatus: 'scripted',
  providerReference: null,
  state: {},
  echo: null,
  reason: null,
  ...change,
})

/** Operators give each reference once: other tests of the database have given theirs. */
export const freshReference = (): string => {
  givenReferences += 1
  return `MP2611.1234.A${givenReferences}`
}
let givenReferences = 0

export const pending = (): Reply => reply({})
/** The provider waits until the payer has entered a code in the wallet's app. */
export const codeShown = (expiresAt: Date | null, code = '701234567'): Reply =>
  reply({
    next: {
      type: 'show_code',
      code,
      qr: code,
      links: [{ url: `wallet://pay?code=${code}` }],
      expiresAt: expiresAt?.toISOString() ?? null,
    },
  })
/** The provider waits until the payer has paid on its page. */
export const redirected = (url = 'https://cards.example/session/1'): Reply =>
  reply({ next: { type: 'redirect', url, expiresAt: null } })
export const paid = (echo: Money | null, providerReference = 'MP1'): Reply =>
  reply({ outcome: 'completed', echo, providerReference })
/** The provider has reserved the amount. */
export const authorised = (echo: Money | null, providerReference = 'MP1'): Reply =>
  reply({ outcome: 'authorized', echo, providerReference })
export const refused = (reason: NonNullable<Reply['reason']> = 'user_cancelled'): Reply =>
  reply({ outcome: 'failed', reason })
export const unanswered = (): ProviderError => new ProviderError('unknown', 'no trustworthy answer')
export const notFound: NotFound = { kind: 'not_found' }

const defaults = { amount: 12.5, currency: 'USD', description: 'Order 1001' }

/** Writes a payment under an Idempotency-Key in the caller's transaction, as another process does that has not committed. */
export async function holdKey(holder: PoolClient, owner: KeyOwner, key: string): Promise<void> {
  await holder.query(
    `insert into payments (account_id, id, application_id, amount_minor, currency, description, created_at, updated_at, expires_at,
       idempotency_checksum, request_checksum)
     select $1, id, $2, 1250, 'USD', 'another', id_time(id), id_time(id), id_time(id) + interval '1 day', $3, $3
     from (select $4::uuid as id) as made`,
    [
      uuidOf(owner.accountId),
      uuidOf(owner.applicationId),
      idempotencyChecksum(owner.applicationId, key),
      uuidOf(systemIds.next(PaymentId)),
    ],
  )
}

export async function makePayment(
  ctx: PaymentsCtx,
  owner: KeyOwner,
  input: Partial<Record<keyof CreatePayment, unknown>> = {},
): Promise<Payment> {
  const created = await createPayment(ctx, owner, CreatePayment.parse({ ...defaults, ...input }))
  return paymentNow(ctx, owner, JSON.parse(created.json).id)
}

/** Starts an attempt, and waits until the provider's first reply is applied. */
export async function makeAttempt(
  ctx: PaymentsCtx,
  payment: Payment,
  phone = '0771234567',
): Promise<Attempt> {
  const { answered } = await startAttempt(ctx, payment.accountId, payment.id, { method: 'ecocash', phone })
  await answered
  return latestAttempt(ctx, payment)
}

/** Looks up due calls, and waits until their outcomes are recorded. */
export async function lookUpDue(ctx: PaymentsCtx): Promise<void> {
  const { checked } = await checkDue(ctx)
  await checked
}

/** Ends the look-ups of calls that earlier tests left open or failed, so that none of them is due in this one. */
export async function clearDueCalls(ctx: PaymentsCtx): Promise<void> {
  for (const table of ['payment_attempts', 'refunds'])
    await ctx.db.pool.query(
      `update ${table} set next_check_at = null, next_watch_at = null
       where next_check_at is not null or next_watch_at is not null`,
    )
}

/** A completed payment, by a provider that confirms at once. */
export async function makePaid(
  ctx: PaymentsCtx,
  owner: KeyOwner,
  provider: ScriptedProvider,
  input: Partial<Record<keyof CreatePayment, unknown>> = {},
  reference?: string,
): Promise<Payment> {
  const payment = await makePayment(ctx, owner, input)
  const { charge } = provider
  provider.charge = async ({ amount }) => paid(amount, reference)
  await makeAttempt(ctx, payment)
  provider.charge = charge
  return paymentNow(ctx, owner, payment.id)
}

/** The bank behind an authorisation: the amount that was captured, and whether the rest was released. */
export interface ScriptedBank {
  /** Each call that moved or released money, in its order. */
  readonly calls: string[]
  reply: (request: LookupRequest) => Reply
}

/** Makes the provider authorise each charge, and carry an instruction out once, however often it is looked up. */
export function authorising(provider: ScriptedProvider): ScriptedBank {
  const captured = new Map<string, Money | null>()
  const amounts = new Map<string, Money>()
  const bank: ScriptedBank = {
    calls: [],
    reply({ key, capture, isOver }) {
      const done = captured.get(key)
      if (done === undefined && (capture?.kind === 'capture' || capture?.kind === 'void' || isOver)) {
        const amount = capture?.kind === 'capture' && !isOver ? capture.amount : null
        captured.set(key, amount)
        bank.calls.push(amount ? `capture ${amount.minor}` : 'void')
      }
      const now = captured.get(key)
      if (now === undefined) return authorised(amounts.get(key) ?? null)
      return now === null ? refused('declined') : paid(now)
    },
  }
  provider.charge = async ({ key, amount }) => {
    amounts.set(key, amount)
    return pending()
  }
  provider.lookup = async (request) => bank.reply(request)
  return bank
}

/** An authorised payment, at a bank of `authorising`. */
export async function makeAuthorised(
  ctx: PaymentsCtx,
  owner: KeyOwner,
  input: Partial<Record<keyof CreatePayment, unknown>> = {},
): Promise<Payment> {
  const payment = await makePayment(ctx, owner, { capture: 'manual', ...input })
  const { accountId, id } = await makeAttempt(ctx, payment)
  await checkAttempt(ctx, accountId, id)
  return paymentNow(ctx, owner, payment.id)
}

export async function paymentNow(ctx: PaymentsCtx, owner: KeyOwner, id: string): Promise<Payment> {
  const payment = await findPayment(ctx.db.kysely, owner.accountId, PaymentId.parse(id))
  if (payment === null) throw new Error(`there is no payment ${id}`)
  return payment
}

export async function latestAttempt(ctx: PaymentsCtx, payment: Payment): Promise<Attempt> {
  const [attempt] = await attemptsOf(ctx.db.kysely, payment.accountId, payment.id)
  if (attempt === undefined) throw new Error(`the payment ${payment.id} has no attempt`)
  return attempt
}

/** The records of a payment, in order: the kinds of its transfers, and its events with their numbers. */
export async function tracesOf(
  { db }: PaymentsCtx,
  { id }: Pick<Payment, 'id'>,
): Promise<{ transfers: string[]; events: string[] }> {
  const [transfers, events] = await Promise.all(
    [
      'select kind as trace from ledger_transfers where payment_id = $1 order by position, kind',
      "select sequence || ' ' || type as trace from events where subject_id = $1 order by sequence",
    ].map(async (text) => (await db.pool.query(text, [uuidOf(id)])).rows.map(({ trace }) => trace)),
  )
  return { transfers: transfers ?? [], events: events ?? [] }
}

/** The balance of each account. */
export const standingOf = async (
  { db }: PaymentsCtx,
  accountId: AccountId,
): Promise<Record<string, bigint>> =>
  Object.fromEntries(
    (await balancesOf(db.kysely, accountId)).map(({ code, balanceMinor }) => [code, balanceMinor]),
  )

/** Opens the refund of a second success, without the outcome that would open it. */
export async function makeDuplicateRefund(ctx: PaymentsCtx, charge: Attempt): Promise<OpenedRefund> {
  const state = await wholeOf(ctx.db.kysely, charge)
  const { effects, refund } = openDuplicateRefund(ctx, state, charge)
  await commitChange(ctx, { payment: state.payment, at: state.at, ...effects })
  return { refund, charge, sendingStart: startSending(ctx) }
}

/** Locks the row of a payment until the end of the transaction. */
export const lockPayment = (tx: Tx, { id }: Pick<Payment, 'id'>) =>
  sql`select from payments where id = ${uuidOf(id)} for update`.execute(tx)
