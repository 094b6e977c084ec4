import type { Status } from '@muripo/contract/site'
import { createContext, type RouterContextProvider } from 'react-router'

/** Values from the server for the pages that it renders. */
export const nonceContext = createContext<string | null>(null)
/** The OpenAPI document of the public API, from the server. */
export const apiDocumentContext = createContext<() => Promise<unknown>>()
/** The status of the gateway. */
export const statusContext = createContext<() => Promise<Status>>()
/** Logs an error that the user cannot act on, in the server's log. */
export const logErrorContext = createContext<(what: string, cause: unknown) => void>()
/** The public address of this gateway, when the server knows it; otherwise the requested address is used. */
export const publicUrlContext = createContext<string | null>(null)
/** Whether the payments of this gateway move no real money. */
export const testGatewayContext = createContext(false)
/** Whether this gateway is for development, and has the pages below /dev. */
export const developmentContext = createContext(false)

export const originOf = (context: Readonly<RouterContextProvider>, request: Request): string =>
  context.get(publicUrlContext) ?? new URL(request.url).origin
