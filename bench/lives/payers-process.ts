/**
 * Shops and their payers, a separate process: each connection creates a payment, opens its page's form and pays,
 * and repeats this after the confirmation, which the wallet answers at once. A life is counted when the confirmation
 * has arrived.
 */

import { percentile } from '../lib/statistics.ts'
import { nextOrder } from '../lib/traffic.ts'
import type { Lives, LivesResult } from './payers.ts'
import { Shop } from './shop.ts'

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
  const shop = new Shop(lives.ports, lives.connections)
  const startedAt = performance.now()
  const endsAt = startedAt + lives.seconds * 1000
  const took: number[] = []
  let begun = 0
  let late = 0

  async function live(): Promise<void> {
    const key = lives.keys[begun++ % lives.keys.length] ?? ''
    const since = performance.now()
    const { page } = await shop.create(key, nextOrder())
    await shop.pay(page, '0771000001')
    const now = performance.now()
    took.push(now - since)
    if (now > endsAt) late += 1
  }

  await Promise.all(
    Array.from({ length: lives.connections }, async () => {
      while (performance.now() < endsAt) await live()
    }),
  )
  shop.close()
  return {
    lived: took.length,
    perSecond: (took.length - late) / lives.seconds,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
  }
}
