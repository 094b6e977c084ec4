import { RESUME_CODE_LENGTH } from '@muripo/contract/checkout'
import { cleanCode } from '@muripo/contract/typed-text'
import type { Ids } from '../../platform/ids.ts'
import { createNetworkLimit } from '../../platform/limits/admit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
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
  const letters = cleanCode(text).toUpperCase()
  return letters.length === RESUME_CODE_LENGTH && [...letters].every((letter) => LETTERS.includes(letter))
    ? letters
    : null
}

/** Of one address, which a mobile network may share among its subscribers. A limit over all addresses would let one caller refuse everybody. */
const wrongCodes: Limit = { name: 'wrong resume codes', quota: 60, windowMs: 600_000 }

/** The codes by which a payer continues a payment on another phone. */
export function createResumption(ctx: PaymentsCtx) {
  const attempts = createNetworkLimit(ctx, wrongCodes, { ipv4Networks: true })

  const find = async (
    typed: string,
    address: string,
  ): Promise<{ readonly token: string } | 'unknown' | 'too-many'> => {
    // A code counts as wrong until it is found, so that concurrent guesses are counted one by one.
    if (attempts.take(address).some(({ refused }) => refused)) return 'too-many'
    const code = readResumeCode(typed)
    const named = code === null ? null : await findByResumeCode(ctx.db.kysely, code)
    if (named === null) return 'unknown'
    attempts.restore(address)
    return { token: ctx.checkoutLinks.tokenOf(named.accountId, named.id) }
  }

  return {
    find,
    codeOf: (named: NamedPayment): Promise<string | null> => findResumeCode(ctx.db.kysely, named),
    async makeCode(named: NamedPayment): Promise<void> {
      // A code belongs to another payment once in a million times, with thousands of codes.
      const codes = Array.from({ length: 3 }, () => newResumeCode(ctx.ids))
      await storeResumeCode(ctx.db.kysely, named, codes, RESUME_CODE_LIFE_MS)
    },
  }
}
