import english from 'virtual:texts/common/en'
import type { common } from '@muripo/locales/common'
import { usePageText } from './page-text.ts'

export const useCommonText = () => usePageText<typeof common>(english)
