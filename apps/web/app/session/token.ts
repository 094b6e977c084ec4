import { logProblem } from '../lib/log.ts'

export interface TokenPayload {
  readonly id: string
  /** Seconds since 1970. */
  readonly exp: number
}

/** Reads a signed token's payload without checking its signature, which only the server can. Null when it is malformed. */
export function decodeToken(token: string): TokenPayload | null {
  try {
    const [, payload = ''] = token.split('.')
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (letter) =>
      letter.charCodeAt(0),
    )
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value !== 'object' || value === null) return null
    const { id, exp } = value as Record<string, unknown>
    return typeof id === 'string' && typeof exp === 'number' ? { id, exp } : null
  } catch {
    return null
  }
}

const WARN_BELOW_MS = 3600 * 1000

/** Whether less than an hour is left. An unreadable or expired token is the refresh's task. */
export function expiresSoon(token: string, nowMs: number): boolean {
  const payload = decodeToken(token)
  if (payload === null) {
    logProblem('The end of the session could not be read', 'malformed token')
    return false
  }
  const leftMs = payload.exp * 1000 - nowMs
  return leftMs > 0 && leftMs < WARN_BELOW_MS
}

export const isUsable = (token: string, nowMs: number): boolean => {
  const payload = decodeToken(token)
  return payload !== null && payload.exp * 1000 > nowMs
}
