import { createHash } from 'node:crypto'
import type { MerchantId } from '@muripo/contract/ids'
import type { MerchantStatus } from '@muripo/contract/words'
import type { Actor } from '../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import {
  canMove,
  lockMerchant,
  type MerchantMove,
  type MerchantRecord,
  merchantMoves,
  merchantProfile,
  setMerchantStatus,
} from '../../identity/index.ts'
import { modesOf } from '../key.ts'
import { tellKeysChanged } from '../key-cache.ts'
import { namesApprovedMail, statusMail } from '../merchant-mails.ts'
import { applicationsOf, approveNames, type ReviewedApplication, withoutLiveKey } from '../store-review.ts'
import { issueKey } from './issue-key.ts'

/**
 * - `done`: the merchant has this status now
 * - `names_approved`: the merchant was approved already, and the names that came since are approved now
 * - `known`: the merchant had this status already
 * - `refused`: the merchant has a status from which this cannot be done
 * - `changed`: the names are others than those that were looked at
 * - `none`: there is no such merchant
 */
export type StatusChanged =
  | { readonly result: 'done' | 'names_approved' | 'known' | 'refused'; readonly status: MerchantStatus }
  | { readonly result: 'changed' | 'none' }

export interface StatusOrder {
  readonly merchantId: MerchantId
  readonly move: MerchantMove
  /** The owner reads it. */
  readonly reason: string
  /** What `reviewCode` gave for the names that were looked at; null when nobody says. */
  readonly seen: string | null
}

const actions = {
  approve: 'merchant.approved',
  suspend: 'merchant.suspended',
  resume: 'merchant.resumed',
  close: 'merchant.closed',
} as const satisfies Record<MerchantMove, Action>

/** Stands for the names of a merchant as they are now, so that an approval can say which names were looked at. */
export const reviewCode = (
  { fullname }: Pick<MerchantRecord, 'fullname'>,
  applications: readonly Pick<ReviewedApplication, 'id' | 'name'>[],
): string =>
  createHash('sha256')
    .update(JSON.stringify([fullname, ...applications.map(({ id, name }) => [id, name])]))
    .digest('hex')
    .slice(0, 8)

/** Whether prompts for live money show another name than the application has now. */
export const waitsForReview = ({ name, promptName }: ReviewedApplication): boolean => name !== promptName

/**
 * The operator's word on a merchant. An approval approves the names that exist and gives every application its live key in the same
 * commit. A suspension or closing is in force from the commit on: whatever writes for the merchant asks in its own statement, and the
 * notification makes every process forget the keys.
 */
export const changeMerchantStatus = (ctx: Ctx, operator: Actor, order: StatusOrder): Promise<StatusChanged> =>
  ctx.db.tx(async (tx) => {
    const merchant = await lockMerchant(tx, order.merchantId)
    if (merchant === null) return { result: 'none' }
    const applications = await applicationsOf(tx, merchant.id)
    if (order.seen !== null && order.seen !== reviewCode(merchant, applications)) return { result: 'changed' }
    if (order.move === 'approve' && merchant.status === 'approved') {
      return approveNewNames(ctx, tx, operator, order, merchant, applications)
    }
    if (!canMove(merchant.status, order.move))
      return { result: refusal(merchant, order.move), status: merchant.status }

    const status = statusAfter(merchant, order.move)
    const at = ctx.clock.now()
    await setMerchantStatus(tx, merchant, { status, at, by: operator.name, reason: order.reason })
    if (order.move === 'approve') {
      await approveNames(tx, merchant.id)
      if (modesOf(ctx, status).includes('live')) {
        for (const id of await withoutLiveKey(tx, merchant.id))
          await issueKey(ctx, tx, merchant.id, id, 'live')
      }
    }
    await tellKeysChanged(tx, ...applications.map(({ id }) => id))
    await audit(ctx, tx, operator, {
      action: actions[order.move],
      subject: merchant.id,
      merchantId: merchant.id,
      details: {
        from: merchant.status,
        to: status,
        reason: order.reason,
        ...(order.move === 'approve' && { names: namesOf(merchant, applications) }),
      },
    })
    const profile = await merchantProfile(tx, merchant.id)
    await ctx.mailer.send(tx, statusMail(profile, order.move, order.reason, at, ctx.config))
    return { result: 'done', status }
  })

const namesOf = ({ fullname }: MerchantRecord, applications: readonly ReviewedApplication[]): string[] => [
  fullname,
  ...applications.map(({ name }) => name),
]

const statusAfter = ({ approvedAt }: MerchantRecord, move: MerchantMove): MerchantStatus =>
  move === 'resume' && approvedAt === null ? 'new' : merchantMoves[move].to[0]

const refusal = ({ status }: MerchantRecord, move: MerchantMove): 'known' | 'refused' =>
  (merchantMoves[move].to as readonly MerchantStatus[]).includes(status) ? 'known' : 'refused'

async function approveNewNames(
  ctx: Ctx,
  tx: Tx,
  operator: Actor,
  { reason }: StatusOrder,
  merchant: MerchantRecord,
  applications: readonly ReviewedApplication[],
): Promise<StatusChanged> {
  const waiting = applications.filter(waitsForReview)
  if (waiting.length === 0) return { result: 'known', status: merchant.status }
  await approveNames(tx, merchant.id)
  const names = waiting.map(({ name }) => name)
  await audit(ctx, tx, operator, {
    action: 'application.names_approved',
    subject: merchant.id,
    merchantId: merchant.id,
    details: { names, reason },
  })
  await ctx.mailer.send(tx, namesApprovedMail(await merchantProfile(tx, merchant.id), names))
  return { result: 'names_approved', status: merchant.status }
}
