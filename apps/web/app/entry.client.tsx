import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { fetchTranslationOfDocument } from './lib/page-text.ts'

const CONSOLE = 'features/console/console'

/**
 * The server answers an address of the console like one that does not exist to everybody but operators. The router knows addresses only: where the
 * document is not the console's, it must not find the console either.
 */
function hideConsole(): void {
  const { __reactRouterManifest, __reactRouterRouteModules } = window as unknown as {
    readonly [name: string]: { readonly routes: Record<string, unknown> }
  }
  if (!(CONSOLE in (__reactRouterRouteModules ?? {}))) delete __reactRouterManifest?.routes[CONSOLE]
}

hideConsole()
void fetchTranslationOfDocument().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    )
  }),
)
