import type { CheckoutView, TooManyViews } from '@muripo/contract/checkout'
import { isRouteErrorResponse } from 'react-router'

const WAIT_SECONDS = 3
const LEAVE_SECONDS = 5

/**
 * What the page does without a script: it looks again while it waits, and leaves for the shop once it is paid. It leaves by no other
 * address: a link that cancels and moves on would lend this gateway's name to any site.
 */
export function refreshOf({
  stage,
  continueUrl,
}: Pick<CheckoutView, 'stage' | 'continueUrl'>): string | null {
  if (stage === 'waiting') return String(WAIT_SECONDS)
  return stage === 'completed' && continueUrl !== null ? `${LEAVE_SECONDS};url=${continueUrl}` : null
}

/** A page that was refused for now comes by itself: its payer may be waiting for a result. */
export const waitOf = (error: unknown): string | null =>
  isRouteErrorResponse(error) && error.status === 429
    ? String((error.data as TooManyViews).waitSeconds)
    : null
