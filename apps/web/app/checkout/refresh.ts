import type { CheckoutView } from '@muripo/contract/checkout'

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
