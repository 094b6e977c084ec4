import type { PaymentId, RefundId } from '@muripo/contract/ids'
import { CreatePayment } from '@muripo/contract/payments'
import { cancelPayment } from '../../src/modules/payments/actions/cancel-payment.ts'
import { createPayment } from '../../src/modules/payments/actions/create-payment.ts'
import { handleCallback } from '../../src/modules/payments/actions/handle-callback.ts'
import { capturePayment, instructPayment } from '../../src/modules/payments/actions/instruct-payment.ts'
import { createRefund, refundPayment } from '../../src/modules/payments/actions/request-refund.ts'
import { startAttempt } from '../../src/modules/payments/actions/start-attempt.ts'
import { isOverloaded } from '../../src/platform/db/failures.ts'
import { AppError } from '../../src/platform/errors.ts'
import { byMerchant } from '../audit-entries.ts'
import type { WorldCtx } from '../world.ts'
import { type Entry, ProviderScript } from './adversary.ts'
import { Operator } from './operator.ts'
import { skewed } from './process.ts'
import type { Records } from './records.ts'
import type { ScenarioWorld } from './scenario-world.ts'
import {
  type Pause,
  type Sequence,
  type Share,
  type Step,
  shareOf,
  simultaneousSteps,
  type Turn,
} from './sequence.ts'
import { Crashed, withCrash } from './with-crash.ts'

/** The session of every merchant's dashboard. */
const SESSION = '018f0000-0000-7000-8000-000000000005'

const providers = { ecocash: 'parts', onemoney: 'whole', innbucks: 'by-hand' } as const

/** One payment with its provider, its clients and the responses that they received. */
export class Scenario {
  readonly sequence: Sequence
  readonly world: ScenarioWorld
  readonly number: string
  readonly script: ProviderScript
  readonly operator = new Operator(this)
  /** The ids in the responses to creates. */
  readonly created = new Set<PaymentId>()
  readonly refundsAnswered = new Map<RefundId, { readonly key: string; readonly amount: number }>()
  /** Errors that no caller may receive. */
  readonly errors: unknown[] = []
  /** Tokens of callbacks that the gateway stores, because its look-up was not definite or its process crashed. */
  readonly storedCallbacks = new Set<string>()
  /** Operations that were accepted and should have been refused. */
  readonly wronglyAccepted: string[] = []
  /** The records at the check after the previous round. */
  before: Records | null = null
  now: Records | null = null
  readonly #hasCrashes: boolean
  #delayedAnswers: Promise<unknown>[] = []
  #turns = 0
  #receiveDelayed: () => Promise<void> = async () => {}

  constructor(sequence: Sequence, pauses: readonly Pause[], world: ScenarioWorld, number: string) {
    this.sequence = sequence
    this.#hasCrashes = [...sequence.turns, ...pauses].some((each) => each?.crash)
    this.world = world
    const findsRefunds = sequence.method === 'onemoney'
    this.script = new ProviderScript(() => world.ctx.clock.now().getTime(), findsRefunds)
    this.number = number
  }

  /** No process crashes, so every reply of the provider was received and recorded. */
  get neverCrashes(): boolean {
    return !this.#hasCrashes && !this.world.overload.hasOccurred
  }

  get attemptVerdicts(): ReadonlySet<boolean> {
    return this.operator.attemptVerdicts
  }

  get refundVerdicts(): ReadonlyMap<RefundId, boolean> {
    return this.operator.refundVerdicts
  }

  get id(): PaymentId {
    const [id] = this.created
    if (!id) throw new Error('a payment that is not created does nothing')
    return id
  }

  /** Repeats the create under one key until it is answered. */
  async create(): Promise<void> {
    const { ctx, shop } = this.world
    const { amount, seconds, create, capture } = this.sequence
    const input = CreatePayment.parse({
      amount,
      currency: 'USD',
      description: this.number,
      expires_in: seconds,
      capture,
    })
    const attempt = async (process: WorldCtx) => {
      const { json } = await createPayment(process, shop.owner, input, { idempotencyKey: this.number })
      this.created.add(JSON.parse(json).id)
    }
    await this.#collect(Array.from({ length: create.times }, () => attempt(withCrash(ctx, create.crash))))
    await this.#collect([attempt(ctx)])
    const other = { ...input, description: 'another' }
    await this.#refused(
      'idempotency_mismatch',
      createPayment(ctx, shop.owner, other, { idempotencyKey: this.number }),
    )
  }

  async runTurn({ step, times, chargeReply, refundReply, crash, skewMs }: Turn): Promise<void> {
    this.#turns += 1
    // Delayed calls of the previous turn are answered at the end of this one: look-ups run in between.
    const receiveDelayed = this.#receiveDelayed
    this.#receiveDelayed = this.#delayAnswers()
    this.script.answer(chargeReply, refundReply)
    const ctx = skewed(this.world.ctx, skewMs)
    const operations = simultaneousSteps[step.kind] ?? Array.from({ length: times }, () => step)
    // The process of the first operation crashes; the processes of the concurrent ones do not.
    await this.#collect(
      operations.map((operation, nth) => this.#once(nth === 0 ? withCrash(ctx, crash) : ctx, operation)),
    )
    await receiveDelayed()
  }

  /** The provider answers honestly from now on, and sends callbacks. */
  async answerHonestly(): Promise<void> {
    await this.#receiveDelayed()
    await this.#delayAnswers()()
    this.script.isHonest = true
    const { ctx } = this.world
    // Without a crash the gateway learns the rest by its own look-ups and by the callbacks that it stores. A provider that has denied a paid
    // call reports the change: after the watch, its denial was final.
    const ownLookUps = this.neverCrashes && this.attemptVerdicts.size === 0
    const reported = this.#entries().filter(({ isDenied }) => isDenied || !ownLookUps)
    const tokens = new Set([
      ...(ownLookUps ? this.storedCallbacks : []),
      ...reported.map(({ token }) => token),
    ])
    await this.#collect([...tokens].map((token) => this.#callback(ctx, token)))
  }

  /** An operator decides every attempt that is still open, by the provider's records. */
  async resolveOpenAttempts(): Promise<void> {
    const { ctx } = this.world
    const { charges } = this.script
    for (const attempt of this.now?.attempts ?? []) {
      if (!['held', 'sending', 'pending', 'unknown'].includes(attempt.status)) continue
      const isPaid = charges.get(attempt.key)?.replies.has('paid') ?? false
      await this.#collect([this.operator.resolveAttempt(ctx, attempt.id, isPaid)])
    }
  }

  async resolveOpenRefunds(): Promise<void> {
    for (const { id, status } of this.now?.refunds ?? []) {
      if (status !== 'completed' && status !== 'failed')
        await this.#collect([
          this.operator.resolveRefund(this.world.ctx, id, true, 'its statement shows the refund'),
        ])
    }
  }

  #entries = (): Entry[] => [...this.script.charges.values(), ...this.script.refunds.values()]

  async #once(ctx: WorldCtx, step: Step): Promise<unknown> {
    const { merchantId } = this.world.shop
    switch (step.kind) {
      case 'attempt':
        return this.#attempt(ctx)
      case 'refund':
        return this.#refund(ctx, step.by, this.#shareOf(step.share))
      case 'cancel':
        return cancelPayment(ctx, merchantId, this.id, this.sequence.capture ? byMerchant(merchantId) : null)
      case 'capture':
        return this.#capture(ctx, step.by, this.#shareOf(step.share))
      case 'callback': {
        const entries = this.#entries()
        const entry = entries[step.which % Math.max(1, entries.length)]
        return entry && this.#callback(ctx, entry.token)
      }
      case 'forge':
        return this.#forgeCallbacks(ctx)
      case 'other merchant':
        return this.#actAsOtherMerchant(ctx)
      default:
        return this.operator.take(ctx, step)
    }
  }

  async #attempt(ctx: WorldCtx): Promise<void> {
    const { merchantId } = this.world.shop
    const input = { method: this.sequence.method, phone: this.number }
    const { answered } = await startAttempt(ctx, merchantId, this.id, input)
    if (!this.script.hasDelayed) return answered
    this.#delayedAnswers.push(answered)
  }

  async #forgeCallbacks(ctx: WorldCtx): Promise<void> {
    const token = this.#entries()[0]?.token ?? 'a'.repeat(40)
    const forged = `${token.slice(0, 9)}${token[9] === 'A' ? 'B' : 'A'}${token.slice(10)}`
    if ((await handleCallback(ctx, providers[this.sequence.method], forged)) !== 'unknown token')
      this.wronglyAccepted.push('a forged callback was accepted')
    if ((await handleCallback(ctx, 'somebody', token)) !== 'unknown token')
      this.wronglyAccepted.push("another provider's callback was accepted")
  }

  #actAsOtherMerchant(ctx: WorldCtx): Promise<unknown> {
    const { merchantId, owner } = this.world.otherMerchant
    const input = { method: this.sequence.method, phone: this.number }
    const cent = { amount: this.#shareOf('a cent'), currency: 'USD' } as const
    return Promise.all([
      this.#refused('not_found', startAttempt(ctx, merchantId, this.id, input)),
      this.#refused('not_found', cancelPayment(ctx, merchantId, this.id)),
      this.#refused('not_found', refundPayment(ctx, byMerchant(merchantId), merchantId, this.id, cent)),
      this.#refused('not_found', createRefund(ctx, owner, { payment: this.id })),
    ])
  }

  #shareOf = (share: Share): number => shareOf(this.sequence.amount, share)

  #capture(ctx: WorldCtx, by: 'dashboard' | 'api', amount: number): Promise<unknown> {
    const { shop } = this.world
    const { merchantId } = shop
    if (by === 'api')
      return capturePayment(
        ctx,
        shop.owner,
        this.id,
        { amount },
        { idempotencyKey: `${this.number} ${this.#turns} ${amount}` },
      )
    const requested = { amount, currency: 'USD' } as const
    return instructPayment(ctx, {
      actor: byMerchant(merchantId),
      accountId: merchantId,
      paymentId: this.id,
      requested,
      confirm: async () => {},
    })
  }

  async #refund(ctx: WorldCtx, by: 'dashboard' | 'api', amount: number): Promise<void> {
    const { shop } = this.world
    if (by === 'dashboard') {
      await refundPayment(ctx, byMerchant(shop.merchantId), shop.merchantId, this.id, {
        amount,
        currency: 'USD',
        requestedBy: SESSION,
      })
      return
    }
    const key = `${this.number} ${this.#turns} ${amount}`
    const { json } = await createRefund(
      ctx,
      shop.owner,
      { payment: this.id, amount },
      { idempotencyKey: key },
    )
    const answered = JSON.parse(json)
    this.refundsAnswered.set(answered.id, { key, amount: answered.amount })
  }

  async #callback(ctx: WorldCtx, token: string): Promise<void> {
    this.storedCallbacks.add(token)
    const outcome = await handleCallback(ctx, providers[this.sequence.method], token)
    if (outcome === 'unknown token') this.errors.push('the token of a callback is unknown')
    if (outcome !== 'again') this.storedCallbacks.delete(token)
  }

  /** Returns a function that answers the calls whose provider delays its reply now. */
  #delayAnswers(): () => Promise<void> {
    const reply = this.script.delayReplies()
    const delayed = this.#delayedAnswers.splice(0)
    return () => {
      reply()
      return this.#collect(delayed)
    }
  }

  async #refused(code: string, operation: Promise<unknown>): Promise<void> {
    const error = await operation.then(
      () => null,
      (reason: unknown) => reason,
    )
    if (error instanceof Crashed) throw error
    if (!(error instanceof AppError) || error.code !== code)
      this.wronglyAccepted.push(`not refused with ${code}: ${error}`)
  }

  /** Refusals have error codes, on a slow machine "busy" too, and a crashed process has no response; any other error is a bug. */
  async #collect(operations: readonly Promise<unknown>[]): Promise<void> {
    for (const result of await Promise.allSettled(operations)) {
      if (result.status === 'fulfilled') continue
      const { reason } = result
      if (isOverloaded(reason)) this.world.overload.hasOccurred = true
      else if (!(reason instanceof AppError || reason instanceof Crashed)) this.errors.push(reason)
    }
  }
}
