import type { Readable } from 'node:stream'
import type { ExportQuery } from '@muripo/contract/payment-exports'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { merchantProfile, type SessionCaller } from '../../../identity/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { dashboardFilter } from '../../listing/selection.ts'
import { countForDashboard } from '../../listing/store-count.ts'
import { listForDashboard, type NamedPayment, withinSearchLimit } from '../../listing/store-list.ts'
import { csvHead, csvRowsIn } from '../csv.ts'
import { exportName } from '../export-name.ts'
import { streamOf } from '../running-exports.ts'

export interface ExportedFile {
  readonly fileName: string
  /** The number of rows in the file; null where a count would take long. */
  readonly rows: number | null
  readonly csv: Readable
}

/** A page is small enough for other requests to run between two pages. */
export const PAGE_ROWS = 500

/**
 * The file is generated while it is downloaded: a page is read when the previous one has been sent. The cursor is the id, which never
 * changes, so no payment occurs twice; a payment that is created meanwhile is newer than all of them and is not in the file.
 */
export const exportPayments = (
  ctx: PaymentsCtx,
  actor: Actor,
  caller: Pick<SessionCaller, 'merchantId' | 'applications'>,
  query: ExportQuery,
): Promise<ExportedFile> => {
  const accountId = caller.merchantId
  return ctx.exports.admit(accountId, async () => {
    const { fullname, timeZone } = await merchantProfile(ctx.reads.kysely, accountId)
    const filter = await dashboardFilter(ctx.reads.kysely, caller, { ...query, limit: PAGE_ROWS })
    const read = (cursor: Partial<{ cursor: NamedPayment['payment']['id'] }>) =>
      listForDashboard(ctx.reads.kysely, { ...filter, query: { ...filter.query, ...cursor } })
    // An error before the first byte has an error response. A later error can only abort the download.
    const [first, { matched, hasMoreMatches }] = await withinSearchLimit(
      Promise.all([read({}), countForDashboard(ctx.reads.kysely, filter)]),
    )

    const { texts: _, ...filters } = query
    await ctx.db.tx((tx) =>
      audit(ctx, tx, actor, {
        action: 'payments.exported',
        subject: accountId,
        accountId,
        details: { rows: hasMoreMatches ? `over ${matched}` : matched, filters: Object.keys(filters) },
      }),
    )

    const csvRows = csvRowsIn(timeZone, query.texts)
    async function* chunks(): AsyncGenerator<string> {
      yield csvHead()
      for (let page = first; page.length > 0; ) {
        const rows = page.slice(0, PAGE_ROWS)
        yield csvRows(rows)
        const last = rows.at(-1)
        if (last === undefined || page.length === rows.length) return
        page = await read({ cursor: last.payment.id })
      }
    }
    const csv = streamOf(ctx, accountId, chunks())
    return { fileName: exportName(accountId, fullname, query), rows: hasMoreMatches ? null : matched, csv }
  })
}
