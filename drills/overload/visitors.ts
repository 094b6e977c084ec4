import { setTimeout as sleep } from 'node:timers/promises'
import { nextOrder } from '../../bench/lib/traffic.ts'

/** The number of answers to one kind of call, by status or by the code of the network error. */
export type Answers = Record<string, number>

const REQUEST_TIMEOUT_MS = 20_000
const PAYERS_A_SECOND = 3
const PAUSE_MS = { dashboard: 100, export: 500 }

/** Payers who repeat refused calls, and a merchant's dashboard that does not. They begin at once. */
export class Visits {
  readonly answers: Readonly<Record<'order' | 'pay' | 'dashboard' | 'export', Answers>> = {
    order: {},
    pay: {},
    dashboard: {},
    export: {},
  }
  /** The payments that a payer sent to the wallet. */
  readonly paid: string[] = []
  private readonly url: string
  private readonly applicationKey: string
  private readonly visitors: readonly Promise<void>[]
  private readonly payers = new Set<Promise<void>>()
  private isClosed = false

  constructor(url: string, applicationKey: string, sessionToken: string) {
    this.url = url
    this.applicationKey = applicationKey
    const withSession = { headers: { authorization: `Bearer ${sessionToken}` } }
    const fetchAs = (kind: 'dashboard' | 'export', path: string) =>
      this.repeat(PAUSE_MS[kind], () => this.fetchOnce(kind, path, withSession))
    this.visitors = [
      this.repeat(1000 / PAYERS_A_SECOND, (nth) => {
        const payer = this.buy(nth).finally(() => this.payers.delete(payer))
        this.payers.add(payer)
      }),
      fetchAs('dashboard', '/v1/payments/all?limit=20'),
      fetchAs('export', '/v1/payments/export?search=nothing'),
    ]
  }

  /** Starts no new visit; resolves when every payer is done. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.visitors)
    await Promise.all(this.payers)
  }

  private async repeat(pauseMs: number, visit: (nth: number) => unknown): Promise<void> {
    for (let nth = 0; !this.isClosed; nth += 1) {
      await visit(nth)
      await sleep(pauseMs)
    }
  }

  private async buy(nth: number): Promise<void> {
    const created = await this.fetchUntilAccepted('order', '/api/v1/payments', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.applicationKey}`,
        'content-type': 'application/json',
        'idempotency-key': `visit-${nth}`,
      },
      body: nextOrder(),
    })
    const { id, payment_url } = JSON.parse(created) as { id: string; payment_url: string }
    await this.fetchUntilAccepted('pay', new URL(payment_url).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'method=ecocash&phone=0771000001',
    })
    this.paid.push(id)
  }

  private async fetchUntilAccepted(...call: Parameters<Visits['fetchOnce']>): Promise<string> {
    for (;;) {
      const text = await this.fetchOnce(...call)
      if (text !== null) return text
      await sleep(1000 + Math.random() * 500)
    }
  }

  /** @returns null for a refused call and for one without a response */
  private async fetchOnce(
    kind: keyof Visits['answers'],
    path: string,
    init: RequestInit,
  ): Promise<string | null> {
    const counted = this.answers[kind]
    try {
      const response = await fetch(this.url + path, {
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
}
