import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { auditEntriesOn } from '../../test/audit-entries.ts'
import { terminalOf } from '../../test/terminal.ts'
import { testCtx } from '../../test/test-ctx.ts'

const ctx = await testCtx()
afterAll(() => ctx.close())
const { adminIn } = terminalOf(ctx.databaseUrl)
const directory = mkdtempSync(path.join(tmpdir(), 'muripo-statements-'))
afterAll(() => rmSync(directory, { recursive: true }))
const admin = adminIn({ INIT_CWD: directory })

/** Writes a file, and returns its name. */
function file(name: string, text: string): string {
  writeFileSync(path.join(directory, name), text)
  return name
}

const operate = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/operate.md'), 'utf8')
/** The source of docs/operate.md. */
const [, documented = ''] = /```json\n(\{\n {2}"kind": "provider"[\s\S]*?)```/.exec(operate) ?? []
const statement = (rows: string) => `Receipt,Completed,What,Paid,Charge,Balance\n${rows}`
const idIn = (output: string) => /stm_\w+/.exec(output)?.[0] ?? ''

test('an operator adds a source, imports its statements, and resolves a row that cannot be read', async () => {
  expect(await admin('statements', 'sources')).toEqual({
    code: 0,
    output: 'There are no sources: statements add-source adds one.',
  })
  const source = file('wallet.json', documented)
  expect(await admin('statements', 'add-source', 'wallet', '--from', source)).toEqual({
    code: 0,
    output: 'The source wallet is added.',
  })
  expect((await admin('statements', 'sources')).output).toMatch(
    /^wallet\n {2}kind +provider\n {2}in the ledger +clearing\.ecocash\n {2}currency +USD\n {2}format +csv\n {2}time zone +Africa\/Harare$/,
  )
  const first = file('first.csv', statement('R1,28/11/2026 09:15,Sale,100.00,2.00,98.00\n'))
  const imported = await admin('statements', 'import', first, '--source', 'wallet')
  const id = idIn(imported.output)
  expect(imported).toEqual({ code: 0, output: `${id}: 1 line until 2026-11-28, USD 0.00 to 98.00.` })
  expect(await admin('statements', 'import', first, '--source', 'wallet')).toEqual({
    code: 0,
    output: `This file was imported before. Nothing has changed.\n${imported.output}`,
  })
  const next = file(
    'next.csv',
    statement('R2,yesterday,Sale,10.00,0.00,108.00\nR3,29/11/2026,Refund,-5.00,0.00,103.00\n'),
  )
  const partial = await admin('statements', 'import', next, '--source', 'wallet', '--closing', '103')
  const other = idIn(partial.output)
  expect(partial).toEqual({
    code: 0,
    output: `${other}: 1 line until 2026-11-29, USD 98.00 to 103.00. PARTIAL: 1 row could not be read; see statements show ${other}.`,
  })
  expect((await admin('statements', 'show', other)).output).toMatch(
    /state +partial: 1 unread rows\n\nrow +day +kind +amount +reference\n3 +2026-11-29 +refund +-5\.00 +R3\n\nUNREAD\n {2}row 2: "yesterday" is not a date in the order DMY\n {4}R2 \| yesterday/,
  )
  const resolve = (...options: string[]) => admin('statements', 'resolve', other, '2', ...options)
  expect(await resolve('--date', '2026-11-28', '--amount', '1')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/difference 9\.00\. Nothing has changed\.$/),
  })
  expect(
    await resolve('--date', '2026-11-28', '--amount', '10', '--reference', 'R2', '--kind', 'charge'),
  ).toEqual({
    code: 0,
    output: `${other}: 2 lines until 2026-11-29, USD 98.00 to 103.00.`,
  })
  const { output } = await admin('statements', 'list', '--source', 'wallet')
  expect(output.split('\n')).toHaveLength(3)
  expect(output).toMatch(new RegExp(`${other} +wallet +2026-11-29 +USD +98\\.00 +103\\.00 +2 +read`))
  expect((await auditEntriesOn(ctx, 'wallet')).map(({ action }) => action)).toEqual(['statement.source_set'])
})

test('a statement with unread rows is discarded', async () => {
  await admin('statements', 'add-source', 'cut', '--from', file('cut.json', documented))
  const text = statement('R1,28/11/2026,Sale,1.00,0.00,\nR2,soon,Sale,1.00,0.00,\n')
  const { output } = await admin(
    'statements',
    'import',
    file('cut.csv', text),
    '--source',
    'cut',
    '--opening',
    '0',
    '--closing',
    '2',
  )
  const id = idIn(output)
  expect(await admin('statements', 'discard', id, '--reason', 'The export was cut.')).toEqual({
    code: 0,
    output: `${id} and its lines are removed.`,
  })
  expect(await admin('statements', 'show', id)).toEqual({ code: 1, output: `There is no statement ${id}.` })
})

test.for([
  [['add-source', 'My wallet', '--from', 'wallet.json'], 2, /^"My wallet" is not a name of a source/],
  [['add-source', 'other', '--from', 'absent.json'], 1, /absent\.json is not a file\.$/],
  [['add-source', 'other', '--from', file('text.json', 'kind: bank')], 1, /^The file is not JSON: /],
  [
    ['add-source', 'other', '--from', file('odd.json', documented.replace('DMY', 'DDMM'))],
    1,
    /^The file is not a source: mapping\.dateOrder: /,
  ],
  [
    [
      'add-source',
      'other',
      '--from',
      file('extra.json', documented.replace('"kind"', '"colour": 1, "kind"')),
    ],
    1,
    /^The file is not a source: .*colour/,
  ],
  [
    ['add-source', 'wallet', '--from', file('zwg.json', documented.replace('USD', 'ZWG'))],
    1,
    /currency USD, which do not change: add another source\.$/,
  ],
  [
    ['import', 'first.csv', '--source', 'nobody'],
    1,
    /^There is no source "nobody": see statements sources\.$/,
  ],
  [['import', 'absent.csv', '--source', 'wallet'], 1, /absent\.csv is not a file\.$/],
  [['import', file('empty.csv', ''), '--source', 'wallet'], 1, /empty\.csv is empty\.$/],
  [
    ['import', 'first.csv', '--source', 'wallet', '--opening', '1,5'],
    2,
    /^"1,5" is not an amount in USD, as 12\.50\./,
  ],
  [
    ['import', 'first.csv', '--source', 'wallet', '--until', '28/11/2026'],
    2,
    /^"28\/11\/2026" is not a day, as 2026-11-28\./,
  ],
  [['list', '--source', 'nobody'], 1, /^There is no source "nobody"/],
  [['show', 'pay_1'], 2, /^"pay_1" is not the id of a statement\./],
  [['resolve', 'stm_01kaj0000000000000000000aa', 'x'], 2, /^"x" is not the number of a row\./],
  [
    ['resolve', 'stm_01kaj0000000000000000000aa', '2', '--no-line', 'A footer.'],
    1,
    /^There is no statement stm_01kaj/,
  ],
  [['discard', 'stm_01kaj0000000000000000000aa', '--reason', 'x'], 1, /^There is no statement stm_01kaj/],
] as const)('%j is refused with a sentence', async ([words, code, says]) => {
  const result = await admin('statements', ...words)
  expect(result.output).toMatch(says)
  expect(result.code).toBe(code)
})
