import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { KeyOwner } from '../../apps/server/src/modules/applications/store-keys.ts'
import { accountByEmail } from '../../apps/server/src/modules/identity/persons/store-persons.ts'
import { type Clock, systemClock } from '../../apps/server/src/platform/clock.ts'
import { parseConfig } from '../../apps/server/src/platform/config.ts'
import { type Keys, masterKeysOf } from '../../apps/server/src/platform/crypto/keys.ts'
import { loadKeys } from '../../apps/server/src/platform/crypto/root-secret.ts'
import type { Ctx } from '../../apps/server/src/platform/ctx.ts'
import type { Database } from '../../apps/server/src/platform/db/database.ts'
import { onePool } from '../../apps/server/src/platform/db/pools.ts'
import { createDiskSpace } from '../../apps/server/src/platform/files/disk-space.ts'
import { createFiles } from '../../apps/server/src/platform/files/files.ts'
import { jobs } from '../../apps/server/src/platform/jobs/jobs.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import type { EmailContent } from '../../apps/server/src/platform/mail/email-content.ts'
import type { Mailer } from '../../apps/server/src/platform/mail/mailer.ts'
import type { Prepared } from '../lib/supervisor.ts'
import { dayMs } from './calendar.ts'
import { createChance } from './chance.ts'
import { createTimeline } from './clock.ts'
import { type Open, withDatabase } from './database.ts'
import { datedIds } from './ids.ts'
import { finalCourse, merchantCourse } from './merchant.ts'
import { openPaymentUrl, paymentCourses } from './payments.ts'
import { plan, planDays } from './plan.ts'
import { createPastWallet } from './providers.ts'
import { merchant, type Shop, shops } from './shops.ts'

const seed = 20_261_355
const config = parseConfig(process.env)
const log = createLog('silent')
/** Exists only when the sample data is complete. */
const doneFile = path.join(config.dataDir, 'sample-data')

/** A context for actions with a given clock. Emails belong to the past, so they are kept here and not sent. */
function contextOf(db: Database, keys: Keys, clock: Clock): { ctx: Ctx; emails: EmailContent[] } {
  const emails: EmailContent[] = []
  const mailer: Mailer = {
    async send(_tx, email) {
      emails.push(email)
    },
  }
  const ctx: Ctx = {
    config,
    keys,
    ...onePool(db),
    clock,
    ids: datedIds(createChance(seed), clock),
    jobs,
    mailer,
    files: createFiles(config, keys.fileEncryption, clock),
    disk: createDiskSpace(config, log),
    log,
    tracing: null,
  }
  return { ctx, emails }
}

/** The sample merchant and three months of trade. */
async function makeEverything(open: Open, keys: Keys, now: number): Promise<void> {
  const { clock, play } = createTimeline(now - (planDays + shops.length + 2) * dayMs)
  const { ctx, emails } = contextOf(open(clock), keys, clock)
  const pastWallet = createPastWallet()
  const owners = new Map<Shop, KeyOwner>()
  await play(
    [
      merchantCourse(ctx, emails, owners),
      ...paymentCourses(ctx, plan(createChance(seed), now), owners, pastWallet),
      finalCourse(ctx, owners, now),
    ],
    now,
  )
  await endWatches(ctx.db)
  pastWallet.saveTo(path.join(config.dataDir, 'simulator'))
}

/** The gateway watches failed charges and refunds at their providers for days. Those of the sample are over, and the simulator has none of them. */
async function endWatches({ kysely }: Database): Promise<void> {
  for (const table of ['payment_attempts', 'refunds'] as const)
    await kysely
      .updateTable(table)
      .set({ next_watch_at: null })
      .where('next_watch_at', 'is not', null)
      .execute()
}

async function prepare(open: Open): Promise<Prepared> {
  const db = open()
  const keys = await loadKeys(db.kysely, masterKeysOf(config))
  if (!existsSync(doneFile)) {
    if ((await accountByEmail(db.kysely, merchant.email)) !== null)
      throw new Error(`an earlier run was interrupted: remove ${config.dataDir} and start again`)
    console.log('making the sample data')
    await makeEverything(open, keys, systemClock.now().getTime())
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(doneFile, '')
  }
  const url = await openPaymentUrl(contextOf(db, keys, systemClock).ctx, merchant.email)
  return {
    type: 'prepared',
    rows: [
      ['Sign in', merchant.email],
      ['Password', merchant.password],
      ['Code', 'comes by mail: read it in the mailbox'],
      ...(url === null ? [] : [['Pay', url] as const]),
    ],
  }
}

try {
  const prepared = await withDatabase(config, prepare)
  process.send?.(prepared, () => process.exit(0))
} catch (error) {
  console.error(`The sample data could not be made: ${(error as Error).message}`)
  process.exit(1)
}
