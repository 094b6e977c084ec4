import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { StatementId } from '@muripo/contract/ids'
import type { z } from 'zod'
import {
  decimalText,
  discardStatement,
  findStatement,
  importStatement,
  LineKind,
  linesOf,
  listSources,
  listStatements,
  readAmount,
  readMoment,
  resolveRow,
  SourceDefinition,
  StatementRefused,
  type StatementSource,
  type StoredStatement,
  setSource,
  type TypedFacts,
  Unreadable,
  unreadOf,
} from '../modules/reconciliation/index.ts'
import { reasonIn, textIn, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { aligned, block, firstOf, oneLine } from './print.ts'

/** The limits of what the commands print. */
const LISTED = 50
const SHOWN = 20
const MOST_DEFINITION_BYTES = 100_000
const MOST_FILE_BYTES = 100_000_000

export const statementCommands: readonly Command[] = [
  {
    words: 'statements sources',
    does: 'list the accounts at providers and banks whose statements are imported, and the form of each',
    async run({ ctx }) {
      const sources = await listSources(ctx.db.kysely)
      if (sources.length === 0) return 'There are no sources: statements add-source adds one.'
      return sources.map(sourceText).join('\n\n')
    },
  },
  {
    words: 'statements add-source',
    parameters: ['SOURCE'],
    options: { from: 'FILE' },
    does: 'add a source, or give one another form: the account, its currency and the mapping of its statements, as JSON in the file',
    run: addSource,
  },
  {
    words: 'statements import',
    parameters: ['FILE'],
    options: { source: 'SOURCE' },
    optional: { opening: 'AMOUNT', closing: 'AMOUNT', until: 'DATE', 'gap-reason': 'TEXT' },
    does: 'import a statement that continues the last one of its source; balances and the last day are typed only where the file has none',
    run: importFile,
  },
  {
    words: 'statements list',
    optional: { source: 'SOURCE' },
    does: `list the last ${LISTED} statements, of all sources or of one`,
    async run({ ctx }, { options }) {
      const sourceId = options.source ?? null
      if (sourceId !== null) await sourceIn(ctx, sourceId)
      const statements = await listStatements(ctx.db.kysely, { sourceId, most: LISTED + 1 })
      if (statements.length === 0) return 'There are no statements: statements import imports one.'
      return tableOf(statements)
    },
  },
  {
    words: 'statements show',
    parameters: ['STATEMENT'],
    does: `show a statement, its first ${SHOWN} lines, and the rows that could not be read`,
    run: show,
  },
  {
    words: 'statements resolve',
    parameters: ['STATEMENT', 'ROW'],
    optional: { date: 'DATE', amount: 'AMOUNT', reference: 'TEXT', kind: 'KIND', 'no-line': 'REASON' },
    does: 'type an unread row as a line (--date 2026-11-28 --amount -12.50), or say why it is none; after the last one the statement is closed',
    run: resolveUnread,
  },
  {
    words: 'statements discard',
    parameters: ['STATEMENT'],
    options: { reason: 'TEXT' },
    does: 'remove a statement that has unread rows, so that a better file can be imported',
    async run({ ctx, operator }, { values: [text], options }) {
      const id = typedId(StatementId, 'a statement', text)
      await inWords(discardStatement(ctx, operator, id, reasonIn(options)))
      return `${id} and its lines are removed.`
    },
  },
]

const inWords = async <Value>(work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    throw error instanceof StatementRefused ? new Refused(error.message) : error
  })

async function sourceIn({ db }: OperatorContext['ctx'], id = ''): Promise<StatementSource> {
  const source = (await listSources(db.kysely)).find((each) => each.id === id)
  if (source) return source
  throw new Refused(`There is no source "${oneLine(id)}": see statements sources.`)
}

const sourceText = ({ id, kind, ledgerCode, account, currency, format, timeZone }: StatementSource): string =>
  block(id, [
    ['kind', kind],
    ['account', account ?? ''],
    ['in the ledger', ledgerCode],
    ['currency', currency],
    ['format', format],
    ['time zone', timeZone],
  ])

async function addSource(
  { ctx, operator, directory }: OperatorContext,
  { values: [id = ''], options }: CommandArguments,
): Promise<string> {
  if (!/^[a-z0-9-]{1,40}$/.test(id))
    throw new UsageError(
      `"${oneLine(id)}" is not a name of a source: small letters, digits and hyphens, at most 40.`,
    )
  const path = resolve(directory, options.from ?? '')
  await checkFile(path, MOST_DEFINITION_BYTES)
  const definition = SourceDefinition.safeParse(jsonOf(await readFile(path, 'utf8')))
  if (!definition.success) throw new Refused(`The file is not a source: ${problemOf(definition.error)}`)
  const isNew = await inWords(setSource(ctx, operator, id, definition.data))
  return isNew ? `The source ${id} is added.` : `The source ${id} is changed.`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refused(`The file is not JSON: ${oneLine((error as Error).message)}.`)
  }
}

/** The problem that is deepest in the definition: of the alternatives of a union, the one that fits most. */
function problemOf({ issues }: { readonly issues: readonly z.core.$ZodIssue[] }): string {
  const deepest = (
    issue: z.core.$ZodIssue,
    path: readonly PropertyKey[],
  ): { path: PropertyKey[]; text: string }[] => {
    const here = [...path, ...issue.path]
    if (issue.code !== 'invalid_union') return [{ path: here, text: issue.message }]
    const fewest = [...issue.errors].sort((one, other) => one.length - other.length)[0] ?? []
    return fewest.flatMap((each) => deepest(each, here))
  }
  const [problem] = issues.flatMap((issue) => deepest(issue, []))
  const at = problem?.path.map(String).join('.') ?? ''
  return oneLine(`${at === '' ? '' : `${at}: `}${problem?.text ?? 'it has another form'}`)
}

async function checkFile(path: string, mostBytes: number): Promise<void> {
  const file = await stat(path).catch(() => null)
  if (!file?.isFile()) throw new Refused(`${path} is not a file.`)
  if (file.size === 0) throw new Refused(`${path} is empty.`)
  if (file.size > mostBytes) throw new Refused(`${path} has more than ${mostBytes / 1e6} MB.`)
}

function amountIn(text: string, currency: string): bigint {
  try {
    return readAmount(text, { decimal: '.', thousands: '', currency })
  } catch (error) {
    if (error instanceof Unreadable) throw new UsageError(`${error.message}, as 12.50.`)
    throw error
  }
}

function dayIn(text: string): string {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return readMoment(text, 'YMD').day
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  throw new UsageError(`"${oneLine(text)}" is not a day, as 2026-11-28.`)
}

async function importFile(
  { ctx, operator, directory }: OperatorContext,
  { values: [file = ''], options }: CommandArguments,
): Promise<string> {
  const source = await sourceIn(ctx, options.source)
  const path = resolve(directory, file)
  await checkFile(path, MOST_FILE_BYTES)
  const { opening, closing, until } = options
  const typed: TypedFacts = {
    ...(opening !== undefined && { openingMinor: amountIn(opening, source.currency) }),
    ...(closing !== undefined && { closingMinor: amountIn(closing, source.currency) }),
    ...(until !== undefined && { endsOn: dayIn(until) }),
    ...(options['gap-reason'] !== undefined && { gapReason: reasonIn(options, 'gap-reason') }),
  }
  const imported = await inWords(
    importStatement(ctx, operator, { path, name: basename(path) }, source.id, typed),
  )
  const lines = imported.statements.map((statement) => importedText(statement))
  if (imported.isRepeated) return ['This file was imported before. Nothing has changed.', ...lines].join('\n')
  const { repeatedLines } = imported
  const repeated =
    repeatedLines === 0
      ? []
      : [`${repeatedLines} lines have the reference, amount and day of a line of an earlier statement.`]
  return [...lines, ...repeated].join('\n')
}

function importedText(statement: StoredStatement): string {
  const { id, lines, openingMinor, closingMinor, currency, unread, status, endsOn } = statement
  const text = `${id}: ${lines} line${lines === 1 ? '' : 's'} until ${endsOn}, ${currency} ${decimalText(openingMinor, currency)} to ${decimalText(closingMinor, currency)}.`
  if (status === 'read') return text
  return `${text} PARTIAL: ${unread} row${unread === 1 ? '' : 's'} could not be read; see statements show ${id}.`
}

function tableOf(statements: readonly StoredStatement[]): string {
  const rows = statements
    .slice(0, LISTED)
    .map(({ id, sourceId, number, endsOn, currency, openingMinor, closingMinor, lines, status }) => [
      id,
      sourceId,
      number ?? '',
      endsOn,
      currency,
      decimalText(openingMinor, currency),
      decimalText(closingMinor, currency),
      String(lines),
      status,
    ])
  const table = aligned([
    ['statement', 'source', 'number', 'until', 'currency', 'opening', 'closing', 'lines', 'state'],
    ...rows,
  ])
  return statements.length > LISTED ? `${table}\n\nThese are the newest ${LISTED}; there are more.` : table
}

async function show({ ctx }: OperatorContext, { values: [text] }: CommandArguments): Promise<string> {
  const id = typedId(StatementId, 'a statement', text)
  const statement = await findStatement(ctx.db.kysely, id)
  if (!statement) throw new Refused(`There is no statement ${id}.`)
  const { currency, openingMinor, closingMinor, sumMinor } = statement
  const decimals = (minor: bigint) => decimalText(minor, currency)
  const head = block(id, [
    ['source', statement.sourceId],
    ['file', statement.fileName],
    ['number', statement.number ?? ''],
    ['days', `${statement.startsOn === null ? 'until' : `${statement.startsOn} to`} ${statement.endsOn}`],
    ['opening', `${currency} ${decimals(openingMinor)} (by the ${statement.openingFrom})`],
    ['closing', `${currency} ${decimals(closingMinor)} (by the ${statement.closingFrom})`],
    ['lines', `${statement.lines}, ${currency} ${decimals(sumMinor)}`],
    ['gap', statement.gapReason ?? ''],
    ['received', `${statement.receivedAt.toISOString()} by ${statement.receivedBy}`],
    ['state', statement.status === 'read' ? 'read' : `partial: ${statement.unread} unread rows`],
  ])
  const lines = await linesOf(ctx.db.kysely, id, SHOWN + 1)
  const unread = await unreadOf(ctx.db.kysely, id, SHOWN + 1)
  const table = aligned([
    ['row', 'day', 'kind', 'amount', 'reference'],
    ...lines
      .slice(0, SHOWN)
      .map(({ row, bookedOn, kind, netMinor, reference }) => [
        String(row),
        bookedOn,
        kind,
        decimals(netMinor),
        oneLine(reference ?? ''),
      ]),
  ])
  return [
    head,
    ...(lines.length === 0 ? [] : [lines.length > SHOWN ? `${table}\n(the first ${SHOWN})` : table]),
    ...(unread.length === 0
      ? []
      : [
          `UNREAD\n${firstOf(unread, SHOWN, ({ row, reason, cells }) => `  row ${row}: ${oneLine(reason)}\n    ${oneLine(cells)}`)}`,
        ]),
  ].join('\n\n')
}

async function resolveUnread(
  { ctx, operator }: OperatorContext,
  { values: [text, row = ''], options }: CommandArguments,
): Promise<string> {
  const id = typedId(StatementId, 'a statement', text)
  if (!/^[1-9]\d{0,8}$/.test(row)) throw new UsageError(`"${oneLine(row)}" is not the number of a row.`)
  const statement = await findStatement(ctx.db.kysely, id)
  if (!statement) throw new Refused(`There is no statement ${id}.`)
  const { date, amount, kind = 'other', reference } = options
  const isLine = date !== undefined && amount !== undefined
  if (isLine === (options['no-line'] !== undefined))
    throw new UsageError(
      'Give --date and --amount of the line, or --no-line with the reason why the row is none.',
    )
  const typedKind = LineKind.safeParse(kind)
  if (!typedKind.success)
    throw new UsageError(`"${oneLine(kind)}" is not a kind of line: ${LineKind.options.join(', ')}.`)
  const resolution = isLine
    ? {
        line: {
          bookedOn: dayIn(date),
          netMinor: amountIn(amount, statement.currency),
          kind: typedKind.data,
          reference: reference === undefined ? null : textIn(options, 'reference', 'the reference', 140),
        },
      }
    : { noLineBecause: reasonIn(options, 'no-line') }
  return importedText(await inWords(resolveRow(ctx, operator, id, Number(row), resolution)))
}
