import { afterAll, expect, test } from 'vitest'
import { auditEntriesOn } from '../../test/audit-entries.ts'
import { terminalOf } from '../../test/terminal.ts'
import { testCtx } from '../../test/test-ctx.ts'
import { recentIncidents } from '../modules/site/index.ts'

const ctx = await testCtx()
afterAll(() => ctx.close())
const { admin } = terminalOf(ctx.databaseUrl)

const idIn = (output: string) => /inc_\w+/.exec(output)?.[0] ?? ''

test('an operator announces an incident, its course and its end, each in the audit log', async () => {
  expect(await admin('incidents', 'list')).toEqual({ code: 0, output: 'The status page shows no incident.' })
  const opened = await admin('incidents', 'open', 'EcoCash is slow', '--text', 'Prompts arrive late.')
  const id = idIn(opened.output)
  expect(opened).toEqual({ code: 0, output: `${id} is on the status page.` })
  const updated = await admin('incidents', 'update', id, '--status', 'identified', '--text', 'A line is cut.')
  expect(updated).toEqual({ code: 0, output: `${id} is identified.` })
  await admin('incidents', 'update', id, '--text', 'Another one too.')
  expect(await admin('incidents', 'resolve', id, '--text', 'Repaired.')).toEqual({
    code: 0,
    output: `${id} is resolved.`,
  })
  const [incident] = await recentIncidents(ctx.db.kysely)
  expect(incident?.updates.map(({ status, message }) => [status, message])).toEqual([
    ['resolved', 'Repaired.'],
    ['investigating', 'Another one too.'],
    ['identified', 'A line is cut.'],
    ['investigating', 'Prompts arrive late.'],
  ])
  const listed = await admin('incidents', 'list')
  expect(listed.output).toMatch(new RegExp(`^${id} {2}EcoCash is slow\n {2}opened +20`))
  expect((await auditEntriesOn(ctx, id)).map(({ action }) => action)).toEqual([
    'incident.opened',
    'incident.updated',
    'incident.updated',
    'incident.resolved',
  ])
})

test('a resolved incident is not changed any more, and an announcement never', async () => {
  const id = idIn((await admin('incidents', 'open', 'Cards', '--text', 'Cards fail.')).output)
  await admin('incidents', 'resolve', id, '--text', 'Back.')
  const refused = { code: 1, output: `No incident ${id} is open: see incidents list.` }
  expect(await admin('incidents', 'update', id, '--text', 'Again.')).toEqual(refused)
  expect(await admin('incidents', 'resolve', id, '--text', 'Again.')).toEqual(refused)
  await expect(ctx.db.pool.query("update incident_updates set message = 'No.'")).rejects.toThrow()
  await expect(ctx.db.pool.query('delete from incident_updates')).rejects.toThrow()
})

test.each([
  [['open', 'Cards'], '--text has 1 to 1000 characters.'],
  [['open', ' ', '--text', 'Cards fail.'], 'The title has 1 to 120 characters.'],
  [['open', 'Cards', '--text', 'x'.repeat(1001)], '--text has 1 to 1000 characters.'],
  [['update', 'pay_1', '--text', 'x'], '"pay_1" is not the id of an incident.'],
  [
    ['update', 'inc_01kaj0000000000000000000aa', '--status', 'resolved', '--text', 'x'],
    '--status is investigating',
  ],
])('a line that is not understood is refused: %j', async (words, message) => {
  const { code, output } = await admin('incidents', ...words)
  expect(code).toBe(2)
  expect(output).toContain(message)
})
