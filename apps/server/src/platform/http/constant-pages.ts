import { matchRoutes, type RouteObject } from 'react-router'

interface BuiltRoute {
  readonly id: string
  readonly parentId?: string | undefined
  readonly path?: string | undefined
  readonly index?: boolean | undefined
  readonly module: { readonly handle?: unknown }
}

/** All addresses without a page have the same one, and so have all addresses of a route that has its pages in the browser. */
const NO_PAGE = '/no-page'

/**
 * Finds the pages whose own route, or else the innermost layout with a value, declares `isConstant`: the same for every reader of a language, whatever the rest of the request.
 * @returns a function from an address to the path by which its constant page is rendered; null for any other page
 */
export function constantPaths(routes: Readonly<Record<string, BuiltRoute | undefined>>) {
  const all = Object.values(routes).flatMap((route) => (route ? [route] : []))
  const below = (parentId: string | undefined): RouteObject[] =>
    all
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index, module: { handle } }) =>
        index
          ? { id, index: true, handle, ...(path !== undefined && { path }) }
          : { id, handle, children: below(id), ...(path !== undefined && { path }) },
      )
  const tree = below(undefined)
  return (pathname: string): string | null => {
    // The router's own addresses for data.
    if (pathname.startsWith('/__') || pathname.endsWith('.data')) return null
    const matches = matchRoutes(tree, pathname) ?? []
    const isConstant = matches
      .map(({ route }) => (route.handle as { isConstant?: boolean } | undefined)?.isConstant)
      .findLast((value) => value !== undefined)
    if (!isConstant) return null
    const { params = {}, pathnameBase = '/' } = matches.at(-1) ?? {}
    const names = Object.keys(params)
    if (names.includes('*')) return pathnameBase === '/' ? NO_PAGE : pathnameBase
    return names.length > 0 ? null : pathname.replace(/\/+$/, '') || '/'
  }
}
