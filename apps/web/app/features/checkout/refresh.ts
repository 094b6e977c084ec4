import type { CheckoutView, TooManyViews } from '@muripo/contract/checkout'
import { isRouteErrorResponse } from 'react-router'

const WAIT_SECONDS = 3
/** Longer than the wait for a phone: the payer reads or copies a code. */
const STEP_SECONDS = 5
/** The health of a provider is checked once in ten seconds. */
const DOWN_SECONDS = 10
const LEAVE_SECONDS = 5

/**
 * The refresh of the page, which has no script: it reloads while it waits, and goes to the shop after the payment. It goes to no other
 * address: a link that cancels and redirects would lend this gateway's name to any site.
 */
export function refreshOf({
  stage,
  methods,
  continueUrl,
}: Pick<CheckoutView, 'stage' | 'methods' | 'continueUrl'>): string | null {
  if (stage === 'waiting') return String(WAIT_SECONDS)
  if (stage === 'action') return String(STEP_SECONDS)
  if (stage === 'choose' || stage === 'refused')
    return methods.length > 0 && methods.every(({ isDown }) => isDown) ? String(DOWN_SECONDS) : null
  return stage === 'completed' && continueUrl !== null ? `${LEAVE_SECONDS};url=${continueUrl}` : null
}

/** The refresh of a page that was refused for now: its payer may wait for a result. */
export const waitOf = (error: unknown): string | null =>
  isRouteErrorResponse(error) && error.status === 429
    ? String((error.data as TooManyViews).waitSeconds)
    : null
