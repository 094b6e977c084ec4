import { useLocation } from 'react-router'
import { createStorage } from '../../../lib/storage.ts'
import { returnToInvitation } from '../../../session/return-address.ts'

const KEY = 'invitation'
const tab = createStorage(() => window.sessionStorage)

/**
 * The token of the mailed link is in the fragment of the address, which a browser sends to no server and names in no referrer. After a sign-in
 * on the way it is in the storage of the tab.
 */
export function useInvitationToken(): string {
  const { hash } = useLocation()
  return hash.slice(1) || (tab.getItem(KEY) ?? '')
}

/** Before a sign-in, which comes back to the invitation. */
export function keepInvitation(token: string): void {
  tab.setItem(KEY, token)
  returnToInvitation()
}

export const forgetInvitation = (): void => tab.removeItem(KEY)
