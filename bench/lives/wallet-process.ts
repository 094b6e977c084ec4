/**
 * A wallet in the legacy gateway's format. Its subscribers confirm at once, or after a while and not all of them: then
 * it answers a charge as pending, and reports the result with a callback. It is a separate process, so that its
 * processor time is measured apart from the gateway's.
 */
import { Agent, createServer, request } from 'node:http'
import type { EndedCharge, FromWallet, Subscribers, ToWallet } from './wallet.ts'

interface Charge {
  readonly clientCorrelator: unknown
  readonly paymentAmount: unknown
  readonly currencyCode: unknown
  readonly ecocashReference: string
  transactionOperationStatus: 'PENDING SUBSCRIBER VALIDATION' | 'COMPLETED' | 'FAILED'
}

interface Prompt {
  readonly charge: Charge
  /** 0 before the decision. */
  decidedAt: number
  /** The gateway has read the decision. */
  isEnded: boolean
}

const REPORT_EVERY_MS = 20
const CALLBACK_CONNECTIONS = 64

const send = (message: FromWallet) => process.send?.(message)
const callbacks = new Agent({ keepAlive: true, maxSockets: CALLBACK_CONNECTIONS })
/** By the key of the gateway's attempt. */
const prompts = new Map<string, Prompt>()
let ended: EndedCharge[] = []
let subscribers: Subscribers | null = null
let [charges, lookups, waiting] = [0, 0, 0]

process.on('disconnect', () => process.exit(0))
process.on('message', (message: ToWallet) => {
  if (message.kind === 'counts') send({ kind: 'counts', lookups, waiting })
  else subscribers = message.subscribers
})
setInterval(() => {
  if (ended.length > 0) send({ kind: 'ended', charges: ended })
  ended = []
}, REPORT_EVERY_MS)

const server = createServer((requested, response) => {
  let body = ''
  requested.setEncoding('utf8')
  requested.on('data', (chunk: string) => {
    body += chunk
  })
  requested.on('end', () => {
    const text = JSON.stringify(answerTo(requested.method ?? '', requested.url ?? '', body))
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
})

function answerTo(method: string, path: string, body: string): object {
  if (method !== 'POST') return lookUp(path)
  charges += 1
  const { clientCorrelator, paymentAmount, currencyCode, ...rest } = JSON.parse(body)
  const charge: Charge = {
    clientCorrelator,
    paymentAmount,
    currencyCode,
    ecocashReference: `MP261121.0000.A${String(charges).padStart(7, '0')}`,
    transactionOperationStatus: 'COMPLETED',
  }
  if (subscribers && !path.endsWith('/refund')) prompt(charge, subscribers, rest.notifyUrl)
  return charge
}

function lookUp(path: string): object {
  const [msisdn = '', , , key = ''] = path.split('/').slice(-4)
  const found = prompts.get(key)
  if (!found) return {}
  lookups += 1
  if (found.decidedAt > 0 && !found.isEnded) {
    found.isEnded = true
    waiting -= 1
    const isPaid = found.charge.transactionOperationStatus === 'COMPLETED'
    ended.push({ msisdn, isPaid, decidedAt: found.decidedAt })
  }
  return found.charge
}

function prompt(charge: Charge, { leastMs, mostMs, refused, lost }: Subscribers, notifyUrl: string): void {
  charge.transactionOperationStatus = 'PENDING SUBSCRIBER VALIDATION'
  const prompted: Prompt = { charge, decidedAt: 0, isEnded: false }
  prompts.set(String(charge.clientCorrelator), prompted)
  waiting += 1
  setTimeout(
    () => {
      prompted.decidedAt = Date.now()
      charge.transactionOperationStatus = Math.random() < refused ? 'FAILED' : 'COMPLETED'
      if (Math.random() >= lost) callBack(notifyUrl, JSON.stringify(charge))
    },
    leastMs + Math.random() * (mostMs - leastMs),
  )
}

function callBack(notifyUrl: string, body: string): void {
  const { port, pathname } = new URL(notifyUrl)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const fail = (reason: unknown) => {
    process.stderr.write(`a callback failed: ${reason}\n`)
    process.exit(1)
  }
  const sent = request(
    { agent: callbacks, host: '127.0.0.1', port, path: pathname, method: 'POST', headers },
    (response) => (response.statusCode === 200 ? response.resume() : fail(response.statusCode)),
  )
  sent.on('error', fail)
  sent.end(body)
}

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  send({ kind: 'ready', port: typeof address === 'object' && address ? address.port : 0 })
})
