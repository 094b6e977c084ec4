import english from 'virtual:texts/applications/en'
import type { applications } from '@muripo/locales/applications'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../lib/page-text.ts'

export type ApplicationsText = Translate<typeof applications>

export const useApplicationsText = (): ApplicationsText => usePageText<typeof applications>(english)
