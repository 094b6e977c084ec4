import { data } from 'react-router'
import { grid } from '../../components/ui/classes.ts'
import { developmentContext } from '../../lib/context.ts'
import type { PageHandle } from '../../lib/page-meta.ts'
import type { Route } from './+types/parts.ts'
import { ButtonParts, DialogParts } from './button-parts.tsx'
import { FieldParts } from './field-parts.tsx'
import { ListParts, TabParts } from './list-parts.tsx'
import styles from './parts.module.css'
import { TextParts } from './text-parts.tsx'

export const handle: PageHandle = { dark: true }

export const meta: Route.MetaFunction = () => [
  { title: 'Parts · Muripo development' },
  { name: 'robots', content: 'noindex' },
]

/** In production the page does not exist. */
export function loader({ context }: Route.LoaderArgs) {
  if (!context.get(developmentContext)) throw data(null, { status: 404 })
  return null
}

/** Every part of `components/ui` in its states, in both colour schemes. Its texts are samples and are not translated. */
export default function Parts() {
  return (
    <main className={styles.page}>
      <h1>Parts</h1>
      <div className={styles.schemes}>
        {(['light', 'dark'] as const).map((scheme) => (
          <section
            key={scheme}
            data-color-scheme={scheme}
            aria-label={scheme}
            className={`${styles.scheme} ${grid('gap16')}`}
          >
            <TextParts scheme={scheme} />
            <ButtonParts scheme={scheme} />
            <DialogParts scheme={scheme} />
            <FieldParts scheme={scheme} />
            <ListParts />
            <TabParts scheme={scheme} />
          </section>
        ))}
      </div>
    </main>
  )
}
