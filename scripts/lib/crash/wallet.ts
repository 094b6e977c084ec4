import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chance } from './chance.ts'

/** The wallet's record of one charge or refund, which is the reference for moved money. */
export interface Entry {
  readonly kind: 'charge' | 'refund'
  readonly key: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  status: 'pending' | 'paid' | 'refused'
  /** Number of requests; a second one is a bug of the gateway. */
  asked: number
}

export interface Wallet {
  readonly url: string
  readonly book: ReadonlyMap<string, Entry>
  /** Entries without an outcome or without a delivered callback. */
  readonly open: number
  /** Repeats all callbacks, like a wallet without confirmations. */
  repeatCallbacks(): void
  close(): Promise<void>
}

const callbackRetryMs = 250
const callbackTimeoutMs = 2000

/**
 * EcoCash's side of the wire with random behaviour: it pays at once, or later with a callback, refuses, repeats
 * callbacks, and sometimes pays without a response.
 */
export async function startWallet(chance: Chance): Promise<Wallet> {
  const book = new Map<string, Entry>()
  const addresses = new Map<string, string>()
  let pendingCallbacks = 0
  let closed = false

  /** Repeated until it is received, because the gateway may be down. */
  async function sendCallback({ key }: Entry): Promise<void> {
    pendingCallbacks += 1
    try {
      while (!closed) {
        const response = await fetch(addresses.get(key) ?? '', {
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
      pendingCallbacks -= 1
    }
  }

  function decideLater(entry: Entry, status: 'paid' | 'refused', times: number): void {
    pendingCallbacks += 1
    setTimeout(
      () => {
        entry.status = status
        pendingCallbacks -= 1
        for (let time = 0; time < times; time += 1) void sendCallback(entry)
      },
      chance.gapMs(300, 20, 1500),
    )
  }

  function charge(entry: Entry, response: ServerResponse): void {
    const lot = chance.next()
    if (lot < 0.4) {
      entry.status = 'paid'
    } else if (lot < 0.6) {
      decideLater(entry, 'paid', 1)
    } else if (lot < 0.7) {
      decideLater(entry, 'paid', 3)
    } else if (lot < 0.77) {
      entry.status = 'refused'
    } else if (lot < 0.82) {
      decideLater(entry, 'refused', 2)
    } else if (lot < 0.92) {
      // Paid without a response: a look-up has to find it.
      entry.status = 'paid'
      decideLater(entry, 'paid', 1)
      response.destroy()
      return
    } else {
      // A 500 does not reveal the outcome.
      decideLater(entry, 'paid', 1)
      response.writeHead(500).end()
      return
    }
    answer(response, 200, inWords(entry))
  }

  const server = createServer(async (request, response) => {
    try {
      const body = await textOf(request)
      if (request.method === 'GET') {
        const entry = book.get(decodeURIComponent(request.url?.split('/').at(-1) ?? ''))
        answer(response, entry ? 200 : 404, entry ? inWords(entry) : {})
        return
      }
      const asked = JSON.parse(body) as ChargeRequest
      const key = asked.clientCorrelator
      const known = book.get(key)
      if (known) {
        known.asked += 1
        answer(response, 409, { message: 'Duplicate clientCorrelator' })
        return
      }
      const { amount, currency } = asked.paymentAmount.charginginformation
      const kind = asked.tranType === 'REF' ? 'refund' : 'charge'
      const reference = `${kind === 'refund' ? 'RF' : 'MP'}261121.${String(book.size).padStart(6, '0')}`
      const entry: Entry = { kind, key, reference, amount, currency, status: 'pending', asked: 1 }
      book.set(key, entry)
      addresses.set(key, asked.notifyUrl)
      charge(entry, response)
    } catch {
      // The gateway was killed during its request.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/payment/v1`,
    book,
    get open() {
      return pendingCallbacks
    },
    repeatCallbacks() {
      for (const entry of book.values()) void sendCallback(entry)
    },
    async close() {
      closed = true
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface ChargeRequest {
  readonly clientCorrelator: string
  readonly notifyUrl: string
  readonly tranType: 'MER' | 'REF'
  readonly paymentAmount: {
    readonly charginginformation: { readonly amount: number; readonly currency: string }
  }
}

const words = { pending: 'PENDING SUBSCRIBER VALIDATION', paid: 'COMPLETED', refused: 'FAILED' } as const

const inWords = ({ key, status, reference, amount, currency }: Entry) => ({
  clientCorrelator: key,
  transactionOperationStatus: words[status],
  ecocashReference: status === 'paid' ? reference : null,
  paymentAmount: { charginginformation: { amount, currency } },
  currencyCode: currency,
  ...(status === 'refused' && { statusMessage: 'Cancelled by the subscriber' }),
})

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
