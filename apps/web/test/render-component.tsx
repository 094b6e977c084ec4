import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { render } from 'vitest-browser-react'
import { english, type PageLanguage, PageLanguageContext } from '../app/lib/page-text.ts'
import { Toaster } from '../app/shell/toaster.tsx'

/** Renders a component as the dashboard's layout would. Transitions are off: a dialog is open or closed. */
export const renderComponent = (component: ReactNode, language: PageLanguage = english) =>
  render(
    <PageLanguageContext value={language}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: component }])} />
        <Toaster />
      </QueryClientProvider>
    </PageLanguageContext>,
  )
