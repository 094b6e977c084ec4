import type { Status } from '@muripo/contract/site'
import { newestSeal } from '../../../platform/audit/audit-seals.ts'
import { actionsAlone } from '../../../platform/audit/read-audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { jobsByKind } from '../../../platform/jobs/store-jobs.ts'
import { dueDailyMails, takeDailyMail } from '../people/store-daily-mails.ts'
import { fourEyesOf, fourEyesWarning } from '../proposals/four-eyes.ts'
import { dailyMail } from './daily-mail.ts'
import { readWaiting, unwellIn } from './read-today.ts'

const BATCH = 50

/** Mails each operator once a day what waits, what is unwell, what one person decided alone, and the head of the audit log. */
export async function mailDaily(ctx: Ctx, readStatus: () => Promise<Status>): Promise<void> {
  const due = await dueDailyMails(ctx.db.kysely, BATCH)
  if (due.length === 0) return
  const q = ctx.db.kysely
  const kinds = await jobsByKind(q)
  const shared = {
    unwell: unwellIn(await readStatus()),
    jobsGivenUp: kinds.reduce((sum, { givenUp }) => sum + givenUp, 0),
    fourEyesWarning: fourEyesWarning(await fourEyesOf(ctx)),
    head: await newestSeal(q),
  }
  for (const { operator, lastAt } of due) {
    const work = {
      ...shared,
      waiting: await readWaiting(ctx, operator),
      alone: await actionsAlone(q, lastAt),
    }
    const mail = dailyMail(operator, work, { now: ctx.clock.now(), consoleUrl: ctx.config.consoleUrl })
    await ctx.db.tx(async (tx) => {
      if (await takeDailyMail(tx, operator.id)) await ctx.mailer.send(tx, mail)
    })
  }
}
