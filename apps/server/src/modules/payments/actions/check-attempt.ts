import type { AccountId, AttemptId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import { suffixOf } from '../../../platform/ids.ts'
import type {
  CallbackOutcome,
  Connector,
  LookupCause,
  NotFound,
  ProceedRequest,
  Reply,
} from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { numberOf } from '../customers/retained-numbers.ts'
import { captureOrderOf, isAuthorisationOver } from '../payment/instruction.ts'
import { isBooked, isUnderway } from '../payment/moves.ts'
import { callbackOutcome } from '../payment/outcome.ts'
import type { Attempt } from '../payment/payment.ts'
import { type PaymentState, readStateOf } from '../payment/state.ts'
import { causeOf, lookUp, unlessPostponed } from '../provider-calls/call-provider.ts'
import { applyOutcome } from './apply-outcome.ts'
import { checkQuestionedRefunds } from './check-questioned-refunds.ts'
import { countingFailures } from './count-outcome-failures.ts'
import { endAuthorisation } from './end-authorisation.ts'

/**
 * Looks an attempt up at its provider and applies the reply. Failed attempts are looked up too, because a provider may pay late what it had
 * refused, and completed ones, because a provider may reverse a payment.
 */
export const checkAttempt = (
  ctx: PaymentsCtx,
  accountId: AccountId,
  id: AttemptId,
  options: LookupOptions = {},
): Promise<CallbackOutcome> =>
  callConnector(ctx, { accountId, id, ...options }, (connector, request) => connector.lookup(request))

/** Continues an attempt after its payer's step on a page of ours, and applies the reply. */
export const proceedAttempt = (
  ctx: PaymentsCtx,
  { accountId, id }: Pick<Attempt, 'accountId' | 'id'>,
  step: Pick<ProceedRequest, 'browser' | 'choice'>,
): Promise<CallbackOutcome> =>
  callConnector(ctx, { accountId, id, cause: 'payer' }, (connector, request) =>
    connector.proceed ? connector.proceed({ ...request, ...step }) : connector.lookup(request),
  )

interface LookupOptions {
  readonly provider?: string
  readonly cause?: LookupCause
}

async function callConnector(
  ctx: PaymentsCtx,
  { accountId, id, provider, cause = 'schedule' }: LookupOptions & Pick<Attempt, 'accountId' | 'id'>,
  call: (connector: Connector, request: Parameters<Connector['lookup']>[0]) => Promise<Reply | NotFound>,
): Promise<CallbackOutcome> {
  const state = await stateFor(ctx, accountId, id)
  const attempt = state?.attempts.find((each) => each.id === id)
  if (!state || !attempt || (provider !== undefined && provider !== attempt.provider)) return 'unknown token'
  // An operator is handling the attempt.
  if (attempt.status === 'held') return 'done'
  // The provider has provably not processed the charge yet.
  if (attempt.isDeferred) return 'again'
  const readAt = ctx.clock.now().getTime()
  const capture = captureOrderOf(state, attempt)
  const request = {
    accountId: attempt.accountId,
    key: suffixOf(attempt.id),
    msisdn: await numberOf(ctx, attempt),
    currency: attempt.amount.currency,
    state: attempt.providerState,
    isOver: attempt.status === 'failed',
    cause: causeOf(cause, attempt.status),
    hasEnded: !isUnderway(attempt.status),
    ...(capture && { capture }),
  }
  const found = await lookUp(ctx, attempt, attempt.provider, (connector) => call(connector, request))
  // An authorisation waits for its instruction or its end, and not for the provider.
  if (found.kind === 'deferred' && attempt.status === 'authorized') return 'again'
  const outcome = await unlessPostponed(ctx, 'payment_attempts', attempt, found)
  if (outcome === null) return 'again'
  if (outcome.kind === 'reply') await checkQuestionedRefunds(ctx, attempt, outcome.reply)
  // By the database's clock, as the reading is.
  const now = { ...state, at: plusMs(state.at, ctx.clock.now().getTime() - readAt) }
  const applied = applyOutcome(ctx, attempt, outcome, { state: now })
  const { status, isFinal } = await countingFailures(ctx, attempt, applied)
  return isFinal ? callbackOutcome(outcome, isBooked(status)) : 'again'
}

/** The state of the payment of an attempt, in which an authorisation that has ended is to be voided. */
async function stateFor(ctx: PaymentsCtx, accountId: AccountId, id: AttemptId): Promise<PaymentState | null> {
  const state = await readStateOf(ctx.db.kysely, accountId, id)
  if (!state?.attempts.some((each) => each.id === id && isAuthorisationOver(state, each))) return state
  await endAuthorisation(ctx, state.payment)
  return readStateOf(ctx.db.kysely, accountId, id)
}
