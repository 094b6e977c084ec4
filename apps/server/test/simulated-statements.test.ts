import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { importStatement, linesOf, setSource } from '../src/modules/reconciliation/index.ts'
import { SourceDefinition } from '../src/modules/reconciliation/statements/mapping.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import { test as base } from './fixtures.ts'
import { startSimulator } from './simulator.ts'

const operator = operatorActor('till', 'counter')
const DAY_MS = 86_400_000
const providers = ['ecocash', 'paynow', 'innbucks', 'mastercard', 'pesepay']

/** The form of the simulator's statements. */
const definition = (provider: string, currency: string) =>
  SourceDefinition.parse({
    kind: 'provider',
    provider,
    currency,
    accountNumber: `${provider}-${currency}`,
    format: 'csv',
    mapping: {
      header: 4,
      dateOrder: 'YMD',
      bookedOn: ['Completed'],
      amount: { column: 'Net' },
      fee: 'Fee',
      kind: {
        column: 'What',
        words: {
          charge: ['Sale'],
          refund: ['Refund'],
          reversal: ['Reversal'],
          chargeback: ['Chargeback'],
          fee: ['Charge of the account'],
        },
      },
      reference: ['Receipt'],
      ourReference: 'Merchant reference',
      balance: { column: 'Balance' },
      facts: {
        account: { label: 'Account', column: 2 },
        startsOn: { label: 'Period', column: 2 },
        endsOn: { label: 'Period', column: 3 },
        opening: { label: 'Opening balance', column: 2 },
        closing: { label: 'Closing balance', column: 2 },
        lines: { label: 'Lines', column: 2 },
      },
    },
  })

const test = base
  .extend('simulator', { scope: 'file' }, async ({ ctx: _ctx }, { onCleanup }) => {
    const simulator = await startSimulator()
    onCleanup(() => simulator.stop())
    return simulator
  })
  .extend('statements', async ({ ctx, simulator }, { onCleanup }) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'muripo-statements-'))
    onCleanup(() => rmSync(directory, { recursive: true }))
    /** The statement of a day, which counts from today in Zimbabwe. */
    async function read(provider: string, currency: string, day: number, odd = ''): Promise<string> {
      const date = new Date(Date.now() + 2 * 3_600_000 + day * DAY_MS).toISOString().slice(0, 10)
      const response = await fetch(
        `${simulator.url}/control/statements/${provider}/${currency}?day=${date}${odd}`,
      )
      expect(response.status).toBe(200)
      return response.text()
    }
    async function importText(source: string, text: string) {
      const file = path.join(directory, 'statement.csv')
      writeFileSync(file, text)
      const { statements, repeatedLines } = await importStatement(
        ctx,
        operator,
        { path: file, name: 'statement.csv' },
        source,
      )
      const [statement] = statements
      if (!statement) throw new Error('no statement')
      return { ...statement, repeatedLines, found: await linesOf(ctx.db.kysely, statement.id, 1000) }
    }
    return { read, importText }
  })

test('the statements of each simulated provider and currency are imported, also without a line', async ({
  ctx,
  statements,
}) => {
  for (const provider of providers)
    for (const currency of ['USD', 'ZWG']) {
      const source = `empty-${provider}-${currency.toLowerCase()}`
      await setSource(ctx, operator, source, definition(provider, currency))
      const imported = await statements.importText(source, await statements.read(provider, currency, 0))
      expect(imported).toMatchObject({ status: 'read', lines: 0, closingMinor: 0n })
    }
})

test('a provider states late, doubled and equal lines, keeps its fees, and has refunds and reversals of its portal', async ({
  ctx,
  simulator,
  statements,
}) => {
  await simulator.control('/control/next', { times: 20, behaviour: { decision: { verdict: 'success' } } })
  for (let n = 0; n < 20; n += 1) {
    const response = await fetch(`${simulator.url}/ecocash/payment/v1/transactions/amount`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('muripo:simulator').toString('base64')}`,
      },
      body: JSON.stringify({
        clientCorrelator: `key${n}`,
        referenceCode: `key${n}`,
        tranType: 'MER',
        endUserId: '263771000001',
        remarks: 'Order 1',
        transactionOperationStatus: 'Charged',
        paymentAmount: {
          charginginformation: { amount: 12.5, currency: 'USD', description: 'Order 1' },
          chargeMetaData: { channel: 'WEB', purchaseCategoryCode: 'Online Payment', onBeHalfOf: 'Shop' },
        },
        merchantCode: '00001',
        merchantPin: '0000',
        merchantNumber: '771000000',
        merchantName: 'Shop',
      }),
    })
    expect(response.status).toBe(200)
  }
  await expect
    .poll(async () => (await simulator.transactions()).map(({ status }) => status))
    .toEqual(Array(20).fill('completed'))
  await simulator.control('/control/refunds/key3', { minor: 500 })
  await simulator.control('/control/reversals/key4', { reported: false })

  await setSource(ctx, operator, 'wallet', definition('ecocash', 'USD'))
  const odd = '&seed=3&late=25&doubled=25&equal=2&fee=200'
  const text = await statements.read('ecocash', 'USD', 0, odd)
  expect(await statements.read('ecocash', 'USD', 0, odd)).toBe(text)
  await expect(
    statements.importText('wallet', await statements.read('ecocash', 'USD', 0, `${odd}&cut=true`)),
  ).rejects.toThrow(/closing balance|number of lines|cannot be read/)
  const today = await statements.importText('wallet', text)
  const tomorrow = await statements.importText('wallet', await statements.read('ecocash', 'USD', 1, odd))
  expect(tomorrow).toMatchObject({ position: 2, openingMinor: today.closingMinor })

  const all = [...today.found, ...tomorrow.found]
  const of = (kind: string) => all.filter((line) => line.kind === kind)
  const sales = of('charge')
  expect(new Set(sales.map(({ reference }) => reference)).size).toBe(20)
  // Doubled lines have the reference of another one, and late ones a day before that of their statement.
  expect(sales.length).toBeGreaterThan(20)
  expect(tomorrow.found.filter(({ kind }) => kind === 'charge').length).toBeGreaterThan(0)
  expect(sales.every(({ netMinor, feeMinor }) => netMinor === 1225n && feeMinor === 25n)).toBe(true)
  expect(new Set(of('refund').map(({ netMinor }) => netMinor))).toEqual(new Set([-500n]))
  expect(new Set(of('reversal').map(({ netMinor }) => netMinor))).toEqual(new Set([-1250n]))
  // The equal lines of a day without a reference.
  expect(of('fee').map(({ netMinor, reference }) => [netMinor, reference])).toEqual([
    [-25n, null],
    [-25n, null],
  ])
})
