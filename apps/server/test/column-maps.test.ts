import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from './fixtures.ts'

const modules = join(import.meta.dirname, '../src/modules')

/** The names of the types in the catalogue. */
const catalogueNames: Readonly<Record<string, string>> = {
  bigint: 'int8',
  boolean: 'bool',
  int: 'int4',
  'text[]': '_text',
  'uuid[]': '_uuid',
}

interface ColumnMap {
  readonly name: string
  readonly columns: Readonly<Record<string, string>>
}

const isMap = (value: unknown): value is ColumnMap =>
  typeof value === 'object' && value !== null && 'columns' in value && 'selectList' in value

const files = globSync('*/{,*/}tables.ts', { cwd: modules })
const maps = (await Promise.all(files.map((file) => import(join(modules, file)))))
  .flatMap((exported) => Object.values(exported))
  .filter(isMap)

test('modules have their column maps in files of this name', () => {
  expect(maps.map(({ name }) => name)).toContain('payments')
  expect(maps.length).toBeGreaterThan(10)
})

test.for(maps.map((map) => [map.name, map.columns] as const))(
  'The column map of %s has the types of the database',
  async ([name, columns], { world }) => {
    const { rows } = await world.ctx.db.pool.query<{ column_name: string; udt_name: string }>(
      "select column_name, udt_name from information_schema.columns where table_name = $1 and table_schema = 'public'",
      [name],
    )
    const named = Object.entries(columns).map(([column, type]) => [column, catalogueNames[type] ?? type])
    expect(Object.fromEntries(rows.map((row) => [row.column_name, row.udt_name]))).toMatchObject(
      Object.fromEntries(named),
    )
  },
)
