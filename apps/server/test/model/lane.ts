import type { PaymentId, RefundId } from '@muripo/contract/ids'
import { fromMajor } from '@muripo/contract/money'
import { CreatePayment } from '@muripo/contract/payments'
import { cancelPayment } from '../../src/modules/payments/actions/cancel-payment.ts'
import { createPayment } from '../../src/modules/payments/actions/create-payment.ts'
import { startAttempt } from '../../src/modules/payments/attempts/actions/start-attempt.ts'
import { handleCallback } from '../../src/modules/payments/provider-calls/actions/handle-callback.ts'
import { createRefund } from '../../src/modules/payments/refunds/actions/refund-by-api.ts'
import { refundPayment } from '../../src/modules/payments/refunds/actions/refund-by-dashboard.ts'
import { resolveReview } from '../../src/modules/payments/review/actions/resolve-anomaly.ts'
import { resolveAttempt } from '../../src/modules/payments/review/actions/resolve-attempt.ts'
import { resolveRefund } from '../../src/modules/payments/review/actions/resolve-refund.ts'
import { operatorActor } from '../../src/platform/audit/actor.ts'
import { AppError } from '../../src/platform/errors.ts'
import { byMerchant } from '../audit-entries.ts'
import type { Shop, WorldCtx } from '../world.ts'
import { type Entry, Voice } from './adversary.ts'
import type { Life, Pause, Share, Step, Turn } from './life.ts'
import { Died, mortal } from './mortal.ts'
import { skewed } from './process.ts'
import type { Records } from './records.ts'

export interface Street {
  readonly ctx: WorldCtx
  readonly shop: Shop
  /** Another merchant, whose business none of this is. */
  readonly neighbour: Shop
}

/** The one session of every merchant's dashboard. */
const SESSION = '018f0000-0000-7000-8000-000000000005'

const operator = operatorActor('tendai', 'till@counter')
const providers = { ecocash: 'parts', onemoney: 'whole', innbucks: 'by-hand' } as const

/** One payment, everybody who has to do with it, and what they were told. */
export class Lane {
  readonly life: Life
  readonly street: Street
  readonly number: string
  /** Nobody dies over it: whatever its provider has said, somebody has heard and written down. */
  readonly isImmortal: boolean
  readonly voice: Voice
  /** The ids that clients were answered. */
  readonly created = new Set<PaymentId>()
  readonly refundsAnswered = new Map<RefundId, { readonly key: string; readonly amount: number }>()
  readonly decided = new Set<boolean>()
  readonly judged = new Map<RefundId, boolean>()
  /** What was thrown that no caller may be told. */
  readonly faults: unknown[] = []
  /** Callbacks that the gateway keeps, because its look-up was not definite or nobody lived to finish it. */
  readonly kept = new Set<string>()
  /** What was done that should have been refused. */
  readonly taken: string[] = []
  /** As it was found after the round before. */
  before: Records | null = null
  now: Records | null = null
  #answering: Promise<unknown>[] = []
  #turns = 0
  #due: () => Promise<void> = async () => {}

  constructor(life: Life, pauses: readonly Pause[], street: Street, number: string) {
    this.life = life
    this.isImmortal = [...life.turns, ...pauses].every((each) => !each?.death)
    this.street = street
    this.voice = new Voice(() => street.ctx.clock.now().getTime())
    this.number = number
  }

  get id(): PaymentId {
    const [id] = this.created
    if (!id) throw new Error('a payment that is not created does nothing')
    return id
  }

  /** Asks until it is answered, always under the same key. */
  async create(): Promise<void> {
    const { ctx, shop } = this.street
    const { amount, seconds, create } = this.life
    const input = CreatePayment.parse({
      amount,
      currency: 'USD',
      description: this.number,
      expires_in: seconds,
    })
    const ask = async (process: WorldCtx) => {
      const { json } = await createPayment(process, shop.owner, input, this.number)
      this.created.add(JSON.parse(json).id)
    }
    await this.#hear(Array.from({ length: create.times }, () => ask(mortal(ctx, create.death))))
    await this.#hear([ask(ctx)])
    const other = { ...input, description: 'another' }
    await this.#refused('idempotency_mismatch', createPayment(ctx, shop.owner, other, this.number))
  }

  async take({ step, times, forth, back, death, skewMs }: Turn): Promise<void> {
    this.#turns += 1
    // Whoever was not answered in the turn before hears at the end of this one: a look lies between.
    const hearTheLate = this.#due
    this.#due = this.#late()
    this.voice.speak(forth, back)
    const ctx = skewed(this.street.ctx, skewMs)
    const auditEntries = step.kind === 'storm' ? storm : Array.from({ length: times }, () => step)
    // The first of them dies, and whoever does the same at the same moment does not.
    await this.#hear(auditEntries.map((deed, nth) => this.#once(nth === 0 ? mortal(ctx, death) : ctx, deed)))
    await hearTheLate()
  }

  /** Everybody tells the truth, and is asked. */
  async tellTheTruth(): Promise<void> {
    await this.#due()
    await this.#late()()
    this.voice.isHonest = true
    const { ctx } = this.street
    // What nobody died over, the gateway learns by its own looks and by the callbacks that it keeps.
    const tokens =
      this.isImmortal && this.decided.size === 0 ? [...this.kept] : this.#entries().map(({ token }) => token)
    await this.#hear(tokens.map((token) => this.#callback(ctx, token)))
  }

  /** What the gateway has put before a person is decided by that person. */
  async decideTheRest(): Promise<void> {
    const { ctx } = this.street
    const { charges } = this.voice
    for (const attempt of this.now?.attempts ?? []) {
      if (!['held', 'sending', 'pending', 'unknown'].includes(attempt.status)) continue
      const isPaid = charges.get(attempt.key)?.said.has('paid') ?? false
      const verdict = isPaid
        ? ({ outcome: 'completed', reference: 'MP8' } as const)
        : ({ outcome: 'failed' } as const)
      this.decided.add(isPaid)
      await this.#hear([resolveAttempt(ctx, operator, this.id, attempt.id, verdict)])
    }
  }

  async judgeTheRest(): Promise<void> {
    for (const { id, status } of this.now?.refunds ?? []) {
      if (status !== 'completed' && status !== 'failed')
        await this.#hear([this.#interpretOutcome(this.street.ctx, id, true)])
    }
  }

  #entries = (): Entry[] => [...this.voice.charges.values(), ...this.voice.refunds.values()]

  async #once(ctx: WorldCtx, step: Step): Promise<unknown> {
    const { shop, neighbour } = this.street
    const { merchantId } = shop
    switch (step.kind) {
      case 'attempt': {
        const { method } = this.life
        const { answered } = await startAttempt(ctx, merchantId, this.id, {
          method,
          phone: this.number,
        })
        if (!this.voice.isSilent) return answered
        this.#answering.push(answered)
        return null
      }
      case 'refund':
        return this.#refund(ctx, step.by, this.#shareOf(step.share))
      case 'cancel':
        return cancelPayment(ctx, merchantId, this.id)
      case 'callback': {
        const entries = this.#entries()
        const entry = entries[step.which % Math.max(1, entries.length)]
        return entry && this.#callback(ctx, entry.token)
      }
      case 'forge': {
        const token = this.#entries()[0]?.token ?? 'a'.repeat(40)
        const forged = `${token.slice(0, 9)}${token[9] === 'A' ? 'B' : 'A'}${token.slice(10)}`
        if ((await handleCallback(ctx, providers[this.life.method], forged)) !== 'unknown token')
          this.taken.push('a forged callback was taken')
        if ((await handleCallback(ctx, 'somebody', token)) !== 'unknown token')
          this.taken.push("another provider's callback was taken")
        return null
      }
      case 'stranger': {
        const { merchantId: theirs, owner } = neighbour
        const input = { method: this.life.method, phone: this.number }
        const money = { amount: this.#shareOf('a cent'), currency: 'USD' } as const
        return Promise.all([
          this.#refused('not_found', startAttempt(ctx, theirs, this.id, input)),
          this.#refused('not_found', cancelPayment(ctx, theirs, this.id)),
          this.#refused('not_found', refundPayment(ctx, byMerchant(theirs), theirs, this.id, money)),
          this.#refused('not_found', createRefund(ctx, owner, { payment: this.id }, undefined)),
        ])
      }
      case 'decide':
        this.decided.add(step.isPaid)
        return resolveAttempt(
          ctx,
          operator,
          this.id,
          null,
          step.isPaid ? { outcome: 'completed', reference: 'MP7' } : { outcome: 'failed' },
        )
      case 'decide wrong amount': {
        this.decided.add(false)
        const moved = { amount: fromMajor(0.02, 'USD'), reason: 'its statement says so' }
        return resolveAttempt(ctx, operator, this.id, null, { outcome: 'failed', moved })
      }
      case 'review':
        return resolveReview(ctx, operator, this.id, null, { kind: 'unchanged', reason: 'nothing moved' })
      case 'judge':
        return Promise.all(
          (this.now?.refunds ?? []).map(({ id }) => this.#interpretOutcome(ctx, id, step.isPaid)),
        )
      case 'storm':
        return null
    }
  }

  #shareOf(share: Share): number {
    const cents = Math.round(this.life.amount * 100)
    switch (share) {
      case 'all':
        return cents / 100
      case 'half':
        return Math.floor(cents / 2) / 100
      case 'a cent':
        return 0.01
      case 'too much':
        return (cents + 1) / 100
    }
  }

  async #refund(ctx: WorldCtx, by: 'desk' | 'api', amount: number): Promise<void> {
    const { shop } = this.street
    if (by === 'desk') {
      await refundPayment(ctx, byMerchant(shop.merchantId), shop.merchantId, this.id, {
        amount,
        currency: 'USD',
        requestedBy: SESSION,
      })
      return
    }
    const key = `${this.number} ${this.#turns} ${amount}`
    const { json } = await createRefund(ctx, shop.owner, { payment: this.id, amount }, key)
    const answered = JSON.parse(json)
    this.refundsAnswered.set(answered.id, { key, amount: answered.amount })
  }

  async #callback(ctx: WorldCtx, token: string): Promise<void> {
    this.kept.add(token)
    const outcome = await handleCallback(ctx, providers[this.life.method], token)
    if (outcome === 'unknown token') this.faults.push('a callback was not known')
    if (outcome !== 'again') this.kept.delete(token)
  }

  async #interpretOutcome(ctx: WorldCtx, id: RefundId, isPaid: boolean): Promise<void> {
    const said = isPaid
      ? ({ kind: 'paid', reference: 'HAND1' } as const)
      : ({ kind: 'failed', reason: 'gone' } as const)
    // It may be committed although nobody lives to hear of it.
    this.judged.set(id, this.judged.get(id) === true || isPaid)
    await resolveRefund(ctx, operator, id, said)
  }

  /** Those whose provider is silent now will hear of it when this is called. */
  #late(): () => Promise<void> {
    const speak = this.voice.late()
    const answering = this.#answering.splice(0)
    return () => {
      speak()
      return this.#hear(answering)
    }
  }

  async #refused(code: string, deed: Promise<unknown>): Promise<void> {
    const error = await deed.then(
      () => null,
      (reason: unknown) => reason,
    )
    if (error instanceof Died) throw error
    if (!(error instanceof AppError) || error.code !== code)
      this.taken.push(`not refused with ${code}: ${error}`)
  }

  /** Refusals have their codes and the dead say nothing; everything else is a fault of ours. */
  async #hear(auditEntries: readonly Promise<unknown>[]): Promise<void> {
    for (const result of await Promise.allSettled(auditEntries)) {
      if (result.status === 'fulfilled') continue
      const { reason } = result
      if (!(reason instanceof AppError || reason instanceof Died)) this.faults.push(reason)
    }
  }
}

/** Everybody at once. */
const storm: readonly Step[] = [
  ...[0, 1, 2, 3].map((which) => ({ kind: 'callback', which }) as const),
  ...(['attempt', 'cancel', 'attempt', 'cancel'] as const).map((kind) => ({ kind })),
  ...(['all', 'half'] as const).flatMap((share) =>
    (['desk', 'api'] as const).map((by) => ({ kind: 'refund', share, by }) as const),
  ),
  { kind: 'decide', isPaid: true },
  { kind: 'judge', isPaid: true },
]
