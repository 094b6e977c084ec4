import type { AccountId, AttemptId, PaymentId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { CaptureOrder } from '../../providers/index.ts'
import type { Attempt, Payment } from './payment.ts'

/** The one instruction about an authorisation: to capture an amount, or to void it. */
export type CaptureInstruction = {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly createdAt: Date
} & ({ readonly kind: 'capture'; readonly amount: Money } | { readonly kind: 'void'; readonly amount: null })

/** The order for the provider about an attempt; undefined for a payment that is captured automatically. */
export function captureOrderOf(
  { payment, instruction }: { readonly payment: Payment; readonly instruction: CaptureInstruction | null },
  { id }: Pick<Attempt, 'id'>,
): CaptureOrder | undefined {
  if (payment.captureMode === 'automatic') return undefined
  if (instruction?.attemptId !== id) return { kind: 'await' }
  return instruction.kind === 'void' ? { kind: 'void' } : { kind: 'capture', amount: instruction.amount }
}

/** Whether the period of an authorisation without an instruction has ended. */
export const isAuthorisationOver = (
  { payment: { captureBefore }, at }: { readonly payment: Payment; readonly at: Date },
  { status }: Attempt,
): boolean => status === 'authorized' && captureBefore !== null && captureBefore <= at
