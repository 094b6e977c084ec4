import type { Money } from '@muripo/contract/money'
import { money } from '@muripo/contract/money'
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
  type Connector,
  FINALITY_MS,
  type NotFound,
  ProviderError,
  type Reply,
} from '../../src/modules/providers/index.ts'
import type { Word } from './life.ts'

/** What a provider was asked to move, and all that it has ever said of it. */
export interface Entry {
  readonly key: string
  readonly amount: Money
  readonly token: string
  asked: number
  /** When it was asked. Its answer is not final before the watch of a call that failed at that moment ends. */
  askedAt: number
  /** It has paid late, and keeps to it. */
  isPaidLate: boolean
  readonly said: Map<Word, number>
  /** How often it had called it reversed when everybody was looked at last. */
  reversedBefore: number
}

function payLate(entry: Entry): void {
  entry.isPaidLate = true
  entry.said.set('paid', 1)
}

/** One payer's provider: it says what it is told to say, whatever it has said before. */
export class Voice {
  forth: Word = 'pending'
  back: Word = 'pending'
  readonly #now: () => number
  /** From now on it says of each charge and refund what it has once confirmed, and refuses the rest. */
  isHonest = false
  readonly charges = new Map<string, Entry>()
  readonly refunds = new Map<string, Entry>()
  /** Of what it has never heard it can only say so. */
  readonly unheard = new Map<string, number>()
  #silent: (() => void)[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** What it says from now on of charges and of refunds. */
  speak(forth: Word, back: Word): void {
    Object.assign(this, { forth, back })
    for (const book of [this.charges, this.refunds]) {
      if ((book === this.charges ? forth : back) !== 'paid unasked') continue
      for (const entry of book.values()) if (this.#now() - entry.askedAt < FINALITY_MS) payLate(entry)
    }
  }

  get isSilent(): boolean {
    return this.#silent.length > 0
  }

  /** Whoever waits at this moment is answered when this is called. */
  late(): () => void {
    const waiting = this.#silent
    this.#silent = []
    return () => {
      for (const answer of waiting) answer()
    }
  }

  async ask(book: Map<string, Entry>, entry: Entry): Promise<Reply> {
    const known = book.get(entry.key) ?? entry
    known.asked += 1
    known.askedAt = this.#now()
    book.set(entry.key, known)
    if (book === this.charges && this.#word(book, known) === 'later') {
      await new Promise<void>((answer) => this.#silent.push(answer))
      // It did what it was asked, whatever it has told others meanwhile.
      known.said.set('paid', 1)
      return paid(known.amount)
    }
    // Whoever is asked to do something has heard of it.
    const word = this.#word(book, known)
    const reply = this.#say(known, word === 'not found' ? 'pending' : word)
    return reply.kind === 'not_found' ? pending() : reply
  }

  async lookUp(book: Map<string, Entry>, key: string): Promise<Reply | NotFound> {
    const known = book.get(key)
    if (known) return this.#say(known, this.#word(book, known))
    this.unheard.set(key, (this.unheard.get(key) ?? 0) + 1)
    return notFound
  }

  #word(book: Map<string, Entry>, { said, isPaidLate }: Entry): Word {
    if (this.isHonest) return said.has('paid') ? 'paid' : 'refused'
    const word = book === this.charges ? this.forth : this.back
    return !isPaidLate || word === 'paid, look-up fails' || word === 'unanswered' ? word : 'paid'
  }

  #say(entry: Entry, word: Word): Reply | NotFound {
    entry.said.set(word, (entry.said.get(word) ?? 0) + 1)
    switch (word) {
      case 'paid unasked':
        payLate(entry)
        return paid(entry.amount)
      case 'paid':
        return paid(entry.amount)
      case 'paid, no amount':
        return paid(null)
      case 'wrong amount':
        return paid(money(2n, 'USD'))
      case 'given back':
        return { ...paid(entry.amount), outcome: 'refunded' }
      case 'refused':
        return refused()
      case 'unavailable':
        throw new ProviderError('unavailable', 'nothing was sent')
      case 'reversed':
        return { ...paid(entry.amount), outcome: 'reversed' }
      case 'paid, look-up fails':
        payLate(entry)
        throw unanswered()
      case 'paid in silence':
        entry.said.set('paid', 1)
        throw unanswered()
      case 'unanswered':
        throw unanswered()
      case 'not found':
        return notFound
      case 'pending':
      case 'later':
        return pending()
    }
  }
}

/** A provider that answers each payer in that payer's voice, known by its number. */
export function adversary(
  shape: Pick<Connector, 'id' | 'methods' | 'refund'>,
  voices: ReadonlyMap<string, Voice>,
): ScriptedProvider['connector'] {
  const voiceOf = ({ msisdn }: { msisdn: string }): Voice => {
    const voice = voices.get(msisdn)
    if (!voice) throw new Error(`nobody has the number ${msisdn}`)
    return voice
  }
  const entryOf = ({
    key,
    amount,
    callbackUrl,
  }: Pick<Entry, 'key' | 'amount'> & { callbackUrl: string }): Entry => ({
    key,
    amount,
    token: callbackUrl.split('/').at(-1) ?? '',
    asked: 0,
    askedAt: 0,
    isPaidLate: false,
    said: new Map(),
    reversedBefore: 0,
  })
  return {
    ...scriptedProvider().connector,
    ...shape,
    charge: (request) => voiceOf(request).ask(voiceOf(request).charges, entryOf(request)),
    refundCharge: (request) => voiceOf(request).ask(voiceOf(request).refunds, entryOf(request)),
    lookup: (request) => voiceOf(request).lookUp(voiceOf(request).charges, request.key),
    lookupRefund: (request) => voiceOf(request).lookUp(voiceOf(request).refunds, request.key),
  }
}
