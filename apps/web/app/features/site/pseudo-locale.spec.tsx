import translations from 'virtual:translations/site'
import { displayPrice, pricedMethods, pricing } from '@muripo/contract/pricing'
import { languageNames } from '@muripo/locales/languages'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { clipped, PSEUDO, photograph, untranslated } from '../../../test/pseudo-locale.ts'
import { renderComponent } from '../../../test/render-component.tsx'
import Landing from './landing/landing.tsx'
import { methodMarks } from './landing/method-marks.tsx'
import NotFound from './not-found.tsx'
import About from './pages/about.tsx'
import Contact from './pages/contact.tsx'
import Help from './pages/help.tsx'
import StatusPage, { type Loaded } from './pages/status.tsx'
import { costsOf } from './pricing/calculator.tsx'
import Pricing from './pricing/pricing.tsx'
import { Footer } from './site-layout.tsx'

const language = { locale: PSEUDO, translation: translations[PSEUDO].texts, isLoading: false } as const

const at = '2026-11-23T09:30:00.000Z'
const status = {
  status: 'operational',
  components: [{ id: 'api', name: 'API', status: 'operational', checkedAt: at }],
  incidents: [
    {
      id: `inc_${'0'.repeat(26)}`,
      title: 'EcoCash is slow',
      openedAt: at,
      resolvedAt: null,
      updates: [{ status: 'investigating', message: 'Prompts arrive late.', at }],
    },
  ],
} as Loaded['status']

const example = costsOf('25')
const costs = 'costs' in example ? example.costs.flatMap(({ fee, left }) => [fee, left]) : []

const values = [
  ...Object.values(languageNames),
  ...methodMarks.map(({ name }) => name),
  // The marks are drawn as text.
  ...['Eco', 'Cash', 'AMERICAN', 'EXPRESS'],
  ...pricedMethods.map((method) => displayPrice(pricing[method])),
  ...costs,
  ...[
    'TypeScript',
    'Shell',
    '404',
    '1',
    '2',
    '3',
    'Muripo',
    'API',
    'EcoCash is slow',
    'Prompts arrive late.',
  ],
]

const open = (content: ReactNode) => renderComponent(content, language)

async function check(): Promise<void> {
  expect(document.body.innerHTML).toContain('⟦')
  await photograph()
  const code = [...document.querySelectorAll('pre')].map(({ textContent }) => textContent)
  expect(untranslated('body', [...values, ...code])).toEqual([])
  expect(clipped('body')).toEqual([])
}

test.each<[string, ReactNode]>([
  ['home', <Landing key="page" />],
  ['pricing', <Pricing key="page" />],
  ['about', <About key="page" />],
  ['help', <Help key="page" />],
  ['an unknown address', <NotFound key="page" />],
  ['the footer', <Footer key="part" />],
])('every text is translated and fits: %s', async (_name, part) => {
  await open(part)
  await check()
})

test('every text of the status is translated and fits, as are the dates of an incident', async () => {
  await open(<StatusPage loaderData={{ status, at }} />)
  await check()
})

test('every text of the contact form is translated and fits, as are those about its empty fields', async () => {
  await open(<Contact />)
  await check()
  document.querySelector('form')?.requestSubmit()
  await expect.poll(() => document.querySelector('[aria-invalid=true]')).not.toBeNull()
  await check()
})
