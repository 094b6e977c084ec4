import { CONSOLE_PAGE, type listConsoleAudit } from '@muripo/contract/console'
import type { Query, Reply } from '@muripo/contract/route'
import { type LoggedAuditEntry, readAudit } from '../../../platform/audit/read-audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Operator } from '../people/store-operators.ts'
import { maskedAddress, maskedTexts } from './masked.ts'
import { revealedTo } from './store-reveals.ts'

type Page = Reply<typeof listConsoleAudit>

/** One page of the audit log. Entries about merchants are masked until the merchant or the subject is revealed to this operator. */
export async function readConsoleAudit(
  { reads, db }: Ctx,
  operator: Operator,
  { about, cursor }: Query<typeof listConsoleAudit>,
): Promise<Page> {
  const rows = await readAudit(reads.kysely, about ?? null, CONSOLE_PAGE + 1, cursor)
  const page = rows.slice(0, CONSOLE_PAGE)
  const subjects = page.flatMap(({ accountId, subject }) => [accountId ?? [], subject].flat())
  const revealed = await revealedTo(db.kysely, operator.id, subjects)
  const isShown = ({ accountId, subject }: LoggedAuditEntry) =>
    accountId === null || revealed.has(accountId) || revealed.has(subject)
  return {
    entries: page.map((entry) => toConsole(entry, isShown(entry))),
    nextCursor: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  }
}

function toConsole(entry: LoggedAuditEntry, isShown: boolean): Page['entries'][number] {
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
