import { expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { skipOnCitus } from '../../../test/on-citus.ts'
import { settlesAs, type TransferKind } from './transfer.ts'

const codes = [
  ...['merchant.payable', 'merchant.reserve', 'merchant.disputed', 'payouts.payable', 'refunds.payable'],
  ...['unclaimed.payable', 'fee.revenue', 'provider.fees', 'tax.vat', 'tax.imtt', 'losses', 'suspense'],
  ...['clearing.one', 'bank.own', 'bank.clearing'],
]

test(
  'exactly the kinds of transfers that the database allows on merchant.payable are settled',
  skipOnCitus('it reads the constraints of a table'),
  async ({ world }) => {
    const { pool } = world.ctx.db
    const definitionOf = async (name: string): Promise<string> => {
      const { rows } = await pool.query(
        'select pg_get_constraintdef(oid) as definition from pg_constraint where conname = $1',
        [name],
      )
      return rows[0].definition.replace(/^CHECK /, '')
    }
    const kinds = [...(await definitionOf('ledger_transfers_kind_check')).matchAll(/'(\w+)'::text/g)].map(
      ([, kind]) => kind as TransferKind,
    )
    const { rows } = await pool.query(
      `select kind, coalesce(bool_or('merchant.payable' in (debit_code, credit_code)), false) as settles
       from unnest($1::text[]) as kind
       left join (unnest($2::text[]) as debit_code cross join unnest($2::text[]) as credit_code)
         on debit_code <> credit_code and ${await definitionOf('ledger_transfers_ways')}
       group by kind`,
      [kinds, codes],
    )
    expect(rows.length).toBe(kinds.length)
    expect(rows.filter(({ settles }) => settles).length).toBeGreaterThan(5)
    for (const { kind, settles } of rows) expect(settlesAs(kind) !== null, kind).toBe(settles)
  },
)
