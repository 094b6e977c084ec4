import { OtpId } from '@muripo/contract/ids'
import { z } from 'zod'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { DEVICE_LIFE_SECONDS } from './devices/device-cookie.ts'
import { forgetDevices } from './devices/store-devices.ts'
import { forgetChallenges } from './passkeys/store-challenges.ts'
import { sendResetCode } from './passwords/actions/send-reset-code.ts'
import { refusedTryJob } from './passwords/refused-try.ts'
import { forgetOldFailures } from './passwords/store-lockouts.ts'
import { pruneAccess } from './sessions/prune-access.ts'

const TASK = 'send-reset-code'
const ResetRequest = z.object({
  otpId: OtpId,
  email: z.string(),
  /** Hexadecimal. */
  device: z.string().nullable(),
  address: z.string(),
  requestId: z.string(),
  userAgent: z.string(),
  at: z.iso.datetime(),
})

export const enqueueResetCode = (ctx: Ctx, tx: Tx, request: z.input<typeof ResetRequest>): Promise<void> =>
  ctx.jobs.enqueue(tx, TASK, request, { maxAttempts: 8 })

export const identityJobs = (ctx: Ctx): Job[] => [
  {
    name: TASK,
    async run(payload) {
      const { device, at, ...request } = ResetRequest.parse(payload)
      await sendResetCode(ctx, {
        ...request,
        device: device ? Buffer.from(device, 'hex') : null,
        at: new Date(at),
      })
    },
  },
  refusedTryJob(ctx),
]

/** What failed long ago is of no more use, nor is a device that nobody uses or a challenge that nobody met. */
export async function forgetOldTries(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  await forgetOldFailures(ctx.db.kysely, now)
  await forgetChallenges(ctx.db.kysely, now)
  await pruneAccess(ctx)
  await forgetDevices(ctx.db.kysely, plusMs(now, -1000 * DEVICE_LIFE_SECONDS))
}
