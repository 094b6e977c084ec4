import { apiDocumentContext } from '../../../lib/context.ts'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionLink } from '../action-link.tsx'
import { Table } from '../documentation/table.tsx'
import { PageHero } from '../page-hero.tsx'
import type { Route } from './+types/api-reference.ts'
import styles from './api-reference.module.css'
import { type ApiOperation, type Field, readDocument } from './document.server.ts'

export const meta = pageMeta({
  title: 'API Reference · Muripo',
  description:
    'Every call of the Muripo API v1 with its parameters, responses and errors, generated from the OpenAPI document of this gateway.',
})

export const handle: PageHandle = { isEnglish: true }

export const loader = async ({ context }: Route.LoaderArgs) =>
  readDocument(await context.get(apiDocumentContext)())

export default function ApiReference({ loaderData: { operations, problem } }: Route.ComponentProps) {
  return (
    <>
      <PageHero
        title="API Reference"
        sentence="Every call of v1 with all of its fields, generated from the OpenAPI document by which this gateway validates requests."
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

export const Operation = ({ operation }: { readonly operation: ApiOperation }) => {
  const { id, method, path, summary, inputs, answers, errors } = operation
  return (
    <section className={styles.operation} aria-labelledby={id} data-operation={`${method} ${path}`}>
      <h2 id={id} className={styles.summary}>
        {summary}
      </h2>
      <p className={styles.address}>
        <b>{method}</b>
        {path}
      </p>
      {inputs.map(({ title, fields }) => (
        <div key={title}>
          <h3 className={styles.group}>{title}</h3>
          <Fields fields={fields} isRequest />
        </div>
      ))}
      {answers.map(({ title, fields }) => (
        <details key={title} className={styles.more}>
          <summary>Answer, {title}</summary>
          <Fields fields={fields} />
        </details>
      ))}
      <h3 className={styles.group}>Errors</h3>
      <Table
        caption={`Errors of ${method} ${path}`}
        head={['Code', 'Status', 'Message']}
        rows={errors.map(({ code, status, title }) => [code, <code key="c">{code}</code>, status, title])}
      />
    </section>
  )
}

interface FieldsProps {
  readonly fields: readonly Field[]
  /** Whether the fields are those of a request, which marks the required ones. A response contains all of its fields. */
  readonly isRequest?: boolean
}

export const Fields = ({ fields, isRequest = false }: FieldsProps) => (
  <dl className={styles.fields}>
    {fields.map(({ name, type, isRequired, notes, words }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>
          <span className={styles.type}>{type}</span>
          {isRequest && isRequired && <span className={styles.needed}>Required</span>}
        </dt>
        {(notes.length > 0 || words.length > 0) && (
          <dd>
            {notes.join(' ')}
            {words.length > 0 && (
              <span className={styles.words}>
                {words.map((word) => (
                  <code key={word}>{word}</code>
                ))}
              </span>
            )}
          </dd>
        )}
      </div>
    ))}
  </dl>
)
