import type { CheckoutView, TooManyViews } from '@muripo/contract/checkout'
import { isRouteErrorResponse } from 'react-router'

const WAIT_SECONDS = 3
const LEAVE_SECONDS = 5

/** What the page does by itself without a script: looks again while it waits, and goes on once it is paid or cancelled. */
export function refreshOf({
  stage,
  continueUrl,
}: Pick<CheckoutView, 'stage' | 'continueUrl'>): string | null {
  if (stage === 'waiting') return String(WAIT_SECONDS)
  const isOver = stage === 'completed' || stage === 'cancelled'
  return isOver && continueUrl !== null ? `${LEAVE_SECONDS};url=${continueUrl}` : null
}

/** A page that was refused for now comes by itself: its payer may be waiting for a result. */
export const waitOf = (error: unknown): string | null =>
  isRouteErrorResponse(error) && error.status === 429
    ? String((error.data as TooManyViews).waitSeconds)
    : null
