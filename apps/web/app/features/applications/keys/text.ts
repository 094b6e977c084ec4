import english from 'virtual:texts/keys/en'
import type { KeyPreset } from '@muripo/contract/permissions'
import type { keys } from '@muripo/locales/keys'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../../lib/page-text.ts'

export type KeysText = Translate<typeof keys>

export const useKeysText = (): KeysText => usePageText<typeof keys>(english)

export const presetTexts = {
  online_shop: 'useOnlineShop',
  till: 'useTill',
  accountant: 'useAccountant',
  command_line: 'useCommandLine',
} as const satisfies Readonly<Record<KeyPreset, keyof typeof keys>>

/** The overlaps of a replacement, in seconds. */
export const overlaps = [
  { value: '86400', text: 'overlapDay' },
  { value: '3600', text: 'overlapHour' },
  { value: '604800', text: 'overlapWeek' },
  { value: '0', text: 'overlapNone' },
] as const satisfies readonly { readonly value: string; readonly text: keyof typeof keys }[]
