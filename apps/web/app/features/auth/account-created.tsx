import type { CSSProperties } from 'react'
import { useNavigate } from 'react-router'
import { IconCheck } from '../../components/icons.ts'
import { ButtonLink } from '../../components/ui/button.tsx'
import { font, grid } from '../../components/ui/classes.ts'
import { Dialog, DialogFoot } from '../../components/ui/dialog.tsx'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { useAuthText } from './text.ts'

/** The account exists, but its owner is not signed in yet. */
export function AccountCreated() {
  const navigate = useNavigate()
  const t = useAuthText()
  return (
    <Dialog
      opened
      onClose={() => void navigate(paths.home)}
      closesBy="escape"
      closeLabel={null}
      title={
        <span className={`${styles.done} ${grid('gap16')} ${font('xl', 'snug')}`}>
          <IconCheck size={28} stroke={2} aria-hidden />
          {t('accountCreatedHeading')}
        </span>
      }
    >
      <p>{t('welcome')}</p>
      <DialogFoot>
        <ButtonLink to={paths.signIn} data-autofocus>
          {t('signInNow')}
        </ButtonLink>
        <ButtonLink kind="default" to={paths.home}>
          {t('close')}
        </ButtonLink>
      </DialogFoot>
      <Confetti />
    </Dialog>
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
