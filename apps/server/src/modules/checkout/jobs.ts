import { inBatches } from '../../platform/jobs/due-work.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import type { EmailContent } from '../../platform/mail/email-content.ts'
import { payerView } from '../applications/index.ts'
import {
  attemptsOf,
  findPayment,
  findUnmailedReceipts,
  type PaymentsCtx,
  paymentUrlOf,
  takeReceipts,
  type UnmailedReceipt,
} from '../payments/index.ts'
import { receiptAddress, receiptEmail } from './receipt-email.ts'

export const checkoutTasks = (ctx: PaymentsCtx): PeriodicTask[] => [
  { name: 'mail-receipts', pauseMs: 1000, run: (signal) => mailReceipts(ctx, signal) },
]

const BATCH = 50

/** Queues the emails of the completed payments. A receipt that cannot be queued delays no other, and is retried in the next round. */
export const mailReceipts = (ctx: PaymentsCtx, signal?: AbortSignal): Promise<void> =>
  inBatches<UnmailedReceipt>(
    BATCH,
    (limit, last) => findUnmailedReceipts(ctx.db.kysely, limit, last),
    (due) => mailBatch(ctx, due),
    signal,
  )

async function mailBatch(ctx: PaymentsCtx, due: readonly UnmailedReceipt[]): Promise<void> {
  const withoutEmail: UnmailedReceipt[] = []
  const ends = await Promise.allSettled(
    due.map(async (receipt) => {
      const email = await renderReceipt(ctx, receipt)
      if (email === null) withoutEmail.push(receipt)
      else
        await ctx.db.tx(async (tx) => {
          if ((await takeReceipts(tx, [receipt])) > 0) await ctx.mailer.send(tx, email)
        })
    }),
  )
  for (const end of ends)
    if (end.status === 'rejected') ctx.log.error({ err: end.reason }, 'a receipt could not be mailed')
  if (withoutEmail.length > 0) await takeReceipts(ctx.db.kysely, withoutEmail)
}

/** Null for a payment without an address for its receipt, which is not read. The reads of a whole batch are three statements. */
async function renderReceipt(ctx: PaymentsCtx, receipt: UnmailedReceipt): Promise<EmailContent | null> {
  const db = ctx.db.kysely
  const { accountId, id } = receipt
  const shop = await payerView(ctx, db, accountId, receipt.applicationId)
  if (receiptAddress(receipt.email, shop) === null) return null
  const [payment, attempts] = await Promise.all([
    findPayment(db, accountId, id),
    attemptsOf(db, accountId, id),
  ])
  return payment && receiptEmail(payment, attempts, shop, `${paymentUrlOf(ctx, payment)}/receipt`)
}
