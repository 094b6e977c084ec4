import { parsedUrl } from '../lib/parsed-url.ts'
import { paths } from '../lib/paths.ts'
import { createStorage } from '../lib/storage.ts'

const KEY = 'returnTo'
const tab = createStorage(() => window.sessionStorage)
let leftByChoice = false

/** The address itself if it is a page of the dashboard or that of an invitation, otherwise the start page of the dashboard. */
export function dashboardAddress(address: string | null): string {
  const origin = 'http://own'
  const url = address === null ? null : parsedUrl(address, origin)
  if (url === null) return paths.dashboard
  const isDashboard = url.pathname === paths.dashboard || url.pathname.startsWith(`${paths.dashboard}/`)
  const isInvitation = url.pathname === paths.invitation
  return url.origin === origin && (isDashboard || isInvitation) ? url.pathname + url.search : paths.dashboard
}

/** The page that a guest wanted to see, in this tab. */
export const returnAddress = (): string => dashboardAddress(tab.getItem(KEY))

export function keepReturnAddress(address: string): void {
  if (!leftByChoice) tab.setItem(KEY, address)
}

/** The next sign-in in this tab leads back to the invitation. */
export function returnToInvitation(): void {
  leftByChoice = false
  tab.setItem(KEY, paths.invitation)
}

/** The user signed out: the next sign-in leads to the start page of the dashboard. */
export function dropReturnAddress(): void {
  leftByChoice = true
  tab.removeItem(KEY)
}

/** A signed-in user is on a page of the dashboard. */
export function arrive(): void {
  leftByChoice = false
  tab.removeItem(KEY)
}
