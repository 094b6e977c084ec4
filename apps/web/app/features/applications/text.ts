import english from 'virtual:texts/applications/en'
import type { applications } from '@muripo/locales/applications'
import { type Translate, textOf } from '@muripo/locales/translator'
import { useCallback } from 'react'
import { usePageLanguage, usePageText } from '../../lib/page-text.ts'

export type ApplicationsText = Translate<typeof applications>

export const useApplicationsText = (): ApplicationsText => usePageText<typeof applications>(english)

/** The name of a category by its stored word. */
export type CategoryName = (category: string) => string

/** Returns the name of a category in the page's language. In English it is the stored word. */
export function useCategoryName(): CategoryName {
  const { translation } = usePageLanguage()
  return useCallback(
    (category) => {
      const name = translation?.[category]
      return name === undefined ? category : textOf(name, {})
    },
    [translation],
  )
}
