import type { MerchantId, PersonId } from '@muripo/contract/ids'
import { HAND_OVER_HOURS } from '@muripo/contract/team'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { plusMs } from '../../../../platform/clock.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { Visitor } from '../../devices/visitor.ts'
import { handOverMail, ownerChangedMail } from '../../emails.ts'
import { merchantProfile } from '../../merchants/store-merchants.ts'
import { requirePassword } from '../../passwords/password-attempts.ts'
import { notPermitted } from '../../permissions.ts'
import { findAccount } from '../../persons/store-persons.ts'
import { enforceThrottle, HOUR_MS, throttles } from '../../throttles.ts'
import {
  addressNoticesTo,
  deleteHandOver,
  findHandOver,
  findMembership,
  type HandOver,
  lockTeam,
  updateMembership,
  upsertHandOver,
} from '../store-team.ts'
import type { TeamCaller } from '../team-caller.ts'

/**
 * Starts the hand-over of the ownership, with the owner's password. Nothing changes until the next owner confirms it.
 * @throws AppError not_permitted, not_found, validation_failed, rate_limited
 */
export async function startHandOver(
  ctx: Ctx,
  actor: Actor,
  { merchantId, personId, role }: TeamCaller,
  { memberId, password }: { readonly memberId: PersonId; readonly password: string },
  visitor: Visitor,
): Promise<void> {
  if (role !== 'owner') throw onlyOwner()
  await enforceThrottle(ctx, throttles.teamChanges, merchantId)
  const owner = await requirePassword(ctx, personId, password, visitor)
  await ctx.db.tx(async (tx) => {
    await lockTeam(tx, merchantId)
    const own = await findMembership(tx, merchantId, personId)
    if (own?.role !== 'owner') throw onlyOwner()
    const member = memberId === personId ? null : await findMembership(tx, merchantId, memberId)
    if (member === null) throw new AppError('not_found')
    const now = ctx.clock.now()
    const expiresAt = plusMs(now, HAND_OVER_HOURS * HOUR_MS)
    await upsertHandOver(tx, merchantId, { from: personId, to: memberId, expiresAt }, now)
    await audit(ctx, tx, actor, {
      action: 'team.hand_over_started',
      subject: memberId,
      accountId: merchantId,
    })
    const merchant = await merchantProfile(tx, merchantId)
    await ctx.mailer.send(
      tx,
      handOverMail(await findAccount(tx, memberId), {
        merchant: merchant.fullname,
        owner: owner.fullname,
        link: `${ctx.config.publicUrl}/app/settings/team`,
      }),
    )
  })
}

/**
 * Ends a hand-over, by either of the two.
 * @throws AppError not_found, not_permitted
 */
export async function cancelHandOver(
  ctx: Ctx,
  actor: Actor,
  { merchantId, personId }: TeamCaller,
  confirm: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const handOver = await lockHandOver(ctx, tx, merchantId, confirm)
    if (personId !== handOver.from && personId !== handOver.to)
      throw notPermitted('Only the owner and the next owner may end a hand-over')
    await deleteHandOver(tx, merchantId)
    await audit(ctx, tx, actor, {
      action: 'team.hand_over_ended',
      subject: handOver.to,
      accountId: merchantId,
    })
  })
}

/**
 * Makes the caller the owner. The owner of before becomes an admin, and the notices of the merchant go to the new one.
 * @throws AppError not_found for everybody to whom nothing is handed over
 */
export async function confirmHandOver(
  ctx: Ctx,
  actor: Actor,
  { merchantId, personId }: TeamCaller,
  confirm: (tx: Tx) => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const handOver = await lockHandOver(ctx, tx, merchantId, confirm)
    if (handOver.to !== personId) throw new AppError('not_found')
    const former = await findMembership(tx, merchantId, handOver.from)
    if (former?.role !== 'owner') throw new AppError('not_found')
    await updateMembership(tx, former, { role: 'admin', applications: null })
    await updateMembership(tx, { merchantId, personId }, { role: 'owner', applications: null })
    await deleteHandOver(tx, merchantId)
    const before = await merchantProfile(tx, merchantId)
    await addressNoticesTo(tx, merchantId, personId)
    const after = await merchantProfile(tx, merchantId)
    await audit(ctx, tx, actor, {
      action: 'team.owner_changed',
      subject: personId,
      accountId: merchantId,
      details: { from: handOver.from },
    })
    const { fullname } = await findAccount(tx, personId)
    for (const to of [before, after]) await ctx.mailer.send(tx, ownerChangedMail(to, fullname))
  })
}

/** The pending hand-over of a team that stays locked until the transaction ends. */
async function lockHandOver(
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  confirm: (tx: Tx) => Promise<void>,
): Promise<HandOver> {
  await lockTeam(tx, merchantId)
  await confirm(tx)
  const handOver = await findHandOver(tx, merchantId, ctx.clock.now())
  if (handOver === null) throw new AppError('not_found')
  return handOver
}

const onlyOwner = () => notPermitted('Only the owner may hand the ownership over')
