import type { CheckoutPort, RefusedForm } from '@muripo/contract/checkout'
import { createContext } from 'react-router'

/** What the server hands to the pages that it renders. */
export const checkoutContext = createContext<CheckoutPort>()
/** Where the reader of a page is. */
export const addressContext = createContext<string>()
/** The form of the payer's page that the page is drawn anew for; null when it is only looked at. */
export const refusedFormContext = createContext<RefusedForm | null>(null)
export const nonceContext = createContext<string | null>(null)
/** The OpenAPI document of the public API, from the server that answers it. */
export const apiDocumentContext = createContext<() => Promise<unknown>>()
/** Logs what nobody on the screen can act on, in the log of the server. */
export const faultContext = createContext<(what: string, cause: unknown) => void>()
/** Where the world reaches this gateway, when the server says so; else the address that was asked for stands. */
export const publicUrlContext = createContext<string | null>(null)
