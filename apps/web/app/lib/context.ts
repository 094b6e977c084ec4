import type { CheckoutPort } from '@muripo/contract/checkout'
import { createContext } from 'react-router'

/** What the server hands to the pages that it renders. */
export const checkoutContext = createContext<CheckoutPort>()
export const nonceContext = createContext<string | null>(null)
