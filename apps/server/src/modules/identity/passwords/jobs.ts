import { locales } from '@muripo/contract/enums'
import { OtpId } from '@muripo/contract/ids'
import { z } from 'zod'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Job } from '../../../platform/jobs/jobs.ts'
import { sendResetCode } from './actions/send-reset-code.ts'

const TASK = 'send-reset-code'
const ResetRequest = z.object({
  otpId: OtpId,
  email: z.string(),
  /** Hexadecimal. */
  device: z.string().nullable(),
  address: z.string(),
  requestId: z.string(),
  userAgent: z.string(),
  /** Absent from a job of an earlier version. */
  locale: z.enum(locales).default('en'),
  at: z.iso.datetime(),
})

export const enqueueResetCode = (ctx: Ctx, tx: Tx, request: z.input<typeof ResetRequest>): Promise<void> =>
  ctx.jobs.enqueue(tx, TASK, request, { maxAttempts: 8 })

export const resetCodeJob = (ctx: Ctx): Job => ({
  name: TASK,
  async run(payload) {
    const { device, at, ...request } = ResetRequest.parse(payload)
    await sendResetCode(ctx, {
      ...request,
      device: device ? Buffer.from(device, 'hex') : null,
      at: new Date(at),
    })
  },
})
