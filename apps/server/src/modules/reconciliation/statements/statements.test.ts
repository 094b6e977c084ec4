import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { uuidOf } from '../../../platform/ids.ts'
import {
  discardStatement,
  findStatement,
  importStatement,
  linesOf,
  listStatements,
  resolveRow,
  setSource,
  unreadOf,
} from '../index.ts'
import type { TypedFacts } from './check-statement.ts'
import { SourceDefinition } from './mapping.ts'

const operator = operatorActor('till', 'counter')
const wallet = {
  kind: 'provider',
  provider: 'ecocash',
  currency: 'USD',
  format: 'csv',
  mapping: {
    dateOrder: 'YMD',
    bookedOn: ['Date'],
    amount: { column: 'Amount' },
    reference: ['Id'],
    balance: { column: 'Balance' },
  },
}
const titles = 'Id,Date,Amount,Balance\n'

/** Imports texts as files of a source of its own. */
const test = base.extend('source', async ({ ctx }, { onCleanup }) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-statements-'))
  onCleanup(() => rmSync(directory, { recursive: true }))
  const id = `source-${ctx.ids.bytes(6).toString('hex')}`
  const { pool, kysely } = ctx.db
  const define = (definition: object) => setSource(ctx, operator, id, SourceDefinition.parse(definition))
  await define(wallet)
  const importPath = (file: string, typed: TypedFacts = {}) =>
    importStatement(ctx, operator, { path: file, name: path.basename(file) }, id, typed)
  const importText = (text: string | Buffer, typed: TypedFacts = {}) => {
    const file = path.join(directory, `${ctx.ids.bytes(6).toString('hex')}.csv`)
    writeFileSync(file, text)
    return importPath(file, typed)
  }
  return {
    id,
    directory,
    define,
    importPath,
    importText,
    /** The only statement of a file. */
    async importOne(text: string | Buffer, typed: TypedFacts = {}) {
      const { statements } = await importText(text, typed)
      const [statement] = statements
      if (!statement || statements.length > 1) throw new Error('not one statement')
      return statement
    },
    list: () => listStatements(kysely, { sourceId: id, most: 10 }),
    keys: async () =>
      (
        await pool.query<{ line_key: string }>(
          'select line_key from statement_lines where source_id = $1 order by statement_id, row_number, line_key',
          [id],
        )
      ).rows.map(({ line_key }) => line_key),
  }
})

const first = `${titles}A1,2026-11-02,10.00,10.00\nA2,2026-11-02,-3.50,6.50\n`
const second = `${titles}B1,2026-11-03,1.00,7.50\n`

test('a statement is imported once, however often its file is, and the next one continues it', async ({
  source,
}) => {
  const { statements } = await source.importText(first)
  expect(statements).toMatchObject([
    {
      position: 1,
      openingMinor: 0n,
      openingFrom: 'file',
      closingMinor: 650n,
      lines: 2,
      endsOn: '2026-11-02',
    },
  ])
  const again = await source.importText(first)
  expect(again).toEqual({ isRepeated: true, statements, repeatedLines: 0 })
  expect(await source.importOne(second)).toMatchObject({
    position: 2,
    openingMinor: 650n,
    closingMinor: 750n,
  })
  expect(await source.keys()).toHaveLength(3)
})

test('imports at the same time store the file once', async ({ source }) => {
  const imported = await Promise.all([first, first, first].map((text) => source.importText(text)))
  expect(imported.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
  expect(new Set(imported.map(({ statements }) => statements[0]?.id)).size).toBe(1)
  expect(await source.keys()).toHaveLength(2)
})

test('an import whose session is killed stores nothing, and the file can be imported afterwards', async ({
  ctx,
  source,
}) => {
  const pipe = path.join(source.directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  const lines = Array.from(
    { length: 5_000 },
    (_, n) => `K${n},2026-11-02,0.01,${((n + 1) / 100).toFixed(2)}\n`,
  )
  const imported = source.importPath(pipe)
  const refused = expect(imported).rejects.toThrow()
  const writer = await open(pipe, 'w')
  // More than a batch is in the database, and the file has not ended.
  await writer.write(titles + lines.slice(0, 4_500).join(''))
  const terminated = async () =>
    (
      await ctx.db.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like '%insert into imported_lines%'`,
      )
    ).rows.length
  await expect.poll(terminated).toBe(1)
  // The reader may have gone with its session.
  await writer.write(lines.slice(4_500).join('')).catch(() => undefined)
  await writer.close()
  await refused
  expect(await source.list()).toEqual([])
  expect(await source.keys()).toEqual([])
  expect(await source.importOne(titles + lines.join(''))).toMatchObject({
    lines: 5_000,
    closingMinor: 5_000n,
  })
})

test('equal lines of a statement are different lines, and a line that a later statement repeats is counted', async ({
  source,
}) => {
  await source.importText(
    `${titles}NONREF,2026-11-02,5.00,5.00\nNONREF,2026-11-02,5.00,10.00\n,2026-11-02,5.00,15.00\n`,
  )
  expect(await source.keys()).toEqual([
    'NONREF|500|2026-11-02|1',
    'NONREF|500|2026-11-02|2',
    '|500|2026-11-02|1',
  ])
  // A provider states a late line of the day before, and one of them a second time.
  const late = `${titles}NONREF,2026-11-02,5.00,20.00\nLATE,2026-11-02,1.00,21.00\n`
  expect((await source.importText(late, { endsOn: '2026-11-03' })).repeatedLines).toBe(1)
})

test.for([
  [
    'a running balance that does not follow',
    `${titles}A,2026-11-02,1.00,1.00\nB,2026-11-02,2.00,3.01\n`,
    /^Row 3: the running balance is 3\.01, but the lines lead to 3\.00 from row 2: difference 0\.01/,
  ],
  [
    'a file in another encoding',
    Buffer.from([...Buffer.from(titles), 0xc4, 0x2c, 0xff]),
    /not in the encoding utf-8/,
  ],
  [
    'a missing column',
    'Id,Day,Amount,Balance\nA,2026-11-02,1.00,1.00\n',
    /^The file has no column "Date"; row 1 has: Id, Day, Amount, Balance\.$/,
  ],
  [
    'two columns of a name',
    'Id,Date,Date,Amount,Balance\nA,2026-11-02,2026-11-02,1.00,1.00\n',
    /Two columns are named "Date"/,
  ],
  ['a broken quotation mark', `${titles}"A,2026-11-02,1.00,1.00\n`, /^The file is not a table of values: /],
  [
    'no readable row',
    `${titles}A,yesterday,1.00,1.00\nB,today,1.00,2.00\n`,
    /^All rows cannot be read by the mapping\. The first is row 2: "yesterday" is not a date/,
  ],
  ['no line', titles, /^The file has no line and no last day/],
  [
    'more decimals than the currency has',
    `${titles}A,2026-11-02,1.005,1.01\n`,
    /row 2: "1\.005" is not an amount in USD/,
  ],
  ['a day that no calendar has', `${titles}A,2026-02-30,1.00,1.00\n`, /"2026-02-30" is not a date/],
] as const)('refuses %s', async ([, text, says], { source }) => {
  await expect(source.importText(text)).rejects.toThrow(says)
  expect(await source.list()).toEqual([])
})

test('refuses a statement that leaves out, repeats or contradicts the one before it', async ({ source }) => {
  await source.importText(first)
  await expect(source.importText(`${titles}C,2026-11-04,1.00,8.50\n`)).rejects.toThrow(
    'The opening balance 7.50 does not continue the last closing balance 6.50 (2026-11-02): difference 1.00.',
  )
  await expect(source.importText(`${titles}A1,2026-11-02,10.00,10.00\n`)).rejects.toThrow('does not continue')
  await expect(source.importText(second, { closingMinor: 751n })).rejects.toThrow(
    'The closing balance is 7.50 by the file or the statement before it, and not 7.51.',
  )
  await expect(source.importText(`${titles}Z,2026-11-01,1.00,7.50\n`)).rejects.toThrow(
    'covers days before the end of the last one',
  )
  expect(await source.list()).toHaveLength(1)
})

test('a file without balances takes its opening from the chain, and its closing from an operator', async ({
  source,
}) => {
  await source.importText(first)
  const text = 'Id,Date,Amount,Balance\nB,2026-11-03,2.00,\n'
  await expect(source.importText(text)).rejects.toThrow('no closing balance, so its lines cannot be checked')
  await expect(source.importText(text, { closingMinor: 851n })).rejects.toThrow(
    'lead from 6.50 to 8.50, but the closing balance is 8.51: difference 0.01',
  )
  expect(await source.importOne(text, { closingMinor: 850n })).toMatchObject({
    openingFrom: 'chain',
    closingFrom: 'operator',
  })
})

test('printed days and numbers show a gap that the balances do not show, and an operator may say why', async ({
  source,
}) => {
  const facts = {
    ...wallet,
    mapping: {
      ...wallet.mapping,
      header: 2,
      facts: {
        number: { row: 1, column: 1 },
        startsOn: { row: 1, column: 2 },
        endsOn: { row: 1, column: 3 },
      },
    },
  }
  await source.define(facts)
  const of = (number: number, from: string, to: string, rows: string) =>
    `${number},${from},${to}\n${titles}${rows}`
  await source.importText(
    of(7, '2026-11-01', '2026-11-02', 'A,2026-11-02,1.00,1.00\nB,2026-11-02,-1.00,0.00\n'),
  )
  const next = of(9, '2026-11-05', '2026-11-05', 'C,2026-11-05,2.00,2.00\n')
  await expect(source.importText(next)).rejects.toThrow(
    'It starts on 2026-11-05, and the last one ended on 2026-11-02: the days between them are missing. If nothing happened on them, say so with --gap-reason. Number 8 is missing.',
  )
  expect(await source.importOne(next, { gapReason: 'The bank was closed.' })).toMatchObject({
    gapReason: 'The bank was closed.',
    number: '9',
  })
  // Numbers that follow each other prove that no statement is between them.
  expect(
    await source.importOne(of(10, '2026-11-09', '2026-11-09', 'D,2026-11-09,1.00,3.00\n')),
  ).toMatchObject({ number: '10', gapReason: null })
})

test('unread rows hold a statement until each is typed or explained, and its lines lead to its closing balance', async ({
  ctx,
  source,
}) => {
  const text = `${titles}A,2026-11-02,1.00,\nB,soon,2.00,\nC,2026-11-02,4.00,\nSee page 2,,,\n`
  const statement = await source.importOne(text, { openingMinor: 0n, closingMinor: 700n })
  expect(statement).toMatchObject({ status: 'partial', lines: 2, unread: 2 })
  expect(await unreadOf(ctx.db.kysely, statement.id, 5)).toEqual([
    { row: 3, reason: '"soon" is not a date in the order YMD', cells: 'B | soon | 2.00 |' },
    { row: 5, reason: 'the row has no amount', cells: 'See page 2 | | |' },
  ])
  await expect(source.importText(second)).rejects.toThrow(
    `The last statement ${statement.id} has 2 unread rows`,
  )
  const { id } = statement
  expect((await source.importText(text)).isRepeated).toBe(true)
  const line = { bookedOn: '2026-11-02', kind: 'other', reference: 'B', netMinor: 200n } as const
  await resolveRow(ctx, operator, id, 5, { noLineBecause: 'A footer.' })
  await expect(resolveRow(ctx, operator, id, 5, { noLineBecause: 'Again.' })).rejects.toThrow(
    'not an unread row',
  )
  await expect(resolveRow(ctx, operator, id, 3, { line: { ...line, netMinor: 20n } })).rejects.toThrow(
    'With row 3 the lines lead from 0.00 to 5.20, but the closing balance is 7.00: difference 1.80.',
  )
  await expect(
    ctx.db.pool.query("update statements set status = 'read' where id = $1", [uuidOf(id)]),
  ).rejects.toThrow(/rows that are not resolved|statements_sum/)
  expect(await resolveRow(ctx, operator, id, 3, { line })).toMatchObject({
    status: 'read',
    lines: 3,
    unread: 0,
  })
  expect(await linesOf(ctx.db.kysely, id, 5)).toMatchObject([
    { row: 2 },
    { row: 3, netMinor: 200n },
    { row: 4 },
  ])
  expect((await auditEntriesOn(ctx, id)).map(({ action }) => action)).toEqual([
    'statement.imported',
    'statement.row_resolved',
    'statement.row_resolved',
  ])
  await expect(discardStatement(ctx, operator, id, 'No.')).rejects.toThrow(
    'a closed statement does not change',
  )
})

test('a statement with unread rows is discarded for a better file', async ({ ctx, source }) => {
  const statement = await source.importOne(`${titles}A,2026-11-02,1.00,\nB,soon,2.00,\n`, {
    openingMinor: 0n,
    closingMinor: 300n,
  })
  await discardStatement(ctx, operator, statement.id, 'The export was cut.')
  expect(await findStatement(ctx.db.kysely, statement.id)).toBeNull()
  expect(await source.importOne(`${titles}A,2026-11-02,1.00,1.00\nB,2026-11-02,2.00,3.00\n`)).toMatchObject({
    status: 'read',
  })
})

test('the database keeps closed statements and their lines as they are', async ({ ctx, source }) => {
  const { id } = await source.importOne(first)
  const { pool } = ctx.db
  const uuid = uuidOf(id)
  for (const statement of [
    'update statements set closing_minor = 0 where id = $1',
    'delete from statements where id = $1',
    'update statement_lines set net_minor = 0 where statement_id = $1',
    'delete from statement_lines where statement_id = $1',
    `insert into statement_lines select source_id, 'x', statement_id, 9, booked_on, null, null, kind, null, null, null, 0, 0, 0, 0
     from statement_lines where statement_id = $1 limit 1`,
    `insert into statements (id, source_id, position, previous_position, follows_on, file_name, sha256, part, ends_on, opening_minor, opening_from,
       closing_minor, closing_from, lines, sum_minor, status, received_at, received_by)
     select gen_random_uuid(), source_id, 2, 1, ends_on, 'x', sha256, 2, ends_on, closing_minor + 1, 'file', closing_minor + 1, 'file', 0, 0, 'partial',
       now(), 'x' from statements where id = $1`,
  ])
    await expect(pool.query(statement, [uuid])).rejects.toThrow()
})
