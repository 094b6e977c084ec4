import pg from 'pg'

/** The settings of a server and the rights of a role, in a session without settings of its own. */
export type ServerFacts = Readonly<Record<string, string>>

/** The database server may lose or expose payments. Each line names one setting and its remedy. */
export class ServerError extends Error {}

export interface Requirement {
  readonly name: string
  /** A warning is for a setting that weakens the gateway without making it wrong. */
  readonly otherwise: 'refuse' | 'warn'
  holds(facts: ServerFacts): boolean
  readonly demand: string
}

const OLDEST_VERSION = 150_000

const setting = (
  name: string,
  allowed: readonly string[],
  demand: string,
  otherwise: Requirement['otherwise'] = 'refuse',
): Requirement => ({ name, otherwise, holds: (facts) => allowed.includes(facts[name] ?? ''), demand })

const isOff = (value: string | undefined): boolean => Number(value ?? -1) < 0

/** The server's log contains statements, because of their duration or kind. */
const logsStatements = (facts: ServerFacts): boolean =>
  !(
    isOff(facts.log_min_duration_statement) &&
    isOff(facts.log_min_duration_sample) &&
    facts.log_statement === 'none'
  )

export const requirements: readonly Requirement[] = [
  {
    name: 'server_version_num',
    otherwise: 'refuse',
    holds: ({ server_version_num }) => Number(server_version_num) >= OLDEST_VERSION,
    demand: 'use PostgreSQL 15 or later',
  },
  setting('fsync', ['on'], 'set it to on, for a crash loses acknowledged payments without it'),
  setting('full_page_writes', ['on'], 'set it to on, for a crash damages pages without it'),
  setting(
    'synchronous_commit',
    ['on', 'remote_apply'],
    'set it to on or remote_apply, for a crash loses acknowledged payments without it',
  ),
  setting(
    'data_sync_retry',
    ['off'],
    'set it to off, for a write that failed once may count as written with it',
  ),
  setting('default_transaction_isolation', ['read committed'], 'set it to read committed for this role'),
  setting('default_transaction_read_only', ['off'], 'set it to off for this role'),
  setting('TimeZone', ['UTC', 'Etc/UTC', 'GMT'], 'set it to UTC for this role', 'warn'),
  setting(
    'data_checksums',
    ['on'],
    'enable it with pg_checksums, for damage on the disk stays unnoticed without it',
    'warn',
  ),
  {
    name: 'log_parameter_max_length',
    otherwise: 'warn',
    holds: (facts) => facts.log_parameter_max_length === '0' || !logsStatements(facts),
    demand: "set it to 0, for the server's log holds customers' data without it",
  },
  setting(
    'log_parameter_max_length_on_error',
    ['0'],
    "set it to 0, for the server's log holds customers' data without it",
    'warn',
  ),
  setting(
    'log_error_verbosity',
    ['terse'],
    "set it to terse, for the server's log holds rows of a refused write without it",
    'warn',
  ),
  {
    name: 'superuser',
    otherwise: 'refuse',
    holds: ({ superuser }) => superuser === 'off',
    demand:
      'serve with a role of its own: set MIGRATE_DATABASE_URL to the present address and DATABASE_URL to that of a role that owns nothing, for triggers and rights do not hold a superuser',
  },
]

interface Problem extends Pick<Requirement, 'name' | 'otherwise'> {
  readonly line: string
}

/** One line for each unmet requirement. */
export const problemsOf = (facts: ServerFacts): Problem[] =>
  requirements
    .filter((each) => !each.holds(facts))
    .map(({ name, otherwise, demand }) => ({
      name,
      otherwise,
      line: `The database has ${name} = ${facts[name] ?? 'unknown'}: ${demand}`,
    }))

async function readFacts(databaseUrl: string): Promise<ServerFacts> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'muripo: checks the server',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name = any($1)
       union all
       select 'superuser', case when rolsuper then 'on' else 'off' end from pg_roles where rolname = current_user`,
      [requirements.map(({ name }) => name).concat(statementLogging)],
    )
    return Object.fromEntries(rows.map(({ name, setting: value }) => [name, value]))
  } finally {
    await client.end()
  }
}

const statementLogging = ['log_min_duration_statement', 'log_min_duration_sample', 'log_statement']

/** The unmet requirements of a server. */
export const serverProblems = async (databaseUrl: string): Promise<readonly Problem[]> =>
  problemsOf(await readFacts(databaseUrl))

/**
 * Compares the server with the requirements.
 * @returns the warnings
 * @throws ServerError in production, with every line that refuses the start
 */
export async function checkServer(
  databaseUrl: string,
  mode: 'development' | 'production',
): Promise<readonly string[]> {
  const problems = await serverProblems(databaseUrl)
  const refused = problems.filter(({ otherwise }) => otherwise === 'refuse')
  if (mode === 'production' && refused.length > 0)
    throw new ServerError(refused.map(({ line }) => line).join('\n'))
  return problems.map(({ line }) => line)
}
