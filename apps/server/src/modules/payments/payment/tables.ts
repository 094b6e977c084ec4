import type { Locale } from '@muripo/contract/enums'
import {
  AccountId,
  AnomalyId,
  ApplicationId,
  AttemptId,
  CustomerId,
  PaymentId,
  RefundId,
} from '@muripo/contract/ids'
import type { Currency, Money } from '@muripo/contract/money'
import type {
  CaptureMode,
  PaymentMethod,
  PaymentStatus,
  StatusReason,
  TerminationReason,
} from '@muripo/contract/payments'
import {
  amount,
  amountIn,
  bool,
  type Field,
  id,
  idOrNull,
  int,
  json,
  table,
  text,
  time,
  uuid,
} from '../../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { NextAction, ProviderState } from '../../providers/index.ts'
import type { AttemptStatus, RefundStatus } from './moves.ts'
import { type ProviderReport, reportOf, storedReport } from './provider-report.ts'

interface NamedCustomer {
  readonly id: CustomerId | null
  readonly email: string | null
  readonly name: string | null
  readonly phone: string | null
}

const customer: Field<NamedCustomer> = {
  columns: { customer_id: 'uuid', customer_email: 'text', customer_name: 'text', customer_phone: 'text' },
  read: (row) => ({
    id: row.customer_id === null ? null : idFrom(CustomerId, row.customer_id),
    email: row.customer_email,
    name: row.customer_name,
    phone: row.customer_phone,
  }),
  write: (value) => [value.id && uuidOf(value.id), value.email, value.name, value.phone],
}

export interface Termination {
  readonly reason: TerminationReason
  readonly since: Date
}

const termination: Field<Termination | null> = {
  columns: { termination_reason: 'text', termination_since: 'timestamptz' },
  read: (row) => row.termination_since && { reason: row.termination_reason, since: row.termination_since },
  write: (value) => [value?.reason, value?.since],
}

/** The database has null for automatic. */
const captureMode: Field<CaptureMode> = {
  columns: { capture_mode: 'text' },
  read: (row) => row.capture_mode ?? 'automatic',
  write: (value) => [value === 'automatic' ? null : value],
}

/** The database has null for payments of earlier versions, and for none. */
const payableMethods: Field<readonly PaymentMethod[]> = {
  columns: { payable_methods: 'text' },
  read: (row) => row.payable_methods?.split(',') ?? [],
  write: (value) => [value.join(',') || null],
}

export const payments = table('payments', {
  accountId: id('account_id', AccountId),
  id: id('id', PaymentId),
  applicationId: id('application_id', ApplicationId),
  amount: amount('amount_minor', 'currency'),
  status: text<PaymentStatus>('status'),
  statusReason: text<StatusReason | null>('status_reason'),
  method: text<PaymentMethod | null>('method'),
  providerReference: text<string | null>('provider_reference'),
  description: text('description'),
  reference: text<string | null>('reference'),
  customer,
  /** The language that the merchant has named for the payer. */
  locale: text<Locale | null>('locale'),
  successUrl: text<string | null>('success_url'),
  cancelUrl: text<string | null>('cancel_url'),
  metadata: json<Readonly<Record<string, string>>>('metadata'),
  captureMode,
  /** The methods that could take the payment when it was created. */
  payableMethods,
  /** The captured amount of a completed payment with manual capture; null for every other payment. */
  captured: amountIn<Money | null>('captured_minor', 'currency'),
  /** The end of the authorisation; null for a payment that was never authorised. */
  captureBefore: time<Date | null>('capture_before'),
  /** The merchant's fee: fixed at capture, null until then. */
  fee: amountIn<Money | null>('fee_minor', 'currency'),
  refunded: amountIn('refunded_minor', 'currency'),
  refundPending: amountIn('refund_pending_minor', 'currency'),
  /** The amount that the provider has reversed, as operators have booked it, less the amount that it has returned. */
  reversed: amountIn('reversed_minor', 'currency'),
  /** The number of events that this payment has had. */
  lastEvent: int('last_event'),
  /** The number of changes. */
  version: int('version'),
  createdAt: time('created_at'),
  updatedAt: time('updated_at'),
  completedAt: time<Date | null>('completed_at'),
  expiresAt: time('expires_at'),
  /** The reason and the time since which no attempts are accepted: the payment fails for this reason once no attempt is open. */
  termination,
})

/** The payment as a list of the dashboard shows it. A page has up to a thousand, so it reads no other columns. */
export const listedPayments = payments.view([
  'id',
  'applicationId',
  'amount',
  'status',
  'statusReason',
  'method',
  'providerReference',
  'description',
  'reference',
  'customer',
  'captureMode',
  'captured',
  'captureBefore',
  'fee',
  'refunded',
  'reversed',
  'createdAt',
  'updatedAt',
  'completedAt',
  'expiresAt',
])

/** The columns that attempts and refunds share: both are one call to a provider. */
export const providerCall = {
  accountId: id('account_id', AccountId),
  paymentId: id('payment_id', PaymentId),
  amount: amount('amount_minor', 'currency'),
  failureReason: text<StatusReason | null>('failure_reason'),
  providerReference: text<string | null>('provider_reference'),
  providerState: json<ProviderState | null>('provider_state'),
  checks: int('checks'),
  notFoundChecks: int('not_found_checks'),
  /** The number of failures to record the outcome. */
  outcomeFailures: int('outcome_failures'),
  /** The provider has provably not processed the call, which is made again when it is due. */
  isDeferred: bool('is_deferred'),
  createdAt: time('created_at'),
  updatedAt: time('updated_at'),
}

export const customers = table(
  'customers',
  {
    id: id('id', CustomerId),
    email: text<string | null>('email'),
    phone: text<string | null>('phone'),
    name: text<string | null>('name'),
    /** The id of the payment or attempt that named the customer first, which contains the time. */
    firstSeen: uuid('first_seen'),
  },
  { accountId: id('account_id', AccountId) },
)

const nextCheckAt = time<Date | null>('next_check_at')

/** For a failed call: the end of its watch, and the next look-up. */
const watch = {
  watchUntil: time<Date | null>('watch_until'),
  nextWatchAt: time<Date | null>('next_watch_at'),
}

const lastReport: Field<ProviderReport | null> = {
  columns: { last_report: 'jsonb' },
  read: (row) => reportOf(row.last_report),
  write: (report) => [report && storedReport(report)],
}

export const attempts = table(
  'payment_attempts',
  {
    ...providerCall,
    id: id('id', AttemptId),
    provider: text('provider'),
    method: text<PaymentMethod>('method'),
    /** Null for a provider that needs no phone number. */
    msisdn: text<string | null>('msisdn'),
    status: text<AttemptStatus>('status'),
    /** The status in the provider's words. */
    providerStatus: text<string | null>('provider_status'),
    /** The time at which the provider had reserved the amount; null before, and for a charge of one step. */
    authorizedAt: time<Date | null>('authorized_at'),
    /** The payer's step that the provider named last. */
    nextAction: json<NextAction | null>('next_action'),
    /** The number of its changes, without the leases of its look-ups. */
    version: int('version'),
    ...watch,
    /** The amount that an operator has booked as moved for a failed charge. */
    moved: amountIn<Money | null>('moved_minor', 'currency'),
    lastReport,
  },
  {
    nextCheckAt,
    /** The reason why an operator has to decide. */
    heldBecause: text<string | null>('held_because'),
  },
)

export const refunds = table('refunds', {
  ...providerCall,
  id: id('id', RefundId),
  /** The charge that is refunded. */
  attemptId: id('attempt_id', AttemptId),
  applicationId: id('application_id', ApplicationId),
  /** duplicate: the refund of a second success, which is owed to the payer and was never the merchant's. */
  origin: text<'merchant' | 'duplicate'>('origin'),
  status: text<RefundStatus>('status'),
  /** The reason that the merchant gave. */
  reason: text<string | null>('reason'),
  /** The requester, when the request had no idempotency key: a session or an application key. */
  requestedBy: uuid<string | null>('requested_by'),
  nextCheckAt,
  /** The time at which the provider was found to have paid this failed refund, and the time at which an operator resolved it. */
  paidLateAt: time<Date | null>('paid_late_at'),
  settledAt: time<Date | null>('settled_at'),
  /** The time at which the amount of this completed refund came back: the refund has failed, and another one replaces it. */
  bouncedAt: time<Date | null>('bounced_at'),
  /** The bounced refund that this one replaces. */
  replacesId: idOrNull('replaces_id', RefundId),
  /** The time at which an operator gave up to reach the payer of a duplicate charge. */
  unclaimedAt: time<Date | null>('unclaimed_at'),
  /** The status in the provider's words. */
  providerStatus: text<string | null>('provider_status'),
  ...watch,
})

/** A void has no amount. */
export const captureInstructions = table('capture_instructions', {
  accountId: id('account_id', AccountId),
  paymentId: id('payment_id', PaymentId),
  attemptId: id('attempt_id', AttemptId),
  kind: text<'capture' | 'void'>('kind'),
  amount: amountIn<Money | null>('amount_minor', 'currency'),
  currency: text<Currency>('currency'),
  createdAt: time('created_at'),
})

/**
 * A provider's answer that contradicts the records, or a call without an answer in time. reversed: the provider reversed a paid charge.
 * contradicted: the provider reports that a completed call failed. amount_differs: it reports another amount than was booked. still_pending:
 * the provider still has a call that failed here. unanswered: the provider did not answer. returned: an operator's record that the provider
 * returned an amount that it had reversed. reference_repeated: the provider reported the reference of another charge or refund.
 */
export type AnomalyKind =
  | 'reversed'
  | 'contradicted'
  | 'amount_differs'
  | 'still_pending'
  | 'unanswered'
  | 'returned'
  | 'reference_repeated'

export const paymentAnomalies = table('payment_anomalies', {
  accountId: id('account_id', AccountId),
  id: id('id', AnomalyId),
  paymentId: id('payment_id', PaymentId),
  attemptId: id('attempt_id', AttemptId),
  /** Null for an anomaly of the charge itself. */
  refundId: idOrNull('refund_id', RefundId),
  kind: text<AnomalyKind>('kind'),
  currency: text<Currency>('currency'),
  /** The reversed amount, or the whole amount that differs, when the provider states it. */
  amount: amountIn<Money | null>('amount_minor', 'currency'),
  providerStatus: text('provider_status'),
  eventReference: text<string | null>('event_reference'),
  openedAt: time('opened_at'),
  resolvedAt: time<Date | null>('resolved_at'),
  resolution: text<'booked' | 'nothing_moved' | null>('resolution'),
  /** The amount that an operator has booked. */
  booked: amountIn<Money | null>('booked_minor', 'currency'),
})
