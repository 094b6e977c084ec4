import english from 'virtual:texts/team/en'
import type { team } from '@muripo/locales/team'
import { usePageText } from '../../lib/page-text.ts'

export const useTeamText = () => usePageText<typeof team>(english)
