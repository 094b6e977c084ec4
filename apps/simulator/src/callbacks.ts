import type { SimulatorConfig } from './config.ts'
import { render } from './ecocash/replies.ts'
import type { Transaction } from './ledger.ts'

const CALLBACK_TIMEOUT_MS = 10_000

/** Posts transactions to the merchant's `notifyUrl`: unsigned and without a second try, for neither is documented. */
export function createCallbacks(config: SimulatorConfig, save: (transaction: Transaction) => void) {
  const stopped = new AbortController()

  async function post(url: string, body: string): Promise<void> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(CALLBACK_TIMEOUT_MS)]),
      })
      await response.body?.cancel()
    } catch {
      // Whether the merchant's side listens is its own affair.
    }
  }

  async function send(transaction: Transaction, times: number): Promise<void> {
    const { notifyUrl } = transaction
    if (notifyUrl === null || times === 0 || stopped.signal.aborted) return
    const body = JSON.stringify(render(config, transaction, 'callback'))
    await Promise.all(Array.from({ length: times }, () => post(notifyUrl, body)))
    if (stopped.signal.aborted) return
    transaction.callbacksSent += times
    save(transaction)
  }

  return {
    send,
    notify: (transaction: Transaction): Promise<void> =>
      transaction.behaviour.callback === 'lost'
        ? Promise.resolve()
        : send(transaction, transaction.behaviour.callbackTimes ?? 1),
    stop: (): void => stopped.abort(),
  }
}
export type Callbacks = ReturnType<typeof createCallbacks>
