import * as dashboard from '@muripo/contract/dashboard-payments'
import { callerActor } from '../../../platform/audit/actor.ts'
import { type Binding, bind } from '../../../platform/http/route.ts'
import type { SessionCaller } from '../../identity/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { exportPayments } from './actions/export-payments.ts'

/** A client that reads nothing for this time is disconnected. */
const EXPORT_IDLE_MS = 60_000

export function exportRoutes(
  ctx: PaymentsCtx,
  { exportIdleMs = EXPORT_IDLE_MS } = {},
): Binding<SessionCaller>[] {
  return [
    bind(dashboard.exportPayments, async ({ caller, query, request, reply }) => {
      const actor = callerActor(caller, request)
      const { fileName, rows, csv } = await exportPayments(ctx, actor, caller.merchantId, query)
      reply.raw.setTimeout(exportIdleMs, () => reply.raw.destroy())
      return {
        status: 200 as const,
        stream: csv,
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${fileName}"`,
          ...(rows !== null && { [dashboard.ROW_COUNT_HEADER]: String(rows) }),
          // A proxy in between must not buffer the file.
          'x-accel-buffering': 'no',
        },
      }
    }),
  ]
}
