import { createContext } from 'react'

/** The mark by which the page's own inline scripts are let run. Known on the server only: a browser hides it from the page. */
export const ScriptNonce = createContext<string | undefined>(undefined)
