import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'

const repository = path.join(import.meta.dirname, '../../..')
const app = path.join(repository, 'apps/web/app')
/** Git and the checks of the repository ignore this folder. */
const folder = path.join(repository, 'apps/web/.react-router/added-screen')

const document = readFileSync(path.join(repository, 'docs/architecture.md'), 'utf8')
const section = document.split('## How to add a screen')[1]?.split('\n## ')[0] ?? ''
const screen = section.match(/```tsx\n(.*?)```/s)?.[1]?.replace(/^ {3}/gm, '') ?? ''

interface Screen {
  readonly default: ComponentType
  readonly handle: { readonly title: string }
}

/** Adds the screen as the document says, with the folder of the features in place of the temporary one. */
async function added(): Promise<Screen> {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'shops.tsx')
  writeFileSync(file, screen.replaceAll("'../../", `'${app}/`))
  try {
    return (await import(file)) as Screen
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The text of the screen with these applications; undefined while they are loading. */
function shown(Shops: ComponentType, applications?: readonly object[]): string {
  const client = new QueryClient()
  if (applications) client.setQueryData(['applications'], applications)
  const router = createMemoryRouter([{ path: '*', element: createElement(Shops) }])
  const html = renderToString(
    createElement(QueryClientProvider, { client }, createElement(RouterProvider, { router })),
  )
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

test('a screen that is added by the text of the document shows its states', async () => {
  const { default: Shops, handle } = await added()
  expect(handle.title).toBe('applicationsPage')
  expect(shown(Shops)).toMatch(/Applications .*Loading applications/)
  expect(shown(Shops, [])).toContain('No applications found')
  expect(shown(Shops, [{ _id: 'app_1', applicationName: 'Baobab Books' }])).toMatch(
    /Application Name .*Baobab Books/,
  )
})

test('every file that the text names exists', () => {
  const named = [...section.matchAll(/`((?:apps|e2e|packages|scripts)[\w./-]*)`/g)].map(
    ([, file = '']) => file,
  )
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((file) => !existsSync(path.join(repository, file)))).toEqual([])
})
