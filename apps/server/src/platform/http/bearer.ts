import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** The credential of an `Authorization: Bearer …` header, or null. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +([^\s]{1,4096})$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}

/** Compares a secret of a request in a time that says nothing about it. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
