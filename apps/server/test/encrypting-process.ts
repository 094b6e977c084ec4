/** A process that creates applications and reads their keys again, with the master keys of its environment, until a test ends it. */
import { openCtx } from '../src/admin/context.ts'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { makeApplication } from '../src/modules/applications/factory.ts'
import { makeMerchant } from '../src/modules/identity/factory.ts'
import { masterKeysOf } from '../src/platform/crypto/keys.ts'
import { openLiveKeys } from '../src/platform/crypto/live-keys.ts'
import { createLog } from '../src/platform/log.ts'
import { unreadableKeys } from './unreadable-keys.ts'

let stopping = false
process.on('message', () => {
  stopping = true
})

const config = parseGatewayConfig(process.env)
const base = await openCtx(config)
const live = await openLiveKeys(config.databaseUrl ?? '', base.db, masterKeysOf(config), createLog('silent'))
const ctx = { ...base, keys: live.keys }
const mine: string[] = []
// A merchant has at most 50 applications.
const APPLICATIONS = 40
const newMerchant = () => makeMerchant(ctx, { email: `${process.pid}-${mine.length}@example.com` })
let merchant = await newMerchant()
let unreadable = 0
while (!stopping) {
  if (mine.length % APPLICATIONS === APPLICATIONS - 1) merchant = await newMerchant()
  mine.push((await makeApplication(ctx, merchant.merchantId, `Shop ${process.pid} ${mine.length}`))._id)
  unreadable += (await unreadableKeys(ctx.db.pool, ctx.keys)).length
  if (mine.length === 5) process.send?.('busy')
}
await live.close()
await ctx.db.close()
process.send?.({ applications: mine, unreadable, activeId: ctx.keys.ring.activeId }, () => process.exit())
