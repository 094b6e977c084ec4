import { Table } from '../documentation/table.tsx'
import styles from './api-reference.module.css'
import type { ApiOperation } from './document.server.ts'
import type { Field } from './fields.server.ts'

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
  /** Whether a caller has to know which are needed; an answer has all of its fields. */
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
