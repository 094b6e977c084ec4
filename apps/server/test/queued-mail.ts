import type { Ctx } from '../src/platform/ctx.ts'
import type { Mail } from '../src/platform/mail/mail.ts'
import { sendMailJob } from '../src/platform/mail/mailer.ts'

/** The mail that another process queued last, rendered as the gateway would send it. */
export async function lastQueuedMail(ctx: Ctx): Promise<Mail> {
  const { rows } = await ctx.db.pool.query('select payload from jobs order by id desc limit 1')
  const sent: Mail[] = []
  const transport = { deliver: async (mail: Mail) => void sent.push(mail) }
  await sendMailJob(transport as never, ctx.keys.jobEncryption, ctx.log).run(rows[0].payload)
  const [mail] = sent
  if (!mail) throw new Error('a queued mail is sent')
  return mail
}
