import { CONSOLE_PAGE } from '@muripo/contract/console'
import type {
  ConsoleAuditEntry,
  exportConsoleAudit,
  listConsoleAudit,
} from '@muripo/contract/console-records'
import type { AuditId } from '@muripo/contract/ids'
import type { Query, Reply } from '@muripo/contract/route'
import { type AuditFilter, type LoggedAuditEntry, readAudit } from '../../../platform/audit/read-audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { isStatementTimeout } from '../../../platform/db/failures.ts'
import { AppError } from '../../../platform/errors.ts'
import { pageOf } from '../../../platform/http/page.ts'
import { headOf, lines } from '../../payments/index.ts'
import type { Operator } from '../people/store-operators.ts'
import { maskedAddress, maskedTexts } from './masked.ts'
import { revealedTo } from './store-reveals.ts'

type Filter = Query<typeof exportConsoleAudit>

const EXPORTED_AT_ONCE = 500

/** One page of the audit log. Entries about merchants are masked until the merchant or the subject is revealed to this operator. */
export async function readConsoleAudit(
  ctx: Ctx,
  operator: Operator,
  { cursor, ...filter }: Query<typeof listConsoleAudit>,
): Promise<Reply<typeof listConsoleAudit>> {
  const { entries, last } = await pageOfAudit(ctx, operator, filter, CONSOLE_PAGE, cursor)
  return { entries, nextCursor: last }
}

/** The chunks of the file. The first page is read at once, so that its error has an error response. */
export async function exportedAudit(
  ctx: Ctx,
  operator: Operator,
  filter: Filter,
): Promise<AsyncGenerator<string>> {
  const first = await pageOfAudit(ctx, operator, filter, EXPORTED_AT_ONCE)
  async function* chunks(): AsyncGenerator<string> {
    yield headOf(columns.map(([title]) => title))
    for (let page = first; ; page = await pageOfAudit(ctx, operator, filter, EXPORTED_AT_ONCE, page.last)) {
      if (page.entries.length > 0)
        yield lines(
          page.entries.map((entry) => columns.map(([, cell]) => cell(entry))),
          'neutral',
        )
      if (page.last === null) return
    }
  }
  return chunks()
}

const columns = [
  ['Time', ({ at }) => at],
  ['Action', ({ action }) => action],
  ['By', ({ actor }) => actor],
  ['Address', ({ address }) => address],
  ['About', ({ subject }) => subject],
  ['Details', ({ details }) => JSON.stringify(details)],
  ['Request', ({ requestId }) => requestId],
  ['ID', ({ id }) => id],
] as const satisfies readonly (readonly [title: string, cell: (entry: ConsoleAuditEntry) => string | null])[]

/** @throws AppError search_too_broad */
async function pageOfAudit(
  { reads, db }: Ctx,
  operator: Operator,
  { from, before, ...of }: Filter,
  limit: number,
  cursor?: AuditId | null,
): Promise<{ readonly entries: ConsoleAuditEntry[]; readonly last: AuditId | null }> {
  const ms = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at))
  const filter: AuditFilter = { ...of, from: ms(from), before: ms(before) }
  const found = readAudit(reads.kysely, filter, limit + 1, cursor ?? undefined)
  const { page, last } = pageOf(await withinLimit(found), limit)
  const subjects = page.flatMap(({ accountId, subject }) => [accountId ?? [], subject].flat())
  const revealed = await revealedTo(db.kysely, operator.id, subjects)
  const isShown = ({ accountId, subject }: LoggedAuditEntry) =>
    accountId === null || revealed.has(accountId) || revealed.has(subject)
  return { entries: page.map((entry) => toConsole(entry, isShown(entry))), last: last?.id ?? null }
}

const withinLimit = <Result>(read: Promise<Result>): Promise<Result> =>
  read.catch((error: unknown) => {
    throw isStatementTimeout(error) ? new AppError('search_too_broad') : error
  })

function toConsole(entry: LoggedAuditEntry, isShown: boolean): ConsoleAuditEntry {
  const { id, at, actorKind, actor, action, subject, address, requestId, details } = entry
  return {
    id,
    at: at.toISOString(),
    actor,
    action,
    subject,
    // The address of an operator is the company's own.
    address: isShown || actorKind === 'operator' ? address : address && maskedAddress(address),
    requestId,
    details: { ...(isShown ? details : (maskedTexts(details) as object)) },
  }
}
