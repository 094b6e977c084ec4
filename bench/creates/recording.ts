import { readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Gateway } from '../lib/gateway.ts'
import type { PgbenchScript } from '../lib/pgbench.ts'
import { call, pgbenchFirst, pgbenchIdTail } from '../lib/seed.ts'
import { newIdempotencyKey, orderBody, paymentsPath } from '../lib/traffic.ts'

/** Completes a random number of 19 digits to a checksum of an idempotency key. */
const checksumTail = '4b6f9a1e2fc07'

/** As many creates as the gateway writes in one statement at most. */
export const rowsOfBatch = 64

type RecordedIds = Record<'merchant' | 'application' | 'key' | 'payment' | 'checksum', string>

interface Statement {
  readonly sql: string
  readonly parameters: readonly (string | null)[]
}

/** The gateway's own settings keep bind values and details out of the log. */
const recordingSettings = [
  ['log_min_duration_statement', '0'],
  ['log_parameter_max_length', '-1'],
  ['log_error_verbosity', 'default'],
] as const

/**
 * The statements that PostgreSQL logs during one request, as a pgbench script. The reference therefore follows
 * every change of the gateway. Only the ids and the idempotency key differ, because they must be new each time.
 */
export async function recordCreate(
  gateway: Gateway,
  sql: pg.Client,
  token: string,
  merchants: number,
): Promise<{ script: PgbenchScript; batchScript: PgbenchScript }> {
  if (gateway.databaseLog === null) throw new Error('the log of the database cannot be read')
  // Only the first call with a key reads the owner of the key.
  await createPayment(gateway, token, newIdempotencyKey())
  for (const [name, value] of recordingSettings) await sql.query(`alter system set ${name} = '${value}'`)
  await sql.query('select pg_reload_conf()')
  await sleep(300)
  const from = statSync(gateway.databaseLog).size
  await createPayment(gateway, token, newIdempotencyKey())
  await sleep(300)
  for (const [name] of recordingSettings) await sql.query(`alter system reset ${name}`)
  await sql.query('select pg_reload_conf()')

  const log = readFileSync(gateway.databaseLog).subarray(from).toString('utf8')
  const { rows } = await sql.query<RecordedIds & { createdAt: Date }>(
    `select p.account_id as merchant, p.application_id as application, k.id as key, p.id as payment, p.created_at as "createdAt",
       replace(p.idempotency_checksum::text, '-', '') as checksum
     from payments p join application_keys k using (account_id, application_id) order by p.created_at desc limit 1`,
  )
  const ids = rows[0]
  if (!ids) throw new Error('the recorded payment is not there')
  const statements = statementsIn(log).filter(({ parameters }) =>
    parameters.some((value) => value?.includes(ids.merchant)),
  )
  if (statements.length === 0) throw new Error('the statement of a create was not found in the log')
  return {
    script: toScript(statements, ids, merchants, 1),
    batchScript: toScript(statements, ids, merchants, rowsOfBatch),
  }
}

export const createPayment = (gateway: Gateway, token: string, key: string): Promise<unknown> =>
  call(gateway.url, paymentsPath, {
    token,
    body: JSON.parse(orderBody) as object,
    headers: { 'idempotency-key': key },
  })

function statementsIn(log: string): Statement[] {
  const entries = log.split(/^(?=\d{4}-\d\d-\d\d )/m)
  return entries.flatMap((entry, index) => {
    const executed = /LOG: {2}duration: [\d.]+ ms {2}execute [^:]+: ([\s\S]+)/.exec(entry)
    const detail = /DETAIL: {2}parameters: ([\s\S]*)/i.exec(entries[index + 1] ?? '')
    if (!executed?.[1]) return []
    const parameters = [...(detail?.[1] ?? '').matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)]
    return [
      {
        sql: executed[1].replaceAll('\n\t', '\n').trim(),
        parameters: parameters.map(([, value]) => value?.replaceAll("''", "'") ?? null),
      },
    ]
  })
}

function toScript(
  statements: readonly Statement[],
  ids: RecordedIds & { createdAt: Date },
  merchants: number,
  rows: number,
): PgbenchScript {
  const variables: Record<string, string> = {}
  const isBatch = rows > 1
  const merchant = isBatch ? `(${pgbenchFirst} + (:merchant::int + nth * 37) % ${merchants})` : ':merchant'
  const ofMerchant = `(${merchant} || '${pgbenchIdTail}')::uuid`
  // Twelve digits that only go up, as the time in a UUIDv7 does.
  const payment = `(${isBatch ? '(:number::bigint + nth)' : ':number'} || '70008000000000000000')::uuid`
  const made: Record<string, string> = {
    [ids.merchant]: ofMerchant,
    [ids.application]: ofMerchant,
    [ids.key]: ofMerchant,
    [ids.payment]: payment,
    [ids.checksum]: `(${isBatch ? '(:random::bigint + nth)' : ':random'} || '${checksumTail}')`,
    [ids.createdAt.toISOString()]: `id_time(${payment})`,
  }
  const anyMade = new RegExp(`(${Object.keys(made).map(RegExp.escape).join('|')})`)
  /** A text that contains ids, such as rows in JSON: its fixed parts are variables, because pgbench reads a colon as one. */
  const concatenated = (value: string, name: string): string => {
    const parts = value.split(anyMade).map((part, nth) => {
      if (made[part]) return `${made[part]}::text`
      variables[`${name}_${nth}`] = part
      return `:${name}_${nth}::text`
    })
    return `(${parts.join(' || ')})`
  }
  /** The rows of a batch in JSON, each with its own ids and number. */
  const repeated = (value: string, name: string): string => {
    const row = concatenated(value.replace(/^\[(.*)\]$/s, '$1'), name)
    return `(select '[' || string_agg(replace(${row}, '"n":0,', '"n":' || nth || ','), ',') || ']'
      from generate_series(0, ${rows - 1}) as nth)`
  }
  const texts = statements.map(({ sql, parameters }, nth) =>
    // The ids that pgbench counts upwards contain times of other centuries.
    sql
      .replaceAll("interval '30 seconds'", "interval '2000 years'")
      .replace(/\$(\d+)/g, (_match, digits: string) => {
        const value = parameters[Number(digits) - 1]
        if (value === null || value === undefined) return 'null'
        if (made[value]) return made[value]
        const name = `s${nth}p${digits}`
        if (anyMade.test(value)) return (isBatch ? repeated : concatenated)(value, name)
        variables[name] = value
        return `:${name}`
      }),
  )
  const inOne = texts.length === 1 ? texts : ['begin', ...texts, 'commit']
  return {
    variables,
    text: [
      '\\set sequence :sequence + 1',
      `\\set number :first + (:sequence * 64 + :client_id) * ${rows}`,
      `\\set merchant random(${pgbenchFirst}, ${pgbenchFirst + merchants - 1})`,
      '\\set random random(1000000000000000000, 8999999999999999999)',
      ...inOne.map((text) => `${text};`),
      '',
    ].join('\n'),
  }
}
