import type { FastifyRequest } from 'fastify'

/** The credential of an `Authorization: Bearer …` header, or null. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +([^\s]{1,4096})$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}
