import { callOk } from '@muripo/rig/call'
import type { Payment } from '@muripo/rig/merchant'
import type pg from 'pg'
import { recordLog } from '../lib/database-log.ts'
import type { Gateway } from '../lib/gateway.ts'
import type { PgbenchScript } from '../lib/pgbench.ts'
import { pgbenchFirst, pgbenchIdTail } from '../lib/seed.ts'
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
const recordingSettings = {
  log_min_duration_statement: '0',
  log_parameter_max_length: '-1',
  log_error_verbosity: 'default',
}

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
  // Only the first call with a key reads the owner of the key.
  await createPayment(gateway, token)
  const { log } = await recordLog(gateway, sql, recordingSettings, () => createPayment(gateway, token))
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

export const createPayment = ({ url }: Pick<Gateway, 'url'>, bearer: string): Promise<Payment> =>
  callOk('POST', url + paymentsPath, {
    bearer,
    body: JSON.parse(orderBody),
    idempotencyKey: newIdempotencyKey(),
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
  const made = madeValues(ids, merchants, rows > 1)
  const anyMade = new RegExp(`(${Object.keys(made).map(RegExp.escape).join('|')})`)
  const variables: Record<string, string> = {}
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
  const parameter = (value: string | null | undefined, name: string): string => {
    if (value === null || value === undefined) return 'null'
    if (made[value]) return made[value]
    if (anyMade.test(value)) return (rows > 1 ? repeated : concatenated)(value, name)
    variables[name] = value
    return `:${name}`
  }
  const texts = statements.map(({ sql, parameters }, nth) =>
    // The ids that pgbench counts upwards contain times of other centuries.
    sql
      .replaceAll("interval '30 seconds'", "interval '2000 years'")
      .replace(/\$(\d+)/g, (_match, digits: string) =>
        parameter(parameters[Number(digits) - 1], `s${nth}p${digits}`),
      ),
  )
  const inOne = texts.length === 1 ? texts : ['begin', ...texts, 'commit']
  return { variables, text: [...drawn(merchants, rows), ...inOne.map((text) => `${text};`), ''].join('\n') }
}

/** The expressions that replace recorded ids and times. */
function madeValues(
  ids: RecordedIds & { createdAt: Date },
  merchants: number,
  isBatch: boolean,
): Readonly<Record<string, string>> {
  const merchant = isBatch ? `(${pgbenchFirst} + (:merchant::int + nth * 37) % ${merchants})` : ':merchant'
  const ofMerchant = `(${merchant} || '${pgbenchIdTail}')::uuid`
  // Twelve digits that only go up, as the time in a UUIDv7 does.
  const payment = `(${isBatch ? '(:number::bigint + nth)' : ':number'} || '70008000000000000000')::uuid`
  return {
    [ids.merchant]: ofMerchant,
    [ids.application]: ofMerchant,
    [ids.key]: ofMerchant,
    [ids.payment]: payment,
    [ids.checksum]: `(${isBatch ? '(:random::bigint + nth)' : ':random'} || '${checksumTail}')`,
    [ids.createdAt.toISOString()]: `id_time(${payment})`,
  }
}

/** The numbers that pgbench draws for each transaction. */
const drawn = (merchants: number, rows: number): string[] => [
  '\\set sequence :sequence + 1',
  `\\set number :first + (:sequence * 64 + :client_id) * ${rows}`,
  `\\set merchant random(${pgbenchFirst}, ${pgbenchFirst + merchants - 1})`,
  '\\set random random(1000000000000000000, 8999999999999999999)',
]
