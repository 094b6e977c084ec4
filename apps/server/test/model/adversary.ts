import type { Money } from '@muripo/contract/money'
import { money } from '@muripo/contract/money'
import type { CaptureMode } from '@muripo/contract/payments'
import {
  notFound,
  paid,
  pending,
  refused,
  type ScriptedProvider,
  scriptedProvider,
  unanswered,
} from '../../src/modules/payments/factory.ts'
import {
  type CaptureOrder,
  type Connector,
  FINALITY_MS,
  type NotFound,
  ProviderError,
  type Reply,
} from '../../src/modules/providers/index.ts'
import { CardBank } from './card-bank.ts'
import { MOST_SKEW_MS } from './process.ts'
import type { ReplyKind } from './sequence.ts'

/** A charge or refund that the provider was asked to make, with the number of its replies of each kind. */
export interface Entry {
  readonly key: string
  readonly amount: Money
  readonly token: string
  calls: number
  /** Of a charge with manual capture. */
  readonly bank: CardBank | null
  /** The time of the call. Its reply becomes final when the watch of a call that failed at that time ends. */
  calledAt: number
  /** The provider has paid late, and reports so from then on. */
  isPaidLate: boolean
  readonly replies: Map<ReplyKind, number>
  /** The provider has refused the call, or at the end of the watch not found it, after it had paid it. */
  isDenied: boolean
  /** The numbers of its replies at the last check. */
  repliesBefore: ReadonlyMap<ReplyKind, number>
}

/** The provider does not process the call, and has no record of it. */
const busy = () => new ProviderError('unavailable', 'too many requests', { retryAfterMs: 20_000 })

/** Staff refund a part in the portal of the provider. */
const partOf = ({ minor, currency }: Money): Money => money((minor + 1n) / 2n, currency)

function payLate(entry: Entry): void {
  entry.isPaidLate = true
  entry.replies.set('paid', 1)
}

/** The provider of one payer. It gives the configured reply, regardless of its earlier replies. */
export class ProviderScript {
  chargeReply: ReplyKind = 'pending'
  refundReply: ReplyKind = 'pending'
  readonly #now: () => number
  readonly #findsRefunds: boolean
  /** When true, the provider confirms each charge and refund that it has once reported as paid, and refuses the others. */
  isHonest = false
  readonly charges = new Map<string, Entry>()
  readonly refunds = new Map<string, Entry>()
  /** The number of not-found replies for keys that the provider never received. */
  readonly notFoundReplies = new Map<string, number>()
  /** The keys of calls that the provider was too busy to process. */
  readonly unprocessed = new Set<string>()
  #delayed: (() => void)[] = []

  /** @param findsRefunds the provider promises to find each refund, so that it loses no reply about one */
  constructor(now: () => number, findsRefunds = false) {
    this.#now = now
    this.#findsRefunds = findsRefunds
  }

  /** Sets the replies for charges and for refunds. */
  answer(chargeReply: ReplyKind, refundReply: ReplyKind): void {
    Object.assign(this, { chargeReply, refundReply })
    for (const entries of [this.charges, this.refunds]) {
      if ((entries === this.charges ? chargeReply : refundReply) !== 'paid unasked') continue
      for (const entry of entries.values()) if (this.#now() - entry.calledAt < FINALITY_MS) payLate(entry)
    }
  }

  get hasDelayed(): boolean {
    return this.#delayed.length > 0
  }

  /** Returns a function that answers the calls that wait now. */
  delayReplies(): () => void {
    const waiting = this.#delayed
    this.#delayed = []
    return () => {
      for (const answer of waiting) answer()
    }
  }

  async call(entries: Map<string, Entry>, entry: Entry): Promise<Reply> {
    const known = entries.get(entry.key) ?? entry
    if (this.#replyKind(entries, known) === 'busy') {
      this.unprocessed.add(entry.key)
      throw busy()
    }
    known.calls += 1
    known.calledAt = this.#now()
    entries.set(entry.key, known)
    // A charge that is sent again is sent by the round of look-ups, whose end a sequence waits for.
    const mayWait = entries === this.charges && !this.unprocessed.has(entry.key)
    if (mayWait && this.#replyKind(entries, known) === 'later') {
      await new Promise<void>((answer) => this.#delayed.push(answer))
      // The call succeeded, whatever look-ups have reported meanwhile.
      known.replies.set('paid', 1)
      return paid(known.amount)
    }
    // The provider has received this call, so it cannot report that it does not find it.
    const replyKind = this.#replyKind(entries, known)
    if (known.bank) return this.#replyOfBank(known, known.bank, replyKind, { kind: 'await' })
    const reply = this.#reply(known, replyKind === 'not found' ? 'pending' : replyKind)
    // The reply to the call is lost.
    if (replyKind === 'paid, not found') throw unanswered()
    return reply.kind === 'not_found' ? pending() : reply
  }

  async lookUp(
    entries: Map<string, Entry>,
    key: string,
    order: CaptureOrder = { kind: 'await' },
  ): Promise<Reply | NotFound> {
    const known = entries.get(key)
    if (known?.bank) return this.#replyOfBank(known, known.bank, this.#replyKind(entries, known), order)
    if (known) return this.#reply(known, this.#replyKind(entries, known))
    this.notFoundReplies.set(key, (this.notFoundReplies.get(key) ?? 0) + 1)
    return notFound
  }

  #replyKind(entries: Map<string, Entry>, { replies, isPaidLate, bank }: Entry): ReplyKind {
    if (this.isHonest && bank) return bank.state === 'open' ? 'refused' : 'paid'
    if (this.isHonest) return replies.has('paid') ? 'paid' : 'refused'
    const given = entries === this.charges ? this.chargeReply : this.refundReply
    const replyKind = given === 'paid, not found' && this.#findsRefunds ? 'paid, unanswered' : given
    return !isPaidLate || replyKind === 'paid, look-up fails' || replyKind === 'unanswered'
      ? replyKind
      : 'paid'
  }

  /** Only a reply about the end of the authorisation is recorded: before it nothing is paid or refused. */
  #replyOfBank(entry: Entry, bank: CardBank, replyKind: ReplyKind, order: CaptureOrder): Reply {
    if (replyKind === 'unanswered') throw unanswered()
    if (replyKind === 'pending') return pending()
    if (replyKind === 'refused') bank.refuse(order)
    else bank.accept(order)
    const reply = bank.reply()
    if (reply.outcome === 'completed') entry.replies.set('paid', 1)
    if (reply.outcome === 'failed') entry.replies.set('refused', 1)
    if (replyKind === 'paid, unanswered') throw unanswered()
    return reply
  }

  #reply(entry: Entry, replyKind: ReplyKind): Reply | NotFound {
    entry.replies.set(replyKind, (entry.replies.get(replyKind) ?? 0) + 1)
    switch (replyKind) {
      case 'paid unasked':
        payLate(entry)
        return paid(entry.amount)
      case 'paid':
        return paid(entry.amount)
      case 'paid, no amount':
        return paid(null)
      case 'wrong amount':
        return paid(money(2n, 'USD'))
      case 'refunded':
        return { ...paid(entry.amount), outcome: 'refunded' }
      case 'refused':
        entry.isDenied = entry.replies.has('paid')
        return refused()
      case 'busy':
        throw busy()
      case 'unavailable':
        throw new ProviderError('unavailable', 'nothing was sent')
      case 'reversed':
        return { ...paid(entry.amount), outcome: 'reversed' }
      case 'part refunded':
        return { ...paid(partOf(entry.amount)), outcome: 'refunded' }
      case 'captured more':
        return paid(money(entry.amount.minor * 2n, entry.amount.currency))
      case 'paid, not found':
        entry.replies.set('paid', 1)
        return notFound
      case 'paid, look-up fails':
        payLate(entry)
        throw unanswered()
      case 'paid, unanswered':
        entry.replies.set('paid', 1)
        throw unanswered()
      case 'unanswered':
        throw unanswered()
      case 'not found':
        // Before the end of the watch the gateway asks again.
        if (entry.replies.has('paid') && this.#now() - entry.calledAt >= FINALITY_MS - MOST_SKEW_MS)
          entry.isDenied = true
        return notFound
      case 'pending':
      case 'later':
        return pending()
    }
  }
}

/** A provider that answers each payer by that payer's script, selected by the phone number. */
export function adversary(
  shape: Pick<Connector, 'id' | 'methods' | 'refund' | 'refundLookup'>,
  scripts: ReadonlyMap<string, ProviderScript>,
): ScriptedProvider['connector'] {
  const scriptOf = ({ msisdn }: { msisdn: string | null }): ProviderScript => {
    const script = msisdn === null ? undefined : scripts.get(msisdn)
    if (!script) throw new Error(`nobody has the number ${msisdn}`)
    return script
  }
  const entryOf = ({
    key,
    amount,
    callbackUrl,
    captureMode,
  }: Pick<Entry, 'key' | 'amount'> & { callbackUrl: string; captureMode?: CaptureMode }): Entry => ({
    key,
    amount,
    token: callbackUrl.split('/').at(-1) ?? '',
    calls: 0,
    bank: captureMode === 'manual' ? new CardBank(amount) : null,
    calledAt: 0,
    isPaidLate: false,
    replies: new Map(),
    isDenied: false,
    repliesBefore: new Map(),
  })
  return {
    ...scriptedProvider().connector,
    ...shape,
    charge: (request) => scriptOf(request).call(scriptOf(request).charges, entryOf(request)),
    refundCharge: (request) => scriptOf(request).call(scriptOf(request).refunds, entryOf(request)),
    lookup: (request) => {
      const { key, isOver, capture } = request
      return scriptOf(request).lookUp(scriptOf(request).charges, key, isOver ? { kind: 'void' } : capture)
    },
    lookupRefund: (request) => scriptOf(request).lookUp(scriptOf(request).refunds, request.key),
  }
}
