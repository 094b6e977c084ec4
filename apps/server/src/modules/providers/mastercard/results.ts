import type { DeclineReason } from '../connector.ts'
import { entryOf } from '../texts.ts'

/**
 * The meaning of a `gatewayCode`. approved: paid. held: an operator decides. declined: refused. open: the outcome is not known yet, and a
 * later look-up may return it.
 */
export type Meaning =
  | { readonly kind: 'approved' | 'held' | 'open' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }

const approved: Meaning = { kind: 'approved' }
const held: Meaning = { kind: 'held' }
const open: Meaning = { kind: 'open' }
const declined = (reason: DeclineReason = 'declined'): Meaning => ({ kind: 'declined', reason })

const meanings: Readonly<Record<string, Meaning>> = {
  APPROVED: approved,
  APPROVED_PENDING_SETTLEMENT: approved,

  // An approval of the gateway alone, which the acquirer never received.
  APPROVED_AUTO: held,
  PARTIALLY_APPROVED: held,

  AUTHENTICATION_FAILED: declined(),
  BLOCKED: declined(),
  DECLINED: declined(),
  DECLINED_AVS: declined(),
  DECLINED_AVS_CSC: declined(),
  DECLINED_CSC: declined(),
  DECLINED_DO_NOT_CONTACT: declined(),
  DECLINED_INVALID_PIN: declined('wrong_pin'),
  DECLINED_PAYMENT_PLAN: declined(),
  DECLINED_PIN_REQUIRED: declined(),
  EXCEEDED_RETRY_LIMIT: declined(),
  EXPIRED_CARD: declined(),
  INSUFFICIENT_FUNDS: declined('insufficient_funds'),
  INVALID_CSC: declined(),
  NOT_ENROLLED_3D_SECURE: declined(),
  REFERRED: declined(),
  UNSPECIFIED_FAILURE: declined(),

  ABORTED: declined('user_cancelled'),
  CANCELLED: declined('user_cancelled'),

  DUPLICATE_BATCH: declined(),
  NOT_SUPPORTED: declined(),

  AUTHENTICATION_IN_PROGRESS: open,
  DEFERRED_TRANSACTION_RECEIVED: open,
  PENDING: open,
  SUBMITTED: open,

  // The acquirer may have processed the payment; the gateway corrects the result later.
  ACQUIRER_SYSTEM_ERROR: open,
  LOCK_FAILURE: open,
  SYSTEM_ERROR: open,
  TIMED_OUT: open,
  UNKNOWN: open,
}

/** The codes with a meaning of their own; any other one is open. */
export const mappedCodes = Object.keys(meanings)

/** The result that each meaning requires beside its code. A code beside another result is not trustworthy. */
const results: Partial<Record<Meaning['kind'], string>> = {
  approved: 'SUCCESS',
  held: 'SUCCESS',
  declined: 'FAILURE',
}

export function meaningOf(result: string | null, gatewayCode: string | null): Meaning {
  const meaning = entryOf(meanings, gatewayCode ?? '') ?? open
  const required = results[meaning.kind]
  return required === undefined || required === result ? meaning : open
}
