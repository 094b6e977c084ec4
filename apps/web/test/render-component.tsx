import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { render } from 'vitest-browser-react'
import { english, type PageLanguage, PageLanguageContext } from '../app/lib/page-text.ts'
import { theme } from '../app/shell/theme.ts'
import { Toaster } from '../app/shell/toaster.tsx'

/** Renders a component as the dashboard's layout would. Transitions are off: a dialog is open or closed. */
export const renderComponent = (component: ReactNode, language: PageLanguage = english) =>
  render(
    <PageLanguageContext value={language}>
      <MantineProvider theme={theme} env="test">
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <MemoryRouter>{component}</MemoryRouter>
          <Toaster />
        </QueryClientProvider>
      </MantineProvider>
    </PageLanguageContext>,
  )
