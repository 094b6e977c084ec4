import type { CardPageView, CheckoutPort, RefusedForm } from '@muripo/contract/checkout'
import { createContext, type RouterContextProvider } from 'react-router'

/** Values from the server for the pages that it renders. */
export const checkoutContext = createContext<CheckoutPort>()
/** The network address of the page's reader. */
export const addressContext = createContext<string>()
/** The refused form with which the payer's page is rendered again; null for a plain view. */
export const refusedFormContext = createContext<RefusedForm | null>(null)
/** The page for a card, on its own address only. */
export const cardPageContext = createContext<CardPageView | null>(null)
export const nonceContext = createContext<string | null>(null)
/** The OpenAPI document of the public API, from the server. */
export const apiDocumentContext = createContext<() => Promise<unknown>>()
/** Logs an error that the user cannot act on, in the server's log. */
export const logErrorContext = createContext<(what: string, cause: unknown) => void>()
/** The public address of this gateway, when the server knows it; otherwise the requested address is used. */
export const publicUrlContext = createContext<string | null>(null)

export const originOf = (context: Readonly<RouterContextProvider>, request: Request): string =>
  context.get(publicUrlContext) ?? new URL(request.url).origin
