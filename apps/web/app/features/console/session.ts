import { IDLE_MINUTES } from '@muripo/contract/console-session'
import { createListeners } from '../../lib/signals.ts'
import { createStorage, storage } from '../../lib/storage.ts'
import { serverNow } from '../../lib/timing.ts'

const IDLE_MS = IDLE_MINUTES * 60_000
/** Shared by all tabs: a call of any of them keeps the session. */
const CALLED_AT = 'consoleCalledAt'

const changes = createListeners()
let ended = false

function setEnded(next: boolean): void {
  if (ended === next) return
  ended = next
  changes.notify()
}

/** The session of the console as this tab knows it. Its cookie is hidden from scripts. */
export const consoleSession = {
  subscribe: changes.subscribe,
  hasEnded: () => ended,
  end: () => setEnded(true),
  open: () => setEnded(false),
  noteCall: () => storage.setItem(CALLED_AT, String(Date.now())),
  /** Whether the server has ended it by now. A question to the server would keep it open. */
  isOver: (endsAt: string): boolean =>
    serverNow() >= Date.parse(endsAt) || Date.now() - Number(storage.getItem(CALLED_AT)) >= IDLE_MS,
}

const RETURN = 'consoleReturnTo'
const tab = createStorage(() => window.sessionStorage)

export const keepReturnTo = (address: string): void => tab.setItem(RETURN, address)
export const dropReturnTo = (): void => tab.removeItem(RETURN)
/** The page at which the session ended in this tab. */
export const returnTo = (): string => tab.getItem(RETURN) ?? '/console'
