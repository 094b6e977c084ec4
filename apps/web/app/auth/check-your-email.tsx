import { UnstyledButton } from '@mantine/core'
import styles from './auth.module.css'
import { AuthCard } from './auth-card.tsx'
import { BackToSignIn } from './back-to-sign-in.tsx'

interface CheckYourEmailProps {
  readonly email: string
  readonly onTryAgain: () => void
}

/** Some deployments do not say where the code is to be entered; then the mail does. */
export const CheckYourEmail = ({ email, onTryAgain }: CheckYourEmailProps) => (
  <AuthCard
    title="Check your email"
    intro={`If there is an account for ${email}, a mail with the next step is on its way. Look in the spam folder too.`}
    announced
  >
    <p className={styles.below}>
      Nothing came?{' '}
      <UnstyledButton className={styles.link} onClick={onTryAgain}>
        try again
      </UnstyledButton>
    </p>
    <BackToSignIn />
  </AuthCard>
)
