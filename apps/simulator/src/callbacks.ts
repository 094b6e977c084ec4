import type { Transaction } from './ledger.ts'

const CALLBACK_TIMEOUT_MS = 10_000
const PAUSE_MS = 1000

/** A callback in a provider's own form. */
export interface CallbackMessage {
  readonly contentType: string
  readonly body: string
  /** How often it is sent until the merchant's side accepts it. */
  readonly attempts: number
}

interface CallbackDeps {
  readonly speed: number
  readonly write: (transaction: Transaction) => CallbackMessage
  readonly save: (transaction: Transaction) => void
}

/** Posts transactions to the merchant's address for them. */
export function createCallbacks({ speed, write, save }: CallbackDeps) {
  const stopped = new AbortController()

  /** Whether the merchant's side accepted the callback. */
  async function post(url: string, { contentType, body }: CallbackMessage): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': contentType },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(CALLBACK_TIMEOUT_MS)]),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      // A merchant's server that does not answer is no fault of the provider.
      return false
    }
  }

  async function deliver(url: string, message: CallbackMessage): Promise<void> {
    for (let attempt = 1; !(await post(url, message)); attempt += 1) {
      if (attempt >= message.attempts || stopped.signal.aborted) return
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS / speed).unref())
    }
  }

  async function send(transaction: Transaction, times: number): Promise<void> {
    const { notifyUrl } = transaction
    if (notifyUrl === null || times === 0 || stopped.signal.aborted) return
    const message = write(transaction)
    await Promise.all(Array.from({ length: times }, () => deliver(notifyUrl, message)))
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
