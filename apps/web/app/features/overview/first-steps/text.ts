import english from 'virtual:texts/firstSteps/en'
import type { firstSteps } from '@muripo/locales/first-steps'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../../lib/page-text.ts'

export type FirstStepsText = Translate<typeof firstSteps>

export const useFirstStepsText = (): FirstStepsText => usePageText<typeof firstSteps>(english)
