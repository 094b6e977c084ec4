import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { Link } from 'react-router'
import panel from '../../components/panel.module.css'
import { StatusBadge } from '../../components/status-badge.tsx'
import { dateText } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import styles from './rows.module.css'
import { statusOf, statusVerb } from './status-dialog.tsx'

interface ApplicationRowsProps {
  readonly applications: readonly Application[]
  readonly timeZone: string | undefined
  readonly onStatus: (application: Application) => void
}

const ListStatus = ({ application }: { readonly application: Application }) => {
  const { tone, word } = statusOf(application)
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}

interface ActionsProps {
  readonly application: Application
  readonly onStatus: (application: Application) => void
}

const Actions = ({ application, onStatus }: ActionsProps) => {
  const verb = statusVerb(application)
  const button = { variant: 'default', size: 'sm', className: panel.rowButton ?? '' } as const
  return (
    <div className={styles.actions}>
      <Button
        {...button}
        component={Link}
        to={paths.application(application._id)}
        aria-label={`Manage ${application.applicationName}`}
      >
        Manage
      </Button>
      <Button
        {...button}
        aria-label={`${verb} ${application.applicationName}`}
        onClick={() => onStatus(application)}
      >
        {verb}
      </Button>
    </div>
  )
}

/** A table where there is room for one, cards below 640 px: the style sheet shows one of the two. */
export const ApplicationRows = ({ applications, timeZone, onStatus }: ApplicationRowsProps) => (
  <>
    <div className={styles.wide}>
      <table className={panel.table}>
        <thead>
          <tr>
            <th scope="col">Application Name</th>
            <th scope="col">Category</th>
            <th scope="col">Status</th>
            <th scope="col">Date Created</th>
            <th scope="col" className={panel.end}>
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {applications.map((application) => (
            <tr key={application._id}>
              <td className={styles.name}>{application.applicationName}</td>
              <td className={panel.quiet}>{application.category}</td>
              <td>
                <ListStatus application={application} />
              </td>
              <td className={panel.quiet}>{dateText(application.createdAt, timeZone)}</td>
              <td className={panel.end}>
                <Actions application={application} onStatus={onStatus} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <ul className={styles.cards}>
      {applications.map((application) => (
        <li key={application._id} className={styles.card}>
          <div className={styles.cardHead}>
            <p className={styles.name}>{application.applicationName}</p>
            <ListStatus application={application} />
          </div>
          <p className={styles.cardText}>
            {application.category} · {dateText(application.createdAt, timeZone)}
          </p>
          <Actions application={application} onStatus={onStatus} />
        </li>
      ))}
    </ul>
  </>
)
