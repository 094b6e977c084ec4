import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { skipOnCitus } from '../../../test/on-citus.ts'
import { testDatabase } from '../../../test/test-database.ts'
import { migrate } from '../../platform/db/migrate.ts'

const own = fileURLToPath(new URL('../../../migrations', import.meta.url))
const account = '018f0000-0000-7000-8000-00000000000a'

test(
  'the first business day has all transfers of an earlier version, and the position of its balances stays',
  skipOnCitus('an empty database beside the extension'),
  async () => {
    const { url } = await testDatabase()
    const before = mkdtempSync(path.join(tmpdir(), 'muripo-migrations-'))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      for (const file of readdirSync(own).filter((name) => name < '0056'))
        copyFileSync(path.join(own, file), path.join(before, file))
      await client.query('drop schema public cascade; create schema public')
      await migrate(url, { log: () => {}, directory: before })
      // Rows as an earlier version left them: one transfer is not in the balances yet.
      await client.query(`
        set session_replication_role = replica;
        insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at, position)
        select '${account}', kind, debit, credit, 'USD', minor, gen_random_uuid(), gen_random_uuid(), now(), at
        from (values ('capture', 'clearing.one', 'merchant.payable', 500, 10), ('fee', 'merchant.payable', 'fee.revenue', 20, 10),
          ('capture', 'clearing.one', 'merchant.payable', 70, 20)) as posted (kind, debit, credit, minor, at);
        update ledger_balance_position set position = 15;
        insert into ledger_account_balances values ('${account}', 'clearing.one', 'USD', 500, 0),
          ('${account}', 'merchant.payable', 'USD', 20, 500), ('${account}', 'fee.revenue', 'USD', 0, 20);
        set session_replication_role = origin`)
      await migrate(url, { log: () => {} })
      const read = async (text: string) => (await client.query(text)).rows
      expect(
        await read(
          `select code, kind, other_code, transfers::int, debit_minor::int as debit, credit_minor::int as credit from ledger_day_sums order by 1, 2`,
        ),
      ).toEqual([
        {
          code: 'clearing.one',
          kind: 'capture',
          other_code: 'merchant.payable',
          transfers: 1,
          debit: 500,
          credit: 0,
        },
        {
          code: 'merchant.payable',
          kind: 'capture',
          other_code: 'clearing.one',
          transfers: 1,
          debit: 0,
          credit: 500,
        },
        {
          code: 'merchant.payable',
          kind: 'fee',
          other_code: 'fee.revenue',
          transfers: 1,
          debit: 20,
          credit: 0,
        },
      ])
      expect(
        await read('select from_position::int as at from ledger_business_days where to_position is null'),
      ).toEqual([{ at: 0 }])
      await read('select aggregate_ledger_balances(100)')
      expect(await read('select * from ledger_day_sums_drift')).toEqual([])
      expect(await read('select * from ledger_balances_drift')).toEqual([])
      expect(
        await read("select debit_minor::int as debit from ledger_day_sums where code = 'clearing.one'"),
      ).toEqual([{ debit: 570 }])
    } finally {
      await client.end()
      rmSync(before, { recursive: true })
    }
  },
)
