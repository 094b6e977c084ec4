import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway, isDatabaseBusy, isOutcomeUnknown, type Tx } from '../../../platform/db/database.ts'
import type { PaymentsCtx } from '../context.ts'
import type { ProviderCall } from '../payment.ts'
import { lockPayment } from '../store.ts'

/** Shorter than a call's lease, so that a row that is found may still be sent. */
const READ_BACK_MS = 20_000
const READ_BACK_PAUSE_MS = 200

/**
 * Runs a transaction that opens a call to a provider. When the database does not confirm its commit, the row is read back on another
 * session: a row that exists is returned as if the commit had been confirmed, so that its call is sent; without a row nothing was written,
 * and the caller may try again at once. The payment's lock orders the reading behind the transaction in doubt.
 * @param found the row that the transaction has written, or null
 * @throws the error of `open`, when nothing was written or the database does not answer in time
 */
export async function resolvingCommit<Opened>(
  ctx: PaymentsCtx,
  { accountId, paymentId }: Pick<ProviderCall, 'accountId' | 'paymentId'>,
  open: () => Promise<Opened>,
  found: (tx: Tx) => Promise<Opened | null>,
): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error
    ctx.log.error({ err: error, paymentId }, 'a commit was not confirmed; it is read back')
    const opened = await readBack(() =>
      ctx.db.tx(async (tx) => {
        await lockPayment(tx, accountId, paymentId)
        return found(tx)
      }),
    )
    if (opened === null) throw error
    return opened
  }
}

/** Reads until the database answers; null when it does not answer in time. */
async function readBack<Found>(read: () => Promise<Found | null>): Promise<Found | null> {
  const deadline = performance.now() + READ_BACK_MS
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isDatabaseAway(error) && !isDatabaseBusy(error)) throw error
      if (performance.now() > deadline) return null
      await pause(READ_BACK_PAUSE_MS)
    }
  }
}
