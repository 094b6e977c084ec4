import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { IconArrowLeft } from '../../components/icons.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, stack, surface, textLinkClass } from '../../components/ui/classes.ts'
import { TextField, type TextFieldProps } from '../../components/ui/field.tsx'
import type { formProps } from '../../lib/forms.ts'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { useAuthText } from './text.ts'

interface AuthCardProps {
  readonly title: string
  readonly intro: ReactNode
  readonly wide?: boolean
  /** Whether the card replaces a form: its title then receives the focus, so that a screen reader reads it. */
  readonly announced?: boolean
  readonly children: ReactNode
}

export function AuthCard({ title, intro, wide, announced = false, children }: AuthCardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (announced) heading.current?.focus()
  }, [announced])
  return (
    <div className={`${styles.card} ${surface('surface')}`} data-wide={wide || undefined}>
      <h1 ref={heading} tabIndex={-1} className={`${styles.title} ${font('xl', 'bold', 'tight', 'balance')}`}>
        {title}
      </h1>
      <p className={font('quiet', 'pretty', 'above6')}>{intro}</p>
      {children}
    </div>
  )
}

interface AuthFormProps extends ReturnType<typeof formProps> {
  readonly running: boolean
  readonly submitLabel: string
  readonly children: ReactNode
}

/** The form of a card, with its button. A spinner beside the label shows that the request runs. */
export const AuthForm = ({ running, submitLabel, children, ...form }: AuthFormProps) => (
  <form className={`${styles.form} ${stack('gap20')}`} {...form}>
    {children}
    <Button submit running={running}>
      {submitLabel}
    </Button>
  </form>
)

export function EmailField(field: Omit<TextFieldProps, 'label'>) {
  const t = useAuthText()
  return <TextField label={t('email')} type="email" name="email" autoComplete="email" {...field} />
}

export function BackToSignIn() {
  const t = useAuthText()
  return (
    <p className={`${styles.below} ${font('md', 'quiet', 'centred', 'above24')}`}>
      <Link to={paths.signIn} className={textLinkClass}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('backToSignIn')}
      </Link>
    </p>
  )
}
