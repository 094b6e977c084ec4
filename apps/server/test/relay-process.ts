/** A relay in a process of its own, over a given database, until a test kills it. */
import { startRelay } from '../src/modules/webhooks/index.ts'
import { systemClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { createDatabase, indexPlansOnly } from '../src/platform/db/database.ts'
import { onePool } from '../src/platform/db/pools.ts'
import { createDiskSpace } from '../src/platform/files/disk-space.ts'
import { createFiles } from '../src/platform/files/files.ts'
import { systemIds } from '../src/platform/ids.ts'
import { jobs } from '../src/platform/jobs/jobs.ts'
import { createLog } from '../src/platform/log.ts'
import { createMailer } from '../src/platform/mail/mailer.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import { anyTargets } from '../src/platform/outbound/targets.ts'
import { keysOf, testMasterKey } from './master-key.ts'

process.on('disconnect', () => process.exit())

const config = parseConfig({})
const keys = keysOf(testMasterKey)
startRelay(
  {
    config,
    keys,
    ...onePool(createDatabase(process.argv[2] ?? '', { maxConnections: 4, planSettings: indexPlansOnly })),
    clock: systemClock,
    ids: systemIds,
    jobs,
    mailer: createMailer(jobs, keys.jobEncryption),
    files: createFiles(config, keys.fileEncryption, systemClock),
    disk: createDiskSpace(config, createLog('silent')),
    log: createLog('silent'),
    tracing: null,
  },
  createOutbound(anyTargets(), { timeoutMs: 15_000 }),
)
