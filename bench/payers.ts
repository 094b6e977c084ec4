/**
 * Shops and their payers, a separate process: each connection creates a payment, opens its page's form and pays,
 * and repeats this after the confirmation. A life is counted when the confirmation has arrived.
 */
import { Agent, request } from 'node:http'
import type { Lives, LivesResult } from './lib/lives/payers.ts'
import * as create from './lib/request.ts'
import { percentile } from './lib/statistics.ts'

process.on('message', async (lives: Lives) => {
  try {
    process.send?.(await run(lives))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
})
process.on('disconnect', () => process.exit(0))

async function run(lives: Lives): Promise<LivesResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: lives.connections })
  const processor = process.cpuUsage()
  const startedAt = performance.now()
  const endsAt = startedAt + lives.seconds * 1000
  const took: number[] = []
  let begun = 0
  let late = 0

  async function live(): Promise<void> {
    const key = lives.keys[begun++ % lives.keys.length]
    const since = performance.now()
    const created = await exchange(agent, lives.port, create.path, 201, create.body, {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': create.newKey(),
    })
    const page = new URL((JSON.parse(created) as { payment_url: string }).payment_url).pathname
    await exchange(agent, lives.port, page, 303, 'method=ecocash&phone=0771000001', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    const now = performance.now()
    took.push(now - since)
    if (now > endsAt) late += 1
  }

  await Promise.all(
    Array.from({ length: lives.connections }, async () => {
      while (performance.now() < endsAt) await live()
    }),
  )
  agent.destroy()
  const used = process.cpuUsage(processor)
  return {
    lived: took.length,
    perSecond: (took.length - late) / lives.seconds,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    cpuSeconds: (used.user + used.system) / 1e6,
  }
}

function exchange(
  agent: Agent,
  port: number,
  path: string,
  expectedStatus: number,
  body: string,
  headers: Record<string, string>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () =>
          response.statusCode === expectedStatus
            ? resolve(text)
            : reject(new Error(`${path} was answered with ${response.statusCode}: ${text.slice(0, 500)}`)),
        )
        response.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}
