import { Link } from 'react-router'
import { font, grid, row, surface, textLinkClass } from '../../../components/ui/classes.ts'
import { apiDocumentContext } from '../../../lib/context.ts'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionLink } from '../action-link.tsx'
import { Table } from '../documentation/table.tsx'
import { PageHero } from '../page-hero.tsx'
import type { Route } from './+types/api-reference.ts'
import styles from './api-reference.module.css'
import {
  type ApiOperation,
  type Field,
  type ApiReference as Reference,
  readDocument,
} from './document.server.ts'

export const meta = pageMeta({
  title: 'API Reference · Muripo',
  description:
    'Every call of the Muripo API v1 with its parameters, responses and errors, generated from the OpenAPI document of this gateway.',
})

export const handle: PageHandle = { isEnglish: true }

export const loader = async ({ context }: Route.LoaderArgs) =>
  readDocument(await context.get(apiDocumentContext)())

export default function ApiReference({ loaderData: { groups, events, problem } }: Route.ComponentProps) {
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
            {groups.map(({ name, operations }) => (
              <div key={name}>
                <p className={`${styles.groupName} ${font('sm', 'bold')}`}>{name}</p>
                <ul className={grid('list')}>
                  {operations.map(({ id, method, path }) => (
                    <li key={id}>
                      <a href={`#${id}`}>
                        <span className={`${styles.method} ${font('mono', 'xs', 'bold', 'action')}`}>
                          {method}
                        </span>
                        <span className={font('anywhere', 'grow')}>{path.replace('/api/v1', '')}</span>
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
            <ul className={grid('list')}>
              <li>
                <a href="#events">The events</a>
              </li>
              <li>
                <a href="#problem">The shape of an error</a>
              </li>
            </ul>
          </nav>
          <div>
            {groups.map(({ name, description, operations }) => (
              <section key={name} className={styles.tag} aria-labelledby={`group-${name}`}>
                <h2 id={`group-${name}`} className={font('xl', 'bold', 'tight')}>
                  {name}
                </h2>
                <p>{description}</p>
                {operations.map((operation) => (
                  <Operation key={operation.id} operation={operation} />
                ))}
              </section>
            ))}
            <Events events={events} />
            <section className={styles.tag} aria-labelledby="problem">
              <h2 id="problem" className={font('xl', 'bold', 'tight')}>
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
  const { id, method, path, summary, description, inputs, request, answers, errors } = operation
  return (
    <section className={styles.operation} aria-labelledby={id} data-operation={`${method} ${path}`}>
      <h3 id={id} className={font('lg', 'bold', 'close', 'snug')}>
        {summary}
      </h3>
      <p className={`${styles.address} ${styles.example} ${font('mono', 'sm', 'anywhere')}`}>
        <b>{method}</b>
        {path}
      </p>
      <p>
        <Prose text={description} />
      </p>
      {inputs.map(({ title, fields }) => (
        <div key={title}>
          <h4 className={`${styles.group} ${font('lg', 'bold')}`}>{title}</h4>
          <Fields fields={fields} isRequest />
        </div>
      ))}
      {request && (
        <details className={styles.more}>
          <summary className={`${textLinkClass} ${font('base', 'semibold')}`}>Example of a request</summary>
          <Example text={request} />
        </details>
      )}
      {answers.map(({ title, fields, example }) => (
        <details key={title} className={styles.more}>
          <summary className={`${textLinkClass} ${font('base', 'semibold')}`}>Answer, {title}</summary>
          {example && <Example text={example} />}
          <Fields fields={fields} />
        </details>
      ))}
      <h4 className={`${styles.group} ${font('lg', 'bold')}`}>Errors</h4>
      <Table
        caption={`Errors of ${method} ${path}`}
        head={['Code', 'Status', 'Message']}
        rows={errors.map(({ code, status, title }) => [code, <code key="c">{code}</code>, status, title])}
      />
    </section>
  )
}

const Events = ({ events }: Pick<Reference, 'events'>) => (
  <section className={styles.tag} aria-labelledby="events">
    <h2 id="events" className={font('xl', 'bold', 'tight')}>
      The events
    </h2>
    <p>
      The gateway posts each event to the endpoints that subscribe to its type.{' '}
      <Link to={`${paths.documentation}#webhooks`}>Webhooks</Link> describes how to verify them.
    </p>
    {events.map(({ type, meaning, example }) => (
      <details key={type} className={styles.more} data-event={type}>
        <summary className={`${textLinkClass} ${font('base', 'semibold')}`}>
          <code>{type}</code>
        </summary>
        <p>{meaning}</p>
        {example && <Example text={example} />}
      </details>
    ))}
  </section>
)

const Example = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
  <pre className={`${styles.example} ${font('mono', 'xs')}`} tabIndex={0}>
    <code>{text}</code>
  </pre>
)

/** A text of the document, with the names that it marks as code. */
const Prose = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts does not change
    index % 2 === 0 ? part : <code key={index}>{part}</code>,
  )

interface FieldsProps {
  readonly fields: readonly Field[]
  /** Whether the fields are those of a request, which marks the required ones. A response contains all of its fields. */
  readonly isRequest?: boolean
}

export const Fields = ({ fields, isRequest = false }: FieldsProps) => (
  <dl className={`${styles.fields} ${surface('surface')}`}>
    {fields.map(({ name, type, isRequired, notes, words }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>
          <span className={font('sm', 'quiet')}>{type}</span>
          {isRequest && isRequired && (
            <span className={`${styles.needed} ${font('xs', 'semibold')}`}>Required</span>
          )}
        </dt>
        {(notes.length > 0 || words.length > 0) && (
          <dd className={font('md', 'quiet', 'above4')}>
            {notes.join(' ')}
            {words.length > 0 && (
              <span className={row('wrap', 'gap6', 'above6')}>
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
