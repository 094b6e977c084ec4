import english from 'virtual:texts/access/en'
import type { access } from '@muripo/locales/team'
import { usePageText } from './page-text.ts'

/** The texts about what a role may not do, and of the choice of a shop. */
export const useAccessText = () => usePageText<typeof access>(english)
