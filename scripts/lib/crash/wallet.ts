import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chance } from './chance.ts'
import { carryOut, type Entry, inOrder, inTransaction, inWords } from './entries.ts'

export interface Wallet {
  readonly ecocashUrl: string
  readonly cardsUrl: string
  readonly book: ReadonlyMap<string, Entry>
  /** Entries without an outcome or without a delivered callback. */
  readonly open: number
  /** Repeats all callbacks, like a wallet without confirmations. */
  repeatCallbacks(): void
  close(): Promise<void>
}

const callbackRetryMs = 250
const callbackTimeoutMs = 2000
/** More would occupy the machine for so long that the drill's own calls reach their time limits. */
const MOST_REPEATED_AT_ONCE = 16

/**
 * The side of EcoCash and of the Mastercard Gateway with random behaviour: they pay at once, or later with a callback,
 * refuse, repeat callbacks, and sometimes pay without a response. A card is paid after its page was opened.
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

  function decideLater(entry: Entry, status: 'authorised' | 'paid' | 'refused', times: number): void {
    pendingCallbacks += 1
    setTimeout(
      () => {
        entry.status = status
        if (entry.authorisation) entry.authorisation.isApproved = status === 'authorised'
        pendingCallbacks -= 1
        for (let time = 0; time < times; time += 1) void sendCallback(entry)
      },
      chance.gapMs(300, 20, 1500),
    )
  }

  function decide(entry: Entry, response: ServerResponse, inWords: (entry: Entry) => object): void {
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

  /** @returns null for a key that was sent before. */
  function record(made: Omit<Entry, 'status' | 'requested'>, address: string): Entry | null {
    const known = book.get(made.key)
    if (known) {
      known.requested += 1
      return null
    }
    const entry: Entry = { ...made, status: 'pending', requested: 1 }
    book.set(entry.key, entry)
    if (address) addresses.set(entry.key, address)
    return entry
  }

  const referenceOf = (kind: Entry['kind']) =>
    `${kind === 'refund' ? 'RF' : 'MP'}261121.${String(book.size).padStart(6, '0')}`

  function ecocash(request: IncomingMessage, body: string, response: ServerResponse): void {
    if (request.method === 'GET') {
      const entry = book.get(decodeURIComponent(request.url?.split('/').at(-1) ?? ''))
      answer(response, entry ? 200 : 404, entry ? inWords(entry) : {})
      return
    }
    const requested = JSON.parse(body) as ChargeRequest
    const { amount, currency } = requested.paymentAmount.charginginformation
    const kind = requested.tranType === 'REF' ? 'refund' : 'charge'
    const facts = {
      kind,
      key: requested.clientCorrelator,
      reference: referenceOf(kind),
      amount,
      currency,
    } as const
    const entry = record(facts, requested.notifyUrl)
    if (entry) decide(entry, response, inWords)
    else answer(response, 409, { message: 'Duplicate clientCorrelator' })
  }

  function cards(request: IncomingMessage, body: string, response: ServerResponse): void {
    const path = decodeURIComponent(request.url ?? '').split('?')[0] ?? ''
    const [, orderKey = '', refundKey, suffix] =
      /\/order\/(\w+)(?:\/transaction\/(\w+)(-void|-capture)?)?$/.exec(path) ?? []
    const isVoid = suffix === '-void'
    if (path.endsWith('/session')) {
      const { order, interaction } = JSON.parse(body) as CardSession
      const isAuthorised = interaction.operation === 'AUTHORIZE'
      const { id: key, amount, currency, notificationUrl } = order
      const facts = {
        kind: 'charge',
        key,
        reference: referenceOf('charge'),
        amount: Number(amount),
        currency,
        ...(isAuthorised && {
          authorisation: { isApproved: false, isCaptureRefused: false, captured: null },
        }),
      } as const
      const entry = record(facts, notificationUrl)
      if (entry) answer(response, 201, { result: 'SUCCESS', session: { id: `SESSION${key}` } })
      else answer(response, 400, { result: 'ERROR', error: { cause: 'INVALID_REQUEST' } })
    } else if (path.startsWith('/checkout/pay/SESSION')) {
      const entry = book.get(path.slice('/checkout/pay/SESSION'.length))
      if (entry?.status === 'pending')
        decideLater(
          entry,
          chance.percent(85) ? (entry.authorisation ? 'authorised' : 'paid') : 'refused',
          chance.percent(30) ? 3 : 1,
        )
      answer(response, 200, {})
    } else if (request.method === 'PUT' && refundKey === orderKey) {
      instructed(orderKey, isVoid ? null : Number(JSON.parse(body).transaction.amount), response)
    } else if (request.method === 'PUT') {
      const { transaction } = JSON.parse(body) as { transaction: { amount: string; currency: string } }
      const { amount, currency } = (isVoid && book.get(orderKey)) || transaction
      const key = refundKey ?? ''
      const previous = book.get(key)
      // A refund under the same key follows a void only after its refusal.
      if (!isVoid && previous?.isVoid && previous.status === 'refused') book.delete(key)
      const facts = { kind: 'refund', key, reference: referenceOf('refund'), amount: Number(amount) } as const
      const isRefused = isVoid && chance.percent(50)
      const entry =
        !isRefused &&
        record({ ...facts, currency, original: orderKey, isVoid }, addresses.get(orderKey) ?? '')
      if (entry) decide(entry, response, inTransaction)
      else answer(response, 400, { result: 'ERROR', error: { cause: 'INVALID_REQUEST' } })
    } else {
      const entry = book.get(refundKey ?? orderKey)
      const isOther = entry?.kind === 'refund' && entry.isVoid !== isVoid
      if (!entry || isOther || (entry.kind === 'charge' && entry.status === 'pending'))
        answer(response, 404, {
          result: 'ERROR',
          error: { cause: 'INVALID_REQUEST', explanation: 'Unable to find order' },
        })
      else
        answer(
          response,
          200,
          entry.kind === 'refund' ? inTransaction(entry) : inOrder(entry, [...book.values()]),
        )
    }
  }

  function instructed(key: string, amount: number | null, response: ServerResponse): void {
    const entry = book.get(key)
    const outcome = entry ? carryOut(entry, amount, chance) : null
    if (entry && outcome === 'answer') answer(response, 200, inOrder(entry, [...book.values()]))
    else if (outcome === 'drop') response.destroy()
    else answer(response, 400, { result: 'ERROR', error: { cause: 'INVALID_REQUEST' } })
  }

  const server = createServer(async (request, response) => {
    try {
      const body = await textOf(request)
      if (request.url?.startsWith('/payment/v1')) ecocash(request, body, response)
      else cards(request, body, response)
    } catch {
      // The gateway was killed during its request.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ecocashUrl: `${url}/payment/v1`,
    cardsUrl: url,
    book,
    get open() {
      return pendingCallbacks
    },
    repeatCallbacks() {
      const entries = [...book.values()].filter(({ key }) => addresses.has(key)).values()
      const repeat = async () => {
        for (const entry of entries) await sendCallback(entry)
      }
      for (let each = 0; each < MOST_REPEATED_AT_ONCE; each += 1) void repeat()
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

interface CardSession {
  readonly order: CardOrder
  readonly interaction: { readonly operation: 'AUTHORIZE' | 'PURCHASE' }
}

interface CardOrder {
  readonly id: string
  readonly amount: string
  readonly currency: string
  readonly notificationUrl: string
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
