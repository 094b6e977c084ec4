import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { Link } from 'react-router'
import { capitalise, dateText } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import panel from '../../ui/panel.module.css'
import { StatusBadge } from '../../ui/status-badge.tsx'
import styles from './applications.module.css'

interface ApplicationRowsProps {
  readonly applications: readonly Application[]
}

const ListStatus = ({ status }: { readonly status: string }) => (
  <StatusBadge tone={status === 'active' ? 'green' : 'yellow'}>{capitalise(status)}</StatusBadge>
)

const Manage = ({ application }: { readonly application: Application }) => (
  <Button
    component={Link}
    to={paths.application(application._id)}
    variant="default"
    size="sm"
    className={panel.rowButton ?? ''}
    aria-label={`Manage ${application.applicationName}`}
  >
    Manage
  </Button>
)

/** A table where there is room for one, cards below 640 px: the style sheet shows one of the two. */
export const ApplicationRows = ({ applications }: ApplicationRowsProps) => (
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
              <td className={`${panel.quiet} ${panel.nowrap}`}>{application.category}</td>
              <td>
                <ListStatus status={application.status} />
              </td>
              <td className={`${panel.quiet} ${panel.nowrap}`}>{dateText(application.createdAt)}</td>
              <td className={panel.end}>
                <Manage application={application} />
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
            <ListStatus status={application.status} />
          </div>
          <p className={styles.cardText}>
            {application.category} · {dateText(application.createdAt)}
          </p>
          <Manage application={application} />
        </li>
      ))}
    </ul>
  </>
)
