import path from 'node:path'
import { accountByEmail } from '../apps/server/src/modules/identity/store.ts'
import { parseConfig } from '../apps/server/src/platform/config.ts'
import { deriveKeys, developmentMasterKey } from '../apps/server/src/platform/crypto/keys.ts'
import type { Ctx } from '../apps/server/src/platform/ctx.ts'
import type { Database } from '../apps/server/src/platform/db/database.ts'
import { createFiles } from '../apps/server/src/platform/files/files.ts'
import { jobs } from '../apps/server/src/platform/jobs/jobs.ts'
import { createLog } from '../apps/server/src/platform/log.ts'
import { createMailer } from '../apps/server/src/platform/mail/mailer.ts'
import { dayMs } from './lib/demo/calendar.ts'
import { createChance } from './lib/demo/chance.ts'
import { createClock } from './lib/demo/clock.ts'
import { inOneTransaction, runningDatabase } from './lib/demo/database.ts'
import { datedIds } from './lib/demo/ids.ts'
import { closeShops, makeMerchant, makeShops } from './lib/demo/merchant.ts'
import { makePayments, openPaymentUrl } from './lib/demo/payments.ts'
import { plan, planDays } from './lib/demo/plan.ts'
import { createBooks } from './lib/demo/providers.ts'
import { merchant, shops } from './lib/demo/shops.ts'
import type { Prepared } from './lib/supervisor.ts'

const seed = 20_261_355
const config = parseConfig(process.env)
const keys = deriveKeys(config.masterKey ?? developmentMasterKey(config.dataDir))
const log = createLog('silent')

function contextOf(db: Database, startedAt: number) {
  const clock = createClock(startedAt)
  const ids = datedIds(createChance(seed), clock)
  const mailer = createMailer(jobs, keys.jobSeal)
  const files = createFiles(config, keys.fileSeal, clock)
  const ctx: Ctx = { config, keys, db, clock, ids, jobs, mailer, files, log }
  return { ctx, clock }
}

/** The sample merchant and three months of trade. */
async function makeEverything(db: Database, now: number): Promise<void> {
  const books = createBooks()
  await inOneTransaction(db, async (inner) => {
    const { ctx, clock } = contextOf(inner, now - (planDays + shops.length + 2) * dayMs)
    const merchantId = await makeMerchant(ctx)
    const owners = await makeShops(ctx, clock, merchantId)
    await makePayments(ctx, plan(createChance(seed), now), owners, books)
    await closeShops(ctx, owners, now)
  })
  books.keepIn(path.join(config.dataDir, 'simulator'))
}

async function main(): Promise<Prepared> {
  const db = runningDatabase(config)
  const now = Date.now()
  const isThere = (await accountByEmail(db.kysely, merchant.email)) !== null
  if (!isThere) {
    console.log('making the sample data')
    await makeEverything(db, now)
  }
  const { ctx } = contextOf(db, now)
  const url = await openPaymentUrl(ctx, merchant.email)
  await db.close()
  return {
    type: 'prepared',
    rows: [
      ['Sign in', merchant.email],
      ['Password', merchant.password],
      ['Code', 'comes by mail: read it in the mailbox'],
      ...(url === null ? [] : [['Pay', url] as const]),
    ],
    hasTaughtSimulator: !isThere,
  }
}

// Whoever started this process is gone: what is not committed is dropped.
process.on('disconnect', () => process.exit(1))
try {
  const prepared = await main()
  process.send?.(prepared, () => process.exit(0))
} catch (error) {
  console.error(`The sample data could not be made: ${(error as Error).message}`)
  process.exit(1)
}
