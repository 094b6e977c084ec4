import { RECOVERY_CODE_LENGTH, RECOVERY_CODE_LETTERS } from '@muripo/contract/fields'
import type { PersonId } from '@muripo/contract/ids'
import { hmac } from '../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Ids } from '../../../platform/ids.ts'

const RECOVERY_CODES = 10

export const newRecoveryCodes = (ids: Ids): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(ids))

/** 50 random bits: the alphabet has 32 letters, so that each byte chooses one without a bias. */
const newRecoveryCode = (ids: Ids): string =>
  [...ids.bytes(RECOVERY_CODE_LENGTH)]
    .map((byte) => RECOVERY_CODE_LETTERS.charAt(byte % RECOVERY_CODE_LETTERS.length))
    .join('')

/** In two halves, as a person reads and types it. */
export const shownRecoveryCode = (code: string): string =>
  `${code.slice(0, RECOVERY_CODE_LENGTH / 2)}-${code.slice(RECOVERY_CODE_LENGTH / 2)}`

export const hashRecoveryCode = (ctx: Ctx, personId: PersonId, code: string): Buffer =>
  hmac(ctx.keys.otpHash, `recovery:${personId}:${code}`)
