import { Button, Group, Modal } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { Link } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './applications.module.css'

interface CreatedDialogProps {
  readonly application: Application | null
  readonly onClose: () => void
}

export const CreatedDialog = ({ application, onClose }: CreatedDialogProps) => (
  <Modal
    opened={application !== null}
    onClose={onClose}
    title="Application Created Successfully!"
    size={560}
    closeOnClickOutside={false}
  >
    {application && (
      <>
        <p>Your application has been created and is now ready for use.</p>
        <dl className={styles.facts}>
          <div>
            <dt>Application Name</dt>
            <dd>{application.applicationName}</dd>
          </div>
          <div>
            <dt>Category</dt>
            <dd>{application.category}</dd>
          </div>
          <div>
            <dt>Application Key</dt>
            <dd className={styles.key}>
              <code>{application.applicationKey}</code>
              <CopyButton text={application.applicationKey} what="application key" />
            </dd>
          </div>
        </dl>
        <p className={styles.hint}>Keep this key secure. You'll need it for API integrations.</p>
        <Group justify="flex-end" mt={24}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button component={Link} to={paths.application(application._id)}>
            Manage Application
          </Button>
        </Group>
      </>
    )}
  </Modal>
)
