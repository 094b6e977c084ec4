import { Agent } from 'node:http'
import { sendExpecting } from '../lib/http.ts'
import { newIdempotencyKey, paymentsPath } from '../lib/traffic.ts'

/** Creates, pays and refunds payments over the connections of an agent. The calls go to the ports in turn. */
export class Shop {
  private readonly agent: Agent
  private readonly ports: readonly number[]
  private calls = 0

  constructor(ports: readonly number[], connections: number) {
    this.ports = ports
    // The agent counts the sockets of each port.
    this.agent = new Agent({ keepAlive: true, maxSockets: Math.ceil(connections / ports.length) })
  }

  /** Creates a payment for a merchant's key. */
  async create(key: string, body: string): Promise<{ id: string; page: string }> {
    const created = await this.post(paymentsPath, 201, body, keyed(key))
    const { id, payment_url } = JSON.parse(created) as { id: string; payment_url: string }
    return { id, page: new URL(payment_url).pathname }
  }

  /** Sends the form of the payer's page. */
  pay(page: string, phone: string): Promise<string> {
    return this.post(page, 303, `method=ecocash&phone=${phone}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
  }

  refund(key: string, payment: string): Promise<string> {
    return this.post('/api/v1/refunds', 201, JSON.stringify({ payment }), keyed(key))
  }

  close(): void {
    this.agent.destroy()
  }

  private post(path: string, status: number, body: string, headers: Record<string, string>): Promise<string> {
    const port = this.ports[this.calls++ % this.ports.length] ?? 0
    return sendExpecting(status, this.agent, port, { path, method: 'POST', headers, body })
  }
}

const keyed = (key: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'idempotency-key': newIdempotencyKey(),
})
