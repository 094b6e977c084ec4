import type { PaymentId } from '@muripo/contract/ids'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import type { PaymentsCtx } from '../../context.ts'
import type { Attempt, LockedPayment, Refund } from '../../payment/payment.ts'
import { findAttempt } from '../../payment/store-attempts.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import {
  type Cause,
  claimReference,
  findRecorded,
  findRepeated,
  findReported,
  isAmong,
} from '../store-references.ts'
import { openAnomaly } from './open-anomaly.ts'

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
  await ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, charge.accountId, charge.paymentId)
    const attempt = await findAttempt(tx, charge.accountId, charge.id)
    invariant(payment && attempt, 'payments and attempts are never deleted')
    await openRepeated(ctx, tx, { payment, attempt }, repeated)
  })
}

/**
 * Compares the reference of a refund that its provider has just reported as paid. A charge in progress that has the same one is compared with
 * the refund when it is booked.
 */
export async function reviewRefundReference(
  ctx: PaymentsCtx,
  tx: Tx,
  about: { readonly payment: LockedPayment; readonly attempt: Attempt; readonly refund: Refund },
  reference: string | null,
): Promise<void> {
  const { attempt, refund } = about
  const { provider } = attempt
  if (reference === null || ctx.providers.references(provider) !== 'unique') return
  if (await isAmong(tx, reference, [attempt.providerReference])) return
  const paymentId = await findRecorded(tx, { ...refund, provider }, reference)
  if (paymentId !== null) await openRepeated(ctx, tx, about, { reference, paymentId })
}

async function openRepeated(
  ctx: PaymentsCtx,
  tx: Tx,
  about: { readonly payment: LockedPayment; readonly attempt: Attempt; readonly refund?: Refund },
  { reference, paymentId }: { readonly reference: string; readonly paymentId: PaymentId },
): Promise<void> {
  await openAnomaly(ctx, tx, {
    ...about,
    kind: 'reference_repeated',
    providerStatus: `reference ${reference} of ${paymentId}`,
    eventReference: reference,
  })
}
