import english from 'virtual:texts/security/en'
import type { security } from '@muripo/locales/security'
import { usePageText } from '../../../lib/page-text.ts'

export const useSecurityText = () => usePageText<typeof security>(english)
