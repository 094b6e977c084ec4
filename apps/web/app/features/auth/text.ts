import english from 'virtual:texts/auth/en'
import type { auth } from '@muripo/locales/auth'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../lib/page-text.ts'

export type AuthText = Translate<typeof auth>

export const useAuthText = (): AuthText => usePageText<typeof auth>(english)

/** The `handle` of each page. */
export interface AuthHandle {
  /** The key of its title. */
  readonly title: Extract<keyof typeof auth, `${string}Page`>
  /** Whether signed-in users see it, too. */
  readonly isForAll?: boolean
  /** The path of the page that follows, whose code is loaded while the reader types. */
  readonly next?: string
}
