import http from 'node:http'
import https from 'node:https'
import type { Transaction } from './ledger.ts'

const CALLBACK_TIMEOUT_MS = 10_000
const PAUSE_MS = 1000

/** Posts messages to the merchant's side until it is stopped. */
export function createPoster() {
  const stopped = new AbortController()
  return {
    stopped: stopped.signal,
    /** Whether the merchant's side accepted the message. A server that does not answer is no fault of the provider. */
    post: (url: string, headers: Readonly<Record<string, string>>, body: string): Promise<boolean> =>
      new Promise((resolve) => {
        // A fetch takes three times as much processor time, and the bench measures the simulator beside the gateway.
        const { request } = url.startsWith('https:') ? https : http
        const length = Buffer.byteLength(body)
        const options = { method: 'POST', headers: { ...headers, 'content-length': length } } as const
        const sent = request(url, { ...options, timeout: CALLBACK_TIMEOUT_MS, signal: stopped.signal })
        sent.on('response', (response) => {
          const { statusCode = 0 } = response
          response.resume()
          resolve(statusCode >= 200 && statusCode < 300)
        })
        sent.on('timeout', () => sent.destroy())
        // The answer may be lost after its head has arrived.
        sent.on('close', () => resolve(false))
        sent.on('error', () => resolve(false))
        sent.end(body)
      }),
    stop: (): void => stopped.abort(),
  }
}

/** A callback in a provider's own form. */
export interface CallbackMessage {
  readonly contentType: string
  readonly body: string
  /** The number of times that it is sent until the merchant's side accepts it. */
  readonly attempts: number
}

interface CallbackDeps {
  readonly speed: number
  readonly write: (transaction: Transaction) => CallbackMessage
  readonly save: (transaction: Transaction) => void
}

/** Posts transactions to the merchant's address for them. */
export function createCallbacks({ speed, write, save }: CallbackDeps) {
  const { stopped, post, stop } = createPoster()

  async function deliver(url: string, { contentType, body, attempts }: CallbackMessage): Promise<void> {
    for (let attempt = 1; !(await post(url, { 'content-type': contentType }, body)); attempt += 1) {
      if (attempt >= attempts || stopped.aborted) return
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS / speed).unref())
    }
  }

  async function send(transaction: Transaction, times: number): Promise<void> {
    const { notifyUrl } = transaction
    if (notifyUrl === null || times === 0 || stopped.aborted) return
    const message = write(transaction)
    await Promise.all(Array.from({ length: times }, () => deliver(notifyUrl, message)))
    if (stopped.aborted) return
    transaction.callbacksSent += times
    save(transaction)
  }

  return {
    send,
    notify: (transaction: Transaction): Promise<void> =>
      transaction.behaviour.callback === 'lost'
        ? Promise.resolve()
        : send(transaction, transaction.behaviour.callbackTimes ?? 1),
    stop,
  }
}
export type Callbacks = ReturnType<typeof createCallbacks>
