import { money } from '@muripo/contract/money'
import { problemOf } from '@muripo/locales/form-problems'
import { describe, expect, test, vi } from 'vitest'
import { scriptedProvider } from '../payments/factory.ts'
import { registryOf } from '../providers/registry.ts'
import { chooseMethod, offeredMethods } from './choice.ts'

const usd = money(1250n, 'USD')
const ecocash = { ...scriptedProvider().connector, id: 'ecocash' }
const onemoney = { ...scriptedProvider().connector, id: 'onemoney', methods: ['onemoney'] as const }
const cards = { ...scriptedProvider().connector, id: 'cards', methods: ['visa'] as const, needs: () => [] }
const offer = registryOf([ecocash, onemoney, cards]).offeredIn('live')
const read = async () => ({ offer, amount: usd })

const choose = (method: string, phone: string, confirmed = '') =>
  chooseMethod({ method, phone, confirmed }, read)

describe('the method of a form', () => {
  test('is the chosen one, without reading the offer, when the number is one of its wallet', async () => {
    const unread = vi.fn(read)
    for (const [method, phone] of [
      ['ecocash', '077 123 4567'],
      ['ecocash', '0781234567'],
      ['onemoney', '0711234567'],
      ['ecocash', 'no number'],
      ['visa', ''],
      // A number of any network has InnBucks.
      ['innbucks', '0771234567'],
    ] as const)
      expect(await chooseMethod({ method, phone, confirmed: '' }, unread)).toEqual({ method })
    expect(unread).not.toHaveBeenCalled()
  })

  test('is the wallet of the number when none is chosen', async () => {
    expect(await choose('', '0711234567')).toEqual({ method: 'onemoney' })
    expect(await choose('', '0771234567')).toEqual({ method: 'ecocash' })
    for (const phone of ['', '0731234567', '+27821234567'])
      expect(await choose('', phone)).toEqual({
        field: 'method',
        problem: problemOf('methodMissing'),
      })
    expect(await choose('bitcoin', '0771234567')).toMatchObject({ field: 'method' })
  })

  test('is confirmed once when the number has another wallet, and then accepted', async () => {
    const refusal = {
      field: 'phone',
      problem: {
        code: 'otherWalletConfirm',
        values: { prefix: '071', wallet: 'OneMoney', method: 'EcoCash' },
        message:
          '071 numbers usually have OneMoney. Choose OneMoney, or press the button again to pay with EcoCash',
      },
      confirmWith: 'ecocash 263711234567',
    }
    expect(await choose('ecocash', '071 123 4567')).toEqual(refusal)
    expect(await choose('ecocash', '071 123 4567', 'ecocash 263711234567')).toEqual({ method: 'ecocash' })
    expect(await choose('ecocash', '071 123 4568', 'ecocash 263711234567')).toMatchObject({ field: 'phone' })
    const offered = { method: 'ecocash', phone: '0711234567', shown: '071 *** 4567' }
    const confirmWith = 'ecocash 071 *** 4567'
    expect(await chooseMethod({ ...offered, confirmed: '' }, read)).toEqual({ ...refusal, confirmWith })
    expect(await chooseMethod({ ...offered, confirmed: confirmWith }, read)).toEqual({ method: 'ecocash' })
  })

  test('cannot be confirmed for a number that its provider refuses', async () => {
    const strict = registryOf([{ ...ecocash, refuseNumber: () => problemOf('phoneNotEcocash') }, onemoney])
    const readStrict = async () => ({ offer: strict.offeredIn('live'), amount: usd })
    const form = { method: 'ecocash', phone: '0711234567', confirmed: 'ecocash 263711234567' }
    expect(await chooseMethod(form, readStrict)).toEqual({
      field: 'phone',
      problem: problemOf('otherWallet', { prefix: '071', wallet: 'OneMoney', method: 'EcoCash' }),
    })
  })

  test('needs no confirmation for a test number, which stands for every wallet', async () => {
    const tested = registryOf([ecocash, { ...onemoney, isTestNumber: (msisdn) => msisdn === '263771111111' }])
    const readTested = async () => ({ offer: tested.offeredIn('live'), amount: usd })
    const form = { method: 'onemoney', phone: '077 111 1111', confirmed: '' }
    expect(await chooseMethod(form, readTested)).toEqual({ method: 'onemoney' })
    expect(await chooseMethod({ ...form, phone: '077 111 1112' }, readTested)).toMatchObject({
      field: 'phone',
    })
  })

  test('needs no confirmation where the other wallet is not offered, or the method needs no phone', async () => {
    const alone = async () => ({ offer: registryOf([ecocash]).offeredIn('live'), amount: usd })
    const form = { method: 'ecocash', phone: '0711234567', confirmed: '' }
    expect(await chooseMethod(form, alone)).toEqual({ method: 'ecocash' })
    expect(await choose('visa', '0711234567')).toEqual({ method: 'visa' })
  })
})

test('the page offers the methods of the currency, and marks the unavailable ones', () => {
  expect(offeredMethods(offer, usd, ({ id }) => id === 'cards')).toEqual([
    { method: 'ecocash', needsPhone: true, isDown: false, limit: null },
    { method: 'onemoney', needsPhone: true, isDown: false, limit: null },
    { method: 'visa', needsPhone: false, isDown: true, limit: null },
  ])
  expect(offeredMethods(offer, money(1250n, 'GBP'), () => false)).toEqual([])
  const route = registryOf([ecocash, { ...ecocash, id: 'second' }]).offeredIn('live')
  const isDownAt = (down: readonly string[]) =>
    offeredMethods(route, usd, ({ id }) => down.includes(id)).map(({ isDown }) => isDown)
  expect(isDownAt(['ecocash'])).toEqual([false])
  expect(isDownAt(['ecocash', 'second'])).toEqual([true])
})

test('the page names the limit of a method that does not take the amount', () => {
  const most = (minor: bigint) => ({ USD: { least: null, most: money(minor, 'USD') } })
  const limited = registryOf([
    { ...ecocash, limits: most(1000n) },
    { ...ecocash, id: 'second', limits: most(1249n) },
    { ...onemoney, limits: { USD: { least: money(1251n, 'USD'), most: null } } },
    { ...cards, limits: most(1250n) },
  ]).offeredIn('live')
  expect(offeredMethods(limited, usd, () => true)).toEqual([
    { method: 'ecocash', needsPhone: true, isDown: false, limit: { kind: 'most', amount: '12.49' } },
    { method: 'onemoney', needsPhone: true, isDown: false, limit: { kind: 'least', amount: '12.51' } },
    { method: 'visa', needsPhone: false, isDown: true, limit: null },
  ])
})
