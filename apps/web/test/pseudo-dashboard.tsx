import translations from 'virtual:translations/dashboard'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import { LiveProvider } from '../app/live/live.tsx'
import { clipped, PSEUDO, photograph, untranslated } from './pseudo-locale.ts'
import { renderComponent } from './render-component.tsx'

const language = { locale: PSEUDO, translation: translations[PSEUDO].texts, isLoading: false } as const

/** Renders a part of the dashboard in English in disguise. */
export const openDisguised = (part: ReactNode) =>
  renderComponent(<LiveProvider merchantId={null}>{part}</LiveProvider>, language)

/**
 * Each text of the page is translated and fits.
 * @param values everything on the page that the texts do not contain
 */
export async function checkDisguised(values: readonly string[] = []): Promise<void> {
  expect(document.body.innerHTML).toContain('⟦')
  await photograph()
  expect(untranslated('body', values)).toEqual([])
  expect(clipped('body')).toEqual([])
}
