import { type ApplicationId, PaymentId } from '@muripo/contract/ids'
import { type Currency, fromMajor, type Money, MoneyError, money } from '@muripo/contract/money'
import type { ProposalInput } from '@muripo/contract/proposals'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError, invalidField } from '../../../../platform/errors.ts'
import { requestedId } from '../../../../platform/ids.ts'
import { findMerchantOf } from '../../../applications/index.ts'
import { findAnywhere } from '../../../payments/index.ts'
import type { ApplicationPayload, OfPayment } from '../payloads.ts'

const notFound = (detail: string): AppError => new AppError('not_found', { detail })

/** @throws AppError validation_failed */
export function needed<Name extends keyof ProposalInput>(
  input: ProposalInput,
  name: Name,
): Exclude<ProposalInput[Name], undefined> {
  const value = input[name]
  if (value === undefined || value === '') throw invalidField(name, 'This field is required')
  return value as Exclude<ProposalInput[Name], undefined>
}

/** @throws AppError validation_failed */
export function amountIn(text: string, currency: Currency): Money {
  if (/^0(\.0+)?$/.test(text)) return money(0n, currency)
  try {
    if (/^\d{1,12}(\.\d{1,4})?$/.test(text)) return fromMajor(Number(text), currency)
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
  }
  throw invalidField('amount', `Must be an amount in ${currency}, as 12.50`)
}

/** The reference of a completed outcome. @throws AppError validation_failed */
export function referenceIn({ reference = '' }: ProposalInput): string {
  const text = reference.trim()
  if (text === '') throw invalidField('reference', 'This field is required')
  return text
}

/** The payment of the subject, with its currency. @throws AppError not_found */
export async function paymentIn(
  ctx: Ctx,
  subject: string,
): Promise<OfPayment & { readonly currency: Currency }> {
  const paymentId = requestedId(PaymentId, subject)
  const [found] = await findAnywhere(ctx.db.kysely, paymentId)
  if (!found) throw notFound('There is no payment with this id')
  return { accountId: found.accountId, paymentId, currency: found.amount.currency }
}

/** The application of the subject, with its merchant. @throws AppError not_found */
export async function applicationIn(
  ctx: Ctx,
  applicationId: ApplicationId,
): Promise<Omit<ApplicationPayload, 'reason'>> {
  const merchantId = await findMerchantOf(ctx.db.kysely, applicationId)
  if (merchantId === null) throw notFound('There is no application with this id')
  return { merchantId, applicationId }
}
