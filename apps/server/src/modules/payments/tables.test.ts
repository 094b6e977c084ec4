import { expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { attempts, captureInstructions, payments, refunds } from './tables.ts'

const shortNames: Readonly<Record<string, string>> = {
  integer: 'int',
  'timestamp with time zone': 'timestamptz',
}

test.for([
  ['payments', payments],
  ['payment_attempts', attempts],
  ['refunds', refunds],
  ['capture_instructions', captureInstructions],
] as const)('The column map of %s has the types of the database', async ([name, { columns }], { world }) => {
  const { rows } = await world.ctx.db.pool.query<{ column_name: string; data_type: string }>(
    'select column_name, data_type from information_schema.columns where table_name = $1',
    [name],
  )
  const types = rows.map((row) => [row.column_name, shortNames[row.data_type] ?? row.data_type])
  expect(Object.fromEntries(types)).toMatchObject(columns)
})
