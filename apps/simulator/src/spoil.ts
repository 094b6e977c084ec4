import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Transaction } from './ledger.ts'

const firewallPage =
  '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.</body></html>'

type Spoiling = 'drop' | 'error' | 'html'

/** A bad answer in place of a good one; what was processed stays processed. */
export function spoil(request: FastifyRequest, reply: FastifyReply, how: Spoiling): FastifyReply {
  if (how === 'html') return reply.code(200).type('text/html').send(firewallPage)
  if (how === 'error') return reply.code(500).send({ status: 500, message: 'Internal error' })
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}

const spoilings = { drop: 'drop', error: 'error', html: 'html' } as const

/** Splits "error_before" into how the answer is spoilt and whether the request is processed first. */
export function readSpoiling(word: string | undefined): { how: Spoiling; processed: boolean } | null {
  const [how = '', when] = (word ?? 'normal').split('_')
  if (!Object.hasOwn(spoilings, how)) return null
  return { how: spoilings[how as Spoiling], processed: when !== 'before' }
}

/** Counts a look-up of a transaction and returns the way of its answer, which is normal once enough answers were spoilt. */
export function countQuery(transaction: Transaction) {
  const { queryReply = 'normal', queryTimes = Number.POSITIVE_INFINITY } = transaction.behaviour
  transaction.queries += 1
  return transaction.queries <= queryTimes ? queryReply : 'normal'
}
