import { Button, type ButtonProps, Loader } from '@mantine/core'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { busy } from '../lib/forms.ts'

interface BusyButtonProps extends ButtonProps {
  readonly ref?: Ref<HTMLButtonElement>
  readonly running: boolean
  /** The label while the request runs. */
  readonly runningLabel?: ReactNode
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  readonly 'aria-label'?: string
  readonly children: ReactNode
}

/** A button that starts a request, and ignores presses while the request runs. */
export const BusyButton = ({ running, runningLabel, onClick, children, ...button }: BusyButtonProps) => (
  <Button {...button} {...busy(running)} onClick={(event) => running || onClick?.(event)}>
    {running ? (runningLabel ?? children) : children}
  </Button>
)

interface SubmitButtonProps extends Omit<BusyButtonProps, 'onClick'> {
  /** A turning circle beside the label while the request runs. */
  readonly withLoader?: boolean
}

/** The button of a form. The form itself sends nothing twice (`formProps`). */
export const SubmitButton = ({
  running,
  runningLabel,
  withLoader = false,
  children,
  ...button
}: SubmitButtonProps) => (
  <Button
    type="submit"
    {...(withLoader && running ? { leftSection: <Loader size={18} color="currentColor" /> } : {})}
    {...button}
    {...busy(running)}
  >
    {running ? (runningLabel ?? children) : children}
  </Button>
)
