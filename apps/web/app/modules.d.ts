declare module '*?highlight' {
  /** The file's text, and the same text with its colours as markup. */
  const sample: { readonly text: string; readonly html: string }
  export default sample
}

declare module '*?inline-script' {
  /** The file as a script for the document; empty in the browser's bundle. */
  const script: string
  export default script
}

declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { Icon } from '@tabler/icons-react'

  const icon: Icon
  export default icon
}

declare module '*.mjs?console' {
  import type { Icon } from '@tabler/icons-react'

  const icon: Icon
  export default icon
}

declare module 'virtual:texts/*' {
  import type { Compiled } from '@muripo/locales/translator'

  const texts: Compiled
  export default texts
}

declare module 'virtual:translations/*' {
  import type { Translations } from './lib/page-meta.ts'

  const translations: Translations
  export default translations
}

// The calls of the contract, of which only the routes exist.
declare module 'virtual:calls/account' {
  export * from '@muripo/contract/account'
}

declare module 'virtual:calls/applications' {
  export * from '@muripo/contract/applications'
}

declare module 'virtual:calls/auth' {
  export * from '@muripo/contract/auth'
}

declare module 'virtual:calls/config' {
  export * from '@muripo/contract/config'
}

declare module 'virtual:calls/console' {
  export * from '@muripo/contract/console'
}

declare module 'virtual:calls/console-operation' {
  export * from '@muripo/contract/console-operation'
}

declare module 'virtual:calls/console-records' {
  export * from '@muripo/contract/console-records'
}

declare module 'virtual:calls/console-refunds' {
  export * from '@muripo/contract/console-refunds'
}

declare module 'virtual:calls/console-settings' {
  export * from '@muripo/contract/console-settings'
}

declare module 'virtual:calls/console-sign-in' {
  export * from '@muripo/contract/console-sign-in'
}

declare module 'virtual:calls/proposals' {
  export * from '@muripo/contract/proposals'
}

declare module 'virtual:calls/dashboard-payments' {
  export * from '@muripo/contract/dashboard-payments'
}

declare module 'virtual:calls/application-keys' {
  export * from '@muripo/contract/application-keys'
}

declare module 'virtual:calls/dashboard-webhooks' {
  export * from '@muripo/contract/dashboard-webhooks'
}

declare module 'virtual:calls/live' {
  export * from '@muripo/contract/live'
}

declare module 'virtual:calls/payment-actions' {
  export * from '@muripo/contract/payment-actions'
}

declare module 'virtual:calls/payment-exports' {
  export * from '@muripo/contract/payment-exports'
}

declare module 'virtual:calls/passkeys' {
  export * from '@muripo/contract/passkeys'
}

declare module 'virtual:calls/site' {
  export * from '@muripo/contract/site'
}

declare module 'virtual:calls/stats' {
  export * from '@muripo/contract/stats'
}

declare module 'virtual:calls/till' {
  export * from '@muripo/contract/till'
}

declare module 'virtual:calls/activity' {
  export * from '@muripo/contract/activity'
}

declare module 'virtual:calls/factors' {
  export * from '@muripo/contract/factors'
}

declare module 'virtual:calls/team' {
  export * from '@muripo/contract/team'
}
