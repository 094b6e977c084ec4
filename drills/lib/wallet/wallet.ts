import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { closeServer, listen } from '@muripo/rig/listen'
import type { Chance } from '../chance.ts'
import { answerCards } from './cards.ts'
import { answerEcocash } from './ecocash.ts'
import type { Entry } from './entries.ts'
import { WalletRecords } from './records.ts'

export interface Wallet {
  readonly ecocashUrl: string
  readonly cardsUrl: string
  readonly entries: ReadonlyMap<string, Entry>
  /** Entries without an outcome or without a delivered callback. */
  readonly open: number
  /** Repeats all callbacks, like a wallet without confirmations. */
  repeatCallbacks(): void
  close(): Promise<void>
}

/**
 * The side of EcoCash and of the Mastercard Gateway with random behaviour: they pay at once, or later with a callback,
 * refuse, repeat callbacks, and sometimes pay without a response. A card is paid after its page was opened.
 */
export async function startWallet(chance: Chance): Promise<Wallet> {
  const records = new WalletRecords(chance)
  const server = createServer(async (request, response) => {
    try {
      const call = { request, response, body: await text(request) }
      if (request.url?.startsWith('/payment/v1')) answerEcocash(records, call)
      else answerCards(records, call)
    } catch {
      // The gateway was killed during its request.
      response.destroy()
    }
  })
  const url = await listen(server)
  return {
    ecocashUrl: `${url}/payment/v1`,
    cardsUrl: url,
    entries: records.entries,
    get open() {
      return records.pendingCallbacks
    },
    repeatCallbacks: () => records.repeatCallbacks(),
    async close() {
      records.close()
      await closeServer(server)
    },
  }
}
