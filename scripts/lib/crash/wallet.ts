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
  /** How often it was asked for; a second time is a fault of ours. */
  asked: number
}

export interface Wallet {
  readonly url: string
  readonly book: ReadonlyMap<string, Entry>
  /** Entries without an outcome or without a delivered callback. */
  readonly open: number
  /** Tells once more of everything, as wallets do that are not sure to have been heard. */
  tellAgain(): void
  close(): Promise<void>
}

const tellAgainMs = 250
const tellPatienceMs = 2000

/**
 * EcoCash's side of the wire with a mind of its own: it pays at once, or later and says so, refuses, tells many times, and sometimes
 * does as asked and says nothing.
 */
export async function startWallet(chance: Chance): Promise<Wallet> {
  const book = new Map<string, Entry>()
  const addresses = new Map<string, string>()
  let telling = 0
  let closed = false

  /** Repeated until it is received, because the gateway may be down. */
  async function tell({ key }: Entry): Promise<void> {
    telling += 1
    try {
      while (!closed) {
        const heard = await fetch(addresses.get(key) ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ clientCorrelator: key }),
          signal: AbortSignal.timeout(tellPatienceMs),
        }).catch(() => undefined)
        await heard?.body?.cancel().catch(() => undefined)
        if (heard?.status === 200) return
        await new Promise((resolve) => setTimeout(resolve, tellAgainMs))
      }
    } finally {
      telling -= 1
    }
  }

  function decideLater(entry: Entry, status: 'paid' | 'refused', times: number): void {
    telling += 1
    setTimeout(
      () => {
        entry.status = status
        telling -= 1
        for (let time = 0; time < times; time += 1) void tell(entry)
      },
      chance.gapMs(300, 20, 1500),
    )
  }

  function ask(entry: Entry, response: ServerResponse): void {
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
      // Done, and nobody is told: a look-up has to find it.
      entry.status = 'paid'
      decideLater(entry, 'paid', 1)
      response.destroy()
      return
    } else {
      // A 500 says nothing of what was done.
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
      const asked = JSON.parse(body) as Asked
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
      ask(entry, response)
    } catch {
      // The gateway was killed while it asked.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/payment/v1`,
    book,
    get open() {
      return telling
    },
    tellAgain() {
      for (const entry of book.values()) void tell(entry)
    },
    async close() {
      closed = true
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Asked {
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
