import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Chance } from '../chance.ts'
import type { Entry } from './entries.ts'

/** A request of the gateway, whose response may be left out. */
export interface WalletCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
}

const callbackRetryMs = 250
const callbackTimeoutMs = 2000
/** More would occupy the machine for so long that the drill's own calls reach their time limits. */
const MOST_REPEATED_AT_ONCE = 16

/** The entries of the wallet, their outcomes by chance, and their callbacks. */
export class WalletRecords {
  readonly chance: Chance
  readonly entries = new Map<string, Entry>()
  pendingCallbacks = 0
  private readonly addresses = new Map<string, string>()
  private closed = false

  constructor(chance: Chance) {
    this.chance = chance
  }

  /** @returns null for a key that was sent before. */
  record(made: Omit<Entry, 'status' | 'requested'>, address: string): Entry | null {
    const known = this.entries.get(made.key)
    if (known) {
      known.requested += 1
      return null
    }
    const entry: Entry = { ...made, status: 'pending', requested: 1 }
    this.entries.set(entry.key, entry)
    if (address) this.addresses.set(entry.key, address)
    return entry
  }

  /** The callback address of an entry. */
  addressOf(key: string): string {
    return this.addresses.get(key) ?? ''
  }

  referenceOf(kind: Entry['kind']): string {
    return `${kind === 'refund' ? 'RF' : 'MP'}261121.${String(this.entries.size).padStart(6, '0')}`
  }

  /** Decides an entry now or later, and responds in the format of its provider, or not at all. */
  decide(entry: Entry, response: ServerResponse, inWords: (entry: Entry) => object): void {
    const lot = this.chance.next()
    if (lot < 0.4) {
      entry.status = 'paid'
    } else if (lot < 0.6) {
      this.decideLater(entry, 'paid', 1)
    } else if (lot < 0.7) {
      this.decideLater(entry, 'paid', 3)
    } else if (lot < 0.77) {
      entry.status = 'refused'
    } else if (lot < 0.82) {
      this.decideLater(entry, 'refused', 2)
    } else if (lot < 0.92) {
      // Paid without a response: a look-up has to find it.
      entry.status = 'paid'
      this.decideLater(entry, 'paid', 1)
      response.destroy()
      return
    } else {
      // A 500 does not reveal the outcome.
      this.decideLater(entry, 'paid', 1)
      response.writeHead(500).end()
      return
    }
    answer(response, 200, inWords(entry))
  }

  decideLater(entry: Entry, status: 'authorised' | 'paid' | 'refused', times: number): void {
    this.pendingCallbacks += 1
    setTimeout(
      () => {
        entry.status = status
        if (entry.authorisation) entry.authorisation.isApproved = status === 'authorised'
        this.pendingCallbacks -= 1
        for (let time = 0; time < times; time += 1) void this.sendCallback(entry)
      },
      this.chance.gapMs(300, 20, 1500),
    )
  }

  repeatCallbacks(): void {
    const entries = [...this.entries.values()].filter(({ key }) => this.addresses.has(key)).values()
    const repeat = async () => {
      for (const entry of entries) await this.sendCallback(entry)
    }
    for (let each = 0; each < MOST_REPEATED_AT_ONCE; each += 1) void repeat()
  }

  /** Callbacks that were not received are no longer sent. */
  close(): void {
    this.closed = true
  }

  /** Repeated until it is received, because the gateway may be down. */
  private async sendCallback({ key }: Entry): Promise<void> {
    this.pendingCallbacks += 1
    try {
      while (!this.closed) {
        const response = await fetch(this.addressOf(key), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ clientCorrelator: key }),
          signal: AbortSignal.timeout(callbackTimeoutMs),
        }).catch(() => undefined)
        await response?.body?.cancel().catch(() => undefined)
        if (response?.status === 200) return
        await new Promise((resolve) => setTimeout(resolve, callbackRetryMs))
      }
    } finally {
      this.pendingCallbacks -= 1
    }
  }
}

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
