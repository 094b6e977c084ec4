import type { ListHit } from '@muripo/contract/dashboard-payments'
import type { PaymentId } from '@muripo/contract/ids'
import type { FastifyInstance } from 'fastify'
import { describe, expect } from 'vitest'
import { makeCaller } from '../../../../test/app.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop, type World } from '../../../../test/world.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { cancelPayment } from '../actions/cancel-payment.ts'
import { eraseCustomer } from '../customers/actions/erase-customer.ts'
import { makeAttempt, makePaid, makePayment } from '../factory.ts'
import { readTerms } from './search-terms.ts'

const tendai = { email: 'shop@example.com', name: 'Tendai Moyo', phone: '077 241 8206' }

/** Payments of two applications of a merchant by their names here, and one of another merchant. */
async function makeMarket({ world, app }: { world: World; app: FastifyInstance }) {
  const caller = await makeCaller(world.ctx)
  const second = await makeShop(world.ctx, caller.merchantId)
  const other = await makeShop(world.ctx)
  const { ctx } = world
  const made: Record<string, PaymentId> = {
    named: (await makePayment(ctx, caller.owner, { description: 'Braai pack 5 kg', customer: tendai })).id,
    // The same email with another name and number.
    renamed: (
      await makePayment(ctx, second.owner, {
        description: 'Ćevapi',
        customer: { ...tendai, name: 'Rudo Ndlovu-Sibanda', phone: '+263 78 300 4005' },
      })
    ).id,
    onlyNamed: (await makePayment(ctx, caller.owner, { customer: { name: 'Nyasha' } })).id,
    referred: (await makePayment(ctx, second.owner, { reference: 'INV-2041/x' })).id,
    abroad: (await makePayment(ctx, caller.owner, { customer: { phone: '+27 82 123 4567' } })).id,
  }
  const paying = await makePayment(ctx, caller.owner, { customer: { phone: '0779990001' } })
  await makeAttempt(ctx, paying, '0788880002')
  made.paidByOther = paying.id
  await makePayment(ctx, other.owner, { customer: tendai, reference: 'INV-2041/x' })

  const names = new Map(Object.entries(made).map(([name, id]) => [id, name]))
  const search = async (text: string, filters: Record<string, string> = {}) => {
    const query = new URLSearchParams({ search: text, ...filters })
    const answer = await app.inject({ url: `/v1/payments/all?${query}`, headers: caller.withSession })
    const { payments, matched, hasMoreMatches, hits } = answer.json()
    const found: string[] = payments.map(({ paymentId }: ListHit) => names.get(paymentId))
    expect({ matched, hasMoreMatches }).toEqual({ matched: found.length, hasMoreMatches: false })
    return {
      found,
      hits: hits.map(
        ({ by, text, from, to }: ListHit) => `${by} ${text.slice(0, from)}[${text.slice(from, to)}]`,
      ),
    }
  }
  return { caller, made, search }
}

/** Pending payments are not in the indexes of finished ones. */
const test = base
  .extend('market', { scope: 'file' }, makeMarket)
  .extend('finishedMarket', { scope: 'file' }, async ({ world, app }) => {
    const market = await makeMarket({ world, app })
    for (const id of Object.values(market.made)) await cancelPayment(world.ctx, market.caller.accountId, id)
    return market
  })

describe('a payment is found by', () => {
  test.for([
    ['0772', ['named'], ['phone +263[772]']],
    ['077 241 82', ['named'], ['phone +263[7724182]']],
    ['+263 77 241 8206', ['named'], ['phone +[263772418206]']],
    ['263-77-241', ['named'], ['phone +[26377241]']],
    ['00263772418206', ['named'], ['phone +[263772418206]']],
    ['+263 (0)77 241', ['named'], ['phone +[26377241]']],
    ['772418206', ['named'], ['phone +263[772418206]']],
    ['\u200e077\u00a0241\u2011820６\u202c', ['named'], ['phone +263[772418206]']],
    ['tel:+27821234567', ['abroad'], ['phone +[27821234567]']],
    ['2782123', ['abroad'], ['phone +[2782123]']],
    ['0788880002', ['paidByOther'], ['phone +263[788880002]']],
    ['0779990001', ['paidByOther'], ['phone +263[779990001]']],
    ['tendai', ['named'], ['customer [Tendai]']],
    ['  TENDAI\u00a0 moyo ', ['named'], ['customer [Tendai Moyo]']],
    ['moyo', ['named'], ['customer Tendai [Moyo]']],
    ['rudo', ['renamed'], ['customer [Rudo]']],
    ['nyasha', ['onlyNamed'], ['customer [Nyasha]']],
    ['BRAAI', ['named'], ['purpose [Braai]']],
    ['ćev', ['renamed'], ['purpose [Ćev]']],
    ['inv-20', ['referred'], ['reference [INV-20]']],
    ['INV-2041/x', ['referred'], ['reference [INV-2041/x]']],
    ['0770000000', [], []],
    ['endai', [], []],
    ['% ', [], []],
    ["moyo' or true --", [], []],
    ['x'.repeat(200), [], []],
  ] as const)('%s', async ([text, found, hits], { market, finishedMarket }) => {
    expect(await market.search(text)).toEqual({ found, hits })
    expect(await finishedMarket.search(text), 'finished').toEqual({ found, hits })
  })
})

test('other filters keep what they keep', async ({ market: { caller, search } }) => {
  expect((await search('tendai', { applicationId: caller.applicationId })).found).toEqual(['named'])
  expect((await search('tendai', { to: '2020-01-01' })).found).toEqual([])
  expect((await search('tendai', { status: 'failed' })).found).toEqual([])
})

test('[PAY-06] the id of a payment stays a text that finds it, also when it begins a purpose', async ({
  world,
  market: { caller, made, search },
}) => {
  const part = made.named?.slice(-6) ?? ''
  const purpose = await makePayment(world.ctx, caller.owner, { description: `${part} again` })
  const { found } = await search(part.toUpperCase())
  expect(found).toHaveLength(2)
  expect(found).toContain('named')
  expect(purpose.description).toContain(part)
})

test('an erased customer is not found', async ({ world, provider, market: { caller, search } }) => {
  const customer = { name: 'Farai Gone', phone: '0773330001', email: 'farai@example.com' }
  const { customer: stored } = await makePaid(world.ctx, caller.owner, provider, { customer })
  for (const text of ['farai', 'gone', '0773330001', '0771234567'])
    expect((await search(text)).found, text).toHaveLength(1)
  if (stored.id === null) throw new Error('a customer with an email has an id')
  await eraseCustomer(world.ctx, operatorActor('test', 'test'), caller.accountId, stored.id, 'test')
  for (const text of ['farai', 'gone', '0773330001', '0771234567'])
    expect((await search(text)).found, text).toHaveLength(0)
})

test('a short text is searched in ids only', () => {
  expect(readTerms('ab')).toBeNull()
  expect(readTerms('077')?.numbers).toEqual([])
})
