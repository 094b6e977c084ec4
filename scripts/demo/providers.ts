import {
  type ChargeRequest,
  type Connector,
  ProviderError,
  phoneOf,
  type RefundRequest,
  type Reply,
} from '../../apps/server/src/modules/providers/connector.ts'
import type { Clock } from '../../apps/server/src/platform/clock.ts'
import { openLedger } from '../../apps/simulator/src/ledger.ts'
import { createWallet } from '../../apps/simulator/src/wallet.ts'
import { type Money, money } from '../../packages/contract/src/money.ts'
import type { PaymentMethod } from '../../packages/contract/src/payments.ts'
import type { Chance } from './chance.ts'
import type { PlannedAttempt, PlannedPayment } from './plan.ts'

/** The provider of a method. */
const carriers: Record<PaymentMethod, string> = {
  ecocash: 'ecocash',
  innbucks: 'innbucks',
  onemoney: 'paynow',
  visa: 'mastercard',
}

/** Past charges for the simulated wallet, so that sample payments can be refunded. */
export function createPastWallet() {
  const past = openLedger(null, Number.MAX_SAFE_INTEGER)
  let at = 0
  const wallet = createWallet({ ledger: past, speed: 1, now: () => at, notify: async () => {} })

  const inputOf = (request: ChargeRequest | RefundRequest, remarks: string, shopName: string) => ({
    correlator: request.key,
    number: phoneOf(request),
    minor: Number(request.amount.minor),
    currency: request.amount.currency as 'USD' | 'ZWG',
    notifyUrl: null,
    referenceCode: request.key,
    remarks,
    shopName,
    merchantNumber: '771000000',
  })

  return {
    charge(request: ChargeRequest, now: Date): string {
      at = now.getTime()
      const behaviour = { decision: { verdict: 'success', afterMs: 0 } } as const
      const transaction = wallet.open(inputOf(request, request.description, request.shopName), behaviour)
      void wallet.startNow(transaction)
      return transaction.reference
    },
    refund(request: RefundRequest, now: Date): string {
      at = now.getTime()
      const original = past.getByReference(request.originalReference)
      if (original === null) throw new Error('a refund has a past charge')
      return wallet.refund(original, inputOf(request, request.reason, original.shopName)).reference
    },
    saveTo(folder: string): void {
      const lasting = openLedger(folder, Number.MAX_SAFE_INTEGER)
      for (const transaction of past.all()) lasting.save({ ...transaction, behaviour: {} })
      lasting.close()
    },
  }
}
export type PastWallet = ReturnType<typeof createPastWallet>

/** A call of the gateway that waits for its response. */
interface OpenCall {
  /** Sends the planned response. */
  answer(): void
}

/** A provider that answers each call of one payment as planned, at the planned time. */
export class PlannedProvider {
  readonly connector: Connector
  private readonly planned: PlannedPayment
  private readonly clock: Clock
  private readonly chance: Chance
  private readonly pastWallet: PastWallet
  private readonly attempts: PlannedAttempt[]
  private readonly calls: OpenCall[] = []
  private notifyCall = () => {}

  constructor(planned: PlannedPayment, clock: Clock, chance: Chance, pastWallet: PastWallet) {
    this.planned = planned
    this.clock = clock
    this.chance = chance
    this.pastWallet = pastWallet
    this.attempts = [...planned.attempts]
    const { method } = planned
    const refuseLookup = () => Promise.reject(new Error('a sample payment is not looked up'))
    this.connector = {
      id: carriers[method],
      methods: [method],
      currencies: [planned.amount.currency],
      needs: () => (method === 'ecocash' || method === 'onemoney' ? ['phone'] : []),
      refund: 'api-partial',
      reversals: 'unreported',
      returnedEcho: 'unknown',
      references: 'repeating',
      minPollMs: 3000,
      attemptTtlMs: 600_000,
      callbackReply: { status: 200, contentType: 'text/plain', body: '' },
      refuseNumber: () => null,
      charge: (request) => this.openCall(() => this.replyToCharge(request)),
      refundCharge: (request) => this.openCall(() => this.replyToRefund(request)),
      lookup: refuseLookup,
      lookupRefund: refuseLookup,
    }
  }

  /** Resolves when the gateway has made its next call. */
  async nextCall(): Promise<OpenCall> {
    for (;;) {
      const call = this.calls.shift()
      if (call) return call
      await new Promise<void>((resolve) => {
        this.notifyCall = resolve
      })
    }
  }

  private openCall(reply: () => Reply): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const answer = () => {
        try {
          resolve(reply())
        } catch (error) {
          reject(error)
        }
      }
      this.calls.push({ answer })
      this.notifyCall()
    })
  }

  private replyToCharge(request: ChargeRequest): Reply {
    const next = this.attempts.shift()
    if (!next) throw new Error('the plan has no further attempt')
    const { verdict } = next
    if (verdict === 'provider_unavailable') throw new ProviderError('unavailable', 'no connection')
    const state = { shopName: request.shopName }
    if (verdict === 'paid') return completed(this.referenceOf(request), request.amount, state)
    if (verdict === 'paid_less') {
      const less = money(request.amount.minor - 100n, request.amount.currency)
      return completed(this.referenceOf({ ...request, amount: less }), less, state)
    }
    return {
      kind: 'reply',
      outcome: 'failed',
      providerStatus: 'FAILED',
      providerReference: null,
      state,
      echo: null,
      reason: verdict,
    }
  }

  private replyToRefund(request: RefundRequest): Reply {
    if (this.planned.refund?.isDeclined)
      throw new ProviderError('declined', 'the wallet is closed', { reason: 'declined' })
    return completed(this.referenceOf(request), request.amount, {})
  }

  private referenceOf(request: ChargeRequest | RefundRequest): string {
    const { method } = this.planned
    const now = this.clock.now()
    if (method === 'ecocash')
      return 'description' in request
        ? this.pastWallet.charge(request, now)
        : this.pastWallet.refund(request, now)
    const length = method === 'visa' ? 12 : 9
    return Array.from({ length }, (_, index) => this.chance.between(index === 0 ? 1 : 0, 9)).join('')
  }
}

const completed = (reference: string, echo: Money, state: Reply['state']): Reply => ({
  kind: 'reply',
  outcome: 'completed',
  providerStatus: 'COMPLETED',
  providerReference: reference,
  state: { ...state, reference },
  echo,
  reason: null,
})
