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
