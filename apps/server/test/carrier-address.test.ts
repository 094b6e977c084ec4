import { expect } from 'vitest'
import { makePayment, pending } from '../src/modules/payments/factory.ts'
import { makeAppWithPages } from './app.ts'
import { test as base } from './fixtures.ts'

/** The limits of production and the numbers of callers, both at a tenth. */
const SCALE = 0.1
const PAYERS = 1000 * SCALE
const PAGES_OF_A_BOT = 10_000 * SCALE
const WAIT_SECONDS = 60

const carrier = '198.51.100.1'
const statusesOf = async (calls: Promise<{ statusCode: number }>[]) =>
  new Set((await Promise.all(calls)).map(({ statusCode }) => statusCode))

interface Payer {
  readonly page: string
  readonly phone: string
  readonly hasScript: boolean
  nextAt: number
}

const test = base
  .extend('env', { scope: 'file' }, { RATE_LIMITS: '1' })
  .extend('pages', { scope: 'file' }, async ({ world }, { onCleanup }) => {
    const ctx = { ...world.ctx, config: { ...world.ctx.config, rateLimitFactor: SCALE } }
    const app = await makeAppWithPages(ctx)
    onCleanup(() => app.close())
    const load = (url: string) => app.inject({ url, remoteAddress: carrier })
    const send = ({ page, phone }: Payer) =>
      app.inject({
        method: 'POST',
        url: page,
        remoteAddress: carrier,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ method: 'ecocash', phone }).toString(),
      })

    /** A page without script loads again every ten seconds; the script asks for the state when the state says so. */
    async function look(payer: Payer, second: number): Promise<number> {
      const response = await load(payer.hasScript ? `${payer.page}/status` : payer.page)
      payer.nextAt = second + (payer.hasScript ? (response.json().poll_after_ms ?? 0) / 1000 : 10)
      return response.statusCode
    }
    return { load, send, look }
  })

test('a thousand payers behind one address open, pay, wait and see the result without meeting a limit', async ({
  world,
  shop,
  pages: { load, send, look },
}) => {
  world.provider.charge = async () => pending()
  world.provider.lookup = async () => pending()
  const payers = await Promise.all(
    Array.from({ length: PAYERS }, async (_, place): Promise<Payer> => {
      const { accountId, id } = await makePayment(world.ctx, shop.owner)
      const page = `/pay/${world.ctx.checkoutLinks.tokenOf(accountId, id)}`
      return { page, phone: `0771${String(place).padStart(6, '0')}`, hasScript: place % 5 > 0, nextAt: 2 }
    }),
  )
  expect(await statusesOf(payers.map(({ page }) => load(page)))).toEqual(new Set([200]))
  expect(await statusesOf(payers.map(send))).toEqual(new Set([303]))
  expect(await statusesOf(payers.map(({ page }) => load(page)))).toEqual(new Set([200]))

  const seen = new Set<number>()
  for (let second = 1; second <= WAIT_SECONDS; second += 1) {
    world.ctx.clock.advance(1000)
    const due = payers.filter(({ nextAt }) => nextAt <= second)
    for (const status of await Promise.all(due.map((payer) => look(payer, second)))) seen.add(status)
  }
  expect(seen).toEqual(new Set([200]))
  expect(await statusesOf(payers.map(({ page }) => load(page)))).toEqual(new Set([200]))
})

test('a bot that opens ten thousand pages meets a limit', async ({ world, pages: { load } }) => {
  world.ctx.clock.advance(60_000)
  const statuses: number[] = []
  for (let opened = 0; opened < PAGES_OF_A_BOT; opened += 50) {
    const pages = Array.from({ length: 50 }, (_, place) => load(`/pay/token-${opened + place}`))
    statuses.push(...(await Promise.all(pages)).map(({ statusCode }) => statusCode))
  }
  expect(statuses.slice(0, 300)).not.toContain(429)
  expect(statuses.slice(300).every((status) => status === 429)).toBe(true)
})
