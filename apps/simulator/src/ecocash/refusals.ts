import type { FastifyReply } from 'fastify'
import type { Vocabulary } from '../config.ts'

const refusals = {
  E001: [400, 'ValidationException', 'Required field missing'],
  E002: [400, 'ValidationException', 'Invalid MSISDN'],
  E003: [400, 'ValidationException', 'Unsupported currency'],
  E004: [400, 'ValidationException', 'Invalid amount'],
  E005: [400, 'ProcessingException', 'Duplicate clientCorrelator'],
  E006: [401, 'AuthenticationException', 'Authentication failed'],
  E007: [403, 'AuthorizationException', 'Merchant is not enabled'],
  E008: [404, 'NotFoundException', 'Transaction not found'],
  E009: [409, 'ProcessingException', 'Transaction not eligible for refund'],
  E010: [422, 'ProcessingException', 'Insufficient balance'],
  E011: [422, 'ProcessingException', 'Subscriber is barred'],
  E012: [422, 'ProcessingException', 'Refund exceeds the original amount'],
  E013: [422, 'ProcessingException', 'Transaction limit exceeded'],
  E014: [500, 'SystemException', 'Internal error'],
  E015: [503, 'SystemException', 'Service unavailable'],
} as const

export type RefusalCode = keyof typeof refusals

export function refuse(
  reply: FastifyReply,
  vocabulary: Vocabulary,
  code: RefusalCode,
  field?: string,
): FastifyReply {
  const [status, exception, sentence] = refusals[code]
  const message = field === undefined ? sentence : `${sentence}: ${field}`
  return reply
    .code(status)
    .send(
      vocabulary === 'legacy'
        ? { status, exception, message }
        : { errorCode: code, errorMessage: message, status: 'FAILED', statusCode: String(status) },
    )
}
