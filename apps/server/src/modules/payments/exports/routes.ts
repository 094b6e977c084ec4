import * as exports from '@muripo/contract/payment-exports'
import type { FastifyReply } from 'fastify'
import { callerActor } from '../../../platform/audit/actor.ts'
import { type Binding, bind } from '../../../platform/http/route.ts'
import type { SessionCaller } from '../../identity/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { exportMovements } from './actions/export-movements.ts'
import { type ExportedFile, exportPayments } from './actions/export-payments.ts'

/** A client that reads nothing for this time is disconnected. */
const EXPORT_IDLE_MS = 60_000

export function exportRoutes(
  ctx: PaymentsCtx,
  { exportIdleMs = EXPORT_IDLE_MS } = {},
): Binding<SessionCaller>[] {
  const answerWith = (reply: FastifyReply, { fileName, rows, csv }: ExportedFile) => {
    reply.raw.setTimeout(exportIdleMs, () => reply.raw.destroy())
    return {
      status: 200 as const,
      stream: csv,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName}"`,
        ...(rows !== null && { [exports.ROW_COUNT_HEADER]: String(rows) }),
        // A proxy in between must not buffer the file.
        'x-accel-buffering': 'no',
      },
    }
  }
  return [
    bind(exports.exportPayments, async ({ caller, query, request, reply }) => {
      const actor = callerActor(caller, request)
      return answerWith(reply, await exportPayments(ctx, actor, caller, query))
    }),
    bind(exports.exportMovements, async ({ caller, query, request, reply }) => {
      const actor = callerActor(caller, request)
      return answerWith(reply, await exportMovements(ctx, actor, caller.merchantId, query))
    }),
  ]
}
