import { Button, type ButtonProps } from '@mantine/core'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { busyProps } from '../lib/forms.ts'

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
  <Button {...button} {...busyProps(running)} onClick={(event) => running || onClick?.(event)}>
    {running ? (runningLabel ?? children) : children}
  </Button>
)

/** The button of a form. It may be pressed again while the request runs: `formProps` ignores the second submission. */
export const SubmitButton = ({
  running,
  runningLabel,
  children,
  ...button
}: Omit<BusyButtonProps, 'onClick'>) => (
  <Button type="submit" {...button} {...busyProps(running)}>
    {running ? (runningLabel ?? children) : children}
  </Button>
)
