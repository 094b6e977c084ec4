import type { Ctx } from '../../../platform/ctx.ts'
import { momentText } from '../../../platform/mail/email-content.ts'
import { merchantProfile } from '../../identity/index.ts'
import { keyEndsMail } from '../merchant-emails.ts'
import { findApplicationName } from '../store.ts'
import { takeEndingKeys } from '../store-named-keys.ts'

/** The days before the end of a key at which its owner is mailed; a key that ends sooner has the last mail only. */
const DAYS = [1, 7] as const
const BATCH = 50

/** Mails the owners of named keys that end soon, once for each number of days. */
export async function mailEndingKeys(ctx: Ctx): Promise<void> {
  for (const days of DAYS) {
    let taken: number
    do {
      taken = await ctx.db.tx(async (tx) => {
        const ending = await takeEndingKeys(tx, days, BATCH)
        for (const { accountId, applicationId, name, expiresAt } of ending) {
          const merchant = await merchantProfile(tx, accountId)
          const application = await findApplicationName(tx, accountId, applicationId)
          const at = momentText(expiresAt, merchant.timeZone, merchant.locale)
          await ctx.mailer.send(tx, keyEndsMail(merchant, { application, name, at }))
        }
        return ending.length
      })
    } while (taken === BATCH)
  }
}
