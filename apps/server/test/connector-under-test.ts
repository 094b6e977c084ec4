import type { Currency, Money } from '@muripo/contract/money'
import type {
  ChargeRequest,
  Connector,
  DeclineReason,
  LookupRequest,
  NotFound,
  ProviderState,
  Reply,
} from '../src/modules/providers/connector.ts'
import { ProviderError } from '../src/modules/providers/connector.ts'
import type { Call, Spoiling } from './answer-proxy.ts'
import type { Simulator } from './simulator.ts'

/** A connector with its simulator, as the contract needs them. */
export interface ConnectorUnderTest {
  /** Makes the connector for a simulator at this origin. */
  connect(origin: string): Connector
  /** Whether this request is the charge itself, which is sent once. */
  isCharge(call: Call): boolean
  /** The same for a refund; needed when the connector has refund calls. */
  isRefund?(call: Call): boolean
  /** Whether this request captures or voids an authorisation on instruction; needed when the connector can authorise. */
  isInstruction?(call: Call): boolean
  /** The fields of a charge that differ from the usual ones. */
  readonly charge?: Partial<ChargeRequest>
  /** unknown: a charge without an answer may have moved money. unavailable: it cannot have moved any, and the payer may start again. */
  readonly lostCharge: 'unknown' | 'unavailable'
  /** Set when an empty answer with HTTP 200 accepts a charge or a refund, and finds none in a look-up. */
  readonly emptyHasMeaning?: true
  /** Set when a charge without an answer cannot be looked up: it stays unknown until an operator decides. */
  readonly noLostLookup?: true
  /** Set when the provider has no look-up of refunds: the outcome of a refund without an answer is held for an operator. */
  readonly noRefundLookup?: true
  /** The payer's step on our page after the reply to a charge with this behaviour, if the provider's simulator cannot take it alone. */
  continue?(simulator: Simulator, connector: Connector, charged: Charged, behaviour: object): Promise<void>
  /** Lets the provider take a paid charge back without a request. Left out where its protocol has no such act. */
  reverse?(simulator: Simulator, paid: Paid): Promise<void>
  /** Lets the provider's staff refund a part of a paid charge. Left out where its look-ups show no refund. */
  refundOutside?(simulator: Simulator, paid: Paid, minor: number): Promise<void>
  /** Orders the behaviour of the simulator for the next charge. */
  order(simulator: Simulator, behaviour: object): Promise<void>
  /** The simulator runs a hundred times faster than its behaviours say. */
  readonly behaviours: {
    /** Paid a few seconds after the reply to the charge. */
    readonly paid: object
    readonly neverResolves: object
    /** A charge whose reply is lost, if its payer cannot pay without that reply; otherwise it is paid. */
    readonly lost?: object
    readonly paidAfterFailure: object
    readonly wrongAmount: { readonly behaviour: object; readonly echo: Money }
    /** A callback before the reply to the charge, if the provider sends callbacks. */
    readonly earlyCallback?: object
    readonly refusals: readonly (readonly [name: string, behaviour: object, reason: DeclineReason])[]
  }
  /** The text of an answer with this status in place of its own. */
  withStatus(text: string, word: string): string
}

const html = '<html><head><title>Request Rejected</title></head></html>'

export const spoilings: readonly (readonly [name: string, spoiling: Spoiling])[] = [true, false].flatMap(
  (passesOn) =>
    (
      [
        ['no answer', 'none'],
        ['half an answer', 'half'],
        ['500', { status: 500, type: 'application/json', text: '{"message":"Internal error"}' }],
        ['503 in HTML', { status: 503, type: 'text/html', text: html }],
        ['HTML at 200', { status: 200, type: 'text/html', text: html }],
        ['nothing at 200', { status: 200, type: 'application/json', text: '' }],
      ] as const
    ).map(([name, answer]) => [
      `${name}, ${passesOn ? 'processed' : 'not processed'}`,
      { passesOn, answer } as Spoiling,
    ]),
)
export const isEmpty = ({ answer }: Spoiling): boolean => typeof answer === 'object' && answer.text === ''
export const ofLookup = spoilings.filter(([, { passesOn }]) => passesOn)

export type Result = Reply | NotFound | ProviderError

export interface Charged {
  readonly request: ChargeRequest
  readonly result: Result
}

export interface Paid {
  readonly request: ChargeRequest
  readonly reply: Reply
}

let keys = 0
/** A key of the form that the engine uses. */
export function freshKey(): string {
  keys += 1
  return `01jdw${String(keys).padStart(21, '0')}`
}

export const resultOf = (call: Promise<Reply | NotFound>): Promise<Result> =>
  call.catch((error: unknown) => {
    if (error instanceof ProviderError) return error
    throw error
  })

export const stateOf = (result: Result): ProviderState | null =>
  result.kind === 'reply' ? result.state : null

export const lookupOf = (
  { accountId, key, msisdn }: Pick<LookupRequest, 'accountId' | 'key' | 'msisdn'>,
  state: ProviderState | null,
): LookupRequest => ({ accountId, key, msisdn, state })

export const otherCurrencies = (connector: Connector): Currency[] =>
  (['USD', 'ZWG', 'ZAR'] as const).filter((currency) => !connector.currencies.includes(currency))
