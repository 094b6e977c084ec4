import type { PaymentDetails } from '@muripo/contract/dashboard-payments'
import { plusMs } from '../../../platform/clock.ts'
import type { PaymentCtx } from './context.ts'
import { isUnderway } from './moves.ts'
import { type Attempt, maskedNumber, type Payment } from './payment.ts'

/** After this time without an outcome, the payer and the merchant are told that the provider does not answer. */
const SILENT_MS = 120_000
/** The same after a call without a trustworthy reply. */
const UNANSWERED_MS = 30_000

/**
 * The assumed time after which a provider has closed a prompt without an answer. No provider documents it, so it ends no attempt: until then
 * the page offers no other prompt, because it would be refused.
 */
const PROMPT_LIFE_MS = 10 * 60_000

export const silentAt = ({ createdAt, status }: Pick<Attempt, 'createdAt' | 'status'>): Date =>
  plusMs(createdAt, status === 'unknown' ? UNANSWERED_MS : SILENT_MS)

/**
 * The time at which the provider closes what the payer was asked for: the prompt, the code or the page. Until then nothing else is sent for
 * the payment. Null when the provider names no end of a code or a page.
 */
export function closesAt({ providers }: Pick<PaymentCtx, 'providers'>, attempt: Attempt): Date | null {
  const { createdAt, msisdn, nextAction, provider } = attempt
  if (nextAction !== null && nextAction.type !== 'wait_for_push') {
    const end = nextAction.expiresAt === null ? null : new Date(nextAction.expiresAt)
    return end === null || Number.isNaN(end.getTime()) ? null : end
  }
  if (msisdn === null) return null
  const life = providers.has(provider) ? providers.byId(provider).promptLifeMs : undefined
  return plusMs(createdAt, life ?? PROMPT_LIFE_MS)
}

/** The wallet's code that opens a prompt which did not appear; null when there is none. */
export const dialInOf = (
  { providers }: Pick<PaymentCtx, 'providers'>,
  { provider, method }: Pick<Attempt, 'provider' | 'method'>,
): string | null => (providers.has(provider) && providers.byId(provider).dialIn?.[method]) || null

/** Whether another attempt may follow when this one has closed: the payment is not cancelled, and has not expired by then. */
export const mayFollow = (
  { termination, expiresAt }: Pick<Payment, 'termination' | 'expiresAt'>,
  end: Date | null,
  now: Date,
): boolean => termination === null && (end !== null && end > now ? end : now) < expiresAt

/** The attempt whose result the payer and the merchant wait for. An operator decides about a payment under review. */
export function openAttemptOf(
  ctx: Pick<PaymentCtx, 'providers'>,
  payment: Payment,
  attempts: readonly Attempt[],
  now: Date,
): PaymentDetails['openAttempt'] {
  const open = attempts.find(({ status }) => isUnderway(status))
  if (open === undefined || payment.status !== 'pending' || payment.statusReason === 'under_review')
    return null
  const end = closesAt(ctx, open)
  return {
    method: open.method,
    phone: maskedNumber(open),
    startedAt: open.createdAt.toISOString(),
    silentAt: silentAt(open).toISOString(),
    closesAt: end?.toISOString() ?? null,
    isLast: !mayFollow(payment, end, now),
  }
}
