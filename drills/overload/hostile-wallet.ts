import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeServer, listen } from '@muripo/rig/listen'

/** The time from the prompt of an honest payer to its confirmation. */
const CONFIRMED_AFTER_MS = 500

interface Prompted {
  readonly body: { readonly clientCorrelator: string; readonly notifyUrl: string; readonly endUserId: string }
  /** Milliseconds of the epoch. */
  readonly at: number
  status: 'PENDING SUBSCRIBER VALIDATION' | 'COMPLETED' | 'FAILED'
  /** The time of the callback; null before it. */
  calledBackAt: number | null
}

/** A wallet in the legacy gateway's format, whose honest payers confirm at once and whose other numbers have no money. */
export interface HostileWallet {
  readonly url: string
  /** The prompts of honest payers, by number. */
  readonly prompts: ReadonlyMap<string, Prompted>
  readonly counts: { charges: number; hostile: number; lookups: number }
  stop(): Promise<void>
}

/** @param isHonest whether a payer of this number confirms */
export async function startHostileWallet(isHonest: (msisdn: string) => boolean): Promise<HostileWallet> {
  const prompts = new Map<string, Prompted>()
  const byKey = new Map<string, Prompted>()
  const counts = { charges: 0, hostile: 0, lookups: 0 }

  async function confirm(prompt: Prompted): Promise<void> {
    await sleep(CONFIRMED_AFTER_MS)
    prompt.status = 'COMPLETED'
    prompt.calledBackAt = Date.now()
    await fetch(prompt.body.notifyUrl, { method: 'POST', body: '{}' }).catch(() => undefined)
  }

  function charge(text: string) {
    const body = JSON.parse(text) as Prompted['body']
    const honest = isHonest(body.endUserId)
    const status = honest ? 'PENDING SUBSCRIBER VALIDATION' : 'FAILED'
    const prompt: Prompted = { body, at: Date.now(), status, calledBackAt: null }
    byKey.set(body.clientCorrelator, prompt)
    counts.charges += 1
    if (!honest) counts.hostile += 1
    else {
      prompts.set(body.endUserId, prompt)
      void confirm(prompt)
    }
    return replyOf(prompt)
  }

  const replyOf = ({ body, status }: Prompted) => ({
    ...body,
    transactionOperationStatus: status,
    ecocashReference: status === 'COMPLETED' ? `MP${body.clientCorrelator}` : null,
    ...(status === 'FAILED' && { statusMessage: 'Insufficient balance' }),
  })

  function lookUp(path: string) {
    counts.lookups += 1
    const prompt = byKey.get(path.split('/').at(-1) ?? '')
    return prompt ? replyOf(prompt) : { clientCorrelator: null }
  }

  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => {
      const answer = request.method === 'POST' ? charge(text) : lookUp(request.url ?? '')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  return {
    url: `${await listen(server)}/payment/v1`,
    prompts,
    counts,
    stop: () => closeServer(server),
  }
}
