import { type CheckoutPort, RESUME_CODE_LENGTH } from '@muripo/contract/checkout'
import type { Ids } from '../../platform/ids.ts'
import { addressSubject, perAddress } from '../../platform/limits/admit.ts'
import { createInMemoryLimit, type Limit } from '../../platform/limits/limits.ts'
import type { PaymentsCtx } from '../payments/index.ts'
import type { NamedPayment } from './linked-payments.ts'
import { findByResumeCode, findResumeCode, storeResumeCode } from './store-resume-codes.ts'

/** Letters that look and sound unlike each other and unlike digits. */
const LETTERS = 'ACDEFGHJKMNPQRTUVWXY'

const RESUME_CODE_LIFE_MS = 15 * 60_000

export const newResumeCode = (ids: Ids): string =>
  Array.from(ids.bytes(RESUME_CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('')

/** The code in a text as people type it; null when there is none. */
export function readResumeCode(text: string): string | null {
  if (text.length > 20) return null
  const letters = text.toUpperCase().replace(/[\s-]/g, '')
  return letters.length === RESUME_CODE_LENGTH && [...letters].every((letter) => LETTERS.includes(letter))
    ? letters
    : null
}

/** Wrong codes of one address, which a mobile network may share among its subscribers, and of all addresses. */
const wrongCodesOfAddress: Limit = { name: 'wrong resume codes', quota: 60, windowMs: 600_000 }
const wrongCodes: Limit = { name: 'all wrong resume codes', quota: 1000, windowMs: 600_000 }

/** The codes by which a payer continues a payment on another phone. */
export function createResumption(ctx: PaymentsCtx) {
  const countWrongOfAddress = createInMemoryLimit(ctx.clock, perAddress(ctx, wrongCodesOfAddress))
  const countWrong = createInMemoryLimit(ctx.clock, perAddress(ctx, wrongCodes))

  const find: CheckoutPort['resume'] = async (typed, address) => {
    const subject = addressSubject(address)
    if (countWrongOfAddress(subject, 0).refused || countWrong('', 0).refused) return 'too-many'
    const code = readResumeCode(typed)
    const named = code === null ? null : await findByResumeCode(ctx.db.kysely, code)
    if (named !== null) return { token: ctx.checkoutLinks.tokenOf(named.accountId, named.id) }
    countWrongOfAddress(subject)
    countWrong('')
    return 'unknown'
  }

  return {
    find,
    codeOf: (named: NamedPayment): Promise<string | null> => findResumeCode(ctx.db.kysely, named),
    async makeCode(named: NamedPayment): Promise<void> {
      // A code belongs to another payment once in ten thousand times, with thousands of codes.
      const codes = Array.from({ length: 3 }, () => newResumeCode(ctx.ids))
      await storeResumeCode(ctx.db.kysely, named, codes, RESUME_CODE_LIFE_MS)
    },
  }
}
