import { reasonOf } from '@muripo/locales/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../ctx.ts'
import { AppError } from '../errors.ts'
import { networksOf } from '../http/network.ts'
import {
  createInMemoryLimit,
  type InMemoryLimit,
  type Limit,
  type Standing,
  takeAll,
  type Use,
} from './limits.ts'

/** Admits a call or throws. It runs before anything of the call is read. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export interface NetworkOptions {
  /** Also counts the IPv4 /24 of the address, for rare calls. */
  readonly ipv4Networks?: boolean
}

export interface AdmitOptions extends NetworkOptions {
  /** A subject that is counted separately when the address has no quota left, so that it does not pay for others on the same address. */
  readonly apart?: (request: FastifyRequest) => Promise<string | null>
}

/** Limits the calls of one address, over all processes. */
export function admitPerAddress(
  ctx: Ctx,
  limits: readonly Limit[],
  { apart = async () => null, ipv4Networks = false }: AdmitOptions = {},
): Admit {
  const takeUses = (uses: readonly Use[]) => takeAll(ctx, ctx.db.kysely, uses)

  return async (request, reply) => {
    const uses = limits.flatMap((limit) => addressUses(ctx, limit, request.ip, { ipv4Networks }))
    const first = await takeUses(uses)
    const other = first.some(({ refused }) => refused) ? await apart(request) : null
    const own = limits.map((limit) => ({ limit: perAddress(ctx, limit), by: other ?? '' }))
    answerWith(reply, other === null ? first : await takeUses(own), ctx.clock.now())
  }
}

/** The same limit, counted in this process only: for frequent calls that cost little and open nothing. */
export function admitPerAddressInMemory(ctx: Pick<Ctx, 'config' | 'clock'>, limit: Limit): Admit {
  const calls = createNetworkLimit(ctx, limit)
  return async (request, reply) => answerWith(reply, calls.take(request.ip), ctx.clock.now())
}

/** A limit of addresses and of the networks around them, counted in this process only. */
export interface NetworkLimit {
  /** Counts a use in all networks of an address, or in none when one of them has no quota left. */
  take(address: string): Standing[]
  /** Restores a use that turned out not to count. */
  restore(address: string): void
}

export function createNetworkLimit(
  ctx: Pick<Ctx, 'config' | 'clock'>,
  limit: Limit,
  options: NetworkOptions = {},
): NetworkLimit {
  const limits = new Map<string, InMemoryLimit>()
  const count = ({ limit, by }: Use, uses: number) => {
    const countUse = limits.get(limit.name) ?? createInMemoryLimit(ctx.clock, limit)
    limits.set(limit.name, countUse)
    return countUse(by, uses)
  }
  const usesOf = (address: string) => addressUses(ctx, limit, address, options)
  return {
    take(address) {
      const uses = usesOf(address)
      const before = uses.map((use) => count(use, 0))
      return before.some(({ refused }) => refused) ? before : uses.map((use) => count(use, 1))
    },
    restore: (address) => void usesOf(address).map((use) => count(use, -1)),
  }
}

function answerWith(reply: FastifyReply, standings: readonly Standing[], now: Date): void {
  const shown = standings.filter(({ limit, refused }) => refused || limit.wider !== true)
  reply.headers(limitHeaders(shown, now))
  refuseSpent(shown, now)
}

/** The uses of a call from an address: of the smallest network of one subscriber, and of wider networks with a larger quota. */
export const addressUses = (
  ctx: Pick<Ctx, 'config'>,
  limit: Limit,
  address: string,
  options: NetworkOptions = {},
): Use[] =>
  networksOf(address, options).map(({ name, suffix, share }) => ({
    limit: suffix === '' ? perAddress(ctx, limit) : wider(ctx, limit, suffix, share),
    by: `address ${name}`,
  }))

function wider(ctx: Pick<Ctx, 'config'>, limit: Limit, suffix: string, share: number): Limit {
  const { quota, ...rest } = perAddress(ctx, limit)
  return { ...rest, name: limit.name + suffix, quota: quota * share, wider: true }
}

/** The subject of an address in a count of this process. */
export const addressSubject = (address: string): string => `address ${networksOf(address)[0]?.name}`

/** In development all callers have one address. */
export const perAddress = (ctx: Pick<Ctx, 'config'>, limit: Limit): Limit => ({
  ...limit,
  quota: limit.quota * ctx.config.rateLimitFactor,
})

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The fields of the IETF draft: the caller's quota, and the remaining part of it. */
export function limitHeaders(standings: readonly Standing[], now: Date): Record<string, string> {
  const list = (parameters: (standing: Standing) => string) =>
    standings.map((each) => `"${each.limit.name}";${parameters(each)}`).join(', ')
  return {
    'ratelimit-policy': list(({ limit }) => `q=${limit.quota};w=${limit.windowMs / SECOND_MS}`),
    ratelimit: list(({ remaining, resetsAt }) => `r=${remaining};t=${secondsUntil(resetsAt, now)}`),
  }
}

/** The texts of waits by the end of their English sentence. */
const waits = {
  'you try again': 'waitToTry',
  'you ask for another code': 'waitForCode',
  'you enter another code': 'waitToEnterCode',
  'you change your password again': 'waitToChangePassword',
  'you change your account again': 'waitToChangeAccount',
  'you send another message': 'waitToWrite',
} as const
export type Occasion = keyof typeof waits

/** Throws when a limit is used up; `after` follows "Please wait 20 seconds before …". */
export function refuseSpent(
  standings: readonly Standing[],
  now: Date,
  after: Occasion = 'you try again',
): void {
  const ends = standings.filter(({ refused }) => refused).map(({ resetsAt }) => resetsAt.getTime())
  if (ends.length > 0) throw tooSoon(new Date(Math.max(...ends)), now, after, limitHeaders(standings, now))
}

export function tooSoon(
  until: Date,
  now: Date,
  after: Occasion,
  headers: Readonly<Record<string, string>> = {},
): AppError {
  const seconds = Math.max(1, secondsUntil(until, now))
  return new AppError('rate_limited', {
    reason: reasonOf(waits[after], inWords(seconds * SECOND_MS)),
    headers: { ...headers, 'retry-after': String(seconds) },
  })
}

export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(0, Math.ceil((at.getTime() - now.getTime()) / SECOND_MS))

function inWords(ms: number) {
  if (ms <= 90 * SECOND_MS) return { count: ms / SECOND_MS, unit: 'second' }
  return ms <= 90 * MINUTE_MS
    ? { count: Math.ceil(ms / MINUTE_MS), unit: 'minute' }
    : { count: Math.ceil(ms / HOUR_MS), unit: 'hour' }
}
