import english from 'virtual:texts/site/en'
import translations from 'virtual:translations/site'
import type { site } from '@muripo/locales/site'
import { textsOf } from './texts.tsx'

export const siteTranslations = translations

export const {
  useText: useSiteText,
  Sentence,
  metaOf: siteMeta,
} = textsOf<typeof site>(english, translations)
