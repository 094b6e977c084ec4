import { PasswordInput, type PasswordInputProps } from '@mantine/core'

interface SecretFieldProps extends PasswordInputProps {
  /** What its eye shows and hides, as a screen reader says it. */
  readonly what: string
}

/** A field that hides what is typed, with an eye that the keyboard reaches too. */
export const SecretField = ({ what, description, ...field }: SecretFieldProps) => (
  <PasswordInput
    visibilityToggleFocusable
    visibilityToggleButtonProps={{ 'aria-label': `Show or hide ${what}`, size: 'lg' }}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    // Where something is wrong, the error says what the hint would.
    {...(field.error ? {} : { description })}
    {...field}
  />
)
