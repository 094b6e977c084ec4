import { type AdjustableCode, adjustableCodes } from '@muripo/contract/ledger'
import type { Queryable } from '../../../../platform/db/database.ts'
import { adjustByOperator, hasAccountOf, newestAdjustment } from '../../../ledger/index.ts'
import { findPayment } from '../../../payments/index.ts'
import { type ProvidersCtx, readProviders } from '../../../providers/index.ts'
import { type AdjustmentPayload, type KindTypes, moneyOf } from '../payloads.ts'
import { type Kind, type KindCtx, line, refused } from './kind.ts'
import { amountText, paymentVersion } from './of-payment.ts'

/** The reason why an adjustment is not possible; null when it is. */
async function refusalOf(ctx: KindCtx, payload: AdjustmentPayload): Promise<string | null> {
  const { accountId, debit, credit, paymentId } = payload
  if (debit === credit) return 'Name two accounts: an adjustment moves money from one to the other'
  for (const code of [debit, credit]) {
    const refusal = await unknownAccount(ctx, code)
    if (refusal !== null) return refusal
  }
  if (paymentId === null || (await findPayment(ctx.db.kysely, accountId, paymentId)) !== null) return null
  return `The merchant has no payment ${paymentId}`
}

/** The clearing account of a provider that the gateway does not have, and on which nothing was ever booked, is a slip. */
async function unknownAccount(ctx: KindCtx, code: AdjustableCode): Promise<string | null> {
  if (!code.startsWith('clearing.') || (await hasAccountOf(ctx.db.kysely, code))) return null
  const codes = await clearingAccounts(ctx)
  if (codes.includes(code)) return null
  return `There is no account ${code}. The accounts of providers are ${codes.join(', ')}`
}

const clearingAccounts = async (ctx: ProvidersCtx): Promise<string[]> =>
  (await readProviders(ctx)).all.map(({ id }) => `clearing.${id}`).sort()

/** The accounts between which an operator moves money. */
export const adjustableAccounts = async (ctx: ProvidersCtx): Promise<string[]> => [
  ...adjustableCodes,
  ...(await clearingAccounts(ctx)),
]

/** Another adjustment of the merchant since the proposal may be the same correction. */
async function version(q: Queryable, { accountId, paymentId }: AdjustmentPayload): Promise<string> {
  const newest = (await newestAdjustment(q, accountId)) ?? 'none'
  return paymentId === null ? newest : `${newest} ${await paymentVersion(q, { accountId, paymentId })}`
}

export const adjustmentKind: Kind<AdjustmentPayload, KindTypes['ledger.adjust']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const { merchantId, accountId, debit, credit, paymentId } = payload
    const seen = await version(ctx.db.kysely, payload)
    const refusal = await refusalOf(ctx, payload)
    if (refusal !== null) throw refused(refusal)
    return {
      payload,
      subject: merchantId,
      accountId,
      version: seen,
      about: `${merchantId}${accountId === merchantId ? '' : ', test payments'}`,
      diff: [
        { label: 'Amount', from: null, to: amountText(moneyOf(payload.amount)) },
        { label: 'Account', from: credit, to: debit },
        ...(paymentId === null ? [] : [line('Payment', paymentId)]),
      ],
    }
  },
  versionIn: version,
  async execute(ctx, actor, payload) {
    const refusal = await refusalOf(ctx, payload)
    if (refusal !== null) return { refused: refusal }
    const { accountId, debit, credit, amount, paymentId, reason } = payload
    const adjustment = { debit, credit, amount: moneyOf(amount), paymentId, reason }
    const payment = paymentId && (await findPayment(ctx.db.kysely, accountId, paymentId))
    const owner = { accountId, applicationId: payment ? payment.applicationId : null }
    return adjustByOperator(ctx, actor, owner, adjustment)
  },
  isDone: () => true,
  whyNot: (result) => (typeof result === 'string' ? null : result.refused),
}
