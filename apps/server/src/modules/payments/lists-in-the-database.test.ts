import { paymentMethods } from '@muripo/contract/payments'
import { describe, expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { skipOnCitus } from '../../../test/on-citus.ts'
import { attemptStatuses, isOpen, openRefund, refundStatuses, underway } from './payment/moves.ts'

/** The lists of status words in a definition of the catalogue, in its order. */
const listsIn = (definition: string): string[][] =>
  [...definition.matchAll(/(?:ARRAY\[|in \()([^\])]*)/g)].map(([, list]) =>
    [...(list ?? '').matchAll(/'(\w+)'/g)].map(([, word]) => word ?? ''),
  )

describe('the database has the list of the code:', () => {
  const lists = [
    ['constraint payment_attempts_status_check', attemptStatuses],
    ['constraint refunds_status_check', refundStatuses],
    ['constraint payments_method_check', paymentMethods],
    ['column index_status', underway],
    ['index refunds_for_operator', underway],
    ['function payments_guard_failing', attemptStatuses.filter(isOpen)],
  ] as const

  const definitionOf = {
    constraint: 'select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1',
    index: 'select pg_get_indexdef(oid) as text from pg_class where relname = $1',
    column: `select pg_get_expr(adbin, adrelid) as text from pg_attrdef
      join pg_attribute on attrelid = adrelid and attnum = adnum where attname = $1`,
    function: 'select prosrc as text from pg_proc where proname = $1',
  }

  test.for(lists)(
    '%s',
    skipOnCitus('the catalogue has each object of a shard, too'),
    async ([named, list], { world }) => {
      const [kind, name] = named.split(' ') as [keyof typeof definitionOf, string]
      const { rows } = await world.ctx.db.pool.query(definitionOf[kind], [name])
      expect(rows).toHaveLength(1)
      expect(listsIn(rows[0].text)).toEqual([list])
    },
  )

  test('a refund is open while it is underway or with an operator', () => {
    expect(openRefund).toEqual([...underway, 'awaiting_operator'])
  })
})
