import english from 'virtual:texts/samples/en'
import type { samples } from '@muripo/locales/samples'
import { usePageText } from './page-text.ts'

export const useSamplesText = () => usePageText<typeof samples>(english)
