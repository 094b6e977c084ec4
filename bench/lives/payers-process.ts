/**
 * Shops and their payers, a separate process. Each payer creates a payment, sends the form of its page, and begins again after the confirmation:
 * at once, or when the wallet has told the gateway the result.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../lib/statistics.ts'
import { anyAmount, nextOrder, orderOfNewcomer, zipf } from '../lib/traffic.ts'
import type { FromMain, Lives, LivesResult, WaitingPayers, WaitingResult } from './payers.ts'
import { Shop } from './shop.ts'
import type { EndedCharge } from './wallet.ts'

/** The gateway commits the end of a payment soon after it has read the result. */
const REFUND_AFTER_MS = 3000

let numbers = 0
/** A number that no payment had before. */
const newNumber = (): string => `77${1_000_100 + numbers++}`

let waitingRound: ReturnType<typeof begin> | undefined

process.on('message', (message: FromMain) => {
  if (message.kind === 'live') report(live(message.lives))
  else if (message.kind === 'begin') {
    waitingRound = begin(message.payers)
    report(waitingRound.done)
  } else if (message.kind === 'ended') waitingRound?.ended(message.charges)
  else waitingRound?.end()
})
process.on('disconnect', () => process.exit(0))

function report(round: Promise<unknown>): void {
  round.then(
    (result) => process.send?.(result),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    },
  )
}

/** A life is counted when its confirmation has arrived. */
async function live({ ports, keys, connections, seconds }: Lives): Promise<LivesResult> {
  const shop = new Shop(ports, connections)
  const endsAt = performance.now() + seconds * 1000
  const took: number[] = []
  let begun = 0
  let late = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let since = performance.now(); since < endsAt; since = performance.now()) {
        const { page } = await shop.create(keys[begun++ % keys.length] ?? '', nextOrder())
        await shop.pay(page, '0771000001')
        const now = performance.now()
        took.push(now - since)
        if (now > endsAt) late += 1
      }
    }),
  )
  shop.close()
  return {
    lived: took.length,
    perSecond: (took.length - late) / seconds,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
  }
}

/** Each payment has another amount and another payer, and its shop is chosen by Zipf's law. */
function begin({ ports, keys, connections, waiting, meanWaitMs, refundedShare }: WaitingPayers) {
  const shop = new Shop(ports, connections)
  const merchant = zipf(keys.length)
  const results = new Map<string, (isPaid: boolean) => void>()
  const refunds: Promise<unknown>[] = []
  const result: WaitingResult = { paid: 0, refused: 0, refunded: 0 }
  let isOver = false

  async function pay(): Promise<void> {
    const key = keys[merchant()] ?? ''
    const number = newNumber()
    const isPaid = new Promise<boolean>((resolve) => results.set(`263${number}`, resolve))
    const { id, page } = await shop.create(key, orderOfNewcomer(anyAmount()))
    await shop.pay(page, `0${number}`)
    if (!(await isPaid)) {
      result.refused += 1
      return
    }
    result.paid += 1
    if (Math.random() < refundedShare) refunds.push(refund(key, id))
  }

  async function refund(key: string, id: string): Promise<void> {
    await sleep(REFUND_AFTER_MS)
    await shop.refund(key, id)
    result.refunded += 1
  }

  async function done(): Promise<WaitingResult> {
    await Promise.all(
      Array.from({ length: waiting }, async (_, nth) => {
        // Payers who began at the same time would also end at the same time.
        await sleep((nth * meanWaitMs) / waiting)
        while (!isOver) await pay()
      }),
    )
    await Promise.all(refunds)
    shop.close()
    return result
  }

  return {
    done: done(),
    ended(charges: readonly EndedCharge[]): void {
      for (const { msisdn, isPaid } of charges) {
        results.get(msisdn)?.(isPaid)
        results.delete(msisdn)
      }
    },
    end(): void {
      isOver = true
    },
  }
}
