import english from 'virtual:texts/team/en'
import type { team } from '@muripo/locales/team'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../lib/page-text.ts'

export type TeamText = Translate<typeof team>

export const useTeamText = (): TeamText => usePageText<typeof team>(english)
