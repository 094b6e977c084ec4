import english from 'virtual:texts/settings/en'
import type { settings } from '@muripo/locales/settings'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../lib/page-text.ts'

export type SettingsText = Translate<typeof settings>

export const useSettingsText = (): SettingsText => usePageText<typeof settings>(english)
