import type { ProviderRecord } from '@muripo/rig/provider-records'
import { idempotencyChecksum } from '../../apps/server/src/modules/payments/idempotency.ts'
import type { EventReceiver } from './receiver.ts'
import type { Order, RefundRequest, Shop } from './shop.ts'
import type { Call, Snapshot } from './snapshot.ts'
import type { RecordSources } from './system.ts'

export interface Finding {
  readonly kind: 'lost' | 'duplicated' | 'half done' | 'unresolved'
  readonly text: string
}

/** The responses and events that left the gateway before the database was read. */
export interface Observed {
  readonly orders: readonly Order[]
  readonly refunds: readonly RefundRequest[]
  readonly charged: readonly ProviderRecord[]
  readonly delivered: readonly string[]
}

type Records = ReadonlyMap<string, ProviderRecord>

/** The records of the servers that the gateway calls, read after the database. */
export interface Servers {
  readonly records: Records
  readonly receiver: EventReceiver
}

/** The provider's record of a call. */
export const recordOf = (records: Records, { keys }: Pick<Call, 'keys'>): ProviderRecord | undefined =>
  keys.map((key) => records.get(key)).find((record) => record !== undefined)

export const observedSoFar = async ({
  shop,
  simulator,
  receiver,
}: Omit<RecordSources, 'database'>): Promise<Observed> => ({
  orders: shop.orders.filter(({ answered }) => answered !== null).map((order) => ({ ...order })),
  refunds: shop.refunds.filter(({ answered }) => answered !== null).map((refund) => ({ ...refund })),
  charged: [...(await simulator.records()).values()],
  delivered: [...receiver.taken.keys()],
})

/** Responses that the shop must never receive. */
export const wrongAnswers = ({ wrong }: Shop): Finding[] => wrong.map((text) => ({ kind: 'half done', text }))

const isPaid = (status: string) => status === 'completed' || status === 'refunded'
const sum = (rows: readonly { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0)
const minor = (major: number) => Math.round(major * 100)

type Expect = (holds: boolean, kind: Finding['kind'], text: string) => void

/** Invariants that hold at every moment, also directly after a kill. */
export function compare(snapshot: Snapshot, observed: Observed, { records, receiver }: Servers): Finding[] {
  const findings: Finding[] = []
  const expect: Expect = (holds, kind, text) => {
    if (!holds) findings.push({ kind, text })
  }
  compareOrders(snapshot, observed, expect)
  compareRefunds(snapshot, observed, expect)
  compareReceived(snapshot, observed, receiver, expect)
  compareCalls(snapshot, records, expect)
  comparePayments(snapshot, expect)
  return findings
}

function compareOrders(snapshot: Snapshot, observed: Observed, expect: Expect): void {
  const payments = paymentsById(snapshot)
  for (const { key, answered, amount, cancelled, captured } of observed.orders) {
    const payment = payments.get(answered ?? '')
    expect(payment !== undefined, 'lost', `the payment ${answered} that ${key} was answered with`)
    const checksum = payment && idempotencyChecksum(payment.application, key)
    expect(payment?.checksum === checksum, 'lost', `the answer to ${key}`)
    expect(payment?.order === key && payment.amount === minor(amount), 'half done', `what ${key} asked for`)
    expect(!cancelled || payment?.termination_reason !== null, 'lost', `the cancellation of ${answered}`)
    const taken = payment?.captured ?? null
    expect(
      captured === null || taken === null || taken === minor(captured),
      'half done',
      `the capture of ${answered}`,
    )
  }
  for (const [order, made] of Map.groupBy(snapshot.payments, ({ order }) => order))
    expect(made.length === 1, 'duplicated', `${order} is ${made.length} payments`)
}

const paymentsById = ({ payments }: Snapshot) =>
  new Map(payments.map((payment) => [payment.id as string, payment]))

function compareRefunds(snapshot: Snapshot, observed: Observed, expect: Expect): void {
  const refunds = new Map(snapshot.refunds.map((refund) => [refund.id as string, refund]))
  for (const { key, answered, payment, amount } of observed.refunds) {
    const refund = refunds.get(answered ?? '')
    expect(refund !== undefined, 'lost', `the refund ${answered} that ${key} was answered with`)
    expect(
      refund?.payment === payment && refund.amount <= minor(amount),
      'half done',
      `what ${key} asked for`,
    )
  }
  const refundIds = observed.refunds.map(({ answered }) => answered)
  expect(new Set(refundIds).size === refundIds.length, 'duplicated', 'two refunds were answered with one id')
}

/** The calls that the wallet received and the events that the merchant's server received. */
function compareReceived(
  snapshot: Snapshot,
  observed: Observed,
  receiver: Servers['receiver'],
  expect: Expect,
): void {
  const sent = new Set([...snapshot.attempts, ...snapshot.refunds].flatMap(({ keys }) => keys))
  for (const { kind, key, requests } of observed.charged) {
    expect(sent.has(key), 'lost', `the ${kind} ${key} that the provider received`)
    expect(requests === 1, 'duplicated', `the provider received ${requests} requests for the ${kind} ${key}`)
  }
  const events = new Set(snapshot.events.map(({ id }) => id as string))
  for (const id of observed.delivered) expect(events.has(id), 'lost', `the event ${id} that was delivered`)
  for (const id of receiver.contradicted) expect(false, 'duplicated', `two events were delivered as ${id}`)
}

function compareCalls(snapshot: Snapshot, records: Records, expect: Expect): void {
  for (const call of [...snapshot.attempts, ...snapshot.refunds]) {
    const record = recordOf(records, call)
    const name = `${call.keys[0]} at ${call.provider}`
    if (call.status === 'completed') {
      expect(record?.isPaid === true, 'half done', `${name} is completed, and the provider was not paid`)
      expect(record?.minor === call.amount, 'half done', `${name} is of another amount`)
    }
    if (call.status === 'failed') expect(!record?.isPaid, 'lost', `${name} failed, and the provider was paid`)
    const isWrong = call.status === 'duplicate' || (call.status === 'held' && !call.isWithOperator)
    expect(!isWrong, 'duplicated', `${name} is ${call.status}`)
  }
}

/** Each payment with its attempts, refunds, transfers and events. */
function comparePayments(snapshot: Snapshot, expect: Expect): void {
  const attemptsOf = Map.groupBy(snapshot.attempts, ({ payment }) => payment)
  const refundsOf = Map.groupBy(snapshot.refunds, ({ payment }) => payment)
  const transfersOf = Map.groupBy(snapshot.transfers, ({ payment }) => payment)
  const eventsOf = Map.groupBy(snapshot.events, ({ payment }) => payment)
  for (const payment of snapshot.payments) {
    const { id, status } = payment
    const times = isPaid(status) ? 1 : 0
    const of = (kind: string) => (transfersOf.get(id) ?? []).filter((transfer) => transfer.kind === kind)
    const list = eventsOf.get(id) ?? []
    const eventCount = (type: string) => list.filter((event) => event.type === type).length
    const given = refundsOf.get(id) ?? []
    const done = given.filter((refund) => refund.status === 'completed')
    const failed = given.filter((refund) => refund.status === 'failed')
    const underway = given.filter((refund) => !done.includes(refund) && !failed.includes(refund))
    const paidAmount = payment.captured ?? payment.amount
    const rules = {
      'one capture': of('capture').length === times && sum(of('capture')) === times * paidAmount,
      'one fee': of('fee').length === times && sum(of('fee')) === (payment.fee ?? 0),
      'one completed attempt':
        (attemptsOf.get(id) ?? []).filter((attempt) => attempt.status === 'completed').length === times,
      'one payment.completed': eventCount('payment.completed') === times,
      'one payment.failed':
        eventCount('payment.failed') <= 1 && (status !== 'failed' || eventCount('payment.failed') === 1),
      'one event for each refund':
        eventCount('payment.refunded') === done.length && eventCount('refund.failed') === failed.length,
      'sums of refunds': sum(done) === payment.refunded && sum(underway) === payment.refund_pending,
      'refunds within the payment': payment.refunded + payment.refund_pending <= paidAmount,
      'one reserve for each refund':
        sum(of('refund_reserve')) === sum(given) && of('refund_reserve').length === given.length,
      'refunds paid or released':
        sum(of('refund_paid')) === payment.refunded && sum(of('refund_released')) === sum(failed),
      'events without a gap':
        list.length === payment.last_event && list.every((event, index) => event.sequence === index + 1),
    }
    for (const [rule, holds] of Object.entries(rules))
      expect(holds, 'half done', `${id} is ${status}, and breaks the rule: ${rule}`)
  }
}

/** Conditions that hold after all work is finished. */
export function compareFinal(snapshot: Snapshot, observed: Observed, servers: Servers): Finding[] {
  const { records, receiver } = servers
  const findings = compare(snapshot, observed, servers)
  const expect = (holds: boolean, text: string) => {
    if (!holds) findings.push({ kind: 'unresolved', text })
  }
  for (const call of [...snapshot.attempts, ...snapshot.refunds]) {
    const record = recordOf(records, call)
    const expected = record?.isPaid ? 'completed' : 'failed'
    expect(
      call.status === expected || (record === undefined && call.isWithOperator),
      `${call.keys[0]} at ${call.provider} is ${call.status}, and is to be ${expected}`,
    )
    expect(!record?.isReserved, `the authorisation ${call.keys[0]} is neither captured nor voided`)
  }
  for (const { id, type, sequence } of snapshot.events) {
    const taken = receiver.taken.get(id)
    expect(taken?.type === type && taken.sequence === sequence, `${type} ${id} was not delivered`)
  }
  for (const { answered, cancelled } of observed.orders) {
    const status = snapshot.payments.find((payment) => payment.id === answered)?.status
    expect(!cancelled || status !== 'pending', `${answered} was cancelled and is pending`)
    expect(status !== 'authorized', `${answered} is still authorised`)
  }
  const paid = (isRefund: boolean) =>
    observed.charged
      .filter(({ kind, isPaid }) => isPaid && (kind === 'refund') === isRefund)
      .reduce((total, { minor }) => total + minor, 0)
  const moved = (kind: string) => sum(snapshot.transfers.filter((transfer) => transfer.kind === kind))
  expect(
    moved('capture') === paid(false),
    `captured ${moved('capture')}, and the providers was paid ${paid(false)}`,
  )
  expect(
    moved('refund_paid') === paid(true),
    `refunded ${moved('refund_paid')}, and the providers paid ${paid(true)}`,
  )
  expect(
    snapshot.refunds.length === observed.refunds.length,
    `${snapshot.refunds.length} refunds, of which ${observed.refunds.length} were answered`,
  )
  expect(
    snapshot.payments.length === observed.orders.length,
    `${snapshot.payments.length} payments, of which ${observed.orders.length} were answered`,
  )
  expect(snapshot.drifted === 0, `${snapshot.drifted} balances are not the sums of their transfers`)
  return findings
}
