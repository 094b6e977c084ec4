import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from './chance.ts'

const requestTimeoutMs = 10_000

interface Customer {
  readonly chance: Chance
  readonly isStopping: () => boolean
}

/** Presses the button on the payer's page, and repeats this when the page does not respond. */
export async function pay(
  { chance, isStopping }: Customer,
  paymentUrl: string,
  isCaptured: boolean,
): Promise<void> {
  const byCard = isCaptured || chance.percent(35)
  for (let press = 0; press < 3 && !isStopping(); press += 1) {
    const response = await fetch(paymentUrl, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: byCard ? 'method=visa' : 'method=ecocash&phone=0771234567',
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).catch(() => undefined)
    await response?.body?.cancel().catch(() => undefined)
    if (response?.status === 303) return byCard ? payByCard({ chance, isStopping }, paymentUrl) : undefined
    await sleep(chance.gapMs(200, 50, 800))
  }
}

/** Follows the link of the payer's page to the page of the cards; a payer who finds none gives up. */
async function payByCard({ chance, isStopping }: Customer, paymentUrl: string): Promise<void> {
  for (let round = 0; round < 10 && !isStopping(); round += 1) {
    const page = await pageAt(paymentUrl)
    const link = /href="([^"]*\/checkout\/pay\/[^"]*)"/.exec(page ?? '')?.[1]
    if (link) {
      await pageAt(link.replaceAll('&amp;', '&'))
      return
    }
    await sleep(chance.gapMs(200, 50, 800))
  }
}

/** Null without an answer. */
const pageAt = (address: string): Promise<string | null> =>
  fetch(address, { signal: AbortSignal.timeout(requestTimeoutMs) })
    .then((response) => response.text())
    .catch(() => null)
