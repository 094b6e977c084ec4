import type { FastifyReply } from 'fastify'
import type { CodeBehaviour } from './behaviour.ts'
import type { PaymentCode } from './codes.ts'

export const responses = {
  13: 'Invalid amount',
  25: 'Unable to locate original request',
  96: 'Request failed',
} as const

/** An image of one pixel, because the simulator's page takes the code itself. */
export const qrCode =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

export const badRequest = (reply: FastifyReply, ...errors: string[]): FastifyReply =>
  reply.code(400).send({ status: 400, errors })

export const unauthorised = (reply: FastifyReply) =>
  reply.code(401).send({ status: 401, errors: ['Unauthorized'] })

export const refusal = (code: keyof typeof responses, { responseCodes }: CodeBehaviour = {}) => ({
  responseCode: responseCodes === 'text' ? String(code) : code,
  responseMsg: responses[code],
})

export const approval = ({ responseCodes }: CodeBehaviour) => ({
  responseCode: responseCodes === 'text' ? '00' : 0,
  responseMsg: 'Approved',
})

export const facts = (code: PaymentCode) => ({
  stan: code.stan,
  authNumber: code.authNumber,
  processedDateTime: new Date(code.createdAt).toISOString().slice(0, 19),
})
