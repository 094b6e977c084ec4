import { useSyncExternalStore } from 'react'
import { usePageHandle } from '../lib/page-meta.ts'
import { anyOf, createListeners, eventOf, type Signal } from '../lib/signals.ts'
import { storage } from '../lib/storage.ts'

export type SchemeChoice = 'light' | 'dark' | 'system'
type Scheme = Exclude<SchemeChoice, 'system'>

const STORAGE_KEY = 'colorScheme'
const SYSTEM_IS_DARK = '(prefers-color-scheme: dark)'

/** The colours of the browser's interface around the page. */
const frameColours = { light: '#ffffff', dark: '#111a2b' } as const
const PUBLIC_FRAME_COLOUR = '#0b1324'

/** Runs before the first paint, so that a dark dashboard does not begin with a white flash. It repeats `currentScheme`. */
export const schemeScript = `{
  let kept = null
  try {
    kept = localStorage.getItem('${STORAGE_KEY}')
  } catch {}
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('${SYSTEM_IS_DARK}').matches)
  document.documentElement.dataset.colorScheme = dark ? 'dark' : 'light'
  if (dark) document.querySelector('meta[name=theme-color]').content = '${frameColours.dark}'
}`

function currentChoice(): SchemeChoice {
  const kept = storage.getItem(STORAGE_KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

function currentScheme(): Scheme {
  const choice = currentChoice()
  if (choice !== 'system') return choice
  return matchMedia(SYSTEM_IS_DARK).matches ? 'dark' : 'light'
}

const choices = createListeners()

/** Signals a change of the scheme here, in another tab, in the system, or while the page was in the browser's cache. */
const subscribe: Signal = (listener) =>
  anyOf(
    choices.subscribe,
    eventOf(window, 'storage', 'pageshow'),
    eventOf(matchMedia(SYSTEM_IS_DARK), 'change'),
  )(listener)

export function chooseScheme(choice: SchemeChoice): void {
  if (choice === 'system') storage.removeItem(STORAGE_KEY)
  else storage.setItem(STORAGE_KEY, choice)
  choices.notify()
}

/** The browser's first render must agree with the script above, so it cannot wait for an effect. */
const inBrowser = typeof window !== 'undefined'

const onServer = (): Scheme => 'light'

export const useSchemeChoice = (): SchemeChoice =>
  useSyncExternalStore(subscribe, currentChoice, inBrowser ? currentChoice : () => 'system')

/** The colour scheme of this page. Pages with one scheme are light. */
export function useColorScheme() {
  const both = usePageHandle('dark') ?? false
  const current = useSyncExternalStore(subscribe, currentScheme, inBrowser ? currentScheme : onServer)
  const scheme: Scheme = both ? current : 'light'
  return { both, scheme, frameColour: both ? frameColours[scheme] : PUBLIC_FRAME_COLOUR }
}
