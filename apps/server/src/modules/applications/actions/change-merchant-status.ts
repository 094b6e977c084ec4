import { createHash } from 'node:crypto'
import type { MerchantId } from '@muripo/contract/ids'
import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
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
import { notifyKeysChanged } from '../key-cache.ts'
import { namesApprovedMail, statusMail } from '../merchant-emails.ts'
import { operatorNames, reservedWordsIn, unnamedWords } from '../reserved-names.ts'
import { approveBrands } from '../store-brands.ts'
import {
  applicationsOf,
  approveNames,
  lockApplicationsOf,
  type ReviewedPresentation,
  withoutLiveKey,
} from '../store-review.ts'
import { issueKey } from './issue-key.ts'

/**
 * - `done`: the merchant has this status now
 * - `names_approved`: the merchant was approved already, and the names, logos and colours that were added since are approved now
 * - `unchanged`: the merchant had this status already
 * - `refused`: the move is not allowed from the merchant's status
 * - `changed`: the names, logos and colours differ from the reviewed ones
 * - `reserved`: a name contains words that the operator has not named
 * - `none`: there is no such merchant
 */
export type StatusChangeResult =
  | { readonly result: 'done' | 'names_approved' | 'unchanged' | 'refused'; readonly status: MerchantStatus }
  | { readonly result: 'changed' | 'none' }
  | { readonly result: 'reserved'; readonly words: readonly string[] }

export interface StatusRequest {
  readonly merchantId: MerchantId
  readonly move: MerchantMove
  /** The owner reads it. */
  readonly reason: string
  /** The `reviewCode` of the reviewed names, logos and colours; null when the caller gives none. */
  readonly seen: string | null
  /** The reserved words that an approved name may contain, with commas between them. */
  readonly reserved?: string
}

const actions = {
  approve: 'merchant.approved',
  suspend: 'merchant.suspended',
  resume: 'merchant.resumed',
  close: 'merchant.closed',
} as const satisfies Record<MerchantMove, Action>

/**
 * A digest of what payers of a merchant see at present, with which an approval identifies what the operator reviewed. It is not shortened,
 * because a merchant chooses the names and could search for others with the same code.
 */
export const reviewCode = (
  { fullname }: Pick<MerchantRecord, 'fullname'>,
  applications: readonly Pick<ReviewedPresentation, 'id' | 'name' | 'brand'>[],
): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        fullname,
        ...applications.map(({ id, name, brand }) => [id, name, brand.colour, brand.logoHash]),
      ]),
    )
    .digest('hex')

const nameWaits = ({ name, promptName }: ReviewedPresentation): boolean => name !== promptName

/** True when payers of live money see another name, logo or colour than the application's present one. */
export const waitsForReview = (application: ReviewedPresentation): boolean => {
  const { brand, approvedBrand } = application
  return (
    nameWaits(application) ||
    brand.colour !== approvedBrand.colour ||
    brand.logoHash !== approvedBrand.logoHash
  )
}

/** The reserved words in the names of a merchant that wait for a review. */
export function reservedWordsOf(
  config: Parameters<typeof operatorNames>[0],
  merchant: MerchantRecord,
  applications: readonly ReviewedPresentation[],
): string[] {
  const names = applications.filter(nameWaits).map(({ name }) => name)
  if (merchant.approvedAt === null) names.push(merchant.fullname)
  const own = operatorNames(config)
  return [...new Set(names.flatMap((name) => reservedWordsIn(name, own)))]
}

/**
 * Moves a merchant to another status for the operator. An approval approves the present names, logos and colours and issues the live key of
 * every application in the same commit. A suspension or a closure takes effect with the commit: each statement that writes for the merchant
 * checks the status itself, and the notification makes every process evict the keys from its cache.
 */
export const changeMerchantStatus = (
  ctx: Ctx,
  operator: Actor,
  request: StatusRequest,
): Promise<StatusChangeResult> =>
  ctx.db.tx(async (tx) => {
    const merchant = await lockMerchant(tx, request.merchantId)
    if (merchant === null) return { result: 'none' }
    await lockApplicationsOf(tx, merchant.id)
    const applications = await applicationsOf(tx, merchant.id)
    const isApproved = request.move === 'approve' && merchant.status === 'approved'
    if (isApproved && !applications.some(waitsForReview))
      return { result: 'unchanged', status: merchant.status }
    if (request.seen !== null && request.seen !== reviewCode(merchant, applications))
      return { result: 'changed' }
    if (request.move === 'approve') {
      const words = unnamedWords(reservedWordsOf(ctx.config, merchant, applications), request.reserved ?? '')
      if (words.length > 0) return { result: 'reserved', words }
    }
    if (isApproved) {
      return approveNewNames(ctx, tx, operator, { reason: request.reason, merchant, applications })
    }
    if (!canMove(merchant.status, request.move))
      return { result: refusal(merchant, request.move), status: merchant.status }

    const status = statusAfter(merchant, request.move)
    const at = ctx.clock.now()
    await setMerchantStatus(tx, merchant, { status, at, by: operator.name, reason: request.reason })
    if (request.move === 'approve') {
      await approveNames(tx, merchant.id)
      await approveBrands(tx, merchant.id)
      if (modesOf(ctx, status).includes('live')) {
        for (const applicationId of await withoutLiveKey(tx, merchant.id))
          await issueKey(ctx, tx, { merchantId: merchant.id, applicationId, mode: 'live' })
      }
    }
    await notifyKeysChanged(tx, ...applications.map(({ id }) => id))
    await audit(ctx, tx, operator, {
      action: actions[request.move],
      subject: merchant.id,
      accountId: merchant.id,
      details: {
        from: merchant.status,
        to: status,
        reason: request.reason,
        ...(request.move === 'approve' && {
          names: namesOf(merchant, applications),
          ...brandsOf(applications),
        }),
      },
    })
    const profile = await merchantProfile(tx, merchant.id)
    await ctx.mailer.send(tx, statusMail(profile, request.move, request.reason, at, ctx.config))
    return { result: 'done', status }
  })

const namesOf = ({ fullname }: MerchantRecord, applications: readonly ReviewedPresentation[]): string[] => [
  fullname,
  ...applications.map(({ name }) => name),
]

/** The logos and colours of applications, for the audit log; nothing for applications without any. */
const brandsOf = (applications: readonly ReviewedPresentation[]) => {
  const brands = applications.flatMap(({ id, brand }) =>
    brand.colour === null && brand.logoHash === null ? [] : [{ id, ...brand }],
  )
  return brands.length === 0 ? {} : { brands }
}

const statusAfter = ({ approvedAt }: MerchantRecord, move: MerchantMove): MerchantStatus =>
  move === 'resume' && approvedAt === null ? 'new' : merchantMoves[move].to[0]

const refusal = ({ status }: MerchantRecord, move: MerchantMove): 'unchanged' | 'refused' =>
  (merchantMoves[move].to as readonly MerchantStatus[]).includes(status) ? 'unchanged' : 'refused'

interface NameReview {
  readonly reason: string
  readonly merchant: MerchantRecord
  readonly applications: readonly ReviewedPresentation[]
}

async function approveNewNames(
  ctx: Ctx,
  tx: Tx,
  operator: Actor,
  { reason, merchant, applications }: NameReview,
): Promise<StatusChangeResult> {
  const waiting = applications.filter(waitsForReview)
  await approveNames(tx, merchant.id)
  await approveBrands(tx, merchant.id)
  const names = waiting.map(({ name }) => name)
  await audit(ctx, tx, operator, {
    action: 'application.names_approved',
    subject: merchant.id,
    accountId: merchant.id,
    details: { names, ...brandsOf(waiting), reason },
  })
  await ctx.mailer.send(tx, namesApprovedMail(await merchantProfile(tx, merchant.id), names))
  return { result: 'names_approved', status: merchant.status }
}
