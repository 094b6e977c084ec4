import { type CheckoutView, isUsable } from '@muripo/contract/checkout'

const WAIT_SECONDS = 10
/** A reload ends a navigation that has begun, and the page of a provider is slow on a poor network. */
const REDIRECT_WAIT_SECONDS = 60
const LEAVE_SECONDS = 5

/** The page's parameter that stops its automatic changes. */
export const STILL = 'still'

/** Whether the page changes without an action of its payer on it. */
const follows = ({ stage, methods }: CheckoutView): boolean =>
  stage === 'waiting' ||
  stage === 'action' ||
  // The page changes when a provider can be reached again.
  ((stage === 'choose' || stage === 'refused') &&
    !methods.some(isUsable) &&
    methods.some(({ isDown }) => isDown))

/** The changes of a page without an action of its payer. */
export interface Moves {
  /** The state that the page shows, while it follows the payment. */
  readonly revision?: string
  /** Whether the payer continues at a page of the provider. */
  readonly redirects?: boolean
  /** The address at which the page continues. */
  readonly next?: string
}

/**
 * Null for a page that stays as it is. A completed payment continues at the shop, and no other one does: a link that cancels and redirects
 * would lend this gateway's name to any site.
 */
export function movesOf(view: CheckoutView): Moves | null {
  if (follows(view))
    return {
      revision: view.revision,
      redirects: view.stage === 'action' && view.attempt?.step?.type === 'redirect',
    }
  return view.continues && view.continueUrl !== null ? { next: view.continueUrl } : null
}

/** The refresh of a page whose browser runs no script. */
export function refreshOf({ revision, redirects, next }: Moves): string {
  if (revision === undefined) return `${LEAVE_SECONDS};url=${next}`
  return String(redirects ? REDIRECT_WAIT_SECONDS : WAIT_SECONDS)
}
