import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import {
  type ChargeRequest,
  type Connector,
  type LookupCause,
  type LookupRequest,
  type NotFound,
  ProviderError,
  type ProviderHealth,
  type Reply,
} from '../connector.ts'
import { CIRCUIT_OPEN, OUT_OF_BUDGET } from '../http-client.ts'
import { type Caller, type CallQueue, createCallQueue, type Timer } from './call-queue.ts'
import { CALL_MAX_MS, CALLBACK_TURN_WAIT_MS } from './deadlines.ts'
import { type CallFigures, type CallResult, figuresOf, healthFrom, noFigures, sumOf } from './figures.ts'
import { withRequests } from './requests-of-call.ts'
import { addFigures, recentFigures } from './store-figures.ts'

/** The limits that the deployment sets, by the id of a connector; null for none. */
export type CallLimits = ReadonlyMap<string, number | null>

/** The calls of this process to all providers, within their budgets, and the figures of these calls. */
export interface ProviderCalls {
  /** A connector whose calls wait for the provider's budget, and are counted. Its health includes the calls of all processes. */
  guard(connector: Connector): Connector
  /** The number of scheduled look-ups that each budget allows now, by connector; one without a budget is not named. */
  room(): Record<string, number>
  /** The time in milliseconds for which calls of this process have waited for each budget since its start, by connector. */
  waitedMs(): ReadonlyMap<string, number>
  /** The calls of this process since its start, by connector, and the sum of their durations. */
  totals(): ReadonlyMap<string, CallTotals>
  /** Adds the figures of this process to the database, and reads those of all processes. */
  exchange(): Promise<void>
}

/** The minutes whose calls decide the health. */
const HEALTH_MINUTES = 3

interface Dependencies {
  readonly db: Database
  readonly background: Database
  readonly log: Log
  readonly timer?: Timer
}

/** The calls of this process to one provider. */
export interface CallTotals extends CallFigures {
  readonly durationMs: number
}

export function createProviderCalls(
  { db, background, log, timer }: Dependencies,
  limits: CallLimits,
): ProviderCalls {
  const queues = new Map<string, CallQueue>()
  const counters = new CallCounters(background)

  async function make<Result extends Reply | NotFound>(
    id: string,
    { caller, beforeSending, result = () => 'answered' }: Placed,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const queue = queues.get(id)
    await queue?.enter(caller)
    const start = performance.now()
    const count = (counted: CallResult) => counters.count(id, counted, performance.now() - start)
    const hooks = {
      enter: async (mostMs: number) => queue?.enterAgain(caller, mostMs),
      ...(beforeSending && { beforeFirst: beforeSending }),
    }
    try {
      const reply = await withRequests(CALL_MAX_MS, hooks, call)
      count(result(reply))
      return reply
    } catch (error) {
      // The call was not made.
      if (isOutOfBudget(error)) throw error
      count(resultOfError(error))
      if (isBusy(error)) await queue?.pause(error.retryAfterMs)
      throw error
    }
  }

  return {
    guard(connector) {
      const { id, callsPerMinute = null } = connector
      const set = limits.get(id)
      const limit = set === undefined ? callsPerMinute : set
      if (limit !== null) queues.set(id, createCallQueue({ db, log, ...(timer && { timer }) }, id, limit))
      return {
        ...connector,
        health: async () => worse(counters.healthOf(id), (await connector.health?.()) ?? 'operational'),
        ...guardedCalls(connector, make),
      }
    },
    room: () => Object.fromEntries([...queues].map(([id, queue]) => [id, queue.room()])),
    waitedMs: () => new Map([...queues].map(([id, queue]) => [id, queue.waitedMs()])),
    totals: () => counters.totals,
    exchange: () => counters.exchange(),
  }
}

/** A call with its place in the budget. */
interface Placed {
  readonly caller: Caller
  readonly beforeSending?: (() => void) | undefined
  readonly result?: ((reply: Reply | NotFound) => CallResult) | undefined
}

/** Makes a call within the budget of its provider, and counts its result. */
type MakeCall = <Result extends Reply | NotFound>(
  id: string,
  placed: Placed,
  call: () => Promise<Result>,
) => Promise<Result>

type Calls = Pick<Connector, 'charge' | 'lookup' | 'refundCharge' | 'lookupRefund' | 'proceed'>

function guardedCalls(connector: Connector, make: MakeCall): Calls {
  const { id, lookupRefund, proceed, refundCharge } = connector
  return {
    charge: (request) =>
      make(id, { ...placeOfCharge(request, request.network), result: endOf }, () =>
        connector.charge(request),
      ),
    lookup: ({ cause = 'schedule', ...request }) =>
      make(id, { caller: placeOfLookup(cause, request), result: request.hasEnded ? undefined : endOf }, () =>
        connector.lookup(request),
      ),
    ...(refundCharge && {
      refundCharge: (request) => {
        const caller: Caller = { of: 'confirmation', subjects: [request.accountId, 'refunds', request.key] }
        return make(id, { caller, beforeSending: request.beforeSending }, () => refundCharge(request))
      },
    }),
    // The payer waits for this call, which may complete the charge.
    ...(proceed && {
      proceed: (request) => make(id, { ...placeOfCharge(request), result: endOf }, () => proceed(request)),
    }),
    ...(lookupRefund && {
      lookupRefund: ({ cause = 'schedule', ...request }) =>
        make(id, { caller: placeOfLookup(cause, request) }, () => lookupRefund(request)),
    }),
  }
}

const placeOfCharge = (
  {
    accountId,
    key,
    beforeSending,
  }: Pick<LookupRequest, 'accountId' | 'key'> & Pick<ChargeRequest, 'beforeSending'>,
  network = 'unknown network',
): Pick<Placed, 'caller' | 'beforeSending'> => ({
  caller: { of: 'charge', subjects: [accountId, network, key] },
  beforeSending,
})

const classOf = {
  callback: 'confirmation',
  payer: 'schedule',
  schedule: 'schedule',
  watch: 'watch',
} as const satisfies Record<LookupCause, Caller['of']>

const placeOfLookup = (cause: LookupCause, { accountId, key }: LookupRequest): Caller => ({
  of: classOf[cause],
  subjects: [accountId, cause, key],
  ...(cause === 'callback' && { mostMs: CALLBACK_TURN_WAIT_MS }),
})

/** The figures of the calls of this process, and of the recent calls of all processes, by connector. */
class CallCounters {
  readonly totals = new Map<string, CallTotals>()
  private readonly unwritten = new Map<string, CallFigures>()
  private recent = new Map<string, CallFigures>()
  private readonly background: Database

  constructor(background: Database) {
    this.background = background
  }

  count(id: string, result: CallResult, durationMs: number): void {
    const figures = figuresOf(result, durationMs)
    const before = this.totals.get(id) ?? { ...noFigures, durationMs: 0 }
    // A blocked call was not made.
    const tookMs = before.durationMs + figures.calls * durationMs
    this.totals.set(id, { ...sumOf(before, figures), durationMs: tookMs })
    addTo(this.unwritten, id, figures)
  }

  healthOf(id: string): ProviderHealth {
    return healthFrom(sumOf(this.recent.get(id) ?? noFigures, this.unwritten.get(id) ?? noFigures))
  }

  async exchange(): Promise<void> {
    for (const [id, figures] of [...this.unwritten]) {
      this.unwritten.delete(id)
      await addFigures(this.background, id, figures).catch((error: unknown) => {
        addTo(this.unwritten, id, figures)
        throw error
      })
    }
    this.recent = await recentFigures(this.background, HEALTH_MINUTES)
  }
}

function addTo(sums: Map<string, CallFigures>, id: string, figures: CallFigures): void {
  sums.set(id, sumOf(sums.get(id) ?? noFigures, figures))
}

const healths: readonly ProviderHealth[] = ['operational', 'degraded', 'down']
const worse = (a: ProviderHealth, b: ProviderHealth): ProviderHealth =>
  healths.indexOf(a) > healths.indexOf(b) ? a : b

/** The result of a call about an open charge. */
function endOf(reply: Reply | NotFound): CallResult {
  if (reply.kind === 'not_found') return 'answered'
  if (reply.outcome === 'completed') return 'completed'
  return reply.outcome === 'failed' ? 'declined' : 'answered'
}

function resultOfError(error: unknown): CallResult {
  if (!(error instanceof ProviderError)) return 'failed'
  if (error.providerCode === CIRCUIT_OPEN) return 'blocked'
  if (error.retryAfterMs !== null) return 'busy'
  if (error.kind === 'declined') return 'declined'
  // The provider has answered: the error is in our request or in our credentials.
  return error.kind === 'invalid' ? 'answered' : 'failed'
}

const isOutOfBudget = (error: unknown): boolean =>
  error instanceof ProviderError && error.providerCode === OUT_OF_BUDGET

/** The provider itself has refused the call for the number of calls. */
const isBusy = (error: unknown): error is ProviderError & { readonly retryAfterMs: number } =>
  error instanceof ProviderError && error.retryAfterMs !== null && error.providerCode !== CIRCUIT_OPEN
