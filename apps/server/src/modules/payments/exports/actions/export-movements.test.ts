import { text } from 'node:stream/consumers'
import { fromMajor, toDecimal } from '@muripo/contract/money'
import { MovementsQuery, ROW_COUNT_HEADER } from '@muripo/contract/payment-exports'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeApp, makeCaller } from '../../../../../test/app.ts'
import { byMerchant } from '../../../../../test/audit-entries.ts'
import { DAY, operator, paymentScene } from '../../../../../test/payment-scene.ts'
import { adjust, listMovements, type Movement } from '../../../ledger/index.ts'
import { movementsQuery } from '../../../ledger/store-movements.ts'
import { recordReturn } from '../../actions/record-return.ts'
import { resolveReview } from '../../actions/resolve-anomaly.ts'
import { makePaid, paid, refused, standingOf } from '../../factory.ts'
import { exportMovements } from './export-movements.ts'

const { world, scene, callback, refund } = await paymentScene()
const usd = (major: number) => fromMajor(major, 'USD')

interface Row {
  readonly [title: string]: string
}

/** The rows as a reader of CSV has them, without texts that contain a separator; those after the empty row are totals. */
async function exported(query: object = {}) {
  const { merchantId, accountId } = scene.shop
  const file = await exportMovements(
    world.ctx,
    byMerchant(merchantId),
    accountId,
    MovementsQuery.parse(query),
  )
  const written = await text(file.csv)
  const [head = '', ...lines] = written.replace('\ufeff', '').split('\r\n').slice(0, -1)
  const titles = head.split(',').map((title) => title.slice(1, -1))
  const read = (line: string): Row =>
    Object.fromEntries(
      line.split(',').map((cell, index) => [titles[index] ?? '', cell.replace(/^"(.*)"$/, '$1')]),
    )
  const end = lines.indexOf('')
  return {
    ...file,
    rows: (end < 0 ? lines : lines.slice(0, end)).map(read),
    totals: (end < 0 ? [] : lines.slice(end + 1)).map(read),
    counted: file.rows,
  }
}
const shortOf = ({ Type, Amount, Fee, Net, Currency }: Row) => [Type, Amount, Fee, Net, Currency].join(' ')
const sumOf = (rows: readonly Row[]) =>
  rows.reduce((sum, { Net = '' }) => sum + Math.round(Number(Net) * 100), 0)
/** The day in Harare so many days after the scene's. */
const day = (days = 0) =>
  new Date(world.ctx.clock.now().getTime() + days * DAY + 2 * 3_600_000).toISOString().slice(0, 10)

beforeEach(async () => {
  world.provider.refund = async ({ amount }) => paid(amount, 'R1')
  scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider, {
    amount: 25,
    description: '=Basket',
    customer: { phone: '+263771234567' },
  })
})

describe('the movements of a merchant', () => {
  test('have a row each, with its own date and signed amounts, and their sum is what the merchant is owed', async () => {
    world.ctx.clock.advance(DAY)
    await refund(12.5)
    world.provider.refund = async () => refused()
    await refund(5).catch(() => undefined)
    world.ctx.clock.advance(DAY)
    world.provider.lookup = async () => ({ ...paid(usd(25)), outcome: 'reversed' })
    await callback()
    await resolveReview(world.ctx, operator, scene.payment.id, null, {
      kind: 'reversed',
      amount: usd(10),
      reason: 'Chargeback',
    })
    world.ctx.clock.advance(DAY)
    await recordReturn(world.ctx, operator, scene.payment.id, null, { amount: usd(4), reason: 'Dispute won' })
    await world.ctx.db.tx((tx) =>
      adjust(world.ctx, tx, scene.shop, {
        actor: operator,
        debit: 'merchant.payable',
        credit: 'suspense',
        amount: usd(1.5),
        paymentId: null,
        reason: 'Correction',
      }),
    )
    const { rows, totals, counted, fileName } = await exported()
    expect(rows.map(({ Date: at, ...row }) => [at, shortOf(row)])).toEqual([
      [day(-3), 'Payment 25.00 -1.28 23.72 USD'],
      [day(-2), 'Refund -12.50 0.00 -12.50 USD'],
      [day(-2), 'Refund -5.00 0.00 -5.00 USD'],
      [day(-2), 'Refund failed 5.00 0.00 5.00 USD'],
      [day(-1), 'Reversal -10.00 0.00 -10.00 USD'],
      [day(), 'Reversal returned 4.00 0.00 4.00 USD'],
      [day(), 'Adjustment -1.50 0.00 -1.50 USD'],
    ])
    expect(totals.map(shortOf)).toEqual([
      'Total payment 25.00 -1.28 23.72 USD',
      'Total refund -17.50 0.00 -17.50 USD',
      'Total refund failed 5.00 0.00 5.00 USD',
      'Total reversal -10.00 0.00 -10.00 USD',
      'Total reversal returned 4.00 0.00 4.00 USD',
      'Total adjustment -1.50 0.00 -1.50 USD',
      'Total 5.00 -1.28 3.72 USD',
    ])
    const owed = -((await standingOf(world.ctx, scene.shop.accountId))['merchant.payable'] ?? 0n)
    expect(toDecimal({ minor: owed, currency: 'USD' })).toBe(totals.at(-1)?.Net)
    expect(sumOf(rows)).toBe(Number(owed))
    expect([counted, fileName]).toEqual([7, expect.stringMatching(/^muripo-movements-.*-all\.csv$/)])

    // A refund belongs to its own day, whatever the day of its payment.
    const refundDay = await exported({ from: day(-2), to: day(-2) })
    expect(refundDay.rows.map(({ Type }) => Type)).toEqual(['Refund', 'Refund', 'Refund failed'])
    expect(refundDay.totals.at(-1)).toMatchObject({ Type: 'Total', Net: '-12.50' })
    const split: Row[] = []
    for (const days of [{ to: day(-2) }, { from: day(-1), to: day(-1) }, { from: day() }])
      split.push(...(await exported(days)).rows)
    expect(split).toEqual(rows)
  })

  test('of two currencies never share a total', async () => {
    await makePaid(world.ctx, scene.shop.owner, world.provider, { amount: 100, currency: 'ZAR' })
    const { rows, totals } = await exported()
    for (const currency of ['USD', 'ZAR']) {
      const net = (sum: readonly Row[]) => sumOf(sum.filter((row) => row.Currency === currency))
      expect(net(totals.filter(({ Type }) => Type === 'Total'))).toBe(net(rows))
    }
  })

  test('have the texts of their payment, neutral for a spreadsheet or exact for a program', async () => {
    expect((await exported()).rows[0]).toMatchObject({
      'Payment ID': scene.payment.id,
      Purpose: "'=Basket",
      'Customer phone': '+263771234567',
      'UTC offset': 'UTC+02:00',
      Time: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    })
    expect((await exported({ texts: 'exact' })).rows[0]).toMatchObject({ Purpose: '=Basket' })
  })

  test('of days without one are a head and no totals', async () => {
    expect(await exported({ from: day(5) })).toMatchObject({ rows: [], totals: [], counted: 0 })
    expect(await exported({ from: day(), to: day(-5) })).toMatchObject({ rows: [], counted: 0 })
  })

  test('are read in pages by their index, each once, also those of one moment', async () => {
    for (let paid = 0; paid < 4; paid += 1) await makePaid(world.ctx, scene.shop.owner, world.provider)
    const { accountId } = scene.shop
    const period = { from: -Infinity, before: Infinity }
    const read = (page: Parameters<typeof listMovements>[3]) =>
      listMovements(world.ctx.reads.kysely, accountId, period, page)
    const pages: Movement[][] = []
    do pages.push(await read({ after: pages.at(-1)?.at(-1), most: 2 }))
    while (pages.at(-1)?.length === 2)
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(await read({ most: 100 }))
    expect(new Set(pages.flat().map(({ causeId }) => causeId)).size).toBe(5)

    const plan = await world.ctx.db.tx(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const query = movementsQuery(accountId, period, { after: pages[0]?.at(-1), most: 2 })
      return (await sql`explain ${query}`.execute(tx)).rows
        .map((row) => Object.values(row as object))
        .join('\n')
    })
    expect(plan).toMatch(/ledger_transfers_of_merchant[\s\S]*Index Cond.*created_at/)
    expect(plan).not.toContain('Seq Scan')
  })

  test('are served to a session as a file', async () => {
    const app = await makeApp(world.ctx)
    const caller = await makeCaller(world.ctx)
    await makePaid(world.ctx, caller.owner, world.provider)
    const url = '/v1/payments/export/movements'
    const { statusCode, headers, body } = await app.inject({ url, headers: caller.withSession })
    expect([statusCode, headers[ROW_COUNT_HEADER]]).toEqual([200, '1'])
    expect(headers['content-disposition']).toMatch(/filename="muripo-movements-[a-z0-9-]+-all\.csv"$/)
    expect(body).toMatch(/^\ufeff"Date","Time","UTC offset","Type","Amount","Fee","Net","Currency",/)
    const refusedQuery = await app.inject({ url: `${url}?status=failed`, headers: caller.withSession })
    expect(refusedQuery.statusCode).toBe(422)
    await app.close()
  })
})
