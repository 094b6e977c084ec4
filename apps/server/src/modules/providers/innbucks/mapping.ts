import { type Currency, type Money, money } from '@muripo/contract/money'
import { type Outcome, ProviderError, type ProviderState, type Reply } from '../connector.ts'
import { showInnbucksCode } from '../innbucks-app.ts'
import { outcomeOf, redact } from '../texts.ts'
import { type InnbucksCurrency, innbucksCurrencies } from './config.ts'
import type { CodeReply } from './wire.ts'

const outcomes: Readonly<Record<string, Outcome>> = {
  NEW: 'pending',
  CLAIMED: 'completed',
  PAID: 'completed',
  EXPIRED: 'failed',
  'TIMED OUT': 'failed',
}

export const toOutcome = (status: string | null): Outcome => outcomeOf(outcomes, status)

/** The log-in approves with the text "00", the calls about codes with the number 0. */
export const isApproved = (responseCode: string | null): boolean => /^0+$/.test(responseCode?.trim() ?? '')

/** A response code without the zeros that some replies put before it. */
export const plainCode = (responseCode: string | null): string | null =>
  responseCode === null
    ? null
    : responseCode
        .trim()
        .replace(/^0+(?=\d)/, '')
        .slice(0, 20)

/** An amount in cents; null when the text is none. */
export function readCents(text: string | null, currency: Currency): Money | null {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? money(BigInt(text.trim()), currency) : null
}

/** The remaining life of a code such as "540sec", in milliseconds. */
export function readLife(text: string | null): number | null {
  const seconds = /^(\d{1,6}) ?s(?:ec(?:ond)?s?)?$/i.exec(text?.trim() ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

/** The known facts of a code, stored with its attempt. */
export interface IssuedCode {
  readonly code: string
  readonly authNumber: string
  readonly currency: InnbucksCurrency
  /** ISO 8601; null before an inquiry has told the life of the code. */
  readonly expiresAt: string | null
}

export const stateOf = (issued: IssuedCode): ProviderState => ({ ...issued })

/** Null when no code is known: the answer to its generation was lost. */
export function readState(state: ProviderState | null): IssuedCode | null {
  const { code, authNumber, currency, expiresAt } = state ?? {}
  const known = innbucksCurrencies.find((each) => each === currency)
  if (typeof code !== 'string' || typeof authNumber !== 'string' || known === undefined) return null
  return { code, authNumber, currency: known, expiresAt: typeof expiresAt === 'string' ? expiresAt : null }
}

/** The reply to the generation of a code; null when it approves none, or one of another amount, which is not shown. */
export function toIssued(
  body: CodeReply,
  amount: Money & { readonly currency: InnbucksCurrency },
): Reply | null {
  const { code, authNumber } = body
  if (!isApproved(body.responseCode) || !code || !authNumber) return null
  const echo = readCents(body.amount, amount.currency)
  if (body.amount !== null && echo?.minor !== amount.minor) return null
  const issued: IssuedCode = { code, authNumber, currency: amount.currency, expiresAt: null }
  return {
    kind: 'reply',
    outcome: 'pending',
    providerStatus: 'code issued',
    providerReference: authNumber,
    state: stateOf(issued),
    echo,
    reason: null,
    next: showInnbucksCode(issued),
  }
}

/** The reply to an inquiry that found its code. */
export function toReply(body: CodeReply, issued: IssuedCode, now: Date): Reply {
  if (body.code !== null && body.code !== issued.code)
    throw new ProviderError('unknown', 'InnBucks answered about another code than the one asked for')
  const outcome = toOutcome(body.status)
  const echo = readCents(body.amount, issued.currency)
  // A paid answer with an unreadable amount is not trustworthy: without this check it would pass for one without an amount.
  if (outcome === 'completed' && body.amount !== null && echo === null)
    throw new ProviderError('unknown', 'InnBucks answered with an amount that cannot be read')
  const life = outcome === 'pending' && issued.expiresAt === null ? readLife(body.timeToLive) : null
  const dated =
    life === null ? issued : { ...issued, expiresAt: new Date(now.getTime() + life).toISOString() }
  return {
    kind: 'reply',
    outcome,
    providerStatus: redact(body.status ?? 'no status'),
    providerReference: issued.authNumber,
    state: stateOf(dated),
    echo,
    reason: outcome === 'failed' ? 'expired' : null,
    ...(life !== null && { next: showInnbucksCode(dated) }),
  }
}
