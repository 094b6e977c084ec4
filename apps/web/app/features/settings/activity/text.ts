import english from 'virtual:texts/activity/en'
import type { activity } from '@muripo/locales/activity'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../../lib/page-text.ts'

export type ActivityText = Translate<typeof activity>

export const useActivityText = (): ActivityText => usePageText<typeof activity>(english)

/** The words for an action; its name where the page has none. */
export function actionText(action: string, t: ActivityText): string {
  const key = action.replace('.', '_')
  return isTextOfAction(key) ? t(key) : action
}

type Key = keyof typeof activity
/** The texts without values. */
type Plain = { [K in Key]: (typeof activity)[K] extends `${string}{${string}` ? never : K }[Key]

const isTextOfAction = (key: string): key is Extract<Plain, `${string}_${string}`> => key in english
