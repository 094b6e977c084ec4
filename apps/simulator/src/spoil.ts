import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

export const DelayMs = z.int().min(0).max(600_000)

/** `_before`: the request is not processed. With the other words it is processed, and only the response is bad. */
export const SpoiltReply = z.enum([
  'normal',
  'drop',
  'drop_before',
  'error_after',
  'error_before',
  'html',
  'html_before',
])

const firewallPage =
  '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.</body></html>'

/** Sends a bad response in place of a good one. */
export function spoil(
  request: FastifyRequest,
  reply: FastifyReply,
  how: 'drop' | 'error' | 'html',
): FastifyReply {
  if (how === 'html') return reply.code(200).type('text/html').send(firewallPage)
  if (how === 'error') return reply.code(500).send({ status: 500, message: 'Internal error' })
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly word: z.infer<typeof SpoiltReply> | undefined
  readonly delayMs?: number | undefined
}

type Answer = () => unknown

/**
 * Processes a request and sends its response, which the word of a behaviour may spoil.
 * @param process returns the function that renders the response after the delay
 */
export async function answerCall(
  { request, reply, word = 'normal', delayMs = 0 }: Call,
  process: () => Answer | Promise<Answer>,
): Promise<unknown> {
  const [how, when] = word.split('_') as ['normal' | 'drop' | 'error' | 'html', string | undefined]
  const answer = when === 'before' ? null : await process()
  await sleep(delayMs)
  return answer === null || how !== 'normal' ? spoil(request, reply, how as 'drop') : answer()
}

interface LookedUp<How extends string> {
  queries: number
  readonly behaviour: { readonly queryReply?: How | undefined; readonly queryTimes?: number | undefined }
}

/** Counts a look-up of a transaction and returns the way of its answer, which is normal once enough answers were spoilt. */
export function countQuery<How extends string>(transaction: LookedUp<How>): How | 'normal' {
  const { queryReply = 'normal', queryTimes = Number.POSITIVE_INFINITY } = transaction.behaviour
  transaction.queries += 1
  return transaction.queries <= queryTimes ? queryReply : 'normal'
}
