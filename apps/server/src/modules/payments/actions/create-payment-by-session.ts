import { ApplicationId } from '@muripo/contract/ids'
import type { CreateDashboardPayment } from '@muripo/contract/payment-actions'
import { CreatePayment } from '@muripo/contract/payments'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { requestedId } from '../../../platform/ids.ts'
import { lockApplication, ownerForSession } from '../../applications/index.ts'
import type { SessionCaller } from '../../identity/index.ts'
import type { PaymentsCtx } from '../context.ts'
import type { IdempotentResponse, WriteRequest } from '../idempotency.ts'
import { toCreated } from '../payment/wire.ts'
import { insertPaymentIn } from '../store-create.ts'
import { createPaymentWith } from './create-payment.ts'

export interface SessionRequest extends WriteRequest {
  readonly actor: Actor
  /** Confirms the session in a transaction. */
  readonly confirm: (tx: Tx) => Promise<void>
  /** Further refusals of a request that is not a repetition. */
  readonly refuse?: () => void
  /** The name of the customer's phone in the request. */
  readonly phoneField?: string
}

/**
 * Creates a payment for one of the merchant's applications, in one transaction with its audit entry.
 * @throws AppError not_found, application_inactive, merchant_not_active, session_invalid, and the refusals of `createPayment`
 */
export async function createPaymentBySession(
  ctx: PaymentsCtx,
  { merchantId, applications }: Pick<SessionCaller, 'merchantId' | 'applications'>,
  input: CreateDashboardPayment,
  { actor, confirm, refuse, phoneField = 'customerPhoneNumber', ...request }: SessionRequest,
): Promise<IdempotentResponse> {
  const { applicationId: requested, purposeDescription, customerPhoneNumber, amount, currency } = input
  const applicationId = requestedId(ApplicationId, requested)
  if (!(applications?.includes(applicationId) ?? true)) throw new AppError('not_found')
  const owner = await ownerForSession(ctx, ctx.db.kysely, merchantId, applicationId)
  const order = CreatePayment.parse({
    amount,
    currency,
    description: purposeDescription,
    ...(customerPhoneNumber === undefined ? {} : { customer: { phone: customerPhoneNumber } }),
  })
  const response = await createPaymentWith(
    ctx,
    owner,
    order,
    { sent: input, ...request },
    {
      phoneField,
      refuse,
      render: (payment) => toCreated(ctx, payment, owner.applicationName),
      insert: (created) =>
        ctx.db.tx(async (tx) => {
          // The lock lasts until the commit, so that the key which the statement names is not replaced meanwhile.
          await lockApplication(tx, merchantId, applicationId)
          const caller = await ownerForSession(ctx, tx, merchantId, applicationId)
          const result = await insertPaymentIn(tx, { ...created, caller })
          if (result === 'created')
            await audit(ctx, tx, actor, {
              action: 'payment.created',
              subject: created.payment.id,
              accountId: merchantId,
              details: { amount, currency },
            })
          await confirm(tx)
          return result
        }),
    },
  )
  // A repetition may write nothing, and shows the payment's link nevertheless.
  if (response.replayed) await ctx.db.tx(confirm)
  return response
}
