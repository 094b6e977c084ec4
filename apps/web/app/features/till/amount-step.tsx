import { type ComponentProps, type FormEvent, useId, useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { font, grid, row, textLinkClass } from '../../components/ui/classes.ts'
import { Dialog, DialogFoot } from '../../components/ui/dialog.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Segment } from '../../components/ui/segment.tsx'
import { useCommonText } from '../../lib/page-text.ts'
import { Frame } from './frame.tsx'
import { Pad } from './pad.tsx'
import { useTillText } from './text.ts'
import styles from './till.module.css'
import { amountAfter, readTyped, useTyping } from './typing.ts'

type FrameParts = Pick<ComponentProps<typeof Frame>, 'counter' | 'end' | 'aside'>

/** The typed texts for the present customer. */
export interface Draft {
  readonly amount: string
  readonly number: string
  readonly purpose: string
}

interface AmountStepProps extends FrameParts {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly currencies: readonly string[]
  readonly currency: string
  readonly onCurrency: (currency: string) => void
  readonly onNext: () => void
}

export function AmountStep(props: AmountStepProps) {
  const { draft, onDraft, currencies, currency, onCurrency, onNext, ...frame } = props
  const t = useTillText()
  const name = useId()
  const isReady = readTyped(draft.amount) !== null
  const onKey = (key: string) => onDraft({ ...draft, amount: amountAfter(draft.amount, key) })
  useTyping(onKey, () => isReady && onNext())
  return (
    <Frame title={t('tillAmount')} {...frame}>
      <div className={`${styles.upper} ${grid('gap8')} ${font('centred')}`}>
        <fieldset className={`${styles.currencies} ${row()}`}>
          <legend className="visuallyHidden">{t('tillCurrency')}</legend>
          {currencies.map((each) => (
            <Segment
              key={each}
              className={`${styles.currency} ${font('md', 'medium')}`}
              name={name}
              checked={each === currency}
              onChange={() => onCurrency(each)}
            >
              {each}
            </Segment>
          ))}
        </fieldset>
        <output
          className={font(
            'display',
            'bold',
            'tight',
            'numbers',
            ...(draft.amount === '' ? (['quiet'] as const) : []),
          )}
          aria-label={t('tillAmount')}
        >
          {draft.amount === '' ? '0.00' : draft.amount}
        </output>
        <Purpose purpose={draft.purpose} onPurpose={(purpose) => onDraft({ ...draft, purpose })} />
      </div>
      <div className={`${styles.lower} ${grid('gap8')}`}>
        <Pad extra="." onKey={onKey} />
        <Button className={styles.tall} block disabled={!isReady} onClick={onNext}>
          {t('tillNext')}
        </Button>
      </div>
    </Frame>
  )
}

interface PurposeProps {
  readonly purpose: string
  readonly onPurpose: (purpose: string) => void
}

function Purpose({ purpose, onPurpose }: PurposeProps) {
  const t = useTillText()
  const common = useCommonText()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const [typed, setTyped] = useState('')
  const open = () => {
    setTyped(purpose)
    setOpen(true)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    onPurpose(typed.trim())
    close()
  }
  return (
    <>
      <button
        type="button"
        className={`${styles.quietAct} ${textLinkClass} ${font('md', 'semibold', 'clip')}`}
        onClick={open}
      >
        {purpose === '' ? t('tillPurposeAdd') : purpose}
      </button>
      <Dialog opened={isOpen} title={t('tillPurpose')} onClose={close}>
        <form noValidate onSubmit={save}>
          <TextField
            data-autofocus
            label={t('tillPurpose')}
            isLabelHidden
            help={t('tillPurposeHint')}
            maxLength={500}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <DialogFoot>
            <Button submit>{t('tillPurposeSave')}</Button>
            <Button kind="default" onClick={close}>
              {common('cancel')}
            </Button>
          </DialogFoot>
        </form>
      </Dialog>
    </>
  )
}
