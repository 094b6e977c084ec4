import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { problemOf } from '@muripo/locales/form-problems'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { AppError, refusedField } from '../../../platform/errors.ts'
import { widestNetworkOf } from '../../../platform/http/network.ts'
import { createNetworkLimit, perAddress } from '../../../platform/limits/admit.ts'
import { createInMemoryLimit } from '../../../platform/limits/limits.ts'
import type { Attempt } from '../payment/payment.ts'
import { createFailingSources } from './failing-sources.ts'
import { PROMPT_WINDOW_MS, promptRefusal, promptsNeeded } from './prompt-limits.ts'
import { recentPrompts } from './store-prompts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Attempts that have not succeeded. All phones of a mobile network may share one address, and a thousand may pay at the same time. */
const ofAddress = { name: 'attempts of an address', quota: 1200, windowMs: 10 * MINUTE_MS }
/** Attempts without a phone: each creates a code or a page at a provider. */
const ofPaymentWithoutPhone = {
  name: 'attempts of a payment without a phone',
  quota: 10,
  windowMs: 10 * MINUTE_MS,
}
const ofAddressWithoutPhone = {
  name: 'attempts of an address without a phone',
  quota: 600,
  windowMs: 10 * MINUTE_MS,
}
/** The part of a number's prompts that payers in one network can use up. */
const ofNumberAndNetwork = [
  { name: 'prompts to a number from a network', quota: 4, windowMs: 10 * MINUTE_MS },
  { name: 'prompts to a number from a network in a day', quota: 12, windowMs: 24 * HOUR_MS },
]

/** Attempts in progress whose payer's address is kept. */
const MOST_SOURCES = 50_000

/** An attempt before it is recorded. */
export interface IntendedAttempt {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly msisdn: string | null
  /** False: a test number, which has no phone, and which all test keys share. */
  readonly ringsPhone: boolean
  /** The payer's network address, if known. */
  readonly address: string | undefined
}

/** Limits attempts by their source, their number and the outcome of earlier ones. */
export interface AttemptLimits {
  /**
   * Counts an attempt, and reserves a prompt to its number until the attempt is recorded. The counts in memory come before the query.
   * @returns a function that ends the reservation
   * @throws AppError rate_limited, validation_failed (field phone)
   */
  reserve(db: Queryable, attempt: IntendedAttempt): Promise<() => void>
  /** Counts the result of an attempt, after its commit. A success restores what the attempt used up. */
  noteResult(
    accountId: AccountId,
    attempt: Pick<Attempt, 'msisdn' | 'paymentId'>,
    result: 'completed' | 'failed',
  ): void
}

type Limited = Pick<Ctx, 'clock' | 'config'>

export function createAttemptLimits(ctx: Limited): AttemptLimits {
  const failing = createFailingSources(ctx)
  const sources = limitSources(ctx)
  const numbers = limitNumbers(ctx)
  /** The addresses of payers whose attempt is in progress, by payment. Attempts that another process started have none. */
  const addresses = new Map<PaymentId, string>()

  function keepAddress(paymentId: PaymentId, address: string): void {
    const [oldest] = addresses.size >= MOST_SOURCES ? addresses.keys() : []
    if (oldest) addresses.delete(oldest)
    addresses.set(paymentId, address)
  }

  return {
    async reserve(db, attempt) {
      const { accountId, paymentId, msisdn, address, ringsPhone } = attempt
      if (address !== undefined && failing.isSourceRefused(address)) throw tooMany()
      if (failing.isMerchantRefused(accountId, address))
        throw new AppError('rate_limited', { problem: problemOf('shopPaused') })
      sources.count(attempt)
      const release =
        msisdn !== null && ringsPhone ? await numbers.reserve(db, { ...attempt, msisdn }) : () => {}
      if (address !== undefined) keepAddress(paymentId, address)
      return release
    },

    noteResult(accountId, { msisdn, paymentId }, result) {
      const address = addresses.get(paymentId)
      addresses.delete(paymentId)
      failing.note(accountId, address, msisdn ?? paymentId, result)
      if (address === undefined || result === 'failed') return
      sources.restore(address)
      if (msisdn !== null) numbers.restoreAll(msisdn, address)
    },
  }
}

const tooMany = (): AppError => new AppError('rate_limited', { problem: problemOf('attemptsUsedLong') })

function limitSources(ctx: Limited) {
  const withIpv4Networks = { ipv4Networks: true }
  const all = createNetworkLimit(ctx, ofAddress, withIpv4Networks)
  const withoutPhone = createNetworkLimit(ctx, ofAddressWithoutPhone, withIpv4Networks)
  const countOfPayment = createInMemoryLimit(ctx.clock, ofPaymentWithoutPhone)
  return {
    count({ msisdn, paymentId, address }: IntendedAttempt): void {
      const standings = [
        ...(msisdn === null ? [countOfPayment(paymentId)] : []),
        ...(msisdn === null && address !== undefined ? withoutPhone.take(address) : []),
        ...(address === undefined ? [] : all.take(address)),
      ]
      if (standings.some(({ refused }) => refused)) throw tooMany()
    },
    restore: (address: string) => all.restore(address),
  }
}

function limitNumbers(ctx: Limited) {
  const factor = ctx.config.rateLimitFactor
  const ofNetwork = ofNumberAndNetwork.map((limit) => createInMemoryLimit(ctx.clock, perAddress(ctx, limit)))
  const subjectOf = (msisdn: string, address: string) => `${msisdn} ${widestNetworkOf(address)}`
  /** Attempts that are being inserted: the database does not show them to other transactions yet. */
  const reserved = new Map<string, AccountId[]>()

  function release(msisdn: string, accountId: AccountId): void {
    const left = [...(reserved.get(msisdn) ?? [])]
    left.splice(left.indexOf(accountId), 1)
    if (left.length === 0) reserved.delete(msisdn)
    else reserved.set(msisdn, left)
  }

  function takeOfNetwork(msisdn: string, address: string | undefined): void {
    if (address === undefined) return
    const subject = subjectOf(msisdn, address)
    if (ofNetwork.some((count) => count(subject, 0).refused))
      throw refusedField('phone', problemOf('phoneBusy'))
    for (const count of ofNetwork) count(subject)
  }

  function restore(msisdn: string, address: string | undefined, uses = 1): void {
    if (address !== undefined) for (const count of ofNetwork) count(subjectOf(msisdn, address), -uses)
  }

  return {
    async reserve(
      db: Queryable,
      { msisdn, accountId, address }: IntendedAttempt & { readonly msisdn: string },
    ): Promise<() => void> {
      const others = reserved.get(msisdn) ?? []
      reserved.set(msisdn, [...others, accountId])
      try {
        takeOfNetwork(msisdn, address)
        const request = { msisdn, windowMs: PROMPT_WINDOW_MS, most: promptsNeeded(factor) }
        const recorded = await recentPrompts(db, request)
        const inserting = others.map((other) => ({ accountId: other, ageMs: 0, isCancelled: false }))
        const problem = promptRefusal([...inserting, ...recorded], accountId, factor)
        if (problem === null) return () => release(msisdn, accountId)
        // A refused attempt rings no phone.
        restore(msisdn, address)
        throw refusedField('phone', problem)
      } catch (error) {
        release(msisdn, accountId)
        throw error
      }
    },
    /** A payer who has completed a payment with the number is its owner. */
    restoreAll: (msisdn: string, address: string) => restore(msisdn, address, Number.POSITIVE_INFINITY),
  }
}
