/** A rule for changes to tables that an earlier version serves at the same time. */
interface Rule {
  readonly breaks: RegExp
  readonly because: string
}

const identifier = '[a-z_."]+'
const rules: readonly Rule[] = [
  {
    breaks: /\bdrop (table|view|column)\b/,
    because:
      'the earlier version still reads it: drop it one release later, in a file *_of_NNNN_contract.sql',
  },
  { breaks: /\brename\b/, because: 'the earlier version uses the earlier name: add the new one beside it' },
  {
    breaks: /\balter column \S+ (set data )?type\b/,
    because: 'it rewrites the table: add a column, and back-fill it in slices',
  },
  {
    breaks: /\balter column \S+ set not null\b/,
    because: 'it reads the whole table under its lock: add a check that is not valid, and validate it',
  },
  {
    breaks: /\badd column (?:(?!,|;)[\s\S])*\bnot null\b(?!(?:(?!,|;)[\s\S])*\bdefault\b)/,
    because: 'the earlier version inserts no value: give it a default',
  },
  {
    breaks:
      /\badd (column [\s\S]*? )?(constraint \S+ )?(check|foreign key|references)\b(?![^;]*\bnot valid\b)/,
    because: 'it reads the whole table under its lock: add it as not valid, and validate it in a later file',
  },
  {
    breaks: /\badd (constraint \S+ )?(unique|primary key) \(/,
    because: 'it builds an index under its lock: build it concurrently, and add the constraint using index',
  },
  {
    breaks: /^(with\b.*\b)?(update|delete from) /,
    because: 'a change of many rows is no migration: back-fill in slices, in a background task',
  },
  { breaks: /\b(lock table|cluster|vacuum full|reindex)\b/, because: 'it locks the table' },
]

/** Tables that a file creates are empty and not yet in use. */
const createdTables = (sql: string): string[] =>
  [...sql.matchAll(new RegExp(`create table (?:if not exists )?(${identifier})`, 'g'))].map(
    ([, name = '']) => name,
  )

/** Texts in the bodies of functions run later; comments do not run. */
const statementsOf = (sql: string): string[] =>
  sql
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')

/** The statements of a migration after the baselines that would block or break processes of the earlier version. */
export function migrationProblems(file: string, sql: string): string[] {
  const statements = statementsOf(sql)
  const created = createdTables(sql.toLowerCase())
  if (file.endsWith('_concurrently.sql'))
    return statements
      .filter((each) => !isConcurrent(each))
      .map((each) => `${file}: "${each}" is not concurrent`)
  return statements.flatMap((statement) => {
    const [, table] =
      new RegExp(`^alter table (?:if exists )?(?:only )?(${identifier})`).exec(statement) ?? []
    const [, indexed] =
      new RegExp(`^create (?:unique )?index .*? on (?:only )?(${identifier})`).exec(statement) ?? []
    if (indexed !== undefined && !created.includes(indexed))
      return [`${file}: the index on ${indexed} stops its writers: build it in a file *_concurrently.sql`]
    if (table !== undefined && created.includes(table)) return []
    return rules
      .filter(({ breaks }) => breaks.test(statement))
      .filter(({ because }) => !(contracts(file) && because.includes('_contract.sql')))
      .map(({ because }) => `${file}: "${statement.slice(0, 80)}": ${because}`)
  })
}

/** The name has the number of the migration that replaced what the file drops: a version without that migration refuses the database. */
const contracts = (file: string): boolean => {
  const [, own = '', replacement = ''] = /^(\d{4})_.*_of_(\d{4})_contract\.sql$/.exec(file) ?? []
  return replacement < own
}

/** An index that a cancelled build has left invalid is dropped first. */
const isConcurrent = (statement: string): boolean =>
  /^(drop index concurrently if exists|create (unique )?index concurrently) /.test(statement)
