import { ApplicationId } from '@muripo/contract/ids'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testCtx } from '../../../test/test-ctx.ts'
import { transactionsEnded } from '../../../test/transactions-ended.ts'
import { systemActor } from './actor.ts'
import { audit } from './audit.ts'
import { newestSeal, sealAudit, sealAuditTask, verifyAudit } from './audit-seals.ts'

const ctx = await testCtx()
afterAll(() => ctx.close())

const db = ctx.db.kysely
const entry = (subject: string = ctx.ids.next(ApplicationId)) =>
  ctx.db.tx((tx) =>
    audit(ctx, tx, systemActor('test'), {
      action: 'application.created',
      subject,
      accountId: null,
      details: { name: 'Ünïcode', nothing: null },
    }),
  )
const verify = async (head: string | null = null) => verifyAudit(db, head)
const problems = async () => (await verify()).problems.join(' ')

/** The horizon waits for transactions of the whole server, whichever database they are in. */
async function sealAll(): Promise<void> {
  await transactionsEnded(ctx)
  await sealAudit(ctx)
}

/** As the owner of the database, who can disable triggers. */
async function tamper(statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = await ctx.db.pool.connect()
  try {
    await client.query("set session_replication_role = 'replica'")
    const { rowCount } = await client.query(statement, [...values])
    expect(rowCount).toBeGreaterThan(0)
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
}

const empty = () =>
  ctx.db.pool.query(
    "set session_replication_role = 'replica'; truncate audit_log, audit_seals; reset session_replication_role",
  )

beforeEach(async () => {
  await empty()
  for (let seal = 0; seal < 3; seal += 1) {
    for (let n = 0; n < 3; n += 1) await entry(`subject-${3 * seal + n}`)
    await sealAll()
  }
})

describe('a chain of seals', () => {
  test('is intact, and names the entries that are not sealed', async () => {
    await entry()
    expect(await verify()).toEqual({
      seals: 3,
      entries: 9,
      unsealed: 1,
      head: expect.objectContaining({ n: 3n, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }),
      hasHead: null,
      problems: [],
    })
    await sealAll()
    expect(await verify()).toMatchObject({ seals: 4, entries: 10, unsealed: 0, problems: [] })
    expect(await sealAudit(ctx)).toBeNull()
  })

  test('contains entries of an earlier version, which have no position', async () => {
    await empty()
    await entry()
    await entry()
    await tamper('update audit_log set position = null')
    await entry()
    await sealAll()
    expect(await verify()).toMatchObject({ entries: 3, problems: [] })
  })

  test('leaves out the entries of open transactions, and seals them later', async () => {
    const isOpen = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const open = ctx.db.tx(async (tx) => {
      await audit(ctx, tx, systemActor('test'), {
        action: 'application.created',
        subject: 'slow',
        accountId: null,
      })
      isOpen.resolve()
      await mayEnd.promise
    })
    await isOpen.promise
    await entry('fast')
    expect(await sealAudit(ctx)).toBeNull()
    expect((await verify()).unsealed).toBe(1)
    mayEnd.resolve()
    await open
    await sealAll()
    expect(await verify()).toMatchObject({ entries: 11, unsealed: 0, problems: [] })
  })

  test('is intact after 64 concurrent writers with concurrent sealers', async () => {
    const writers = Array.from({ length: 64 }, () => entry())
    await Promise.all([...writers, ...Array.from({ length: 8 }, () => sealAudit(ctx))])
    await sealAll()
    expect(await verify()).toMatchObject({ entries: 73, unsealed: 0, problems: [] })
  })

  test.each(['update audit_seals set entries = 1', 'delete from audit_seals', 'truncate audit_seals'])(
    'is append-only: %s',
    async (statement) => {
      await expect(ctx.db.pool.query(statement)).rejects.toThrow('append-only')
    },
  )
})

describe('the task', () => {
  const publishing = (publish: (name: string, text: string) => Promise<void>) => {
    const task = sealAuditTask({ ...ctx, files: { ...ctx.files, publish } })
    return () => task.run(new AbortController().signal)
  }

  test('writes each new head into the object store, one object for each day', async () => {
    const published: [string, string][] = []
    const run = publishing(async (name, text) => void published.push([name, text]))
    await run()
    expect(published).toEqual([])
    await entry()
    await transactionsEnded(ctx)
    await run()
    const head = await newestSeal(db)
    const sealedAt = head?.sealedAt.toISOString() ?? ''
    const name = `audit_head_${sealedAt.slice(0, 10).replaceAll('-', '')}`
    expect(published).toEqual([
      [name, `${JSON.stringify({ seal: String(head?.n), head: head?.hash, sealedAt })}\n`],
    ])
    expect((await verify(head?.hash)).hasHead).toBe(true)
  })

  test('writes a head again that the object store did not take', async () => {
    let failures = 0
    const published: string[] = []
    const run = publishing(async (_, text) => {
      if (failures === 0) {
        failures += 1
        throw new Error('the object store does not answer')
      }
      published.push(text)
    })
    await entry()
    await transactionsEnded(ctx)
    await expect(run()).rejects.toThrow('does not answer')
    await run()
    await run()
    expect(published).toEqual([expect.stringContaining((await newestSeal(db))?.hash ?? '')])
  })
})

describe('the verification finds', () => {
  test.each([
    ['actor', "actor = 'somebody'"],
    ['credential', "credential = 'key'"],
    ['time, by a microsecond', "at = at + interval '1 microsecond'"],
    ['details', "details = '{}'"],
    ['account', 'account_id = gen_random_uuid()'],
    ['address', "address = ''"],
    ['person', 'person_id = gen_random_uuid()'],
  ])('an edited %s', async (_, change) => {
    await tamper(`update audit_log set ${change} where subject = 'subject-4'`)
    expect(await problems()).toBe('Entries of seal 2, or the seal, were changed.')
  })

  test('a change of any column of the log', async () => {
    const { rows } = await ctx.db.pool.query(`
      select array(select column_name::text from information_schema.columns where table_name = 'audit_log' order by 1) as columns,
        array(select unnest(proargnames) order by 1) as hashed
      from pg_proc where proname = 'audit_row_hash'`)
    expect(rows[0].hashed).toEqual(rows[0].columns)
  })

  test('a text that moved from one column to the next', async () => {
    const { rows } = await ctx.db.pool.query(`
      select audit_bytes('a') || audit_bytes('bc') = audit_bytes('ab') || audit_bytes('c') as moved,
        audit_bytes('') = audit_bytes(null) as emptied`)
    expect(rows).toEqual([{ moved: false, emptied: false }])
  })

  test('a deleted entry', async () => {
    await tamper("delete from audit_log where subject = 'subject-4'")
    expect(await problems()).toBe('Entries of seal 2 are missing: 1 of 3.')
  })

  test('an inserted entry', async () => {
    await tamper(
      `insert into audit_log select (jsonb_populate_record(audit_log, jsonb_build_object('id', gen_random_uuid()))).*
       from audit_log where subject = 'subject-3'`,
    )
    expect(await problems()).toContain('Entries were inserted among those of seal 2: 1.')
  })

  test.each([
    ['a position below all others', { position: -1 }],
    ['the lowest position and id', { position: null, id: '00000000-0000-0000-0000-000000000000' }],
  ])('an entry that was inserted at %s', async (_, place) => {
    await tamper(
      `insert into audit_log select (jsonb_populate_record(audit_log, jsonb_build_object('id', gen_random_uuid()) || $1::jsonb)).*
       from audit_log where subject = 'subject-3'`,
      [JSON.stringify(place)],
    )
    expect(await problems()).toBe('Entries were inserted before those of the first seal: 1.')
  })

  test('two entries in each other’s place', async () => {
    await tamper(
      `update audit_log set subject = case subject when 'subject-3' then 'subject-4' else 'subject-3' end
       where subject in ('subject-3', 'subject-4')`,
    )
    expect(await problems()).toBe('Entries of seal 2, or the seal, were changed.')
  })

  test('a cut tail whose seal is left, and a seal that was taken out', async () => {
    await tamper("delete from audit_log where subject in ('subject-6', 'subject-7', 'subject-8')")
    expect(await problems()).toBe('Entries of seal 3 are missing: 3 of 3.')
    await tamper('delete from audit_seals where n = 2')
    expect(await problems()).toContain(
      'The seals 2 to 2 are missing. Seal 3 does not follow the seal before it.',
    )
  })

  test('a tail that was cut with its seal, by an earlier head only', async () => {
    const head = (await newestSeal(db))?.hash ?? ''
    expect(await verify(head)).toMatchObject({ hasHead: true, problems: [] })
    await tamper("delete from audit_log where subject in ('subject-6', 'subject-7', 'subject-8')")
    await tamper('delete from audit_seals where n = 3')
    expect(await verify()).toMatchObject({ hasHead: null, problems: [] })
    expect(await verify(head)).toMatchObject({ hasHead: false, problems: [] })
  })

  test('a rewritten chain, by an earlier head only', async () => {
    const head = (await newestSeal(db))?.hash ?? ''
    await tamper("update audit_log set actor = 'somebody' where subject = 'subject-4'")
    await tamper('delete from audit_seals')
    await sealAll()
    expect(await verify()).toMatchObject({ entries: 9, problems: [] })
    expect(await verify(head)).toMatchObject({ hasHead: false, problems: [] })
  })
})
