import type { PaymentId } from '@muripo/contract/ids'
import type { Tx } from '../../../platform/db/database.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment } from '../payment/commit.ts'
import { openAnomaly } from '../payment/decide/open-anomaly.ts'
import type { Attempt, Refund } from '../payment/payment.ts'
import { attemptIn, type RefundState, refundIn, type WholeState, wholeOf } from '../payment/state.ts'
import {
  type Cause,
  claimReference,
  findRecorded,
  findRepeated,
  findReported,
  isAmong,
} from '../review/store-references.ts'

/** One reference of a provider proves one charge or one refund. */
export class ReferenceTakenError extends Error {
  constructor(reference: string, paymentId: PaymentId) {
    super(
      `The reference ${reference} already belongs to ${paymentId}: one reference of a provider proves one payment. Give the reference of this one. Nothing has changed.`,
    )
  }
}

/**
 * Claims the reference that an operator gives as the proof of a charge or a refund. It must not be that of another one, whether an operator
 * has given that or the provider has reported it, unless the provider repeats its references.
 * @param own the provider's references of the charge of a refund: some providers report a refund under them
 * @throws ReferenceTakenError
 */
export async function proveByReference(
  { providers }: Pick<PaymentsCtx, 'providers'>,
  tx: Tx,
  cause: Cause,
  reference: string,
  own: readonly (string | null | undefined)[] = [],
): Promise<void> {
  if (own.length > 0 && (await isAmong(tx, reference, own))) return
  const recorded =
    providers.references(cause.provider) === 'unique' ? await findReported(tx, cause, reference) : null
  const taken = recorded ?? (await claimReference(tx, cause, reference))
  if (taken !== null) throw new ReferenceTakenError(reference, taken)
}

/** Compares the reference of a charge that has just been booked with those of all others, after its commit. */
export async function reviewReference(
  ctx: PaymentsCtx,
  charge: Pick<Attempt, 'accountId' | 'paymentId' | 'id'>,
): Promise<void> {
  const repeated = await findRepeated(ctx.db.kysely, charge)
  if (repeated === null) return
  await openRepeated(ctx, charge, (state) => ({ attempt: attemptIn(state, charge.id) }), repeated)
}

/**
 * Compares the reference of a refund that its provider has just reported as paid, after its commit. A charge in progress that has the same
 * one is compared with the refund when it is booked.
 */
export async function reviewRefundReference(
  ctx: PaymentsCtx,
  { refund, charge: { provider, providerReference } }: RefundState,
  reference: string | null,
): Promise<void> {
  if (reference === null || ctx.providers.references(provider) !== 'unique') return
  const cause = { ...refund, provider }
  const paymentId = await findRecorded(ctx.db.kysely, cause, reference, providerReference)
  if (paymentId === null) return
  const about = (state: WholeState) => {
    const now = refundIn(state, refund.id)
    return { attempt: now.charge, refund: now.refund }
  }
  await openRepeated(ctx, refund, about, { reference, paymentId })
}

const openRepeated = (
  ctx: PaymentsCtx,
  call: Pick<Attempt, 'accountId' | 'paymentId'>,
  about: (state: WholeState) => { readonly attempt: Attempt; readonly refund?: Refund },
  { reference, paymentId }: { readonly reference: string; readonly paymentId: PaymentId },
): Promise<void> =>
  changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, call),
    (state) => {
      const { effects } = openAnomaly(ctx, state, {
        ...about(state),
        kind: 'reference_repeated',
        providerStatus: `reference ${reference} of ${paymentId}`,
        eventReference: reference,
      })
      return { effects, result: () => undefined }
    },
  )
