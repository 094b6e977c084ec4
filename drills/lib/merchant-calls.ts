import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from './chance.ts'

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown> & {
    readonly code?: string
    readonly error?: { readonly code?: string }
  }
}

const requestTimeoutMs = 10_000

/** The calls of a merchant's server to a gateway that may be killed at any time. */
export class MerchantCalls {
  private readonly url: string
  private readonly key: string
  private readonly chance: Chance

  constructor(url: string, key: string, chance: Chance) {
    this.url = url
    this.key = key
    this.chance = chance
  }

  /** Null without a definite response. */
  async once(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Answer | null> {
    try {
      const response = await fetch(`${this.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      const answer = { status: response.status, body: (await response.json()) as Answer['body'] }
      const isInFlight =
        answer.status === 409 && JSON.stringify(answer.body).includes('idempotency_in_flight')
      return answer.status >= 500 || answer.status === 429 || isInFlight ? null : answer
    } catch {
      return null
    }
  }

  async untilAnswered(...request: Parameters<MerchantCalls['once']>): Promise<Answer> {
    for (;;) {
      const answer = await this.once(...request)
      if (answer) return answer
      await sleep(this.chance.gapMs(150, 50, 500))
    }
  }
}
