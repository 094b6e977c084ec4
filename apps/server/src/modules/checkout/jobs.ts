import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { payerView } from '../applications/index.ts'
import {
  attemptsOf,
  findPayment,
  findUnmailedReceipts,
  type PaymentsCtx,
  paymentUrlOf,
  takeReceipt,
  type UnmailedReceipt,
} from '../payments/index.ts'
import { receiptEmail } from './receipt-email.ts'

export const checkoutTasks = (ctx: PaymentsCtx): PeriodicTask[] => [
  { name: 'mail-receipts', pauseMs: 1000, run: (signal) => mailReceipts(ctx, signal) },
]

const BATCH = 50

/** Queues the emails of the completed payments. A receipt that cannot be queued delays no other, and is retried in the next round. */
export async function mailReceipts(ctx: PaymentsCtx, signal?: AbortSignal): Promise<void> {
  let last: UnmailedReceipt | null = null
  do {
    const due: UnmailedReceipt[] = await findUnmailedReceipts(ctx.db.kysely, BATCH, last)
    const ends = await Promise.allSettled(due.map((receipt) => mailReceipt(ctx, receipt)))
    for (const end of ends)
      if (end.status === 'rejected') ctx.log.error({ err: end.reason }, 'a receipt could not be mailed')
    last = due.length < BATCH ? null : (due.at(-1) ?? null)
  } while (last !== null && !signal?.aborted)
}

async function mailReceipt(ctx: PaymentsCtx, receipt: UnmailedReceipt): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if (!(await takeReceipt(tx, receipt))) return
    const payment = await findPayment(tx, receipt.accountId, receipt.id)
    if (payment === null) return
    const shop = await payerView(ctx, tx, payment.accountId, payment.applicationId)
    const attempts = await attemptsOf(tx, payment.accountId, payment.id)
    const email = receiptEmail(payment, attempts, shop, `${paymentUrlOf(ctx, payment)}/receipt`)
    if (email !== null) await ctx.mailer.send(tx, email)
  })
}
