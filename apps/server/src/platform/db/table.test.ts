import { AccountId, PaymentId } from '@muripo/contract/ids'
import { type Money, money } from '@muripo/contract/money'
import { expect, test } from 'vitest'
import { idFrom, systemIds, uuidOf } from '../ids.ts'
import { amount, amountIn, bigint, id, idOrNull, isSet, table, text, time } from './table.ts'

const orders = table('orders', {
  accountId: id('account_id', AccountId),
  id: id('id', PaymentId),
  total: amount('total_minor', 'currency'),
  fee: amountIn<Money | null>('fee_minor', 'currency'),
  note: text<string | null>('note'),
  createdAt: time('created_at'),
})
const order = {
  accountId: systemIds.next(AccountId),
  id: systemIds.next(PaymentId),
  total: money(1250n, 'USD'),
  fee: null,
  note: 'two loaves',
  createdAt: new Date('2026-11-20T09:30:00.000Z'),
}

test('A table names each column once in its select list', () => {
  expect(orders.text.selectList).toBe(
    'orders.account_id, orders.id, orders.total_minor, orders.currency, orders.fee_minor, orders.note, orders.created_at',
  )
})

test('A record set names, types and fills the columns of its fields', () => {
  const set = orders.recordSet(['accountId', 'id', 'total', 'fee'])
  expect(set.text).toEqual({
    names: 'account_id, id, total_minor, currency, fee_minor',
    definition: 'account_id uuid, id uuid, total_minor bigint, currency text, fee_minor bigint',
    assignments: 'total_minor = given.total_minor, currency = given.currency, fee_minor = given.fee_minor',
  })
  expect(set.row(order)).toMatchObject({ total_minor: '1250', currency: 'USD' })
  expect(JSON.parse(JSON.stringify(set.row(order)))).not.toHaveProperty('fee_minor')
})

test('An entity survives being written and read', () => {
  const row = orders.recordSet(['accountId', 'id', 'total', 'fee', 'note', 'createdAt']).row(order)
  // pg parses a bigint into a bigint, and an absent value is null.
  expect(orders.read({ ...row, total_minor: 1250n, fee_minor: null })).toEqual(order)
})

test('Two fields of one row may share the column of the currency', () => {
  const { account_id, id } = orders.recordSet(['accountId', 'id']).row(order)
  const row = {
    account_id,
    id,
    total_minor: 1250n,
    currency: 'ZWG',
    fee_minor: 30n,
    note: null,
    created_at: order.createdAt,
  }
  expect(orders.read(row)).toMatchObject({ total: money(1250n, 'ZWG'), fee: money(30n, 'ZWG') })
  expect(orders.read(row).accountId).toBe(idFrom(AccountId, String(account_id)))
})

const shops = table(
  'shops',
  { id: id('id', AccountId), name: text('name'), isOpen: isSet('opened_at', 'timestamptz') },
  { ownerId: idOrNull('owner_id', AccountId), limit: amountIn<Money | null>('limit_minor', 'currency') },
)
const shop = { id: systemIds.next(AccountId), name: 'Kiosk' }

test('A view reads its own fields, whether they belong to the entity or not', () => {
  const view = shops.view(['name', 'ownerId'])
  expect(view.names).toEqual(['name', 'owner_id'])
  expect(view.text.selectList).toBe('shops.name, shops.owner_id')
  expect(view.read({ name: 'Kiosk', owner_id: null })).toEqual({ name: 'Kiosk', ownerId: null })
})

test('A row has the columns of the fields that have a value, and null for null', () => {
  expect(shops.row({ ...shop, limit: null })).toEqual({
    id: shops.row(shop).id,
    name: 'Kiosk',
    limit_minor: null,
  })
})

test('A change names its columns alone, and its update keeps the others', () => {
  const changes = shops.changes(['name', 'limit'])
  const key = { accountId: systemIds.next(AccountId), id: systemIds.next(PaymentId) }
  const keyColumns = { account_id: uuidOf(key.accountId), id: uuidOf(key.id) }
  expect(changes.row(key, { name: 'Market' })).toEqual({ ...keyColumns, change: { name: 'Market' } })
  expect(changes.row(key, { limit: null })).toEqual({ ...keyColumns, change: { limit_minor: null } })
  expect(changes.updateFrom('given').replace(/\s+/g, ' ')).toBe(
    "update shops as kept set name = case when change ? 'name' then (change->>'name')::text else kept.name end, " +
      "limit_minor = case when change ? 'limit_minor' then (change->>'limit_minor')::bigint else kept.limit_minor end " +
      'from given where kept.account_id = given.account_id and kept.id = given.id',
  )
})

test('A row that the database has written as JSON is read like one of its protocol', () => {
  const at = new Date('2026-11-27T10:00:00.123Z')
  const row = { account_id: '018f0000-0000-7000-8000-000000000001', minor: 5n, at, note: null }
  const notes = table('notes', {
    accountId: id('account_id', AccountId),
    minor: bigint('minor'),
    at: time('at'),
    note: text<string | null>('note'),
  })
  const json = JSON.parse(JSON.stringify({ ...row, minor: 5 }))
  expect(notes.readJson(json)).toEqual(notes.read(row))
})

test('A field that is read only is never written', () => {
  expect(shops.read({ id: shops.row(shop).id, name: 'Kiosk', opened_at: null }).isOpen).toBe(false)
  expect(() => shops.row({ ...shop, isOpen: true })).toThrow('opened_at')
})
