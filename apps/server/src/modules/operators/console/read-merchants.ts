import { CONSOLE_PAGE, type ConsoleMerchant, type MerchantDetails } from '@muripo/contract/console'
import { MerchantId } from '@muripo/contract/ids'
import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
import { toMajor } from '@muripo/contract/money'
import { cleanEmail } from '@muripo/contract/typed-text'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseId } from '../../../platform/ids.ts'
import {
  applicationsOf,
  logoPathOf,
  merchantsForOperator,
  reservedWordsOf,
  reviewCode,
  waitsForReview,
  workingKeys,
} from '../../applications/index.ts'
import {
  findMerchants,
  listMerchants,
  type MerchantRecord,
  maskedEmail,
  toE164,
} from '../../identity/index.ts'
import { volumeOf } from '../../payments/index.ts'
import type { ProvidersCtx } from '../../providers/index.ts'
import type { Operator } from '../people/store-operators.ts'
import { adjustableAccounts } from '../proposals/kinds/ledger.ts'
import { selectProposals } from '../proposals/store-proposals.ts'
import { proposalsToWire } from '../proposals/wire.ts'
import { maskedPhone } from './masked.ts'
import { revealedUntil } from './store-reveals.ts'

type WaitsFor = ConsoleMerchant['waitsFor']

const toConsole = (merchant: MerchantRecord, waitsFor: WaitsFor, isRevealed = false): ConsoleMerchant => ({
  id: merchant.id,
  name: merchant.fullname,
  email: isRevealed ? merchant.email : maskedEmail(merchant.email),
  phone: isRevealed ? merchant.phone : maskedPhone(merchant.phone),
  status: merchant.status,
  createdAt: merchant.createdAt.toISOString(),
  waitsFor,
})

/** One page of merchants, the longest registered first. A search finds merchants by their exact id, email or phone. */
export async function readMerchants(
  ctx: Ctx,
  {
    status = null,
    search,
    after = null,
  }: {
    readonly status?: MerchantStatus | 'waiting' | null | undefined
    readonly search?: string | undefined
    readonly after?: MerchantId | null | undefined
  },
): Promise<{ merchants: ConsoleMerchant[]; nextCursor: MerchantId | null }> {
  const isLive = ctx.config.keyMode === 'live'
  const waits = (merchant: MerchantRecord): WaitsFor =>
    isLive && merchant.status === 'new' ? 'approval' : null
  const pageOf = (rows: readonly MerchantRecord[]) => {
    const page = rows.slice(0, CONSOLE_PAGE)
    return {
      merchants: page.map((each) => toConsole(each, waits(each))),
      nextCursor: rows.length > CONSOLE_PAGE ? (page.at(-1)?.id ?? null) : null,
    }
  }
  const range = { limit: CONSOLE_PAGE + 1, after }
  if (search !== undefined) return pageOf(await matching(ctx, search, range))
  if (status === 'waiting') {
    const waiting = await merchantsForOperator(ctx, 'waiting', CONSOLE_PAGE)
    return {
      merchants: waiting.map((each) => toConsole(each, each.waitsFor?.kind ?? null)),
      nextCursor: null,
    }
  }
  return pageOf(await listMerchants(ctx.db.kysely, status, range.limit, after))
}

async function matching(
  { db }: Ctx,
  search: string,
  range: { readonly limit: number; readonly after: MerchantId | null },
): Promise<MerchantRecord[]> {
  const id = parseId(MerchantId, search.trim())
  if (id !== null) return findMerchants(db.kysely, id)
  if (search.includes('@')) return findMerchants(db.kysely, { email: cleanEmail(search) }, range)
  const phone = toE164(search)
  return phone === null ? [] : findMerchants(db.kysely, { phone }, range)
}

/** @throws AppError not_found */
export async function merchantWith(ctx: Ctx, text: string): Promise<MerchantRecord> {
  const id = parseId(MerchantId, text)
  const [merchant] = id === null ? [] : await findMerchants(ctx.db.kysely, id)
  if (!merchant) throw new AppError('not_found', { detail: 'There is no merchant with this id' })
  return merchant
}

/** @param ctx of the merchant's database @throws AppError not_found */
export async function readMerchant(
  coordinator: ProvidersCtx,
  ctx: Ctx,
  merchant: MerchantRecord,
  operator: Operator,
): Promise<MerchantDetails> {
  const applications = await applicationsOf(ctx.db.kysely, merchant.id)
  const keys = await workingKeys(ctx, merchant.id)
  const until = await revealedUntil(coordinator.db.kysely, operator.id, merchant.id)
  const open = await selectProposals(coordinator.db.kysely, {
    state: 'open',
    merchantId: merchant.id,
    limit: CONSOLE_PAGE,
  })
  const isNew = ctx.config.keyMode === 'live' && merchant.status === 'new'
  const hasNewNames = merchant.status === 'approved' && applications.some(waitsForReview)
  const { statusChange } = merchant
  return {
    ...toConsole(merchant, isNew ? 'approval' : hasNewNames ? 'applications' : null, until !== null),
    accountType: merchant.accountType,
    document: { id: merchant.documentId, type: merchant.documentType },
    statusChange: statusChange && { ...statusChange, at: statusChange.at.toISOString() },
    applications: applications.map((each) => ({
      id: each.id,
      name: each.name,
      category: each.category,
      status: each.status,
      stopReason: each.stopReason,
      shownName: each.promptName,
      colour: each.brand.colour,
      logo: logoPathOf(each.brand.logoHash),
      banking: each.banking,
      keys: keys
        .filter(({ applicationId }) => applicationId === each.id)
        .map(({ mode, name, ending, createdAt, lastUsedAt }) => ({
          mode,
          name,
          ending,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
      waits: waitsForReview(each),
    })),
    ledger: {
      accounts: await adjustableAccounts(coordinator),
      hasTests: ctx.config.keyMode === 'live',
    },
    volume: (await volumeOf(ctx.db.kysely, merchant.id)).map(({ total, payments }) => ({
      currency: total.currency,
      payments,
      amount: toMajor(total),
    })),
    seen: reviewCode(merchant, applications),
    reservedWords: reservedWordsOf(ctx.config, merchant, applications),
    revealedUntil: until?.toISOString() ?? null,
    proposals: await proposalsToWire(coordinator, open, operator),
  }
}
