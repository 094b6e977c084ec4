import type { AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import { fromMajor } from '@muripo/contract/money'
import { recordReturn } from '../../src/modules/payments/actions/record-return.ts'
import { resolveReview } from '../../src/modules/payments/actions/resolve-anomaly.ts'
import { resolveAttempt } from '../../src/modules/payments/actions/resolve-attempt.ts'
import { recordBounce, resolveRefund } from '../../src/modules/payments/actions/resolve-refund.ts'
import { operatorActor } from '../../src/platform/audit/actor.ts'
import type { WorldCtx } from '../world.ts'
import type { Records } from './records.ts'
import { type Share, type Step, shareOf } from './sequence.ts'

const actor = operatorActor('tendai', 'till@counter')

/** The payment that an operator decides about, as the last check has read it. */
interface Decided {
  readonly id: PaymentId
  readonly number: string
  readonly sequence: { readonly amount: number }
  readonly now: Records | null
}

/** The operator's steps of one scenario, and the verdicts that were given. */
export class Operator {
  readonly attemptVerdicts = new Set<boolean>()
  readonly refundVerdicts = new Map<RefundId, boolean>()
  readonly #about: Decided
  #references = 0

  constructor(about: Decided) {
    this.#about = about
  }

  /** @returns null for a step of somebody else */
  take(ctx: WorldCtx, step: Step): Promise<unknown> | null {
    const { id } = this.#about
    switch (step.kind) {
      case 'resolve attempt':
        return this.resolveAttempt(ctx, null, step.isPaid)
      case 'resolve with wrong amount':
        return this.#resolveWithWrongAmount(ctx)
      case 'review':
        return resolveReview(ctx, actor, id, null, { kind: 'unchanged', reason: 'nothing moved' })
      case 'resolve refunds':
        return this.#forEachRefund((refund) => this.resolveRefund(ctx, refund, step.isPaid))
      case 'reverse':
        return resolveReview(ctx, actor, id, null, {
          kind: 'reversed',
          ...this.#moved(step.share, 'a dispute'),
        })
      case 'return':
        return recordReturn(ctx, actor, id, null, this.#moved(step.share, 'a dispute is won'))
      case 'bounce':
        return step.isReviewed
          ? resolveReview(ctx, actor, id, null, { kind: 'bounced', reason: 'the wallet is closed' })
          : this.#bounceRefunds(ctx)
      case 'unclaim':
        return this.#forEachRefund((refund) =>
          resolveRefund(ctx, actor, refund, { kind: 'unclaimed', reason: 'nobody answers' }),
        )
      default:
        return null
    }
  }

  resolveAttempt(ctx: WorldCtx, attemptId: AttemptId | null, isPaid: boolean): Promise<unknown> {
    this.attemptVerdicts.add(isPaid)
    const verdict = isPaid
      ? ({ outcome: 'completed', reference: this.#reference() } as const)
      : ({ outcome: 'failed' } as const)
    return resolveAttempt(ctx, actor, this.#about.id, attemptId, verdict)
  }

  /** @param although why the refund is paid in spite of a report that its charge was returned */
  async resolveRefund(ctx: WorldCtx, id: RefundId, isPaid: boolean, although?: string): Promise<void> {
    const verdict = isPaid
      ? ({ kind: 'paid', reference: this.#reference(), ...(although !== undefined && { although }) } as const)
      : ({ kind: 'failed', reason: 'gone' } as const)
    // The verdict may be committed although its process crashes before the response.
    this.refundVerdicts.set(id, this.refundVerdicts.get(id) === true || isPaid)
    await resolveRefund(ctx, actor, id, verdict)
  }

  #resolveWithWrongAmount(ctx: WorldCtx): Promise<unknown> {
    this.attemptVerdicts.add(false)
    return resolveAttempt(ctx, actor, this.#about.id, null, {
      outcome: 'failed',
      moved: { amount: fromMajor(0.02, 'USD'), reason: 'its statement says so' },
    })
  }

  #bounceRefunds(ctx: WorldCtx): Promise<unknown> {
    const completed = (this.#about.now?.refunds ?? []).filter(({ status }) => status === 'completed')
    return Promise.all(completed.map(({ id }) => recordBounce(ctx, actor, id, 'its statement says so')))
  }

  #forEachRefund(decide: (id: RefundId) => Promise<unknown>): Promise<unknown> {
    return Promise.all((this.#about.now?.refunds ?? []).map(({ id }) => decide(id)))
  }

  #moved(share: Share, reason: string) {
    return { amount: fromMajor(shareOf(this.#about.sequence.amount, share), 'USD'), reason }
  }

  /** Each reference is given once. */
  #reference(): string {
    this.#references += 1
    return `${this.#about.number} ${this.#references}`
  }
}
