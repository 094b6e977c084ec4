/**
 * Shops of production's shape and their payers, a separate process: a number of payers at once, each of whom creates
 * a payment, sends the form of its page, waits until the wallet has told the gateway the result, and begins again. Each
 * payment has another amount and another payer, and its shop is chosen by Zipf's law.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { anyAmount, orderOfNewcomer, zipf } from '../lib/traffic.ts'
import { Shop } from './shop.ts'
import type { FromMain, Payers, WaitingResult } from './waiting-payers.ts'
import type { EndedCharge } from './wallet.ts'

/** The gateway commits the end of a payment soon after it has read the result. */
const REFUND_AFTER_MS = 3000

let numbers = 0
/** A number that no payment had before. */
const newNumber = (): string => `77${1_000_100 + numbers++}`

let round: ReturnType<typeof begin> | undefined

process.on('message', (message: FromMain) => {
  if (message.kind === 'begin') {
    round = begin(message.payers)
    round.done.then(
      (result) => process.send?.(result),
      (error: Error) => {
        process.stderr.write(`${error.message}\n`)
        process.exit(1)
      },
    )
  } else if (message.kind === 'ended') round?.ended(message.charges)
  else round?.end()
})
process.on('disconnect', () => process.exit(0))

function begin({ ports, keys, connections, waiting, meanWaitMs, refundedShare }: Payers) {
  const shop = new Shop(ports, connections)
  const merchant = zipf(keys.length)
  const results = new Map<string, (isPaid: boolean) => void>()
  const refunds: Promise<unknown>[] = []
  const result: WaitingResult = { paid: 0, refused: 0, refunded: 0 }
  let isOver = false

  async function live(): Promise<void> {
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
        while (!isOver) await live()
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
