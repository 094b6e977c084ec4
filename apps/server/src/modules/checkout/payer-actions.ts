import { plusMs } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import {
  type Attempt,
  attemptsOf,
  cancelPayment,
  canLeave,
  leaveAttempt,
  proceedAttempt,
  waitAtMost,
} from '../payments/index.ts'
import { isSimulated, type PayerBrowser } from '../providers/index.ts'
import type { PayerCtx } from './payer-context.ts'
import { SAME_ORDER, startFromForm } from './start-from-form.ts'

/** The wait for the first reply about a card, whose bank is asked in several calls: without the result, the payer would see empty fields again. */
const FIRST_CARD_REPLY_MS = 20_000

/** The time that a prompt takes to appear on a slow network. */
const RESEND_AFTER_MS = 30_000

type PayerAction = (ctx: PayerCtx, token: string, address?: string) => Promise<unknown>

/** The actions of the buttons of the payer's page, by the intent of their forms. Unlike an object, a map has no inherited names. */
export const payerActions: ReadonlyMap<string, PayerAction> = new Map(
  Object.entries({ cancel, leave, check: checkOpenAttempt, resend, resume: makeResumeCode }),
)

/** The holder of the link can cancel only where the page offers it: the shop allows it, and no attempt is in progress any more. */
async function cancel(ctx: PayerCtx, token: string): Promise<void> {
  const named = ctx.checkoutLinks.read(token)
  if (named === null) return
  if ((await ctx.linked.view(token))?.view.attempt?.prompt?.canCancel) await checkOpenAttempt(ctx, token)
  if (!(await ctx.linked.view(token))?.view.canCancel) return
  await cancelPayment(ctx, named.accountId, named.id).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
}

async function leave(ctx: PayerCtx, token: string): Promise<void> {
  const named = ctx.checkoutLinks.read(token)
  if (named === null || ctx.countUse(named.id).refused) return
  const attempts = await attemptsOf(ctx.db.kysely, named.accountId, named.id)
  const open = attempts.find((attempt) => canLeave(ctx, attempt))
  if (open) await leaveAttempt(ctx, open)
  else if (attempts.some(({ msisdn }) => msisdn !== null)) await checkOpenAttempt(ctx, token)
}

/** Looks the open attempt up. Null when there is none, or when its payer is over the limit of look-ups. */
export async function checkOpenAttempt(ctx: PayerCtx, token: string): Promise<Attempt | null> {
  const named = ctx.checkoutLinks.read(token)
  return named && ctx.payerCalls.check(named)
}

/**
 * Invariant: of all prompts of a payment, at most one can still be paid. A prompt cannot be called back, so another one follows only when
 * the provider has just reported that the earlier one has failed. While it reports it open, or does not answer, nothing is sent.
 */
async function resend(ctx: PayerCtx, token: string, address?: string): Promise<void> {
  const prompted = await checkOpenAttempt(ctx, token)
  if (prompted === null || prompted.msisdn === null) return
  if (plusMs(prompted.createdAt, RESEND_AFTER_MS) > ctx.clock.now()) return
  const { accountId, paymentId, id, method, msisdn } = prompted
  const [latest] = await attemptsOf(ctx.db.kysely, accountId, paymentId)
  if (latest?.id !== id || latest.status !== 'failed') return
  const form = { method, phone: msisdn, confirmed: `${method} ${msisdn},${SAME_ORDER}` }
  await startFromForm(ctx, token, form, address)
}

async function makeResumeCode(ctx: PayerCtx, token: string): Promise<void> {
  const named = ctx.checkoutLinks.read(token)
  if (named === null || ctx.countUse(named.id).refused || (await ctx.linked.find(token)) === null) return
  await ctx.resumption.makeCode(named)
}

/** Continues the open attempt, because its payer has filled in the fields of the provider. */
export async function proceedWithFields(ctx: PayerCtx, token: string, browser: PayerBrowser): Promise<void> {
  const named = ctx.checkoutLinks.read(token)
  if (named === null || ctx.countUse(named.id).refused) return
  const open = await ctx.payerCalls.openAttempt(named)
  if (open?.nextAction?.type !== 'hosted_fields') return
  await waitAtMost(
    FIRST_CARD_REPLY_MS,
    ctx.payerCalls.callOnce(open, () => proceedAttempt(ctx, open, { browser })),
  )
}

/** The open attempt whose result the payer chooses; null when there is none. */
export async function simulatedAttempt(ctx: PayerCtx, token: string): Promise<Attempt | null> {
  const named = ctx.checkoutLinks.read(token)
  const open = named && (await ctx.payerCalls.openAttempt(named))
  return open && isSimulated(open.provider) && open.msisdn === null ? open : null
}

/** Ends the open attempt with the result that its payer has chosen on the simulated page. */
export async function chooseResult(
  ctx: PayerCtx,
  token: string,
  choice: string,
  browser: PayerBrowser,
): Promise<void> {
  const open = await simulatedAttempt(ctx, token)
  if (open === null || ctx.countUse(open.paymentId).refused) return
  await waitAtMost(
    FIRST_CARD_REPLY_MS,
    ctx.payerCalls.callOnce(open, () => proceedAttempt(ctx, open, { browser, choice })),
  )
}
