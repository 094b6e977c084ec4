import { ApplicationId, MerchantId, PaymentId, PersonId } from '@muripo/contract/ids'
import type { AdjustableCode } from '@muripo/contract/ledger'
import type { ProposalInput } from '@muripo/contract/proposals'
import { Email } from '@muripo/contract/text'
import { cleanEmail } from '@muripo/contract/typed-text'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError, invalidField } from '../../../../platform/errors.ts'
import { parseId, requestedId } from '../../../../platform/ids.ts'
import { accountByEmail, findMerchants, testAccountIdOf } from '../../../identity/index.ts'
import {
  type AdjustmentPayload,
  type ApplicationPayload,
  type BankingPayload,
  type KeyPayload,
  type MerchantPayload,
  type NewOperatorPayload,
  type OperatorPayload,
  type PersonPayload,
  type ProviderPayload,
  type RolePayload,
  type RoutePayload,
  storedMoney,
} from '../payloads.ts'
import { amountIn, applicationIn, needed } from './fields.ts'

export function merchantPayload({ kind, subject, reason, seen, reserved }: ProposalInput): MerchantPayload {
  if (kind === 'merchant.approve' && seen === undefined) throw invalidField('seen', 'This field is required')
  const merchantId = requestedId(MerchantId, subject)
  return { merchantId, reason, seen: seen ?? null, ...(reserved !== undefined && { reserved }) }
}

/** @throws AppError not_found */
async function merchantIn(ctx: Ctx, { subject }: ProposalInput): Promise<MerchantId> {
  const [merchant] = await findMerchants(ctx.db.kysely, requestedId(MerchantId, subject))
  if (!merchant) throw new AppError('not_found', { detail: 'There is no merchant with this id' })
  return merchant.id
}

export async function adjustmentPayload(ctx: Ctx, input: ProposalInput): Promise<AdjustmentPayload> {
  const merchantId = await merchantIn(ctx, input)
  const amount = amountIn(needed(input, 'amount'), needed(input, 'currency'))
  if (amount.minor === 0n) throw invalidField('amount', 'Must be above 0')
  const { payment, forTests = false, reason } = input
  return {
    merchantId,
    accountId: forTests ? await ctx.db.tx((tx) => testAccountIdOf(ctx, tx, merchantId)) : merchantId,
    debit: needed(input, 'debit') as AdjustableCode,
    credit: needed(input, 'credit') as AdjustableCode,
    amount: storedMoney(amount),
    paymentId: payment === undefined ? null : requestedId(PaymentId, payment),
    reason,
  }
}

export const applicationPayload = async (
  ctx: Ctx,
  { subject, reason }: ProposalInput,
): Promise<ApplicationPayload> => ({
  ...(await applicationIn(ctx, requestedId(ApplicationId, subject))),
  reason,
})

export async function keyPayload(ctx: Ctx, input: ProposalInput): Promise<KeyPayload> {
  const mode = needed(input, 'mode')
  if (mode === 'live' && ctx.config.keyMode === 'test')
    throw invalidField('mode', 'Must be test: this gateway is for tests, and has no live keys')
  return { ...(await applicationPayload(ctx, input)), mode }
}

export const bankingPayload = async (ctx: Ctx, input: ProposalInput): Promise<BankingPayload> => ({
  ...(await applicationPayload(ctx, input)),
  revision: needed(input, 'revision'),
})

export const providerPayload = ({ subject: account, reason }: ProposalInput): ProviderPayload => ({
  account,
  reason,
})

/** The merchant of an id or of its owner's email. @throws AppError validation_failed */
async function routedMerchant(ctx: Ctx, { subject }: ProposalInput): Promise<MerchantId> {
  const text = subject.trim()
  const id = parseId(MerchantId, text)
  const [merchant, another] = await findMerchants(ctx.db.kysely, id ?? { email: cleanEmail(text) })
  if (!merchant) throw invalidField('subject', 'No merchant has this id or email')
  if (another) throw invalidField('subject', 'Several merchants have this email: give the id of one')
  return merchant.id
}

export async function routePayload(ctx: Ctx, input: ProposalInput): Promise<RoutePayload> {
  const { currency, reason } = input
  return {
    merchantId: await routedMerchant(ctx, input),
    method: needed(input, 'method'),
    ...(currency && { currency }),
    route: needed(input, 'route').trim(),
    reason,
  }
}

/** The person of an id or of an email. @throws AppError validation_failed */
export async function personPayload(ctx: Ctx, { subject, reason }: ProposalInput): Promise<PersonPayload> {
  const id = parseId(PersonId, subject)
  const personId = id ?? (await accountByEmail(ctx.db.kysely, cleanEmail(subject)))?.personId
  if (personId === undefined) throw invalidField('subject', 'Nobody has an account with this email')
  return { personId, reason }
}

export const operatorPayload = ({ subject }: ProposalInput): OperatorPayload => ({
  email: cleanEmail(subject).toLowerCase(),
})

export const rolePayload = (input: ProposalInput): RolePayload => ({
  ...operatorPayload(input),
  role: needed(input, 'role'),
})

/** @throws AppError validation_failed */
export function newOperatorPayload(input: ProposalInput): NewOperatorPayload {
  const { data, error } = Email.safeParse(input.subject)
  if (error) throw invalidField('subject', error.issues[0]?.message ?? '')
  return { email: data.toLowerCase(), role: needed(input, 'role'), name: needed(input, 'name') }
}
