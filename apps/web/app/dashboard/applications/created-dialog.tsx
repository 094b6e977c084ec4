import { Button, Group, Modal } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { Link } from 'react-router'
import { paths } from '../../lib/paths.ts'
import styles from './dialogs.module.css'
import { Fact, Facts } from './facts.tsx'
import { KeyFact } from './key-fact.tsx'

interface CreatedDialogProps {
  readonly application: Application | null
  readonly onClose: () => void
}

export const CreatedDialog = ({ application, onClose }: CreatedDialogProps) => (
  <Modal
    opened={application !== null}
    onClose={onClose}
    title="Application Created Successfully!"
    size={600}
    closeOnClickOutside={false}
  >
    {application && (
      <>
        <p>Your application has been created and is now ready for use.</p>
        <Facts>
          <Fact name="Application Name">{application.applicationName}</Fact>
          <Fact name="Category">{application.category}</Fact>
          <CreatedKey application={application} />
        </Facts>
        <p className={styles.keep}>Keep this key secure. You'll need it for API integrations.</p>
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

/** Before the account is approved for live money there is a test key alone. */
const CreatedKey = ({ application }: { readonly application: Application }) => {
  if (application.applicationKey !== null) return <KeyFact applicationKey={application.applicationKey} />
  return application.testKey && <KeyFact applicationKey={application.testKey} name="Test key" />
}
