import { AppError } from '../../../../platform/errors.ts'
import {
  applicationsOf,
  changeMerchantStatus,
  reservedWordsOf,
  reviewCode,
  type StatusChangeResult,
  unnamedWords,
  waitsForReview,
} from '../../../applications/index.ts'
import {
  canMove,
  findMerchants,
  lockMerchant,
  type MerchantMove,
  merchantMoves,
} from '../../../identity/index.ts'
import type { MerchantPayload } from '../payloads.ts'
import { type Kind, line, missing, notPossible, refused } from './kind.ts'

export const merchantKind = (move: MerchantMove): Kind<MerchantPayload, StatusChangeResult> => ({
  accountOf: ({ merchantId }) => merchantId,
  async describe(ctx, payload) {
    const { merchantId, seen, reserved = '' } = payload
    const [merchant] = await findMerchants(ctx.db.kysely, merchantId)
    if (!merchant) throw missing('There is no merchant with this id')
    const applications = await applicationsOf(ctx.db.kysely, merchantId)
    const waiting = applications.filter(waitsForReview)
    const isReview = move === 'approve' && merchant.status === 'approved' && waiting.length > 0
    if (!isReview && !canMove(merchant.status, move))
      throw refused(`The merchant is ${merchant.status}: ${move} is not possible. Nothing has changed`)
    const code = reviewCode(merchant, applications)
    if (seen !== null && seen !== code) throw new AppError('proposal_stale')
    const allowed = move === 'approve' ? reservedWordsOf(ctx.config, merchant, applications) : []
    const words = unnamedWords(allowed, reserved)
    if (words.length > 0)
      throw refused(`The names contain ${words.join(', ')}: name these words to approve them`)
    const shown = [merchant.fullname, ...applications.map(({ name }) => name)].join(', ')
    return {
      payload: { ...payload, seen: code },
      subject: merchantId,
      accountId: merchantId,
      version: merchantVersion(merchant, code),
      about: merchant.fullname,
      diff: [
        {
          label: 'Status',
          from: merchant.status,
          to: isReview ? merchant.status : merchantMoves[move].to[0],
        },
        ...(move === 'approve' ? [line('Payers see', shown)] : []),
        ...(allowed.length > 0 ? [line('Reserved words', allowed.join(', '))] : []),
      ],
    }
  },
  async versionIn(tx, { merchantId }) {
    const merchant = await lockMerchant(tx, merchantId)
    if (merchant === null) return 'none'
    return merchantVersion(merchant, reviewCode(merchant, await applicationsOf(tx, merchantId)))
  },
  execute: (ctx, actor, payload) => changeMerchantStatus(ctx, actor, { ...payload, move }),
  isDone: (result) => whyNotMoved(result as StatusChangeResult) === null,
  whyNot: whyNotMoved,
})

const whyNotMoved = ({ result }: StatusChangeResult): string | null =>
  result === 'done' || result === 'names_approved' ? null : notPossible

const merchantVersion = (
  { status, statusChange }: NonNullable<Awaited<ReturnType<typeof lockMerchant>>>,
  code: string,
): string => [status, statusChange?.at.toISOString() ?? '', code].join(' ')
