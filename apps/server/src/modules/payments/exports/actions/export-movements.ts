import type { AccountId } from '@muripo/contract/ids'
import type { MovementsQuery } from '@muripo/contract/payment-exports'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Queryable } from '../../../../platform/db/database.ts'
import { merchantProfile } from '../../../identity/index.ts'
import { countMovements, listMovements, type Movement } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { createdIn } from '../../listing/selection.ts'
import { findForDashboard } from '../../listing/store-list.ts'
import { movementsName } from '../export-name.ts'
import {
  createTotals,
  movementRowsIn,
  movementsHead,
  type NamedMovement,
  totalRows,
} from '../movements-csv.ts'
import { streamOf } from '../running-exports.ts'
import { type ExportedFile, PAGE_ROWS } from './export-payments.ts'

/** More rows than one sheet of a workbook in the browser are not counted. */
const MOST_COUNTED = 100_000

/**
 * Each movement of the account's money within the days, by the time of the movement and not of its payment: a refund in December of a payment
 * in November is in the file of December. The sum of a file is the change of what the merchant is owed.
 */
export const exportMovements = (
  ctx: PaymentsCtx,
  actor: Actor,
  accountId: AccountId,
  query: MovementsQuery,
): Promise<ExportedFile> =>
  ctx.exports.admit(accountId, async () => {
    const db = ctx.reads.kysely
    const { fullname, timeZone } = await merchantProfile(db, accountId)
    const period = createdIn(query, timeZone)
    const [first, count] = await Promise.all([
      listMovements(db, accountId, period, { most: PAGE_ROWS }),
      countMovements(db, accountId, period, MOST_COUNTED + 1),
    ])
    await ctx.db.tx((tx) =>
      audit(ctx, tx, actor, {
        action: 'payments.exported',
        subject: accountId,
        accountId,
        details: {
          content: 'movements',
          rows: count > MOST_COUNTED ? `over ${MOST_COUNTED}` : count,
          filters: Object.keys(query).filter((name) => name !== 'texts'),
        },
      }),
    )

    const rowsOf = movementRowsIn(timeZone, query.texts)
    async function* chunks(): AsyncGenerator<string> {
      yield movementsHead()
      const totals = createTotals()
      for (let page = first; page.length > 0; ) {
        for (const movement of page) totals.add(movement)
        yield rowsOf(await withPayments(db, accountId, page))
        if (page.length < PAGE_ROWS) break
        page = await listMovements(db, accountId, period, { after: page.at(-1), most: PAGE_ROWS })
      }
      yield totalRows(totals.all())
    }
    const csv = streamOf(ctx, accountId, chunks())
    const rows = count > MOST_COUNTED ? null : count
    return { fileName: movementsName(accountId, fullname, query), rows, csv }
  })

async function withPayments(
  db: Queryable,
  accountId: AccountId,
  movements: readonly Movement[],
): Promise<NamedMovement[]> {
  const ids = movements.flatMap(({ paymentId }) => paymentId ?? [])
  const found = await findForDashboard(db, accountId, ids)
  const byId = new Map(found.map((named) => [named.payment.id, named]))
  return movements.map((movement) => ({
    movement,
    of: (movement.paymentId && byId.get(movement.paymentId)) ?? null,
  }))
}
