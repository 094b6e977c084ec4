import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './button.module.css'

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>

interface Look {
  /** One primary button in view; a plain one has no frame. */
  readonly kind?: 'primary' | 'default' | 'plain' | 'danger-quiet' | 'danger' | undefined
  readonly size?: 'small' | undefined
  readonly icon?: Icon | undefined
  /** Whether it is as wide as its place. */
  readonly block?: boolean | undefined
  /** Whether it keeps a distance from the text above it. */
  readonly spaced?: boolean | undefined
}

const lookOf = ({ kind = 'primary', size, block, spaced }: Look, className: string | undefined) => ({
  className: className ? `${styles.button} ${className}` : styles.button,
  'data-kind': kind,
  'data-size': size,
  'data-block': block || undefined,
  'data-spaced': spaced || undefined,
})

const Label = ({
  icon: Icon,
  children,
}: {
  readonly icon: Icon | undefined
  readonly children: ReactNode
}) => (
  <>
    {Icon && <Icon size={18} stroke={1.75} aria-hidden />}
    {children}
  </>
)

export interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'type'> {
  /** Whether its request runs: it looks and is announced as disabled, ignores presses, and keeps its word and the focus. */
  readonly running?: boolean
  /** The label while the request runs. */
  readonly runningLabel?: ReactNode
  /** Whether it is the button of a form, whose `formProps` ignore a second submission. */
  readonly submit?: boolean
}

export function Button({
  kind,
  size,
  icon,
  block,
  spaced,
  running = false,
  runningLabel,
  submit = false,
  className,
  onClick,
  children,
  ...button
}: ButtonProps) {
  return (
    <button
      type={submit ? 'submit' : 'button'}
      {...lookOf({ kind, size, block, spaced }, className)}
      aria-disabled={running || undefined}
      onClick={(event) => running || onClick?.(event)}
      {...button}
    >
      {running && <span className={styles.spinner} data-spinner aria-hidden />}
      <Label icon={running ? undefined : icon}>{running ? (runningLabel ?? children) : children}</Label>
    </button>
  )
}

interface ButtonLinkProps extends Look, ComponentProps<typeof Link> {}

/** A link that looks like a button. */
export const ButtonLink = ({
  kind,
  size,
  icon,
  block,
  spaced,
  className,
  children,
  ...link
}: ButtonLinkProps) => (
  <Link {...link} {...lookOf({ kind, size, block, spaced }, className)}>
    <Label icon={icon}>{children}</Label>
  </Link>
)
