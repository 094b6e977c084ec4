import { setTimeout as sleep } from 'node:timers/promises'
import { nextOrder } from '../../../bench/lib/request.ts'

/** The number of answers to one kind of call, by status or by the code of the network error. */
export type Answers = Record<string, number>

export interface Visits {
  readonly answers: Readonly<Record<'order' | 'pay' | 'dashboard' | 'export', Answers>>
  /** The payments that a payer sent to the wallet. */
  readonly paid: readonly string[]
  /** Starts no new visit; resolves when every payer is done. */
  close(): Promise<void>
}

const REQUEST_TIMEOUT_MS = 20_000
const PAYERS_A_SECOND = 3
const PAUSE_MS = { dashboard: 100, export: 500 }

/** Payers who repeat what is refused, and a merchant's dashboard that does not. */
export function startVisits(url: string, applicationKey: string, sessionToken: string): Visits {
  const answers: Visits['answers'] = { order: {}, pay: {}, dashboard: {}, export: {} }
  const paid: string[] = []
  const running = new Set<Promise<void>>()
  let isClosed = false

  async function once(
    kind: keyof typeof answers,
    path: string,
    init: RequestInit = {},
  ): Promise<string | null> {
    const counted = answers[kind]
    try {
      const response = await fetch(url + path, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
      const text = await response.text()
      counted[response.status] = (counted[response.status] ?? 0) + 1
      return response.status < 400 ? text : null
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } }
      const code = cause?.code ?? name
      counted[code] = (counted[code] ?? 0) + 1
      return null
    }
  }

  async function untilAnswered(...call: Parameters<typeof once>): Promise<string> {
    for (;;) {
      const text = await once(...call)
      if (text !== null) return text
      await sleep(1000 + Math.random() * 500)
    }
  }

  async function buy(nth: number): Promise<void> {
    const created = await untilAnswered('order', '/api/v1/payments', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${applicationKey}`,
        'content-type': 'application/json',
        'idempotency-key': `visit-${nth}`,
      },
      body: nextOrder(),
    })
    const { id, payment_url } = JSON.parse(created) as { id: string; payment_url: string }
    await untilAnswered('pay', new URL(payment_url).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'method=ecocash&phone=0771000001',
    })
    paid.push(id)
  }

  async function repeat(pauseMs: number, visit: (nth: number) => unknown): Promise<void> {
    for (let nth = 0; !isClosed; nth += 1) {
      await visit(nth)
      await sleep(pauseMs)
    }
  }
  const withSession = { headers: { authorization: `Bearer ${sessionToken}` } }
  const visitors = [
    repeat(1000 / PAYERS_A_SECOND, (nth) => {
      const payer = buy(nth).finally(() => running.delete(payer))
      running.add(payer)
    }),
    repeat(PAUSE_MS.dashboard, () => once('dashboard', '/v1/payments/all?limit=20', withSession)),
    repeat(PAUSE_MS.export, () => once('export', '/v1/payments/export?search=nothing', withSession)),
  ]
  return {
    answers,
    paid,
    async close() {
      isClosed = true
      await Promise.all(visitors)
      await Promise.all(running)
    },
  }
}
