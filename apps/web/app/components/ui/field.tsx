import { type ComponentProps, type ComponentType, type ReactNode, useId, useState } from 'react'
import { IconAlertCircle, IconEye, IconEyeOff } from '../icons.ts'
import styles from './field.module.css'

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>

export interface FieldProps {
  readonly label: ReactNode
  /** Whether only screen readers read the label, because the field names itself. */
  readonly isLabelHidden?: boolean | undefined
  readonly help?: ReactNode
  /** Replaces the help, so that the layout does not move. */
  readonly error?: ReactNode
  /** Whether the help stays below the error, because it says more. */
  readonly isHelpKept?: boolean | undefined
  readonly className?: string | undefined
}

interface FrameProps extends FieldProps {
  /** Whether the label is a text, because the control has a name of its own. */
  readonly isGroup?: boolean | undefined
  readonly children: (control: ControlProps) => ReactNode
}

interface ControlProps {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

const isShown = (part: ReactNode): boolean =>
  part !== undefined && part !== null && part !== false && part !== ''

/** The label above a control, and below it the error and the help. */
export function Field(props: FrameProps) {
  const { label, isLabelHidden, help, error, isHelpKept, className, isGroup, children } = props
  const id = useId()
  const hasError = isShown(error)
  const hasHelp = isShown(help) && (!hasError || isHelpKept)
  const below = [hasError && `${id}-error`, hasHelp && `${id}-help`].filter(Boolean).join(' ')
  const Label = isGroup ? 'div' : 'label'
  return (
    <div className={className ? `${styles.field} ${className}` : styles.field}>
      <Label
        id={`${id}-label`}
        {...(!isGroup && { htmlFor: id })}
        className={isLabelHidden ? 'visuallyHidden' : styles.label}
      >
        {label}
      </Label>
      {children({ id, 'aria-invalid': hasError || undefined, 'aria-describedby': below || undefined })}
      {hasError && (
        <p id={`${id}-error`} className={styles.error} data-error>
          <IconAlertCircle size={16} stroke={1.75} aria-hidden />
          {error}
        </p>
      )}
      {hasHelp && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

/** The properties of the field, and those of its control. */
export function split<Props extends FieldProps>(props: Props) {
  const { label, isLabelHidden, help, error, isHelpKept, className, ...control } = props
  return { field: { label, isLabelHidden, help, error, isHelpKept, className }, control }
}

export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, keyof FieldProps> {
  readonly icon?: Icon
  /** Beside the text, inside the frame. */
  readonly end?: ReactNode
}

export function TextField(props: TextFieldProps) {
  const {
    field,
    control: { icon: Icon, end, ...input },
  } = split(props)
  return (
    <Field {...field}>
      {(control) => (
        <div className={styles.frame}>
          {Icon && <Icon size={18} stroke={1.75} aria-hidden />}
          <input type="text" className={styles.input} {...control} {...input} />
          {end}
        </div>
      )}
    </Field>
  )
}

export interface SecretFieldProps extends Omit<TextFieldProps, 'type' | 'end'> {
  /** The name of the eye that shows and hides the value, for screen readers. */
  readonly eyeLabel: string
}

/** A field that hides its value, with a button that shows it. */
export function SecretField({ eyeLabel, ...field }: SecretFieldProps) {
  const [isVisible, setVisible] = useState(false)
  const Eye = isVisible ? IconEyeOff : IconEye
  return (
    <TextField
      {...field}
      type={isVisible ? 'text' : 'password'}
      end={
        <FieldButton aria-label={eyeLabel} aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
          <Eye size={20} stroke={1.75} aria-hidden />
        </FieldButton>
      }
    />
  )
}

/** A button inside the frame of a field. */
export const FieldButton = (button: ComponentProps<'button'>) => (
  <button type="button" className={styles.button} {...button} />
)

interface AreaFieldProps extends FieldProps, Omit<ComponentProps<'textarea'>, keyof FieldProps> {}

export function AreaField(props: AreaFieldProps) {
  const { field, control: area } = split(props)
  return (
    <Field {...field}>
      {(control) => <textarea className={`${styles.frame} ${styles.area}`} {...control} {...area} />}
    </Field>
  )
}

interface Choice {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, keyof FieldProps> {
  readonly choices: readonly Choice[]
}

/** The browser's own list, which fits each phone. */
export function SelectField({ choices, ...props }: SelectFieldProps) {
  const { field, control: select } = split(props)
  return (
    <Field {...field}>
      {(control) => (
        <select className={`${styles.frame} ${styles.select}`} {...control} {...select}>
          {choices.map(({ value, label, disabled }) => (
            <option key={value} value={value} disabled={disabled}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface FileFieldProps extends FieldProps, Omit<ComponentProps<'input'>, keyof FieldProps | 'type'> {}

export function FileField(props: FileFieldProps) {
  const { field, control: input } = split(props)
  return (
    <Field {...field}>
      {(control) => <input type="file" className={styles.file} {...control} {...input} />}
    </Field>
  )
}

/** Several boxes under one label. */
export const Boxes = ({ children, ...field }: FieldProps & { readonly children: ReactNode }) => (
  <Field {...field} isGroup>
    {({ id, ...control }) => (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset has its label inside
      <div role="group" aria-labelledby={`${id}-label`} className={styles.group} {...control}>
        {children}
      </div>
    )}
  </Field>
)

interface BoxProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: ReactNode
  readonly help?: ReactNode
}

/** One box that is ticked or not. */
export function Box({ label, help, ...input }: BoxProps) {
  const id = useId()
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-describedby={help ? id : undefined}
        aria-labelledby={`${id}-label`}
        {...input}
      />
      <span>
        <span id={`${id}-label`}>{label}</span>
        {help && (
          <small id={id} className={styles.help}>
            {help}
          </small>
        )}
      </span>
    </label>
  )
}
