import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, callsWith } from '@muripo/rig/call'
import type { Chance } from './chance.ts'

const REQUEST_TIMEOUT_MS = 10_000

/** The calls of a merchant's server to a gateway that may be killed at any time. */
export class MerchantCalls {
  private readonly call: ReturnType<typeof callsWith>
  private readonly chance: Chance

  constructor(url: string, key: string, chance: Chance) {
    this.call = callsWith(url, key, REQUEST_TIMEOUT_MS)
    this.chance = chance
  }

  /** Null without a definite response. */
  async once(
    ...request: [method: string, path: string, body?: object, idempotencyKey?: string]
  ): Promise<Answer<Record<string, unknown>> | null> {
    try {
      const answer = await this.call<Record<string, unknown>>(...request)
      const isInFlight =
        answer.status === 409 && JSON.stringify(answer.body).includes('idempotency_in_flight')
      return answer.status >= 500 || answer.status === 429 || isInFlight ? null : answer
    } catch {
      return null
    }
  }

  async untilAnswered(...request: Parameters<MerchantCalls['once']>) {
    for (;;) {
      const answer = await this.once(...request)
      if (answer) return answer
      await sleep(this.chance.gapMs(150, 50, 500))
    }
  }
}
