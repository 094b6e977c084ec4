import { apiDocumentContext } from '../../../lib/context.ts'
import { pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionLink } from '../action-link.tsx'
import { PageHero } from '../page-hero.tsx'
import type { Route } from './+types/api-reference.ts'
import styles from './api-reference.module.css'
import { readDocument } from './document.server.ts'
import { Fields, Operation } from './operation.tsx'

export const meta = pageMeta({
  title: 'API Reference · Muripo',
  description:
    'Every call of the Muripo API, v1, field by field: what it takes, what it answers and how it fails, drawn from the OpenAPI document of this gateway.',
})

export const loader = async ({ context }: Route.LoaderArgs) =>
  readDocument(await context.get(apiDocumentContext)())

export default function ApiReference({ loaderData: { operations, problem } }: Route.ComponentProps) {
  return (
    <>
      <PageHero
        title="API Reference"
        sentence="Every call of v1, field by field, drawn from the OpenAPI document that this gateway validates its requests with."
      >
        <ActionLink to={paths.documentation}>Read the Guide</ActionLink>
        <ActionLink to="/api/v1/openapi.json" quiet file>
          OpenAPI Document
        </ActionLink>
      </PageHero>
      <div className={styles.body}>
        <div className={styles.columns}>
          <nav className={styles.contents} aria-label="Calls">
            <ul>
              {operations.map(({ id, method, path }) => (
                <li key={id}>
                  <a href={`#${id}`}>
                    <span className={styles.method}>{method}</span>
                    {path}
                  </a>
                </li>
              ))}
              <li>
                <a href="#problem">The shape of an error</a>
              </li>
            </ul>
          </nav>
          <div>
            {operations.map((operation) => (
              <Operation key={operation.id} operation={operation} />
            ))}
            <section className={styles.operation} aria-labelledby="problem">
              <h2 id="problem" className={styles.summary}>
                The shape of an error
              </h2>
              <p>
                Every error has this body, with the type <code>application/problem+json</code>.
              </p>
              <Fields fields={problem} />
            </section>
          </div>
        </div>
      </div>
    </>
  )
}
