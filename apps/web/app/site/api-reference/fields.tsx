import styles from './api-reference.module.css'
import type { Field } from './fields.server.ts'

interface FieldsProps {
  readonly fields: readonly Field[]
  /** Whether a caller has to know which are needed; an answer has all of its fields. */
  readonly asked?: boolean
}

export const Fields = ({ fields, asked = false }: FieldsProps) => (
  <dl className={styles.fields}>
    {fields.map(({ name, type, isRequired, notes, words }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>
          <span className={styles.type}>{type}</span>
          {asked && isRequired && <span className={styles.needed}>Required</span>}
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
