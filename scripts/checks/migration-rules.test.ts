import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sources } from '../lib/sources.ts'
import { migrationProblems } from './migration-rules.ts'

/** The files of a first start, with one for each module. */
const lastBaseline = '0009_site.sql'

test('migrations are numbered without a gap or a repetition', () => {
  const numbers = sources('apps/server/migrations/*.sql').map(({ file }) =>
    Number(path.posix.basename(file).slice(0, 4)),
  )
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

test('every migration after the baselines can run while the earlier version serves', () => {
  const later = sources('apps/server/migrations/*.sql').filter(
    ({ file }) => path.posix.basename(file) > lastBaseline,
  )
  expect(later.flatMap(({ file, text }) => migrationProblems(path.posix.basename(file), text))).toEqual([])
})

describe('a migration is refused', () => {
  test.each([
    ['alter table payments drop column note', 'one release later'],
    ['alter table payments rename column note to remark', 'earlier name'],
    ['alter table payments alter column note type varchar(9)', 'rewrites the table'],
    ['alter table payments alter column note set not null', 'whole table'],
    ['alter table payments add column note text not null', 'default'],
    ['alter table payments add constraint short check (length(note) < 9)', 'not valid'],
    ['alter table refunds add foreign key (a) references payments (id)', 'not valid'],
    ['alter table payments add constraint once unique (a)', 'concurrently'],
    ['create index by_note on payments (note)', '_concurrently.sql'],
    ["update payments set note = ''", 'slices'],
    ["with old as (select id from payments) update payments set note = '' from old", 'slices'],
    ['delete from sessions', 'slices'],
    ['lock table payments', 'locks'],
  ])('%s', (sql, reason) => {
    expect(migrationProblems('0010_notes.sql', sql).join()).toContain(reason)
  })
})

describe('a migration is allowed', () => {
  test.each([
    'alter table payments add column note text',
    "alter table payments add column note text not null default ''",
    'alter table payments add constraint short check (length(note) < 9) not valid',
    'alter table payments validate constraint short',
    'alter table payments add constraint once unique using index payments_once',
    'create trigger notes_stay before update or delete on notes for each row execute function refuse_change()',
    'grant insert, update on notes to muripo_serving',
    'create table notes (id uuid primary key, text text not null); create index notes_by_text on notes (text)',
    "-- update payments set note = ''\ncreate function f() returns void language sql as $$ update payments set note = '' $$",
  ])('%s', (sql) => {
    expect(migrationProblems('0010_notes.sql', sql)).toEqual([])
  })

  test('with a drop one release later, and with indexes that stop no writer', () => {
    const drop = 'alter table payments drop column note'
    expect(migrationProblems('0011_note_of_0010_contract.sql', drop)).toEqual([])
    for (const file of ['0011_contract.sql', '0011_note_of_0012_contract.sql'])
      expect(migrationProblems(file, drop)).toHaveLength(1)
    const build =
      'drop index concurrently if exists by_note;\ncreate index concurrently by_note on payments (note);'
    expect(migrationProblems('0012_notes_concurrently.sql', build)).toEqual([])
    expect(
      migrationProblems('0012_notes_concurrently.sql', 'create index by_note on payments (note)'),
    ).toHaveLength(1)
  })
})

test('no function has the row type of a table, to which a later migration may add a column', () => {
  const schema = sources('apps/server/schema.sql')[0]?.text ?? ''
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name)
  expect(tables).toContain('payments')
  const bodies = [...schema.matchAll(/^AS \$\$\n([\s\S]*?)^.*\$\$;$/gm)].map(([, body]) => body)
  expect(bodies.length).toBeGreaterThan(10)
  const rowType = new RegExp(
    `::(${tables.join('|')})\\b|^ +\\w+ (${tables.join('|')})(\\[\\])?;|%rowtype`,
    'im',
  )
  expect(bodies.filter((body) => rowType.test(body ?? ''))).toEqual([])
})
