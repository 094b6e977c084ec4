import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import { anyone, mount } from '../../platform/http/route.ts'
import type { ConsoleDeps } from './console/deps.ts'
import { consoleRoutes } from './console/routes.ts'
import { callerReader, consoleAuth } from './people/console-auth.ts'
import { signInRoutes, signOutRoutes } from './people/routes.ts'
import { fourEyesOf } from './proposals/four-eyes.ts'
import { proposalRoutes } from './proposals/routes.ts'

const prefix = '/console/api'
const strictly = { rejectUndeclaredInput: true }

/** The pages that a person without a session needs. */
const openPages = /^\/console\/(enrol|sign-in)\/?$/

/** Mounts the calls of the console, and hides its pages from everybody without a session of an operator. */
export function mountConsole(app: FastifyInstance, deps: ConsoleDeps): void {
  const { ctx } = deps
  hidePages(app, ctx)
  mount(
    app,
    prefix,
    anyone,
    signInRoutes(ctx, () => fourEyesOf(ctx)),
    strictly,
  )
  const routes = [...signOutRoutes(ctx), ...consoleRoutes(deps), ...proposalRoutes(deps)]
  mount(app, prefix, consoleAuth(ctx), routes, strictly)
}

function isHiddenPage(url: string): boolean {
  // The router of calls compares the path as it is sent.
  if (url.startsWith(`${prefix}/`)) return false
  const path = pathOf(url)
  return /^\/console([/.]|$)/.test(path) && !openPages.test(path)
}

/** The path as the router of the pages compares it: resolved like that of a link, decoded, and in any case of letters. */
function pathOf(url: string): string {
  const path = URL.parse(`http://console.invalid${url}`)?.pathname ?? url
  try {
    return decodeURIComponent(path).toLowerCase()
  } catch {
    return path.toLowerCase()
  }
}

/** The request is answered as one for an address that does not exist. */
function hidePages(app: FastifyInstance, ctx: Ctx): void {
  const read = callerReader(ctx)
  const hide = async (request: FastifyRequest): Promise<void> => {
    if ((await read(request)) === null) request.raw.url = '/nothing'
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (isHiddenPage(request.url)) hide(request).then(() => done(), done)
    else done()
  })
}
