import { Button, Group, Portal } from '@mantine/core'
import type { CSSProperties } from 'react'
import { Link, useNavigate } from 'react-router'
import { Dialog } from '../../components/dialog.tsx'
import { IconCheck } from '../../components/icons.ts'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { useAuthText } from './text.ts'

/** The account exists, but its owner is not signed in yet. */
export function AccountCreated() {
  const navigate = useNavigate()
  const t = useAuthText()
  return (
    <>
      <Dialog
        opened
        onClose={() => void navigate(paths.home)}
        closeOnClickOutside={false}
        withCloseButton={false}
        title={
          <span className={styles.done}>
            <IconCheck size={28} stroke={2} aria-hidden />
            {t('accountCreatedHeading')}
          </span>
        }
        size={460}
      >
        <p>{t('welcome')}</p>
        <Group grow preventGrowOverflow={false} mt={28}>
          <Button variant="default" component={Link} to={paths.home}>
            {t('close')}
          </Button>
          <Button component={Link} to={paths.signIn} data-autofocus>
            {t('signInNow')}
          </Button>
        </Group>
      </Dialog>
      <Portal>
        <Confetti />
      </Portal>
    </>
  )
}

const PIECES = 30
const COLOURS = ['#2f54eb', '#ffb020', '#12a05c', '#7c3aed', '#f97066']

/** Thirty pieces in random-looking places: multiples of an odd step are spread more evenly than random numbers. */
const pieces = Array.from({ length: PIECES }, (_, index) => ({
  '--from': `${(index * 37) % 100}%`,
  '--drift': `${((index * 53) % 41) - 20}vw`,
  '--turn': `${360 + ((index * 97) % 720)}deg`,
  '--delay': `${((index * 29) % 30) * 25}ms`,
  '--colour': COLOURS[index % COLOURS.length],
}))

const Confetti = () => (
  <div className={styles.confetti} data-testid="confetti" aria-hidden>
    {pieces.map((piece) => (
      <i key={piece['--from']} style={piece as CSSProperties} />
    ))}
  </div>
)
