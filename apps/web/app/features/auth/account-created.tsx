import { Button, Group, Modal, Portal } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { IconCheck } from '../../components/icons.ts'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { Confetti } from './confetti.tsx'

/** The account exists, but nobody is signed in yet: the ways on are the two links. */
export function AccountCreated() {
  const navigate = useNavigate()
  return (
    <>
      <Modal
        opened
        onClose={() => void navigate(paths.home)}
        closeOnClickOutside={false}
        withCloseButton={false}
        title={
          <span className={styles.done}>
            <IconCheck size={28} stroke={2} aria-hidden />
            Account Created Successfully!
          </span>
        }
        size={460}
      >
        <p>Welcome to Muripo. Sign in to create your first application and get its key.</p>
        <Group grow mt={28}>
          <Button variant="default" component={Link} to={paths.home}>
            Close
          </Button>
          <Button component={Link} to={paths.signIn} data-autofocus>
            Sign In Now
          </Button>
        </Group>
      </Modal>
      <Portal>
        <Confetti />
      </Portal>
    </>
  )
}
