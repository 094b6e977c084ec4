import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

const WINDOW_MS = 60_000
const providers = ['ecocash', 'ecocash-open', 'innbucks', 'mastercard', 'paynow', 'pesepay'] as const
const Limit = z.strictObject({
  provider: z.enum(providers),
  /** Null: no limit. */
  callsPerMinute: z.int().min(0).nullable(),
})

/** A provider's limit to the calls of an account in any minute. Further calls are answered 429 and are not processed. */
export function rateLimit(app: FastifyInstance, speed: number, now: () => number): void {
  const limits = new Map<string, number>()
  const calls = new Map<string, number[]>()

  app.addHook('onRequest', async (request, reply) => {
    const provider = request.url.split('/')[1] ?? ''
    const limit = limits.get(provider)
    if (limit === undefined) return
    const at = now()
    const recent = (calls.get(provider) ?? []).filter((time) => time > at - WINDOW_MS / speed)
    calls.set(provider, recent)
    if (recent.length < limit) {
      recent.push(at)
      return
    }
    const waitMs = (recent[0] ?? at) + WINDOW_MS / speed - at
    await reply
      .code(429)
      .header('retry-after', String(Math.ceil(waitMs / 1000)))
      .send({ message: 'Too many requests' })
  })

  app.post('/control/rate-limits', async (request, reply) => {
    const { provider, callsPerMinute } = Limit.parse(request.body)
    calls.delete(provider)
    if (callsPerMinute === null) limits.delete(provider)
    else limits.set(provider, callsPerMinute)
    return reply.code(204).send()
  })
}
