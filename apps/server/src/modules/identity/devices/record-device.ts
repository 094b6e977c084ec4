import type { MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { findAccount } from '../accounts/store-accounts.ts'
import { type Device, newDevice } from './device-cookie.ts'
import { newDeviceMail, type SecondStep } from './emails.ts'
import { hasDevices, isDeviceOf, isKnownDevice, upsertDevice } from './store-devices.ts'
import { occasion, type Visitor } from './visitor.ts'

/** Records the browser as a device of the account. The owner is notified of each new one but the first. */
export async function recordDevice(
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  visitor: Visitor,
  step: SecondStep = 'code',
): Promise<Device> {
  const now = ctx.clock.now()
  const isNew = !(await isDeviceOf(tx, merchantId, visitor.device?.hash ?? null))
  const isFirst = isNew && !(await hasDevices(tx, merchantId))
  const device = await issuedDevice(ctx, tx, visitor)
  await upsertDevice(tx, merchantId, device.hash, now)
  if (isNew && !isFirst) {
    const owner = await findAccount(tx, merchantId)
    const details = occasion(visitor, now, owner.timeZone, owner.locale)
    await ctx.mailer.send(tx, newDeviceMail(owner, details, step))
  }
  return device
}

/** The device of the browser if the gateway issued its secret; else a new one, because a caller who chose a secret knows it. */
export async function issuedDevice(ctx: Ctx, tx: Tx, { device }: Visitor): Promise<Device> {
  return device !== null && (await isKnownDevice(tx, device.hash)) ? device : newDevice(ctx)
}
