import type { ProposalKind } from '@muripo/contract/console-permissions'
import { AttemptId, MerchantId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { ProposalInput } from '@muripo/contract/proposals'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError, invalidField } from '../../../platform/errors.ts'
import { requestedId } from '../../../platform/ids.ts'
import { reviewedAttempts, showRefund } from '../../payments/index.ts'
import type { AttemptPayload, KindTypes, MerchantPayload, RefundPayload } from './payloads.ts'

/** The payload of a decision that the console asks for. */
export async function payloadOf(ctx: Ctx, input: ProposalInput): Promise<KindTypes[ProposalKind]['payload']> {
  refuseOthersFields(input)
  if (input.kind === 'attempt.resolve') return attemptPayload(ctx, input)
  if (input.kind === 'refund.resolve') return refundPayload(ctx, input)
  return merchantPayload(input)
}

type OwnField = 'seen' | 'reserved' | 'attempt' | 'outcome' | 'reference'
const fieldsOf: Readonly<Record<ProposalKind, readonly OwnField[]>> = {
  'merchant.approve': ['seen', 'reserved'],
  'merchant.suspend': [],
  'merchant.resume': [],
  'merchant.close': [],
  'attempt.resolve': ['attempt', 'outcome', 'reference'],
  'refund.resolve': ['outcome', 'reference'],
}

/** A field of another kind would be ignored. */
function refuseOthersFields(input: ProposalInput): void {
  const own = fieldsOf[input.kind]
  const other = (['seen', 'reserved', 'attempt', 'outcome', 'reference'] as const).find(
    (field) => input[field] !== undefined && !own.includes(field),
  )
  if (other) throw invalidField(other, `Is no field of ${input.kind}`)
}

function merchantPayload({ kind, subject, reason, seen, reserved }: ProposalInput): MerchantPayload {
  if (kind === 'merchant.approve' && seen === undefined) throw invalidField('seen', 'This field is required')
  const merchantId = requestedId(MerchantId, subject)
  return { merchantId, reason, seen: seen ?? null, ...(reserved !== undefined && { reserved }) }
}

async function attemptPayload(ctx: Ctx, input: ProposalInput): Promise<AttemptPayload> {
  const paymentId = requestedId(PaymentId, input.subject)
  const [attempt] = await reviewedAttempts(ctx, paymentId)
  if (!attempt) throw new AppError('not_found', { detail: 'No attempt of this payment waits for a decision' })
  const attemptId = input.attempt === undefined ? null : requestedId(AttemptId, input.attempt)
  const verdict = outcomeOf(input) === 'failed' ? ({ outcome: 'failed' } as const) : paidBy(input)
  return { accountId: attempt.accountId, paymentId, attemptId, verdict }
}

async function refundPayload(ctx: Ctx, input: ProposalInput): Promise<RefundPayload> {
  const refundId = requestedId(RefundId, input.subject)
  const refund = await showRefund(ctx, refundId)
  if (refund === null) throw new AppError('not_found', { detail: 'There is no refund with this id' })
  const { accountId, paymentId } = refund
  const verdict =
    outcomeOf(input) === 'failed'
      ? ({ kind: 'failed', reason: input.reason } as const)
      : ({ kind: 'paid', reference: paidBy(input).reference } as const)
  return { accountId, paymentId, refundId, verdict }
}

function outcomeOf({ outcome, reference }: ProposalInput): 'completed' | 'failed' {
  if (outcome === undefined) throw invalidField('outcome', 'This field is required')
  if (outcome === 'failed' && reference !== undefined)
    throw invalidField('reference', 'Must be left out for a failure')
  return outcome
}

function paidBy({ reference = '' }: ProposalInput) {
  const text = reference.trim()
  if (text === '') throw invalidField('reference', 'This field is required')
  return { outcome: 'completed', reference: text } as const
}
