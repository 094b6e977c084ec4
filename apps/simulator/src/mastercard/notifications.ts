import { randomUUID } from 'node:crypto'

const TIMEOUT_MS = 10_000

/** Posts notifications with the merchant's secret, once each: delivery is not guaranteed. */
export function createNotifications(secret: string) {
  const stopped = new AbortController()
  return {
    async send(url: string, body: object, times: number): Promise<void> {
      const post = async (attempt: number): Promise<void> => {
        try {
          const response = await fetch(url, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'x-notification-secret': secret,
              'x-notification-id': randomUUID(),
              'x-notification-attempt': String(attempt),
            },
            body: JSON.stringify(body),
            redirect: 'manual',
            signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
          })
          await response.body?.cancel()
        } catch {
          // Whether the merchant's side listens is its own affair.
        }
      }
      await Promise.all(Array.from({ length: times }, (_, index) => post(index + 1)))
    },
    stop: (): void => stopped.abort(),
  }
}
