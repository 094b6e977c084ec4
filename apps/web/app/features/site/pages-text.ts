import english from 'virtual:texts/sitePages/en'
import translations from 'virtual:translations/site'
import type { sitePages } from '@muripo/locales/site'
import { textsOf } from './text.tsx'

export const {
  useText: usePagesText,
  Sentence,
  metaOf: pagesMeta,
} = textsOf<typeof sitePages>(english, translations)
