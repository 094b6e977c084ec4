import type { PayerStep } from '@muripo/contract/checkout'
import type { Attempt } from '../payments/index.ts'
import { drawQr } from './qr.ts'

/** The step that an attempt waits for; null when it waits for no step of the payer on this page, or when the step's time is over. */
export function stepOf({ status, nextAction }: Attempt, now: Date): PayerStep | null {
  if (status !== 'pending' || nextAction === null || nextAction.type === 'wait_for_push') return null
  const secondsLeft = nextAction.expiresAt === null ? null : secondsUntil(nextAction.expiresAt, now)
  if (secondsLeft !== null && secondsLeft <= 0) return null
  if (nextAction.type === 'redirect') return { type: 'redirect', url: nextAction.url, secondsLeft }
  const { type, code, qr, links } = nextAction
  return { type, code, qr: drawQr(qr), links, secondsLeft }
}

/** Null for a time that cannot be read. */
function secondsUntil(time: string, now: Date): number | null {
  const milliseconds = Date.parse(time) - now.getTime()
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000)
}
